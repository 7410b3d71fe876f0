import Domain
import Foundation
import Testing

/// What agents of a desk met in a week's tickets.
@Suite struct DeskShiftTests {
    private func shown(_ desk: DeskFolder, _ text: String, _ options: String...) throws -> String {
        try desk.run(["lookup", text] + options, variables: ["COLUMNS": "900"]).output
    }

    private func ids(_ answer: [String: Any]) -> [String] {
        (answer["subjects"] as? [[String: Any]] ?? []).map { ($0["transaction_ids"] as? [String])?.first ?? "-" }
    }

    private static let token = "1d625e20-8e90-4318-1cf0-bfcf6828c345"
    private static let snowflake = "2129474734126077766"

    /// An order that was paid twice and names the first payment; the goods were given once.
    private func paidTwice(_ use: String, receipts: [String]) throws -> DeskFolder {
        let desk = try DeskFolder(retry: "{}")
        let settings = try desk.folder.read("reconcile.json")
        try desk.folder.write(
            settings.replacing("app: {", with: #"app: { appAccountToken: "\#(use)","#), to: "reconcile.json")
        try desk.deliver(
            "orders", ["ORD1,acct-7,coins,1,6.00,CNY,\(Self.token),2000000000000001,paid,\(desk.noon(0)),"], night: 0)
        try desk.deliver("credits", ["CR1,ORD1,2000000000000001,acct-7,credit,auto,\(desk.noon(0))"], night: 0)
        try desk.deliver("receipts", receipts, night: 0)
        let fields = #","appAccountToken":"\#(Self.token)""#
        try desk.deliverTransactions([("2000000000000001", fields), ("2000000000000002", fields)], night: 0)
        try desk.night(0)
        return desk
    }

    @Test(arguments: ["acct-7", "ORD1", "2000000000000002"])
    func thePaymentThatNobodyServedComesFirst(asked: String) throws {
        let byOrder = try paidTwice("order", receipts: [])
        #expect(try byOrder.rulings(asked).first == "paid_not_credited/paid_twice")
        let first = try byOrder.subjects(asked)[0]
        #expect(first["owner_account_id"] as? String == "acct-7" && first["safe_reason"] as? String == "paid_twice")
        #expect(try (first["approval"] as? String)?.hasPrefix("Finance") == true && byOrder.manifestKeys().isEmpty)
        // Only the customer's own receipt tells that the second payment was for the order.
        let noon = DeskFolder.first.text + "T12:00:00+08:00"
        let byAccount = try paidTwice(
            "account", receipts: ["RC2,\(noon),acct-7,ORD1,2000000000000002,0,", "RC9,\(noon),thief,ORD1,,0,"])
        #expect(try byAccount.rulings(asked).first == "paid_not_credited/crossed_order")
        #expect(try shown(byAccount, asked).contains("If the customer paid twice under one order, ask whether"))
    }

    /// A subscription that was changed the day after it began. Only the second order's account differs.
    @Test(arguments: [("acct-7", "safe"), ("acct-8", "owner_unknown")])
    func theCreditOfTheFirstPeriodIsNotTheSecondOnes(account: String, reason: String) throws {
        for retry in ["{}", "{ enabled: false }"] {
            let desk = try DeskFolder(retry: retry)
            let settings = try desk.folder.read("reconcile.json")
            try desk.folder.write(
                settings.replacing("app: {", with: #"app: { appAccountToken: "order","#), to: "reconcile.json")
            let order = { (id: String, account: String, paid: String, night: Int) in
                "\(id),\(account),coins,1,6.00,CNY,\(Self.token),\(paid),paid,\(desk.noon(night)),"
            }
            let (first, second) = ("2000000000000001", "2000000000000002")
            let fields = #","type":"Auto-Renewable Subscription","appAccountToken":"\#(Self.token)""#
            try desk.deliver("orders", [order("ORD1", "acct-7", first, 0)], night: 0)
            try desk.deliver("credits", ["CR1,ORD1,\(first),acct-7,credit,auto,\(desk.noon(0))"], night: 0)
            try desk.deliverTransactions([(first, fields)], night: 0)
            try desk.deliver("orders", [order("ORD2", account, second, 1)], night: 1)
            try desk.deliverTransactions([(second, fields + #","originalTransactionId":"\#(first)""#)], night: 1)
            try desk.nights(0...1)
            if retry == "{}" {
                #expect(try desk.manifestKeys().count == (reason == "safe" ? 1 : 0))
            } else {
                #expect(try desk.safety(second) == reason)
            }
        }
    }

    @Test func aRefusalIsNoPlainYes() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        let key = try #require(try desk.manifestKeys().first)
        try desk.deliver("acks", ["\(key),permanent_error,\(desk.noon(1)),account banned"], night: 1)
        try desk.nights(1...3)
        let page = try desk.web("id=2000000123456789", by: "li", ["HTTP_ACCEPT_LANGUAGE": "en"])
        #expect(page.contains("YES, once the backend's answer “account banned” is settled"), "\(page)")
        #expect(page.contains("class=\"safe wait\""))
        #expect(!page.contains("class=\"safe yes\"") && !page.contains("We will add them"))
        #expect(page.contains("If the account is banned or closed, ask your team lead"))
        #expect(try shown(desk, "2000000123456789", "--lang", "zh-Hans").contains("可以，但须先查清系统补单失败的原因（account banned）"))
    }

    /// One who may not record it reads of no button, and one line says who gives the goods.
    @Test func whoCannotRecordLeavesItToWhoHasItInHand() throws {
        let desk = try DeskFolder.lostOrder(
            settings: #"desk: { mayGive: ["li", "wang"], mayWork: ["li", "chen"], mayLead: ["chen"] },"#)
        let transaction = "2000000123456789"
        let alone = try desk.web("id=\(transaction)", by: "chen")
        #expect(
            alone.contains("First have it recorded by: li, wang.") && !alone.contains("Record it first"), "\(alone)")
        #expect(alone.contains("Give nothing: you cannot record it. Leave it to a colleague who can."), "\(alone)")
        let id = (try desk.subjects(transaction)[0]["exception"] as? [String: Any])?["id"] as? String ?? ""
        _ = try desk.web("id=\(transaction)&work=take&exception=\(id)", by: "li")
        let page = try desk.web("id=\(transaction)", by: "chen")
        #expect(page.contains("You cannot record it, so give nothing. li has had this case in hand since"), "\(page)")
        #expect(!page.contains("First have it recorded by") && !page.contains("handed over to you"), "\(page)")
        let chinese = try desk.web("id=\(transaction)", by: "chen", ["QUERY_STRING": "lang=zh-Hans"])
        #expect(chinese.contains("由 li 处理。") && !chinese.contains("先请其转交给您"), "\(chinese)")
    }

    /// A shell command is for a shell.
    @Test func thePageNamesItsButtonAndTheCommandItself() throws {
        let desk = try DeskFolder.lostOrder(settings: #"desk: { mayGive: ["li"] },"#)
        let transaction = "2000000123456789"
        let page = try desk.web("id=\(transaction)", by: "li")
        #expect(
            page.contains("Record it first, with the button below.") && !page.contains("reconcile given"), "\(page)")
        let shown = try desk.run(["lookup", transaction], variables: ["COLUMNS": "900"]).output
        #expect(shown.contains("Record it first, with “reconcile given \(transaction)”"), "\(shown)")
    }

    @Test(arguments: ["账号u20000028，怎么扣我两次98", "account u20000028: charged twice!", "UID:u20000028 试用没到期就扣钱"])
    func aComplaintAboutAChargeIsAnswered(text: String) throws {
        let desk = try TicketShop().desk
        let first = try #require((try desk.look(text)["subjects"] as? [[String: Any]])?.first)
        #expect((first["customer"] as? String)?.hasPrefix("We can see this payment") == true, "\(first)")
        #expect((first["advice"] as? String)?.hasPrefix("The customer asks about a charge") == true, "\(first)")
        // One whose goods are missing still gets them.
        let lost = text.replacing("u20000028", with: "u20000017")
        #expect(try ids(desk.look(lost)).contains("510002000001033"))
        #expect(try !shown(desk, "510001000000028").contains("asks about a charge"))
    }

    @Test func whoHasARefundIsNotSentToApple() throws {
        let desk = try TicketShop().desk
        let wish = "reportaproblem.apple.com"
        #expect(try !shown(desk, "510001000000026 我要退款").contains(wish))
        #expect(try !shown(desk, "510001000000027 refund please").contains(wish))
        #expect(try shown(desk, "510001000000028 我要退款").contains(wish))
    }

    /// A parent allowed the purchase two days later.
    @Test func anOrderIsPaidLate() throws {
        let desk = try DeskFolder()
        let order = { (id: String) in "\(id),acct-7,coins,1,6.00,CNY,\(Self.token),,pending,\(desk.noon(0))," }
        try desk.deliver("orders", [order("ORD1")], night: 0)
        try desk.deliverTransactions([("2000000000000001", #","appAccountToken":"\#(Self.token)""#)], night: 2)
        try desk.nights(0...2)
        let answer = try desk.look("ORD1")
        #expect(ids(answer).first == "2000000000000001", "\(answer)")
        #expect(try !shown(desk, "ORD1").contains("This order has not been paid"))
    }

    @Test func aSpreadsheetRoundsANumber() throws {
        let desk = try DeskFolder()
        try desk.deliver(
            "orders", ["\(Self.snowflake),acct-7,coins,1,6.00,CNY,\(Self.token),,pending,\(desk.noon(0)),"], night: 0)
        try desk.deliverTransactions([("2000000000000001", #","appAccountToken":"\#(Self.token)""#)], night: 0)
        try desk.nights(0...0)
        for text in ["订单号 2129474734126070000", "2129474734126077700", "order 2.12947473412608E+18"] {
            #expect(try desk.look(text, "--asker", "acct-7")["read_as"] as? [String] == [Self.snowflake], "\(text)")
            let shown = try shown(desk, text)
            #expect(shown.contains("Found by the first") && !shown.contains("YES"), "\(shown)")
        }
        // With the account in the message, it is that account's purchase, and no other one's.
        for (order, isKnown) in [("2129474734126070000", true), ("2129474734999970000", false)] {
            let beside = try desk.look("账号acct-7 订单号\(order)没到")
            #expect(beside["read_as"] as? [String] == ["acct-7"] + (isKnown ? [Self.snowflake] : []))
            #expect(beside["unknown_ids"] as? [String] == (isKnown ? [] : [order]))
        }
        #expect(try desk.look("order 2.12947E+18")["route"] as? String == "rounded")
        #expect(try ids(desk.look("订单号 2.1E+18", "--asker", "acct-7")).first == "2000000000000001")
    }

    @Test func aClientsLogIsAMessage() throws {
        let desk = try TicketShop().desk
        let more = #","product":"coins_980","ver":"3.2.1","err":"\#(String(repeating: "timeout ", count: 30))"}"#
        let known = try desk.look(#"{"orderId":"DD2026111899000006","uid":"u20000006""# + more)
        #expect(ids(known).first == "510001000000006")
        #expect(try desk.look(#"{"orderId":"DD2026111899","uid":1"# + more)["route"] as? String == "pasted_unreadable")
    }

    @Test func aHandOutWithoutACreditIsAskedAbout() throws {
        let desk = try DeskFolder.lostOrder()
        #expect(try desk.run(["given", "2000000123456789", "--by", "li"]).code == 0)
        try desk.nights(1...1)
        let said = "It was recorded more than a day before these records end"
        #expect(try !shown(desk, "2000000123456789").contains(said))
        try desk.nights(2...2)
        let shown = try shown(desk, "2000000123456789")
        #expect(shown.contains(said) && shown.contains("ask li.") && shown.contains("are checking it"), "\(shown)")
        #expect(!shown.contains("We are adding the items"))
    }

    @Test func whoConfirmsReadsWhoHasTheCaseInHand() throws {
        let desk = try DeskFolder.lostOrder()
        let users = #"["li", "wang", "ben"]"#
        try desk.configure(settings: "desk: { mayGive: \(users), mayWork: \(users), twoPersons: [\"given\"] },")
        let (form, id) = ("id=2000000123456789&given=2000000123456789", "2000000123456789")
        _ = try desk.web(form, by: "li")
        let exception = try (desk.subjects(id)[0]["exception"] as? [String: Any])?["id"] as? String ?? ""
        _ = try desk.web("id=\(id)&work=take&exception=\(exception)", by: "ben")
        let confirmed = try desk.web(form + "&confirms=li", by: "wang", ["HTTP_ACCEPT_LANGUAGE": "en"])
        #expect(confirmed.contains("Confirmed: li gives the goods") && confirmed.contains("ben has the case in hand"))
    }

    /// Who gave the goods left nothing to do but the order.
    @Test func whatLacksOnlyItsOrderIsNoOpenMoney() throws {
        let settings =
            #"desk: { mayWork: ["li"], mayLead: ["li"], mayRelease: ["li"], mayWaive: ["li"], mayGive: ["li"] },"#
        let desk = try DeskFolder(retry: "{}", settings: settings)
        try desk.deliver(
            "orders", ["ORD1,acct-7,gems,1,6.00,CNY,\(Self.token),,pending,\(desk.noon(0)),"], night: 0)
        try desk.deliverTransactions([("2000000000000001", #","appAccountToken":"\#(Self.token)""#)], night: 0)
        try desk.nights(0...0)
        let key = try #require(try desk.manifestKeys().first)
        try desk.deliver("acks", ["\(key),permanent_error,\(desk.noon(1)),no order"], night: 1)
        try desk.deliver("credits", ["CR1,,2000000000000001,acct-7,credit,desk,\(desk.noon(1))"], night: 1)
        try desk.deliverTransactions([("2000000000000002", "")], night: 1)
        try desk.nights(1...2)
        #expect(try desk.rulings("2000000000000001") == ["order_missing/"])
        func listed(_ query: String) throws -> [String] {
            try desk.web(nil, by: "li", ["QUERY_STRING": query]).matches(of: /name="id" value="(\d+)"/).map {
                String($0.output.1)
            }
        }
        #expect(try listed("queue") == ["2000000000000002", "2000000000000001"])
        #expect(try listed("lead") == ["2000000000000002"])
        let page = try desk.web("id=2000000000000001", by: "li")
        #expect(page.contains("value=\"waive\"") && !page.contains("value=\"release\""), "\(page)")
    }
}
