internal import Domain
import Exceptions
internal import Intake
import ReportData
import Testing

@testable import Engine
@testable import Ledger
@testable import Reconcile
@testable internal import Reference

/// docs/spec/rules.md#resting: a night does not judge open cases that nothing can have changed. A night that judges all of
/// them finds, writes and reports the same.
@Suite struct RestingProperties {
    @Test(arguments: 0..<12) func whatRestsIsWhatJudgingItWouldFind(_ block: Int) throws {
        var rested = 0
        try search(inBlock: block) { seed in
            var twins = try RestingTwins(seed: seed)
            try twins.play()
            rested += twins.rested
            return twins.troubles
        }
        #expect(rested > 0)
    }

    /// The guard counts resting cases, too.
    @Test func theGuardCountsWhatRests() throws {
        var twins = try RestingTwins()
        let sold = (0..<60).map { Transaction(id: Identifier("T\($0)"), product: "coins", purchasedAt: noon(0)) }
        try twins.play(0) {
            $0.transactions = sold
            $0.credits = sold.prefix(20).map { credit(Identifier("C" + $0.id.text), $0.id) }
        }
        for night in 1..<4 { try twins.play(night) }
        #expect(twins.rested >= 80)
        #expect(twins.guarded == Array(repeating: ["40 of 60"], count: 3))
    }

    /// The order suggested to a resting purchase turns out to be another purchase's.
    @Test func aSuggestionIsWithdrawnWhereItsOrderIsAnothers() throws {
        var twins = try RestingTwins()
        var order = Order(id: "O1", account: "a", product: "coins", status: .paid, createdAt: noon(0))
        try twins.play(0) {
            $0.transactions = [Transaction(id: "1", product: "coins", purchasedAt: noon(0))]
            $0.receipts = [receipt(of: "1", order: nil)]
            $0.orders = [order]
        }
        for night in 1..<4 { try twins.play(night) }
        #expect(twins.flags(of: "1") == ["suggested_order"])
        (order.transaction, order.updatedAt) = ("2", noon(3))
        try twins.play(4) {
            $0.orders = [order]
            $0.transactions = [Transaction(id: "2", product: "coins", purchasedAt: noon(0))]
        }
        #expect(twins.flags(of: "1") == [])
    }

    /// The order that a purchase's receipt names gets a purchase of its own.
    @Test func aPurchaseLearnsThatItsOrderIsAnothers() throws {
        var twins = try RestingTwins()
        var order = Order(id: "O2", account: "b", product: "coins", status: .failed, createdAt: noon(0))
        order.transaction = "2"
        try twins.play(0) {
            $0.transactions = [Transaction(id: "1", product: "coins", purchasedAt: noon(0))]
            $0.receipts = [receipt(of: "1", order: "O2")]
        }
        try twins.play(3) { $0.orders = [order] }
        try twins.play(4)
        try twins.play(5) {
            $0.transactions = [Transaction(id: "2", product: "coins", purchasedAt: noon(0))]
            $0.credits = [credit("C2", "2")]
        }
        #expect(twins.row(of: "1")?.cause == .crossedOrder)
    }

    /// An order as likely as that by which the desk gave a purchase's goods comes later.
    @Test func theDesksOrderIsDoubtedLater() throws {
        var twins = try RestingTwins()
        let orders = ["O1", "O2"].map {
            Order(id: $0, account: "a", product: "coins", status: .failed, createdAt: noon(0))
        }
        var bought = Transaction(id: "1", product: "coins", purchasedAt: noon(0) + .minutes(1))
        bought.signedAt = noon(0)
        var given = credit("C1", nil, order: "O1", by: .desk)
        given.creditedAt = noon(1)
        try twins.play(1) {
            $0.transactions = [bought]
            $0.receipts = [receipt(of: "1", order: nil)]
            $0.orders = [orders[0]]
            $0.credits = [given]
        }
        (bought.signedAt, bought.revocation) = (noon(2), Revocation(at: noon(2)))
        try twins.play(2) { $0.transactions = [bought] }
        for night in 3...6 { try twins.play(night) }
        #expect(twins.row(of: "1")?.verdict == .refundedNotReversed)
        (given.id, given.order) = ("C2", "O2")
        try twins.play(7) { ($0.orders, $0.credits) = ([orders[1]], [given]) }
        #expect(twins.row(of: "1")?.state == .resolved)
    }

