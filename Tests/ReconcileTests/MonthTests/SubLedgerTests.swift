import Foundation
import Testing

@testable import Domain
@testable import Reconcile
@testable import Reference

/// A shop of random sales, of which every movement is known: when it happened, and with which month's files it was delivered.
/// The balances of all accounts are computed from that, without any rule of the program.
private struct RandomShop {
    enum Plant: CaseIterable {
        case fine, cutOff, lateDelivered, lateGiven, neverGiven, twice, twiceTakenBack, refundedKept, refundedReturned
        case refundTakenBack, partial, wrongAccount, returnedTwice
    }
    struct Leg {
        var month: Int
        var delivered: Int
        /// Positive where money came in or goods came back.
        var minor: Int
        var isMoney = false
        var isPartial = false
    }
    struct Truth {
        var plant: Plant
        var currency: String
        var legs: [Leg] = []
    }
    static let months = (0..<24).map { "\(2024 + $0 / 12)-" + padded($0 % 12 + 1, 2) }
    private let folder: MonthFolder
    private var random: SplitMix64
    private(set) var truths: [Truth] = []
    private(set) var rows: [Int: (orders: [String], credits: [String], records: [String])] = [:]

    init(seed: UInt64, sales: Int, in folder: MonthFolder) {
        self.folder = folder
        random = SplitMix64(seed: seed)
        for id in 1...sales { add(id) }
    }

    private func day(_ month: Int, _ day: Int, _ clock: String) -> String {
        "\(Self.months[month])-\(padded(day, 2)) \(clock)"
    }

    private mutating func add(_ id: Int) {
        let plant = Plant.allCases.randomElement(using: &random)!
        let month = Int.random(in: 0..<22, using: &random)
        let later = min(23, month + Int.random(in: 1...4, using: &random))
        let (currency, storefront) = [("CNY", "CHN"), ("USD", "USA"), ("JPY", "JPN"), ("KWD", "KWT"), ("TWD", "TWN")]
            .randomElement(using: &random)!
        let minor = Int.random(in: 1...300, using: &random) * 10
        let last = Int(BusinessDate(Self.months[month] + "-01")!.day)
        let days = Int(BusinessDate(Self.months[month + 1] + "-01")!.day) - last
        let bought = plant == .cutOff ? days : Int.random(in: 1...20, using: &random)
        var sale = MonthFolder.Sale(
            id: 1000 + id, currency: currency, minor: minor, storefront: storefront,
            at: day(month, bought, plant == .cutOff ? "23:59:00" : "10:00:00"))
        var truth = Truth(plant: plant, currency: currency)
        let first = plant == .lateDelivered ? later : month
        func give(_ at: Int, _ clock: String, _ delivered: Int, _ kind: String = "credit", number: Int = 1) {
            var row = folder.credit(sale, at: clock, kind, number: number)
            if plant == .wrongAccount { row = row.replacing(",A\(sale.id),", with: ",B\(sale.id),") }
            rows[delivered, default: ([], [], [])].credits.append(row)
            truth.legs.append(Leg(month: at, delivered: delivered, minor: kind == "credit" ? -minor : minor))
        }
        func record(_ delivered: Int, refunded at: (month: Int, clock: String)? = nil, percentage: Int? = nil) {
            sale.more = at.map { folder.refund($0.clock, percentage: percentage) } ?? ""
            rows[delivered, default: ([], [], [])].records.append(folder.record(sale, signed: at?.clock))
            guard let at else { return }
            truth.legs.append(
                Leg(
                    month: at.month, delivered: delivered, minor: -minor * (percentage ?? 100_000) / 100_000,
                    isMoney: true,
                    isPartial: percentage != nil))
        }
        rows[first, default: ([], [], [])].orders.append(folder.order(sale))
        truth.legs.append(Leg(month: month, delivered: first, minor: minor, isMoney: true))
        record(first)
        switch plant {
        case .cutOff: give(month + 1, day(month + 1, 1, "00:01:00"), month)
        case .neverGiven: break
        case .lateGiven: give(later, day(later, 5, "10:00:00"), later)
        default: give(month, day(month, bought, "10:00:05"), first)
        }
        let after = (later, day(later, 21, "12:00:00"))
        switch plant {
        case .twice, .twiceTakenBack:
            give(month, day(month, bought, "11:00:00"), month, number: 2)
            if plant == .twiceTakenBack { give(later, day(later, 9, "10:00:00"), later, "reversal", number: 3) }
        case .refundedKept: record(later, refunded: after)
        case .partial: record(later, refunded: after, percentage: 30_000)
        case .refundedReturned, .returnedTwice:
            record(later, refunded: after)
            give(later, day(later, 21, "13:00:00"), later, "reversal", number: 2)
            if plant == .returnedTwice { give(later, day(later, 21, "14:00:00"), later, "reversal", number: 3) }
        case .refundTakenBack where later < 23:
            record(later, refunded: after)
            sale.more = ""
            let back = day(later + 1, 20, "12:00:00")
            rows[later + 1, default: ([], [], [])].records.append(folder.record(sale, signed: back))
            truth.legs.append(Leg(month: later + 1, delivered: later + 1, minor: minor, isMoney: true))
        default: break
        }
        truths.append(truth)
    }

