import Domain
import Testing

/// docs/spec/rules.md#recorded-renewals and #other-periods: which renewals a machine and the desk give.
@Suite struct UnrecordedRenewalTests {
    /// A backend that only moves a subscription's expiry has no row for its renewals, also where the first rows show none.
    /// The type stands in Apple's records, or in the product list alone.
    @Test(arguments: [(0, true), (0, false), (2, true), (3, true)])
    func renewalsWithoutRowsAreTold(named: Int, areTyped: Bool) throws {
        let desk = try DeskFolder()
        let type = areTyped ? #""Auto-Renewable Subscription""# : "null"
        try desk.folder.write("product_id,type,amount,currency\ncoins,auto_renewable,6.00,CNY\n", to: "products.csv")
        let configuration = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            configuration.replacing("feeds: [", with: "feeds: [ { kind: \"products\", path: \"products.csv\" },"),
            to: "reconcile.json")
        try desk.deliverTransactions(
            (1...40).map { ("10000000\($0 + 10)", "") }
                + (10...15).map {
                    ("30000000\($0)", #","originalTransactionId":"2000","type":\#(type)"#)
                }, night: 0)
        try desk.deliver("orders", ["O1,u1,coins,1,6.00,CNY,,2000,paid,\(desk.noon(0)),"], night: 0)
        try desk.deliver(
            "credits",
            (0..<max(named, 1)).map {
                "C\($0),O1,\(named == 0 ? "" : "300000001\($0)"),u1,credit,auto,\(desk.noon(0))"
            },
            night: 0)
        desk.now = Zone("Asia/Shanghai")!.start(of: BusinessDate("2025-11-02")!) + .hours(9)
        let said = try desk.run(["check"]).output
        let told = "\(6 - named) of 6 renewals are named by no order and no credit"
        #expect(!areTyped || said.contains("LOOK   renewals: " + told) == (named < 3), "\(said)")
        let files = ["orders-2025-11-01.csv", "credits-2025-11-01.csv", "transactions-2025-11-01.jsonl"].map {
            "inbox/" + $0
        }
        _ = try desk.run(["init", "--config", "found.json", "--from"] + files + ["products.csv"])
        let proposal = (try? desk.folder.read("found.json")) ?? ""
        #expect(proposal.contains(told) == (named < 3), "\(proposal)")
    }

    private static let tokens = (1...9).map { "3f8fad5b-d9cb-469f-a165-00000000000\($0)" }
    private static func id(_ number: Int, of customer: Int) -> String { "50000000\(customer)\(number)" }