    /// The same for a purchase that is settled.
    @Test func theDesksOrderIsDoubtedAfterItIsSettled() throws {
        var twins = try RestingTwins()
        let orders = ["O1", "O2"].map {
            Order(id: $0, account: "a", product: "coins", status: .failed, createdAt: noon(0))
        }
        var given = credit("C1", nil, order: "O1", by: .desk)
        given.creditedAt = noon(1)
        try twins.play(1) {
            $0.transactions = [Transaction(id: "1", product: "coins", purchasedAt: noon(0) + .minutes(1))]
            $0.receipts = [receipt(of: "1", order: nil)]
            $0.orders = [orders[0]]
            $0.credits = [given]
        }
        for night in 2...4 { try twins.play(night) }
        (given.id, given.order) = ("C2", "O2")
        try twins.play(5) { ($0.orders, $0.credits) = ([orders[1]], [given]) }
        try twins.play(6)
    }

    /// A row of the credits that cannot be used names the resting purchase.
    @Test func aRejectedCreditWithdrawsTheDemand() throws {
        var twins = try RestingTwins()
        try twins.play(0) {
            $0.transactions = [Transaction(id: "1", product: "coins", purchasedAt: noon(0))]
            $0.receipts = [receipt(of: "1", order: nil)]
        }
        for night in 1..<3 { try twins.play(night) }
        #expect(twins.rested > 0 && twins.row(of: "1")?.retryKey != nil)
        try twins.play(3, rejected: "C9,1")
        try twins.play(4)
        #expect(twins.row(of: "1")?.retryKey == nil && twins.row(of: "1")?.action == .fixInput)
    }

    /// The consumer finds otherwise, a person looks, and lets the entry go out again.
    @Test func aReleasedEntryIsAskedForAgain() throws {
        var twins = try RestingTwins()
        var order = Order(id: "O1", account: "a", product: "coins", status: .paid, createdAt: noon(0))
        order.transaction = "1"
        try twins.play(0) {
            $0.transactions = [Transaction(id: "1", product: "coins", purchasedAt: noon(0))]
            $0.receipts = [receipt(of: "1", order: "O1")]
            $0.orders = [order]
        }
        try twins.play(2)
        #expect(twins.row(of: "1")?.action == .credit)
        let key = try #require(twins.row(of: "1")?.retryKey)
        try twins.play(3, answer: Acknowledgement(key: key, outcome: .preconditionFailed, at: noon(3)))
        try twins.play(4)
        #expect(twins.row(of: "1")?.action == .investigate)
        try twins.release()
        try twins.play(5)
        #expect(twins.row(of: "1")?.action == .credit)
    }

    private func receipt(of transaction: Identifier, order: Identifier?) -> Receipt {
        var receipt = Receipt(id: "R1", content: Digest256(words: (1, 0, 0, 0)), account: "a", receivedAt: noon(0))
        (receipt.transaction, receipt.order, receipt.verifyStatus) = (transaction, order, 0)
        return receipt
    }

    private func credit(
        _ id: Identifier, _ transaction: Identifier?, order: Identifier? = nil, by origin: CreditOrigin = .auto
    ) -> Credit {
        var credit = Credit(id: id, account: "a", origin: origin, creditedAt: noon(0))
        (credit.transaction, credit.order) = (transaction, order)
        return credit
    }
}

/// The same nights on two ledgers. On the second one, no case rests. Nearly always every feed delivers each day; between the
/// nights people decide, consumers answer, and the desk gives goods.
struct RestingTwins {
    private let world: World
    private var random: SplitMix64
    private(set) var resting: NightPlayer
    private var whole: NightPlayer
    private(set) var troubles: [String] = []
    /// How many cases were not judged, in all nights together.
    private(set) var rested = 0