    /// What each account stands at after the closing of a month, by currency and role; debit less credit.
    func balances(afterClosing month: Int) -> [String: Int] {
        var sums: [String: Int] = [:]
        for truth in truths {
            func add(_ role: String, _ minor: Int) { sums[truth.currency + " " + role, default: 0] += minor }
            let known = truth.legs.filter { $0.delivered <= month }
            let now = known.filter { $0.month <= month }
            add("receivable", now.reduce(0) { $0 + ($1.isMoney ? $1.minor : 0) })
            add("revenue", now.reduce(0) { $0 + ($1.isMoney ? 0 : $1.minor) })
            add("givenFree", now.reduce(0) { $0 - ($1.isPartial ? $1.minor : 0) })
            let whole = known.reduce(0) { $0 + ($1.isPartial ? 0 : $1.minor) }
            let before = now.reduce(0) { $0 + ($1.isPartial ? 0 : $1.minor) }
            // What the later legs contributed to the balance in its own direction is theirs.
            let (size, sign) = (abs(whole), whole < 0 ? -1 : 1)
            let own = whole - sign * min(size, max(0, sign * (whole - before)))
            add("obligation", own - before)
            let isDoubtful = truth.plant == .returnedTwice && known.count > 3
            add(isDoubtful ? "suspense" : own > 0 ? "owed" : "givenFree", -own)
            if truth.plant == .wrongAccount, !known.isEmpty {
                let stray = now.reduce(0) { $0 - ($1.isMoney ? 0 : $1.minor) }
                add("owed", -stray)
                add("givenFree", stray)
            }
        }
        return sums.filter { $0.value != 0 }
    }
}

/// Accounts roll from closed month to closed month.
@Suite struct SubLedgerTests {
    private func minor(_ amount: some StringProtocol) -> Int { Int(String(amount.filter { $0 != "." })) ?? 0 }

    private func closings(_ file: MonthFile, _ amount: KeyPath<MonthFile.Account, String>) -> [String: Int] {
        file.accounts.reduce(into: [:]) { $0[$1.currency + " " + $1.role] = minor($1[keyPath: amount]) }
            .filter { $0.value != 0 }
    }

    /// The sums of all vouchers of a file, by currency and account.
    private func posted(_ csv: String) -> [String: Int] {
        csv.split(separator: "\n").dropFirst().reduce(into: [:]) { sums, row in
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            sums["\(cells[6]) \(cells[3])", default: 0] += minor(cells[4]) - minor(cells[5])
        }
    }

    /// Adds up the entries of a plain-text journal, and compares each balance that it asserts. Returns how many there were.
    private func assertions(_ text: String) -> Int {
        var sums: [String: Int] = [:]
        var count = 0
        for line in text.split(separator: "\n") where line.hasPrefix("  ") {
            let words = line.split(separator: " ")
            let key = "\(words[2]) \(words[0])"
            sums[key, default: 0] += minor(words[1])
            guard words.count == 6, words[3] == "=" else { continue }
            count += 1
            #expect(sums[key] == minor(words[4]), "\(line)")
        }
        return count
    }

