import Domain
import Foundation
import Testing

/// docs/spec/rules.md#withheld-entries: a machine gives no goods that may have been given already. For each reason the
/// look-up answers NO as well.
@Suite struct WithheldEntryTests {
    static let token = "0f8fad5b-d9cb-469f-a165-000000000001"
    static let (purchase, other) = ("3000000001", "3000000009")

    func desk(_ beside: Beside, retry: String = "{ maxAttempts: 3 }") throws -> DeskFolder {
        let desk = try DeskFolder(retry: retry, settings: "maxRejectedShare: 1," + beside.settings)
        let first = Self.order("O0", "gems,1,1.00", status: "failed", at: "01T09").of(beside.account)
        if beside.isOldFile { try desk.deliver("orders", beside.earlier, night: -3) }
        try desk.deliver(
            "orders", [first] + (beside.isOldFile ? [] : beside.earlier.map { $0.of(beside.account) }), night: 0)
        try desk.deliver("credits", beside.earlierCredits.map { $0.of(beside.account) }, night: 0)
        try desk.night(0)
        try desk.deliver("orders", beside.isOldFile ? [] : beside.orders.map { $0.of(beside.account) }, night: 1)
        if beside.isOldFile { try desk.deliver("orders", beside.orders, night: -3) }
        try desk.deliver("credits", beside.credits.map { $0.of(beside.account) }, night: 1)
        if !beside.receipts.isEmpty { try desk.deliver("receipts", beside.receipts, night: 1) }
        let fields = #","appAccountToken":"\#(Self.token)""#
        let other = beside.members.contains("appAccountToken") ? beside.members : fields + beside.members
        try desk.deliverTransactions(
            [(Self.purchase, fields + beside.own)]
                + beside.transactions.split(separator: " ").map { (String($0), other) }, night: 1)
        return desk
    }