    /// The settings of both.
    var policy: Policy {
        get { resting.configuration.policy }
        set { (resting.configuration.policy, whole.configuration.policy) = (newValue, newValue) }
    }

    init(_ policy: Policy = Policy()) throws {
        (world, random) = (WorldGenerator.world(seed: 0), SplitMix64(seed: 0))
        (resting, whole) = (try NightPlayer(policy: policy), try NightPlayer(policy: policy))
        whole.recall = .everything
    }

    init(seed: UInt64) throws {
        var random = SplitMix64(seed: seed ^ 0x4E57)
        var world = WorldGenerator.world(seed: seed)
        if Bool.random(using: &random) { world = world.withDuplicateFile(seed: seed) }
        let required = Set(NightPlayer.kinds.filter { _ in Bool.random(using: &random) })
        resting = try NightPlayer(policy: world.policy, required: required)
        whole = try NightPlayer(policy: world.policy, required: required)
        whole.recall = .everything
        (self.world, self.random) = (world, random)
    }

    mutating func play() throws {
        let last = world.horizon.businessDate
        let first = min(world.files.map(\.fileDate).min() ?? last, last)
        let nights = 6
        var parts = world.files.map { file in (night: Int.random(in: 0..<nights, using: &random), file: file) }
        parts = parts.map { ($0.night, $0.file) }
        for night in 0..<nights + 2 {
            // The first half of the nights lie a day apart; then graces pass.
            let date = last.advanced(by: night < nights / 2 ? night - nights / 2 : night * night)
            let days = night == 0 ? first...max(first, date) : resting.nights.last!.run.businessDate...date
            var arrivals = NightPlayer.kinds.flatMap { kind in days.all.map { (kind: kind, date: $0) } }
            if night > 1, Int.random(in: 0..<4, using: &random) == 0 {
                arrivals.remove(at: Int.random(in: 0..<arrivals.count, using: &random))
            }
            var files = parts.filter { $0.night == night }.map(\.file)
            for index in files.indices { files[index].fileDate = min(files[index].fileDate, date) }
            let moment = RunTime(businessDate: date, asOf: world.policy.zone.end(of: date) + .hours(3))
            if night > 1, Int.random(in: 0..<3, using: &random) == 0 {
                SettingsChange.all.randomElement(using: &random)!.apply(to: &policy)
            }
            let addition = addition(night)
            try play(files, arrivals, at: moment, addition)
            if !troubles.isEmpty {
                troubles.insert("night \(night)", at: 0)
                return
            }
            try decide()
        }
    }

    private mutating func play(
        _ files: [WorldFile], _ arrivals: [(kind: FeedKind, date: BusinessDate)], at moment: RunTime,
        _ addition: (inout Delivered) -> Void
    ) throws {
        try resting.play(files, arrivals: arrivals, at: moment, addition: addition)
        try whole.play(files, arrivals: arrivals, at: moment, addition: addition)
        rested += resting.nights.last!.records.unjudged.count
        let reports = (resting.nights.last!.report, whole.nights.last!.report)
        if reports.0 != reports.1 { troubles.append("\(reports.0.differences(from: reports.1))") }
        let warnings = (resting.nights.last!.warnings, whole.nights.last!.warnings)
        if "\(warnings.0)" != "\(warnings.1)" { troubles.append("\(warnings)") }
        troubles += try resting.ledger.differences(from: whole.ledger)
    }