    @Test(arguments: Trials.seeds(inBlock: 1, 1, long: 20)) func twoYearsOfRandomShopsRoll(seed: UInt64) throws {
        let shop = try roll(seed: seed, sales: 150) { _, _, _ in }
        let count = assertions(try shop.text("2025-12", "month-journal.ledger"))
        #expect(count > 24 * 10)
        #expect(
            try shop.text("2025-12", "month-journal.beancount").contains("\n2026-01-01 balance Assets:Receivable  "))
    }

    private static let hledger = FileManager.default.isExecutableFile(atPath: "/usr/bin/hledger")

    /// The books of each closing by another program, which asserts every balance and adds the entries up by itself.
    @Test(
        .enabled(if: hledger, "hledger is not installed"), arguments: Trials.seeds(inBlock: 40, 1, long: 20))
    func hledgerComesToTheSameBalances(seed: UInt64) throws {
        _ = try roll(seed: seed, sales: 60) { folder, month, expected in
            let said = try Program.shell(
                "hledger -f month-journal.ledger check && hledger -f month-journal.ledger bal -N --flat --layout=bare -O csv",
                in: folder.nights.folder.path + "/out/" + month)
            #expect(said.code == 0, "seed \(seed), \(month): \(said.errors)")
            var balances: [String: Int] = [:]
            for line in said.output.replacing("\"", with: "").split(separator: "\n").dropFirst() {
                let words = line.split(separator: ",")
                guard let name = words[0].split(separator: ":").last, minor(words[2]) != 0 else { continue }
                balances[words[1] + " " + name.prefix(1).lowercased() + name.dropFirst()] = minor(words[2])
            }
            #expect(balances == expected, "seed \(seed), \(month)")
        }
    }

    /// Closes 24 months of a random shop, and compares all balances with the shop's own at every closing. Then calls `also`.
    private func roll(
        seed: UInt64, sales: Int, also: (MonthFolder, _ month: String, _ expected: [String: Int]) throws -> Void
    ) throws -> MonthFolder {
        let folder = try MonthFolder()
        let text = try folder.nights.folder.read("reconcile.json")
        let finance =
            "finance: { tolerance: { CNY: \"99999\", USD: \"99999\", JPY: \"9999999\", KWD: \"99999\", "
            + "TWD: \"99999\" } }, feeds: ["
        try folder.nights.folder.write(text.replacing("feeds: [", with: finance), to: "reconcile.json")
        let shop = RandomShop(seed: seed, sales: sales, in: folder)
        var all: [String: Int] = [:]
        var last: [String: Int] = [:]
        for (index, month) in RandomShop.months.enumerated() {
            let next = index == 23 ? "2026-01" : RandomShop.months[index + 1]
            let rows = shop.rows[index] ?? ([], [], [])
            try folder.deliver(next + "-03", orders: rows.orders, credits: rows.credits, transactions: rows.records)
            try folder.night(next + "-03")
            let outcome = try folder.nights.run(["monthly", month, "--close", "--by", "li"])
            // A month may have no record of Apple's, so that a file is empty.
            try #require([.done, .look].contains(outcome.code), "seed \(seed), \(month): \(outcome)")
            let file = try folder.read(month)
            let expected = shop.balances(afterClosing: index)
            #expect(closings(file, \.closing) == expected, "seed \(seed), \(month)")
            #expect(closings(file, \.opening) == last, "seed \(seed), \(month)")
            all.merge(posted(try folder.text(month, "month-journal.csv")), uniquingKeysWith: +)
            #expect(all.filter { $0.value != 0 } == expected, "seed \(seed), \(month)")
            // Each position moves at most once. Subjects explain every change of a reason: otherwise its row names the rules.
            let positions = file.journal.map { [$0.concerns, $0.subject, $0.currency, $0.debit, $0.credit].sorted() }
            #expect(Set(positions).count == positions.count, "seed \(seed), \(month)")
            let strings = try folder.strings(month)
            #expect(strings.contains("Rows of entries") && !strings.contains("changed rules"), "seed \(seed), \(month)")
            try also(folder, month, expected)
            last = expected
        }
        return folder
    }

    /// A month apart from the closed ones, and one before them.
    @Test func entriesJoinOnToTheClosedMonths() throws {
        let folder = try MonthFolder()
        for (index, date) in ["2026-01-31", "2026-02-28", "2026-03-31"].enumerated() {
            let sale = MonthFolder.Sale(id: index + 1, minor: 600, at: date + " 12:00:00")
            try folder.deliver(
                date, orders: [folder.order(sale)], credits: index == 0 ? [] : [folder.credit(sale, at: sale.at)],
                transactions: [folder.record(sale)])
            try folder.night(date)
        }
        // January's sale is owed when February, the first closed month, begins.
        let february = try folder.month("2026-02", "--close", "--by", "li").file
        #expect(closings(february, \.closing)["CNY opening"] == 600)
        #expect(closings(february, \.closing)["CNY owed"] == -600)
        // Then January is closed as well, and its sale is no opening balance any more.
        let january = try folder.month("2026-01", "--close", "--by", "li").file
        #expect(january.journal.map(\.subject) == ["brought_forward", "purchases"])
        #expect(closings(january, \.closing) == ["CNY receivable": 1200, "CNY revenue": -600, "CNY owed": -600])
        #expect(assertions(try folder.text("2026-01", "month-journal.ledger")) == 5)
        // April has not March before it.
        try folder.deliver("2026-04-30")
        try folder.night("2026-04-30")
        #expect(try folder.month("2026-04").file.accounts.isEmpty)
        #expect(try folder.strings("2026-04").contains("Close them first"))
    }
}