    /// A lifetime product that was paid for a second time.
    private static let lifetime: [Beside] =
        ([
            ("that the account has", "", "acct-1", "credit", "already_owned"),
            ("that the account had until it was taken back", "", "acct-1", "reversal", nil),
            (
                "that another account has", #","appAccountToken":"1f8fad5b-d9cb-469f-a165-000000000001""#, "acct-9",
                "credit", nil
            ),
            ("that the account has and can have any number of", #","type":"Consumable""#, "acct-1", "credit", nil),
        ] as [(String, String, String, String, String?)]).map { name, members, account, last, reason in
            let type = members.contains("type") ? "" : #","type":"Non-Consumable""#
            let row = "3000000009,\(account),KIND,auto,2025-11-02T12:0"
            return Beside(
                name: "a lifetime product " + name,
                credits: ["credit", last].enumerated().map {
                    "C\($0),," + row.replacing("KIND", with: $1) + "\($0 + 1):00+08:00"
                }.suffix(last == "credit" ? 1 : 2), transactions: "3000000009", members: members + type,
                own: type + (type.isEmpty ? members : ""), reason: reason)
        }

    /// Another version of a delivered order, which agrees with its payment and its credit.
    private static let versions: [Beside] =
        ([
            ("of the customer that says credited", "acct-1,coins", "", "credited", 11, "acct-9", "credit_unplaced"),
            ("that names the payment", "acct-8,coins", purchase, "paid", 11, "acct-9", "credit_on_record"),
            ("that says credited", "acct-1,coins", "3000000009", "credited", 12, "acct-1", nil),
            ("that says credited hours before its credit", "acct-1,coins", "", "credited", 11, "acct-1", nil),
            ("of another product that says credited", "acct-1,gems", "", "credited", 12, "acct-1", "credit_unplaced"),
            (
                "of the same customer that names the payment", "acct-1,coins", purchase, "paid", 11, "acct-1",
                "credit_on_record"
            ),
        ] as [(String, String, String, String, Int, String, String?)]).map {
            name, fields, payment, status, hour, account, reason in
            let head = "1,6.00,CNY,"
            let token = #","appAccountToken":"1f8fad5b-d9cb-469f-a165-000000000001""#
            return Beside(
                name: "an earlier version \(name)",
                orders: [
                    "O1,\(fields),\(head),\(payment),\(status),2025-11-02T10:00:00+08:00,2025-11-02T\(hour):00:00+08:00",
                    "O1,\(account),coins,\(head),3000000009,paid,2025-11-02T10:00:00+08:00,2025-11-02T12:02:00+08:00",
                ], credits: ["C9,O1,3000000009,\(account),credit,auto,2025-11-02T12:01:00+08:00"],
                transactions: "3000000009", members: account == "acct-9" ? token : "", reason: reason)
        }

    /// Goods that an order's status told of on the day before are not those of its credit.
    private static let reused = Beside(
        name: "an order that said credited on the day before its payment, which agrees with its credit",
        orders: [order("O1", "coins,1,6.00", status: "paid", at: "01T10", of: other) + "2025-11-02T12:02:00+08:00"],
        credits: ["C9,O1,\(other),acct-1,credit,auto,2025-11-02T12:01:00+08:00"], transactions: other,
        earlier: [order("O1", "coins,1,6.00", status: "credited", at: "01T10") + "2025-11-01T11:00:00+08:00"],
        reason: "credit_unplaced")

    /// The desk wrote something around the account or the order.
    private static let wrapped: [Beside] =
        (([
            "uACCT", "s12_ACCT", "ACCT@s12", "ACCT-1", "用户ACCT", "ACCT（补）", "13800138000123/ACCT",
            "ACCT SP20251102000013777", "【ACCT】手机13800138000123", "8800-1234-5678", "88 001 2345678",
            "会员号 8800 1234 5678",
            "8800\u{a0}12345678", "８８００－１２３４－５６７８", "880012345678/880012345679",
        ] + [token, token.uppercased(), token.replacing("-", with: ""), "token: \(token)"]).map {
            ($0, "TICKET-17", "", "credit_unplaced")
        }
        + [
            ("acct-9", "补SP20251102000013", "", "credit_unplaced"),
            ("acct-9", "SP-20251102-000013", "", "credit_unplaced"),
            ("acct-9", "SP 2025 110 2000013", "", "credit_unplaced"),
            // Another date, and another customer's number in groups.
            ("acct-9", "SP-20251102-000014", "", nil), ("8800-1234-5679", "TICKET-17", "", nil),
            ("8800-1234-5678", "TICKET-17", "8800-1234-5678", nil), ("880012 vip 345678", "TICKET-17", "", nil),
            ("acct-9", "SP20251102000013补", "", "credit_unplaced"),
            ("acct-9", "SP20251102000013-1补发", "", "credit_unplaced"), ("acct-9", "SP20251102000014补", "", nil),
            // The cell beside the right one.
            ("Wang", purchase, "", "credit_unplaced"), ("Wang", "补\(purchase)", "", "credit_unplaced"),
            (purchase, "TICKET-17", "", "credit_unplaced"), ("SP20251102000013", "TICKET-17", "", "credit_unplaced"),
            ("补SP20251102000013", "TICKET-17", "", "credit_unplaced"),
            ("Wang", "20251102000013", "", "credit_unplaced"),
            ("Wang", "TICKET-17,SP20251102000013", "", "credit_unplaced"),
            ("Wang", "ACCT 补", "", "credit_unplaced"), ("Wang", "TICKET-18,ACCT/1", "", "credit_unplaced"),
            // The reward of a friend whom the customer brought.
            ("880012345679", "ACCT", "880012345679", nil), ("880012345679", "REWARD,ACCT", "", nil),
            ("SP20251102000013", "TICKET-17", "SP20251102000013", nil),
            ("SP20251102000014", "880012345679", "", nil),
            ("1ACCT", "TICKET-17", "", nil), ("u88001234567", "TICKET-17", "", nil),
            ("u12345", "TICKET-20251102", "", nil),
            // The shop has such accounts.
            ("uACCT", "TICKET-17", "uACCT", nil), ("ACCT@s12", "TICKET-17", "ACCT@s12", nil),
        ] as [(String, String, String, String?)]).map { account, order, known, reason in
            let number = "880012345678"
            let other = "O9,\(known),gems,1,1.00,CNY,,,failed,2025-11-01T09:00:00+08:00,"
            return Beside(
                name: "a credit to \(account) with order \(order)\(known.isEmpty ? "" : ", which is an account")",
                orders: [Self.order("SP20251102000013", "coins,1,6.00", at: "02T11")],
                credits: [
                    "C1,\(order)\(order.contains(",") ? "" : ","),\(account),credit,\(order.hasPrefix("R") ? "auto" : "desk"),"
                ].map { $0.replacing("ACCT", with: number) + "2025-11-02T15:00:00+08:00" },
                earlier: known.isEmpty ? [] : [other.replacing("ACCT", with: number)], account: number, reason: reason)
        }

    /// The desk writes the same letter before the account each time, and a client may send any name.
    private static let habits: [Beside] =
        ([
            (["C9,,3000000009,u880012345678,credit,desk,2025-11-02T13:00:00+08:00"], "", "credit_unplaced"),
            ([], "u880012345678,,4000000777,0", "credit_unplaced"),
            ([], "u880012345678,,3000000009,21003", "credit_unplaced"),
            ([], "u880012345678,,3000000009,0", "credit_unplaced"), ([], "u880012345678,,3000000008,0", nil),
        ] as [([String], String, String?)]).map { credits, receipt, reason in
            let other = receipt.contains("3000000008") ? "3000000008" : "3000000009"
            return Beside(
                name:
                    "a desk credit to u880012345678, and \(credits.isEmpty ? "a receipt: \(receipt)" : "one for a payment")",
                credits: credits + ["C1,TICKET-17,,u880012345678,credit,desk,2025-11-02T15:00:00+08:00"],
                transactions: other,
                members: other == "3000000008" ? #","appAccountToken":null"# : "",
                receipts: receipt.isEmpty ? [] : ["R1,2025-11-02T20:00:00+08:00,\(receipt),"], account: "880012345678",
                reason: reason)
        }

    @Test(arguments: worlds + lifetime + versions + [reused] + wrapped + guests)
    func whereTheDeskSaysNoTheMachineHoldsBack(_ beside: Beside) throws {
        let machine = try desk(beside)
        let night = try machine.run(["nightly", "--date", "2025-11-02", "--as-of", "2025-11-03T04:00:00+08:00"])
        let entries = try machine.folder.read("out/latest/retry-manifest.jsonl").split(separator: "\n")
            .filter { $0.contains(#""action":"credit""#) }
        #expect(entries.count == (beside.reason == nil ? 1 : 0), "\(night.errors)")
        if beside.reason?.hasPrefix("credit") == true {
            #expect(night.errors.contains("1 automatic credit is withheld, worth CNY 6.00"), "\(night.errors)")
        }
        machine.now = Zone("Asia/Shanghai")!.start(of: BusinessDate("2025-11-03")!) + .hours(9)
        // Where an entry is out, the desk gives nothing. Without a retry job, it gives the goods itself.
        var asked = machine
        if beside.reason == nil {
            asked = try desk(beside, retry: "{ enabled: false }")
            try asked.night(1)
        }
        let subject = try asked.subjects(Self.purchase).first { $0["transaction_ids"] as? [String] == [Self.purchase] }
        #expect(subject?["safe_reason"] as? String == beside.reason ?? "safe")
    }

    @Test(arguments: habits) func aNameThatOnlyTheDeskOrAClientWritesIsNoAccount(_ beside: Beside) throws {
        let machine = try desk(beside)
        try machine.night(1)
        let isSent = try machine.folder.read("out/latest/retry-manifest.jsonl").split(separator: "\n").contains {
            $0.contains(#""action":"credit""#) && $0.contains(Self.purchase)
        }
        #expect(isSent == (beside.reason == nil))
        let asked = try desk(beside, retry: "{ enabled: false }")
        try asked.night(1)
        let subject = try asked.subjects(Self.purchase).first { $0["transaction_ids"] as? [String] == [Self.purchase] }
        #expect(subject?["safe_reason"] as? String == beside.reason ?? "safe")
    }

    /// Nobody knows whether they were taken back because they were not this payment's.
    @Test func goodsThatWereTakenBackAreGivenAgainByAPerson() throws {
        let row = "O1,,acct-1,KIND,auto,2025-11-02T12:0"
        let desk = try desk(
            Beside(
                name: "", orders: [Self.order("O1", "coins,1,6.00", at: "02T11")],
                credits: [
                    "C1," + row.replacing("KIND", with: "credit") + "1:00+08:00",
                    "C2," + row.replacing("KIND", with: "reversal") + "9:00+08:00",
                ]))
        try desk.night(1)
        #expect(try desk.manifestKeys() == [])
        #expect(try desk.folder.read("out/latest/exceptions.csv").contains(",investigate,"))
        #expect(try desk.safety(Self.purchase) == "credit_on_record")
    }

    @Test func whatIsWithheldGoesOutWhenTheCreditIsTakenBack() throws {
        let world = try #require(Self.worlds.first { $0.name == "a desk credit with the number of a ticket" })
        let desk = try desk(world)
        try desk.night(1)
        #expect(try desk.manifestKeys() == [])
        try desk.nights(2...2)
        #expect(try desk.manifestKeys() == [])
        try desk.deliver("credits", ["C2,TICKET-17,,acct-1,reversal,desk,2025-11-04T15:10:00+08:00"], night: 3)
        try desk.nights(3...3)
        #expect(try desk.manifestKeys().count == 1)
    }

    /// In later nights, the other period is read from the ledger.
    @Test func aMisspeltPeriodWithholdsEveryNight() throws {
        let world = try #require(Self.worlds.first { $0.name.hasSuffix("period in between, misspelt") })
        let desk = try desk(world)
        for night in 1...3 {
            try desk.nights(night...night)
            #expect(try desk.manifestKeys() == [], "night \(night)")
        }
    }

    @Test func anEntryThatIsOutIsWithdrawn() throws {
        let desk = try desk(Self.worlds[0])
        try desk.night(1)
        #expect(try desk.manifestKeys().count == 1)
        try desk.deliver("credits", ["C1,TICKET-17,,acct-1,credit,desk,2025-11-03T15:00:00+08:00"], night: 2)
        try desk.nights(2...3)
        #expect(try desk.manifestKeys() == [])
        #expect(try desk.folder.read("out/latest/exceptions.csv").contains(",investigate,"))
    }

    /// Between the night and the consumer, the backend may give the goods by an order that nothing links to the payment.
    /// Also by an order of another account whose receipt names the payment, misspells it, or is rejected; and by an order that
    /// a third account's receipt names. Also where the payment has an order of its own.
    @Test(
        arguments: [
            ([], false), (["acct-2,,\(purchase),21003"], true), (["acct-2,,0\(purchase),21003"], true),
            (["acct-3,O4,\(purchase),21003"], true), (["acct-2,,\(purchase),nonsense"], true),
        ] as [([String], Bool)], [false, true])
    func anEntryNamesTheOrdersThatGoodsMayBeGivenFor(_ world: (claims: [String], isClaimed: Bool), hasOrder: Bool)
        throws
    {
        let desk = try desk(
            Beside(
                name: "orders of any age, of another product and of another customer",
                orders: [
                    Self.order("O1", "coins,1,6.00", at: "01T09"), Self.order("O2", "coins,1,6.00", at: "02T13"),
                    Self.order("O3", "gems,1,1.00", at: "02T11"),
                    Self.order("O4", "coins,1,6.00", at: "02T11").replacing("acct-1", with: "acct-2")
                        .replacing("0f8fad5b", with: "1f8fad5b"),
                ] + (hasOrder ? [Self.order("O5", "coins,1,6.00", at: "02T11", of: Self.purchase)] : []),
                receipts: world.claims.map { "R1,2025-11-02T12:01:00+08:00,\($0)," }))
        try desk.night(1)
        let line = try desk.folder.read("out/latest/retry-manifest.jsonl")
        let named = #""suggested_order_ids":["O2","O3","O1","O0"\#(world.isClaimed ? ",\"O4\"" : "")]"#
        #expect(line.contains(named) && line.contains(#""order_id":"O5""#) == hasOrder, "\(line)")
        #expect(line.contains(#""no_credit_for_suggested_orders""#))
    }

    @Test func moreOrdersThanAnEntryNamesLeaveItToAPerson() throws {
        for (count, entries) in [(19, 1), (20, 0)] {
            let orders = (1...count).map { Self.order("O\($0 + 100)", "gems,1,1.00", at: "01T09") }
            let desk = try desk(Beside(name: "orders of another product", orders: orders))
            try desk.night(1)
            #expect(try desk.manifestKeys().count == entries, "\(count) orders and the one of the night before")
        }
    }

    /// The backend knows its orders without the feeds' prefix, and checks them so.
    @Test(arguments: [(["orders", "credits"], false), (["orders"], true)])
    func anEntryNamesOrdersAsTheBackendDoes(_ prefixed: [String], isAmbiguous: Bool) throws {
        let desk = try DeskFolder(retry: "{ maxAttempts: 3 }")
        var settings = try desk.folder.read("reconcile.json")
        for feed in prefixed {
            settings.replace(
                "inbox/\(feed)-{date}.csv\",",
                with: "inbox/\(feed)-{date}.csv\", columns: { order_id: { from: \"order_id\", prefix: \"W\" } },")
        }
        try desk.folder.write(settings, to: "reconcile.json")
        try desk.deliver(
            "orders",
            [Self.order("1001", "coins,1,6.00", at: "01T09"), Self.order("1002", "gems,1,1.00", at: "01T08")],
            night: 0)
        try desk.deliver("credits", night: 0)
        let paid = #","appAccountToken":"\#(Self.token)","#
        try desk.folder.write("", to: "inbox/transactions-\(desk.date(0)).jsonl")
        try desk.deliverTransactions([(Self.purchase, String(paid.dropLast()))], night: 0)
        try desk.night(0)
        let line = try desk.folder.read("out/latest/retry-manifest.jsonl")
        let expected = isAmbiguous ? #"["1001","W1001","1002","W1002"]"# : #"["1001","1002"]"#
        #expect(line.contains(#""suggested_order_ids":\#(expected)"#), "\(line)")
    }

    /// One row may name many customers' orders. The machine gives nothing, and the night says so.
    @Test(arguments: [(1, 0), (2, 3)]) func aRowThatWithholdsTheGoodsOfSeveralCustomers(named: Int, code: Int32) throws
    {
        let desk = try DeskFolder(retry: "{ maxAttempts: 3 }", settings: "maxRejectedShare: 1,")
        let lost = (1...2).map { "O\($0),u\($0),coins,1,6.00,CNY,,300000000\($0),paid,\(desk.noon(0))," }
        let names = (1...named).map { "O\($0)" }.joined(separator: " ")
        try desk.deliver("orders", lost + ["O9,u9,coins,1,6.00,CNY,,\(names),nonsense,\(desk.noon(0)),"], night: 0)
        try desk.deliver("credits", night: 0)
        try desk.deliverTransactions((1...2).map { ("300000000\($0)", "") }, night: 0)
        for _ in 0..<2 {
            let ended = try desk.run(["nightly", "--date", desk.date(0), "--as-of", desk.date(1) + "T04:00:00+08:00"])
            #expect(ended.code == code, "\(ended.errors)")
            #expect(ended.output.contains("One rejected row withholds the goods of several customers") == (code == 3))
        }
        #expect(try desk.manifestKeys().count == 2 - named)
        #expect(
            try desk.folder.read("out/latest/summary.json").contains(
                #""withholding_row": "inbox/orders-2025-11-01.csv:4""#)
                == (code == 3))
    }

    /// Credits name orders, and nothing links the orders with payments: the night and `check` say what to export.
    @Test func aShopWhoseCreditsNameOrdersOnlyLearnsWhatToExport() throws {
        let desk = try DeskFolder(retry: "{ maxAttempts: 3 }", settings: "guard: { uncredited: 1 },")
        let numbers = 10...40
        try desk.deliver(
            "orders", numbers.map { "O\($0),u\($0),coins,1,6.00,CNY,,,paid,\(desk.noon(0))," }, night: 0)
        try desk.deliver("credits", numbers.map { "C\($0),O\($0),,u\($0),credit,auto,\(desk.noon(0))" }, night: 0)
        try desk.deliverTransactions(numbers.map { ("30000000\($0)", "") }, night: 0)
        let ended = try desk.run(["nightly", "--date", desk.date(0), "--as-of", desk.date(1) + "T04:00:00+08:00"])
        #expect(
            ended.errors.contains("31 of 31 credits name an order that nothing links to a payment"), "\(ended.errors)")
        desk.now = Zone("Asia/Shanghai")!.start(of: BusinessDate("2025-11-02")!) + .hours(9)
        #expect(try desk.run(["check"]).output.contains("Export transaction_id with the credits, or with the orders"))
        try desk.deliver(
            "credits", numbers.map { "C\($0),O\($0),30000000\($0),u\($0),credit,auto,\(desk.noon(0))" }, night: 0)
        #expect(try !desk.run(["check"]).output.contains("Export transaction_id"))
    }

    /// One table of credits for all ways to pay, and orders of which `where` leaves out those of other ways: the night and
    /// `check` say why these goods look unpaid.
    @Test func goodsForOrdersThatAreLeftOutAreTold() throws {
        let desk = try DeskFolder()
        let prefix = #", columns: { order_id: { from: "order_id", prefix: "W" } }"#
        try desk.folder.write(
            desk.folder.read("reconcile.json")
                .replacing(#"orders-{date}.csv""#, with: #"orders-{date}.csv", where: { currency: "CNY" }"# + prefix)
                .replacing(#"credits-{date}.csv""#, with: #"credits-{date}.csv""# + prefix), to: "reconcile.json")
        let numbers = 10...40
        try desk.deliver(
            "orders",
            numbers.map {
                "\($0),u\($0),coins,1,6.00,\($0 < 15 ? "CNY" : "USD"),,30000000\($0),paid,\(desk.noon(0)),"
            }, night: 0)
        try desk.deliver("credits", numbers.map { "C\($0),\($0),,u\($0),credit,auto,\(desk.noon(0))" }, night: 0)
        try desk.deliverTransactions((10..<15).map { ("30000000\($0)", "") }, night: 0)
        desk.now = Zone("Asia/Shanghai")!.start(of: BusinessDate("2025-11-02")!) + .hours(9)
        #expect(
            try desk.run(["check"]).output.contains(
                "26 of its first rows name orders that where or whereNot leaves out"))
        let ended = try desk.run(["nightly", "--date", desk.date(0), "--as-of", desk.date(1) + "T04:00:00+08:00"])
        #expect(
            ended.errors.contains(
                "26 credits name an order that 'where' or 'whereNot' leaves out; the first is 'C15'")
                && !ended.errors.contains("that nothing links to a payment"), "\(ended.errors)")
    }

    /// Two shops whose tables count from 1: thirty customers of each have their goods.
    @Test func twoFeedsWithTheSameIdsGiveNothing() throws {
        let desk = try DeskFolder(retry: "{ maxAttempts: 3 }")
        let numbers = 1...30
        func id(_ shop: Int, _ number: Int) -> String { "30000\(shop)\(1000 + number)" }
        try desk.deliver(
            "orders",
            [1, 2].flatMap { shop in
                numbers.map { "S\(shop)-\($0),u\(shop)-\($0),coins,1,6.00,CNY,,\(id(shop, $0)),paid,\(desk.noon(0))," }
            }, night: 0)
        try desk.deliver(
            "credits",
            [1, 2].flatMap { shop in
                numbers.map { "\($0),S\(shop)-\($0),,u\(shop)-\($0),credit,auto,\(desk.noon(0))" }
            }, night: 0)
        try desk.deliverTransactions([1, 2].flatMap { shop in numbers.map { (id(shop, $0), "") } }, night: 0)
        for night in 0...1 {
            let ended = try desk.run(
                ["nightly", "--date", desk.date(night), "--as-of", desk.date(night + 1) + "T04:00:00+08:00"])
            #expect(ended.code == 3, "\(ended.errors)")
            #expect(ended.errors.contains("30 of 60 rows have the id of another record"))
            #expect(try desk.manifestKeys() == [])
            if night == 0 {
                try desk.deliver("orders", night: 1)
                try desk.deliver("credits", night: 1)
            }
        }
        // A person who lets the finding pass lets no entry go.
        _ = try desk.run(["release", "--held", "--by", "Li", "--note", "looked at"])
        try desk.deliver("orders", night: 2)
        try desk.deliver("credits", night: 2)
        let ended = try desk.run(["nightly", "--date", desk.date(2), "--as-of", desk.date(3) + "T04:00:00+08:00"])
        #expect(ended.code == 0 && ended.errors.contains("30 automatic credits are withheld"), "\(ended.errors)")
        #expect(try desk.manifestKeys() == [])
    }
}

extension String {
    fileprivate func of(_ account: String) -> String { replacing("acct-1", with: account) }
}