    /// A night whose feeds deliver everything up to it.
    mutating func play(
        _ night: Int, answer: Acknowledgement? = nil, rejected: String? = nil,
        _ fill: (inout Evidence) -> Void = { _ in }
    ) throws {
        var rows = Evidence()
        fill(&rows)
        var files: [WorldFile] = []
        for kind in NightPlayer.kinds {
            var own = Evidence()
            switch kind {
            case .orders: own.orders = rows.orders
            case .credits: own.credits = rows.credits
            case .transactions: own.transactions = rows.transactions
            default: own.receipts = rows.receipts
            }
            files.append(WorldFile(kind: kind, fileDate: day(night), evidence: own))
        }
        let arrivals = NightPlayer.kinds.flatMap { kind in (0...night).map { (kind: kind, date: day($0)) } }
        try play(files, arrivals, at: moment(night)) { delivered in
            if let answer { delivered.evidence.acknowledgements.append(answer) }
            if let rejected { delivered.reject(rejected) }
        }
        #expect(troubles == [], "night \(night)")
    }

    /// The last night's row of the exception of this transaction.
    func row(of transaction: String) -> ExceptionRow? {
        resting.nights.last!.report.exceptions.first { $0.transactions == [transaction] }
    }

    func flags(of transaction: String) -> [String]? { row(of: transaction)?.flags }

    /// What the guard found in each night after the first.
    var guarded: [[String]] {
        resting.nights.dropFirst().map { ($0.report.guarded ?? []).map { "\($0.count) of \($0.total)" } }
    }

    /// Answers of consumers, goods given by the desk, and rejected rows of credits.
    private mutating func addition(_ night: Int) -> (inout Delivered) -> Void {
        guard night > 1, let report = resting.nights.last?.report, Bool.random(using: &random) else { return { _ in } }
        let emitted = (report.retryLists?.emitted ?? []).map(\.facts.key)
        let asOf = report.asOf + .minutes(1)
        let answer = emitted.randomElement(using: &random).map {
            Acknowledgement(
                key: $0, outcome: Bool.random(using: &random) ? .preconditionFailed : .retryableError, at: asOf)
        }
        let given = report.exceptions.compactMap(\.transactions.first).randomElement(using: &random)
        let mentioned = report.exceptions.compactMap(\.transactions.first).randomElement(using: &random)
        let turn = Int.random(in: 0..<3, using: &random)
        return { delivered in
            if turn == 0, let answer { delivered.evidence.acknowledgements.append(answer) }
            if turn == 1, let given {
                delivered.handOuts.append(HandOut(transaction: Identifier(given), by: "Li", at: asOf))
            }
            if turn == 2, let mentioned { delivered.reject("C9,\(mentioned)") }
        }
    }

    /// A person waives an exception, withdraws a waiver, or releases retry entries; on both ledgers.
    private mutating func decide() throws {
        let known = try resting.ledger.unresolvedExceptions()
        guard var record = known.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where record.isOpen: record.state = .waived
        case 1:
            guard let waived = known.first(where: { $0.state == .waived }) else { return }
            record = waived
            record.state = .reopened
        case 2:
            try release()
            return
        default: return
        }
        for ledger in [resting.ledger, whole.ledger] {
            try ledger.begin()
            var same = try #require(try ledger.exception(id: record.id))
            same.state = record.state
            try ledger.write(same)
            try ledger.writeDecision(
                on: same, run: resting.nights.last!.run.id, by: "Li", at: resting.nights.last!.run.asOf, note: "checked"
            )
            try ledger.commit()
        }
    }
}

extension RestingTwins {
    /// Releases all held and dead entries.
    func release() throws {
        for ledger in [resting.ledger, whole.ledger] { try ledger.releaseEverything() }
    }
}

extension Delivered {
    /// Adds a row that cannot be used to the night's file of credits, if there is one.
    fileprivate mutating func reject(_ row: String) {
        guard let file = deliveries.firstIndex(where: { $0.kind == .credits }) else { return }
        deliveries[file].totals.rows += 1
        deliveries[file].totals.rejected += 1
        rejects.append(
            RejectLine(source: deliveries[file].name, line: 9, column: nil, reason: "", row: Array(row.utf8)))
    }
}

extension ClosedRange<BusinessDate> {
    fileprivate var all: [BusinessDate] {
        (0...(upperBound.day - lowerBound.day)).map { lowerBound.advanced(by: Int($0)) }
    }
}
