import Domain
import Testing

/// docs/spec/rules.md#recorded-renewals and #other-periods: which renewals a machine and the desk give.
@Suite struct UnrecordedRenewalTests {
    /// A backend that only moves a subscription's expiry has no row for its renewals.
    @Test(arguments: [false, true]) func renewalsWithoutAnyRowAreTold(areNamed: Bool) throws {
        let desk = try DeskFolder()
        try desk.deliverTransactions(
            (10...15).map {
                ("30000000\($0)", #","originalTransactionId":"2000","type":"Auto-Renewable Subscription""#)
            }, night: 0)
        let transaction = areNamed ? "3000000012" : ""
        try desk.deliver("orders", ["O1,u1,coins,1,6.00,CNY,,2000,paid,\(desk.noon(0)),"], night: 0)
        try desk.deliver("credits", ["C1,O1,\(transaction),u1,credit,auto,\(desk.noon(0))"], night: 0)
        desk.now = Zone("Asia/Shanghai")!.start(of: BusinessDate("2025-11-02")!) + .hours(9)
        let told = "names one of the 6 renewals in the first rows"
        #expect(try desk.run(["check"]).output.contains(told) != areNamed)
    }

    private static let tokens = (1...2).map { "3f8fad5b-d9cb-469f-a165-00000000000\($0)" }

    /// A period of customer 1 or 2, as Apple tells of it.
    private static func period(_ number: Int, of customer: Int) -> (id: String, fields: String) {
        (
            "50000000\(customer)\(number)",
            #","type":"Auto-Renewable Subscription","originalTransactionId":"50000000\#(customer)1","#
                + #""appAccountToken":"\#(tokens[customer - 1])""#
        )
    }

    /// The first periods of two customers, each with its order and its goods.
    private func subscriptions(retry: String) throws -> DeskFolder {
        let desk = try DeskFolder(retry: retry)
        try desk.deliver(
            "orders",
            (1...2).map {
                "S\($0),u\($0),coins,1,6.00,CNY,\(Self.tokens[$0 - 1]),50000000\($0)1,paid,\(desk.noon(0)),"
            },
            night: 0)
        try desk.deliver("credits", (1...2).map { "C\($0),S\($0),,u\($0),credit,auto,\(desk.noon(0))" }, night: 0)
        try desk.deliverTransactions((1...2).map { Self.period(1, of: $0) }, night: 0)
        return desk
    }

    /// Goods that came after a night had told of them may be a person's or a repair's, whatever the row says.
    @Test func renewalsAreGivenOnceTheBackendRecordsOne() throws {
        let desk = try subscriptions(retry: "{ maxAttempts: 3 }")
        try desk.deliverTransactions((1...2).map { Self.period(2, of: $0) }, night: 2)
        try desk.nights(0...2)
        #expect(try desk.manifestKeys() == [])
        #expect(try desk.folder.read("out/latest/exceptions.csv").split(separator: ",investigate,").count == 3)
        #expect(try desk.safety("5000000022") == "renewals_unrecorded")
        let said = try desk.run(["lookup", "5000000022"]).output
        #expect(
            said.contains("Renewal without an order of its own")
                && said.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                    "may only move the expiry date"),
            "\(said)"
        )
        try desk.deliver("credits", ["C3,,5000000012,u1,credit,auto,\(desk.noon(2))"], night: 3)
        try desk.nights(3...3)
        #expect(try desk.rulings("5000000012") == ["matched/"])
        #expect(try desk.manifestKeys() == [])
        #expect(try desk.safety("5000000022") == "renewals_unrecorded")
        // So may those of a period that the customer bought in the app, after a break: it has an order of its own.
        try desk.deliver(
            "orders", ["S3,u1,coins,1,6.00,CNY,\(Self.tokens[0]),5000000013,paid,\(desk.noon(4)),"], night: 4)
        try desk.deliverTransactions([Self.period(3, of: 1)], night: 4)
        try desk.deliver("credits", ["C4,S3,5000000013,u1,credit,auto,\(desk.noon(4))"], night: 4)
        try desk.nights(4...4)
        #expect(try desk.rulings("5000000013") == ["matched/"])
        #expect(try desk.manifestKeys() == [])
        try desk.deliverTransactions([Self.period(4, of: 1)], night: 5)
        try desk.deliver("credits", ["C5,,5000000014,u1,credit,auto,\(desk.noon(5))"], night: 5)
        try desk.deliverTransactions([Self.period(3, of: 2)], night: 6)
        // From then on, a renewal without goods is lost. What was paid before may have been given without a row.
        try desk.nights(5...6)
        #expect(try desk.manifestKeys().count == 1)
        #expect(try desk.safety("5000000023") == "retry_out")
        #expect(try desk.safety("5000000022") == "renewals_unrecorded")
        // It stays known, and a check finds the ledger in order.
        try desk.nights(7...7)
        #expect(try desk.manifestKeys().count == 1)
        #expect(try desk.run(["check"]).code != 74)
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
            try desk.deliverTransactions([Self.period(number, of: 1)], night: night)
            let rows = credits.filter { ["1", "2", "34"][number - 1].contains($0.dropFirst().first!) }.map { row in
                let kind = row.hasPrefix("V") ? "reversal" : "credit"
                return "\(row),\(kind),auto,\(desk.noon(row.hasPrefix("C4") ? 0 : night))"
            }
            try desk.deliver("credits", rows, night: night)
        }
        try desk.nights(0...4)
        let answer = try desk.subjects("5000000013").first { $0["transaction_ids"] as? [String] == ["5000000013"] }
        let given = answer?["safe_reason"] as? String
        #expect(reason == nil ? given != "safe" : given == reason, "\(name): \(given ?? "nothing")")
    }
}