    /// A period of a customer, as Apple tells of it.
    private static func period(_ number: Int, of customer: Int, reason: String = "") -> (id: String, fields: String) {
        (
            id(number, of: customer),
            #","type":"Auto-Renewable Subscription","originalTransactionId":"50000000\#(customer)1","#
                + #""appAccountToken":"\#(tokens[customer - 1])""#
                + (reason.isEmpty ? "" : #","transactionReason":"\#(reason)""#)
        )
    }

    /// The first periods of some customers, each with its order and its goods.
    private func subscriptions(of customers: ClosedRange<Int>, retry: String = "{ maxAttempts: 3 }") throws
        -> DeskFolder
    {
        let desk = try DeskFolder(retry: retry)
        try desk.deliver(
            "orders",
            customers.map {
                "S\($0),u\($0),coins,1,6.00,CNY,\(Self.tokens[$0 - 1]),50000000\($0)1,paid,\(desk.noon(0)),"
            },
            night: 0)
        try desk.deliver("credits", customers.map { "C\($0),S\($0),,u\($0),credit,auto,\(desk.noon(0))" }, night: 0)
        try desk.deliverTransactions(customers.map { Self.period(1, of: $0) }, night: 0)
        return desk
    }

    /// Delivers a period of all customers, and rows of goods for some of them.
    private func renew(
        _ desk: DeskFolder, _ customers: ClosedRange<Int>, _ number: Int, recorded: [Int], night: Int,
        reason: String = "RENEWAL"
    ) throws {
        try desk.deliverTransactions(customers.map { Self.period(number, of: $0, reason: reason) }, night: night)
        try desk.deliver(
            "credits",
            recorded.map { "R\($0)-\(number),,\(Self.id(number, of: $0)),u\($0),credit,auto,\(desk.noon(night))" },
            night: night)
    }

    /// A person's row that says `auto` and came in time shows nothing, and neither does a repair's row.
    @Test(arguments: ["", "RENEWAL"]) func renewalsAreGivenWhileTheBackendRecordsMostOfThem(reason: String) throws {
        let desk = try subscriptions(of: 1...8)
        try renew(desk, 1...8, 2, recorded: [1], night: 2, reason: reason)
        try desk.nights(0...1)
        let night = try desk.run(["nightly", "--date", desk.date(2), "--as-of", desk.date(3) + "T04:00:00+08:00"])
        #expect(night.code == 3)
        let summary = try desk.folder.read("out/latest/summary.txt")
        #expect(summary.split(separator: "\n")[0].hasSuffix("; RENEWALS WITHHELD: coins; 7 withheld"), "\(summary)")
        #expect(summary.contains("withheld: 7, worth CNY 42.00: too few renewals of coins"), "\(summary)")
        #expect(
            try desk.run(["check"]).output.contains(
                "LOOK   renewals: 7 automatic credits are withheld, worth CNY 42.00"))
        #expect(
            night.errors.contains(
                "7 automatic credits are withheld, worth CNY 42.00, because too few renewals of 'coins' have goods on record"
            ), "\(night.errors)")
        #expect(try desk.manifestKeys() == [])
        #expect(try desk.safety(Self.id(2, of: 2)) == "renewals_unrecorded")
        let said = try desk.run(["lookup", Self.id(2, of: 2)]).output
        let isRenewal = said.contains("Renewal without an order of its own") && said.contains("subscription renewed")
        let isLater =
            said.contains("Later period of a subscription") && said.contains("later period of the subscription charged")
        #expect(isRenewal == (reason == "RENEWAL") && isLater == reason.isEmpty, "\(said)")
        try desk.deliver(
            "credits", (2...6).map { "L\($0),,\(Self.id(2, of: $0)),u\($0),credit,auto,\(desk.noon(2))" }, night: 3)
        try desk.nights(3...3)
        #expect(try desk.rulings(Self.id(2, of: 2)) == ["matched/"])
        #expect(try desk.manifestKeys() == [])
        // The backend begins to record them. What was paid before may have been given without a row.
        try renew(desk, 1...8, 3, recorded: Array(1...6), night: 4, reason: reason)
        try desk.nights(4...4)
        #expect(try desk.manifestKeys() == [])
        try renew(desk, 1...8, 4, recorded: Array(1...8), night: 5, reason: reason)
        try desk.nights(5...5)
        #expect(try desk.manifestKeys().count == 2)
        #expect(try desk.safety(Self.id(3, of: 7)) == "retry_out")
        #expect(try desk.safety(Self.id(2, of: 7)) == "renewals_unrecorded")
        // The same night again changes nothing, and a check finds the ledger in order.
        try desk.nights(5...5)
        #expect(try desk.manifestKeys().count == 2)
        #expect(try desk.run(["check"]).code != 74)
        // It stops: none is given any more.
        try renew(desk, 1...8, 5, recorded: [], night: 6, reason: reason)
        try desk.nights(6...6)
        #expect(try desk.manifestKeys() == [])
        #expect(try desk.safety(Self.id(5, of: 7)) == "renewals_unrecorded")
    }

    /// Single renewals may be lost.
    @Test func oneOrTwoWithheldRenewalsWakeNobody() throws {
        let desk = try subscriptions(of: 1...2)
        try renew(desk, 1...2, 2, recorded: [], night: 2)
        try desk.nights(0...1)
        let ended = try desk.run(["nightly", "--date", desk.date(2), "--as-of", desk.date(3) + "T04:00:00+08:00"])
        #expect(ended.code == 0 && ended.output.contains("2 withheld"), "\(ended)")
        #expect(try !desk.run(["check"]).output.contains("too few renewals"))
    }

    /// A week after the first night they raise no alarm, also if a file of credits came late.
    @Test(arguments: [nil, 4, 11]) func withheldRenewalsAreToldForAWeek(missing: Int?) throws {
        let desk = try subscriptions(of: 1...3)
        try renew(desk, 1...3, 2, recorded: [], night: 2)
        for night in 0...14 {
            for day in [night, night - 1] where day == night ? night != missing : day == missing {
                if ![0, 2].contains(day) { try desk.deliver("credits", night: day) }
            }
            let ended = try desk.run([
                "nightly", "--date", desk.date(night), "--as-of", desk.date(night + 1) + "T04:00:00+08:00",
            ])
            let isTold = 2...8 ~= night && night != missing
            #expect(ended.code == (isTold || night == missing ? 3 : 0), "\(night): \(ended)")
            #expect(ended.errors.contains("too few renewals of 'coins'") == isTold, "\(night): \(ended)")
            let summary = try desk.folder.read("out/latest/summary.txt")
            #expect(summary.contains("RENEWALS WITHHELD") == isTold, "\(night): \(summary)")
            #expect(summary.contains("withheld: 3,") == (night > 1 && night != missing), "\(night): \(summary)")
        }
    }

    /// The expiry date says it, where Apple's record has no type.
    @Test func aPeriodWithoutTypeIsOneOfASubscription() throws {
        let desk = try subscriptions(of: 1...1)
        let (id, fields) = Self.period(2, of: 1)
        let own = #""type":null,"expiresDate":1764600000000"#
        try desk.deliverTransactions(
            [(id, fields.replacing(#""type":"Auto-Renewable Subscription""#, with: own))], night: 2)
        try desk.nights(0...2)
        let said = try desk.run(["lookup", id]).output
        #expect(said.contains("Later period of a subscription"), "\(said)")
        #expect(said.contains("later period of the subscription charged"), "\(said)")
    }

    /// Where the backend has recorded renewals for some time, half of a day's that lack their goods are lost.
    @Test func anOutageIsGivenOnceRenewalsAreRecordedAgain() throws {
        let desk = try subscriptions(of: 1...8)
        for number in 2...6 { try renew(desk, 1...8, number, recorded: Array(1...8), night: number - 1) }
        try renew(desk, 1...8, 7, recorded: Array(1...4), night: 6)
        try desk.nights(0...6)
        #expect(try desk.manifestKeys() == [], "The backend may have stopped recording renewals.")
        #expect(try desk.safety(Self.id(7, of: 8)) == "renewals_unrecorded")
        try renew(desk, 1...8, 8, recorded: Array(1...8), night: 7)
        try desk.nights(7...7)
        // So many of one product on one date are looked at first.
        let held = try desk.safety(Self.id(7, of: 8))
        #expect(try desk.manifestKeys() == [] && held != "safe", "\(held)")
        #expect(try desk.run(["release", "--held", "--by", "Li", "--note", "outage"]).code == 0)
        try renew(desk, 1...8, 9, recorded: Array(1...8), night: 8)
        try desk.nights(8...8)
        #expect(try desk.manifestKeys().count == 4)
        #expect(try desk.safety(Self.id(7, of: 8)) == "retry_out")
    }

    /// A customer who bought the subscription again, or another plan, in the app has lost an order. Without the order, it may
    /// have been on Apple's page of subscriptions, of which the backend only hears.
    @Test(
        arguments: [
            ("PURCHASE", true, "safe"), ("PURCHASE", false, "renewals_unrecorded"),
            ("RENEWAL", true, "renewals_unrecorded"), ("", true, "renewals_unrecorded"),
        ])
    func aLaterPeriodThatTheCustomerBoughtIsGiven(reason: String, hasOrder: Bool, safety: String) throws {
        for retry in ["{ maxAttempts: 3 }", "{ enabled: false }"] {
            let desk = try subscriptions(of: 1...2, retry: retry)
            try desk.deliver(
                "orders", hasOrder ? ["S9,u2,coins,1,6.00,CNY,,,pending,\(desk.date(2))T11:59:40+08:00,"] : [], night: 2
            )
            try renew(desk, 2...2, 2, recorded: [], night: 2, reason: reason)
            try desk.nights(0...2)
            if retry.contains("maxAttempts") {
                #expect(try desk.manifestKeys().count == (safety == "safe" ? 1 : 0))
                continue
            }
            #expect(try desk.safety(Self.id(2, of: 2)) == safety)
            let said = try desk.run(["lookup", Self.id(2, of: 2)]).output
            #expect(said.contains("subscription renewed") == (reason == "RENEWAL"), "\(said)")
            #expect(said.contains("later period of the subscription charged") == reason.isEmpty, "\(said)")
        }
    }

    /// What customers buy in the app has goods on record, also where renewals have none.
    @Test(arguments: [("PURCHASE", false, false), ("", true, false), ("RENEWAL", true, true), ("", false, true)])
    func whatCustomersBuyAgainShowsNothingOfRenewals(reason: String, haveOrders: Bool, isShown: Bool) throws {
        let desk = try subscriptions(of: 1...8)
        for number in 2...3 {
            try renew(desk, 1...6, number, recorded: Array(1...6), night: number, reason: reason)
            let orders = (1...6).map {
                "N\(number)\($0),u\($0),coins,1,6.00,CNY,\(Self.tokens[$0 - 1]),\(Self.id(number, of: $0)),paid,"
                    + "\(desk.noon(number)),"
            }
            if haveOrders { try desk.deliver("orders", orders, night: number) }
        }
        try desk.nights(0...3)
        try renew(desk, 8...8, 2, recorded: [], night: 4)
        try desk.nights(4...4)
        #expect(try desk.manifestKeys().count == (isShown ? 1 : 0))
    }

    /// `R` is a recorded renewal, `L` one that lacks its goods, in the order of purchase.
    @Test(
        arguments: [
            ("RRRRRRRRR", false), ("RRRRRRRRRR", true), ("RLRRRRRRRRR", true), ("RLRLRRRRRRRRRRRRRRRRR", true),
            ("RLRLRRRRRRRRRRRRRRRR", false), (String(repeating: "R", count: 40) + "LL", true),
            (String(repeating: "R", count: 40) + "LLL", false), ("LLLLLLLLLLLLRRRRRRRRRR", true),
        ])
    func lessThanOneInTenMayLackItsGoods(bought: String, isShown: Bool) {
        let renewals = bought.enumerated().map { number, sign in
            (
                Identifier("\(500_000 + number)"),
                Renewal(
                    product: "vip", purchasedAt: Instant(milliseconds: Int64(number) * 1000), isRecorded: sign == "R")
            )
        }
        #expect(Dictionary(uniqueKeysWithValues: renewals).recordedSince.isEmpty != isShown)
    }

    /// Nights read cases again, files come late, and parts are joined in any order: the sample is the same.
    @Test func theSampleDependsNeitherOnOrderNorOnRepetition() {
        let all = (0..<3000).map { number in
            (
                Identifier("\(700_000 + number)"),
                Renewal(
                    product: number.isMultiple(of: 9) ? "few" : "many",
                    purchasedAt: Instant(milliseconds: Int64(number) * 1000), isRecorded: !number.isMultiple(of: 31))
            )
        }
        func sample(_ parts: [[(Identifier, Renewal)]]) -> [Identifier: Renewal] {
            var whole: [Identifier: Renewal] = [:]
            for part in parts {
                var own: [Identifier: Renewal] = [:]
                for (id, renewal) in part { own.add(renewal, of: id) }
                whole.add(own)
            }
            whole.sample()
            return whole
        }
        let whole = sample([all])
        #expect((400...420).contains(whole.count) && whole["702998"] != nil)
        #expect(sample([Array(all[2000...]), all.reversed(), Array(all[..<700]), all]) == whole)
        #expect(whole.recordedSince.keys.sorted() == ["few", "many"])
        let told = all.map { ($0.0, Renewal(product: $0.1.product, purchasedAt: $0.1.purchasedAt, isRecorded: false)) }
        #expect(sample([all, told]) == sample([told]) && sample([told, all]).recordedSince.isEmpty)
    }

    /// Where tokens are per order, Apple repeats that of the first order, and each period shows it.
    @Test(
        arguments: [
            ("goods of each period", ["C1,S1,5000000011,u1", "C2,,5000000012,u1"], "safe"),
            ("goods of the first period by its order", ["C1,S1,,u1", "C2,,5000000012,u1"], "safe"),
            ("all goods by the order of the first period", ["C1,S1,,u1", "C2,S1,,u1"], nil),
            ("goods of the first period to a stranger", ["C1,S1,5000000011,u9", "C2,,5000000012,u1"], nil),
            (
                "two goods of the first period", ["C1,S1,5000000011,u1", "C2,,5000000012,u1", "C3,S1,5000000011,u1"],
                nil
            ),
            ("goods by the order, and the period before lacks its own", ["C1,S1,,u1", "C3,S1,,u1"], nil),
            ("goods that were booked for the first period", ["C3,S1,5000000011,u1", "C2,,5000000012,u1"], nil),
            ("goods by the order, with an old time", ["C4,S1,,u1", "C2,,5000000012,u1"], nil),
            ("goods that were taken back", ["C1,S1,,u1", "C2,,5000000012,u1", "V2,S1,,u1"], nil),
        ] as [(String, [String], String?)])
    func aLostRenewalIsGivenDespiteTheGoodsOfOtherPeriods(name: String, credits: [String], reason: String?) throws {
        let desk = try DeskFolder()
        try desk.folder.write(
            desk.folder.read("reconcile.json").replacing("app: {", with: #"app: { appAccountToken: "order","#),
            to: "reconcile.json")
        try desk.deliver(
            "orders", ["S1,u1,coins,1,6.00,CNY,\(Self.tokens[0]),5000000011,paid,\(desk.noon(0)),"], night: 0)
        for number in 1...3 {
            let night = 2 * number - 2
            // Other customers' renewals are on record.
            let others: [(customer: Int, number: Int)] = number == 2 ? (3...8).flatMap { [($0, 2), ($0, 3)] } : []
            try desk.deliverTransactions(
                [Self.period(number, of: 1)]
                    + others.map { Self.period($0.number, of: $0.customer, reason: "RENEWAL") }, night: night)
            let rows = credits.filter { ["1", "2", "34"][number - 1].contains($0.dropFirst().first!) }.map { row in
                let kind = row.hasPrefix("V") ? "reversal" : "credit"
                return "\(row),\(kind),auto,\(desk.noon(row.hasPrefix("C4") ? 0 : night))"
            }
            let beside = others.map { customer, number in
                "R\(number)\(customer),,\(Self.id(number, of: customer)),u\(customer),credit,auto,\(desk.noon(night))"
            }
            try desk.deliver("credits", rows + beside, night: night)
        }
        try desk.nights(0...4)
        let answer = try desk.subjects("5000000013").first { $0["transaction_ids"] as? [String] == ["5000000013"] }
        let given = answer?["safe_reason"] as? String
        #expect(reason == nil ? given != "safe" : given == reason, "\(name): \(given ?? "nothing")")
    }
}
