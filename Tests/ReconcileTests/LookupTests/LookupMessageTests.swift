import Domain
import Foundation
import Testing

/// A message that says more than ids: what it says of the purchase counts beside a known account, and ids of several
/// customers are a reason to ask.
@Suite struct LookupMessageTests {
    private func shown(_ desk: DeskFolder, _ text: String, _ options: String...) throws -> String {
        try desk.run(["lookup", text] + options, variables: ["COLUMNS": "600"]).output
    }

    private func ids(_ answer: [String: Any]) -> [String] {
        (answer["subjects"] as? [[String: Any]] ?? []).map { ($0["transaction_ids"] as? [String])?.first ?? "-" }
    }

    /// The account has 59 settled purchases and a lost one; asked on 2025-11-08.
    @Test func whatTheMessageSaysOfThePurchaseComesFirst() throws {
        let desk = try TicketShop().desk
        let text = "账号u20000017，昨天16:05充的98没到"
        let answer = try desk.look(text)
        #expect(ids(answer).prefix(2) == ["510002000001020", "510002000001033"] && answer["route"] is NSNull)
        let page = try shown(desk, text)
        #expect(page.contains("Understood: 2025-11-07; 15:35 to 16:35; 98."), "\(page)")
        let own = try #require(page.range(of: "Paid and delivered\nSafe"))
        let other = try #require(page.range(of: "Paid not credited"))
        #expect(own.lowerBound < other.lowerBound && page.contains("Settled: 59."))
        // Several that fit come first, too; all of an account's purchases still are there.
        let both = try desk.look("account u20000017, paid 98 yesterday at 4 pm")
        #expect(ids(both).prefix(3) == ["510002000001020", "510002000001055", "510002000001033"], "\(ids(both))")
        #expect(ids(both).count == ids(try desk.look("u20000017")).count)
        #expect(ids(try desk.look("账号 u20000017 没到账")).first == "510002000001033")
        // Of four in the afternoon, the three nearest to its middle are shown in full.
        let afternoon = "账号u20000017，昨天下午充的98没到"
        let nearest = ids(try desk.look(afternoon)).prefix(4).map { String($0.suffix(4)) }
        #expect(nearest == ["1055", "1006", "1020", "1041"], "\(nearest)")
        #expect(try shown(desk, afternoon).ranges(of: "Paid and delivered\nSafe").count == 3)
    }

    /// What is on record is none of it, so nothing about it is told to the customer.
    @Test(arguments: [
        ("账号u20000017，今天早上8点充的98没到", "outside_records", "The records do not reach the time"),
        ("account u20000028, paid 98 ten minutes ago", "outside_records", "The records do not reach the time"),
        ("账号u20000028，昨天16:05充的648没到", "nothing_fits", "purchases on Android are not on record."),
    ])
    func aPurchaseThatIsNotOnRecordIsNotAnother(text: String, route: String, step: String) throws {
        let desk = try TicketShop().desk
        let answer = try desk.look(text)
        #expect(answer["route"] as? String == route && answer["next_step"] as? String != nil)
        #expect(!ids(answer).isEmpty)
        let page = try shown(desk, text)
        let warning = try #require(page.range(of: step), "\(page)")
        let isOutside = route == "outside_records"
        let following = isOutside ? "see the account's purchases below." : "The account's other purchases follow."
        #expect(page.contains(following))
        let block = try #require(page.range(of: "Safe to compensate by hand"))
        #expect(warning.lowerBound < block.lowerBound && !page.contains("Your purchase is complete"), "\(page)")
        #expect(page.contains("Tell the customer  We are checking what you sent us"))
    }

    /// Nothing need stand between an address, or a colleague's name, and an id.
    @Test(arguments: [
        "邮箱87654321@qq.com，交易号ID没到", "邮箱87654321@qq.com交易号ID没到", "邮箱zhang@qq.com,ID", "ID，zhang@qq.com",
        "Apple ID：zhang@icloud.com；交易号：ID；没到账", "email: joe@gmail.com; transaction: ID", "joe@gmail.com/ID",
        "ID/joe@gmail.com",
        "@客服小美，交易号ID没到", "@kefu01,ID", "@客服ID",
    ])
    func anAddressHidesNoId(text: String) throws {
        let desk = try DeskFolder.lostOrder()
        let answer = try desk.look(
            text.replacing("ID", with: "2000000123456789").replacing("Apple 2000000123456789", with: "Apple ID"))
        #expect(ids(answer) == ["2000000123456789"], "\(answer)")
    }

    @Test func theNumberOfAnAddressIsNoAccount() throws {
        let desk = try SearchShop().desk
        for address in ["u3009@qq.com ", "邮箱u3009@qq.com，"] {
            let found = try desk.subjects(address + "订单SG202511060000003950没到")
            #expect(found.map { $0["safe_reason"] as? String } == ["safe"])
        }
        #expect(try desk.safety("u3099 订单SG202511060000003950没到") == "account_unclear")
    }

    /// The order's id has hyphens, as the shop's others.
    @Test(arguments: [
        "MR251101003367622E", "MR251101 003367 622E", "MR251101_003367_622E", "mr251101003367622e",
        "订单MR251101003367622E没到",
        "订单 MR251101 003367 622E 没到", "MR251101-\n003367-622E 没到", "账号58210002 订单MR251101003367622E没到",
    ])
    func theHyphensOfAnOrderNeedNotBeTyped(text: String) throws {
        let desk = try DeskFolder()
        try desk.deliver(
            "orders", ["MR251101-003367-622E,58210002,coins,1,6.00,CNY,,2000000123456789,paid,\(desk.noon(0)),"],
            night: 0)
        try desk.deliverTransactions([("2000000123456789", "")], night: 0)
        for feed in ["credits", "receipts"] { try desk.deliver(feed, night: 0) }
        try desk.night(0)
        let answer = try desk.look(text)
        #expect(ids(answer) == ["2000000123456789"], "\(answer)")
        #expect((answer["subjects"] as? [[String: Any]])?.first?["safe_reason"] as? String == "safe")
    }

    /// The order of one account has no payment; the other one's payment is lost.
    @Test func theAccountOfAnUnpaidOrderIsOneOfSeveral() throws {
        let desk = try DeskFolder()
        try desk.deliver(
            "orders",
            [
                "ORD1000000001,acct-a,coins,1,6.00,CNY,,2000000123456789,paid,\(desk.noon(0)),",
                "ORD1000000002,acct-b,coins,1,6.00,CNY,,,cancelled,\(desk.noon(0)),",
            ], night: 0)
        try desk.deliverTransactions([("2000000123456789", "")], night: 0)
        for feed in ["credits", "receipts"] { try desk.deliver(feed, night: 0) }
        try desk.night(0)
        let page = try shown(desk, "订单ORD1000000001 和 ORD1000000002 没到")
        #expect(page.contains("2 accounts"), "\(page)")
    }

    @Test func idsOfSeveralAccountsAreNamedBeforeTheReply() throws {
        let desk = try TicketShop().desk
        let text = "订单 DD2026111999000028 交易号 510001000000006 没到账"
        let page = try shown(desk, text)
        let warning = try #require(page.range(of: "Attention: these ids belong to 2 accounts."), "\(page)")
        #expect(warning.lowerBound < page.range(of: "Safe to compensate")!.lowerBound)
        #expect(page.ranges(of: "Tell the customer  We are checking what you sent us").count == 2, "\(page)")
        #expect(try shown(desk, text, "--lang", "zh-Hans").contains("注意：这些编号属于 2 个账号"))
        let labelled = "订单号：DD2026111999000028\n交易号：510001000000006"
        #expect(try shown(desk, labelled).contains("these ids belong to 2 accounts"))
        // Bare ids, too. The texts for the customers stay.
        let list = try shown(desk, "DD2026111999000028 510001000000006")
        #expect(list.ranges(of: "Attention: these ids belong to 2 accounts.").count == 1, "\(list)")
        #expect(!list.contains("We are checking what you sent us"), "\(list)")
        #expect(try !shown(desk, "DD2026111999000028 510001000000006", "--asker", "u20000028").contains("these ids"))
        // With the asker's account, each purchase is the customer's or another's; one account needs no question.
        #expect(try !shown(desk, text, "--asker", "u20000028").contains("these ids belong"))
        #expect(try !shown(desk, TicketShop.pasted).contains("these ids belong"))
    }

    @Test func anUnknownOwnerHasANextStep() throws {
        let desk = try TicketShop().desk
        let page = try shown(desk, "510001000000040")
        #expect(page.contains("Ask the customer for the account") && page.contains("reconcile given"), "\(page)")
        #expect(page.contains("In the backend, enter origin “desk” and transaction 510001000000040."))
        // The account is known already.
        let asked = try shown(desk, "510001000000040", "--asker", "u20000001")
        #expect(!asked.contains("Ask the customer for the account") && asked.contains("reconcile given"), "\(asked)")
        #expect(try !shown(desk, "510001000000040", "--asker", "u1", "--lang", "zh-Hans").contains("询问账号"))
    }

    /// Apple undid a refund: goods that were taken back for it are owed again.
    @Test func aRefundThatAppleUndidIsAnEvent() throws {
        let desk = try DeskFolder()
        let (id, day) = ("2000000123456789", Int64(86_400_000))
        let noon = Zone("Asia/Shanghai")!.start(of: DeskFolder.first).milliseconds + day / 2
        for (night, more) in [(0, ""), (1, #","revocationDate":\#(noon + day),"revocationReason":0"#), (2, "")] {
            try desk.folder.write(
                #"{"transactionId":"\#(id)","productId":"coins","purchaseDate":\#(noon),"quantity":1,"#
                    + #""type":"Consumable","environment":"Production","bundleId":"com.example.game","price":6000,"#
                    + #""currency":"CNY","signedDate":\#(noon + Int64(night) * day)\#(more)}"# + "\n",
                to: "inbox/transactions-\(desk.date(night)).jsonl")
        }
        try desk.deliver("orders", ["ORD1,acct-7,coins,1,6.00,CNY,,\(id),credited,\(desk.noon(0)),"], night: 0)
        for (night, kind) in [(0, "credit"), (1, "reversal")] {
            let at = desk.date(night) + "T13:00:00+08:00"
            try desk.deliver("credits", ["CR\(night),ORD1,\(id),acct-7,\(kind),auto,\(at)"], night: night)
        }
        try desk.nights(0...9)
        #expect(try desk.rulings(id) == ["paid_not_credited/reversed_without_refund"])
        let timeline = try desk.subjects(id)[0]["timeline"] as? [[String: Any]] ?? []
        #expect(
            timeline.compactMap { $0["kind"] as? String } == [
                "order", "transaction", "transaction", "transaction", "credit", "revocation", "reversal",
                "refund_reversed",
            ])
        let page = try shown(desk, id)
        #expect(page.contains("2025-11-03 12:00:00 Apple undid its refund"), "\(page)")
        #expect(page.contains("What to do         Apple undid its refund") && !page.contains("on purpose"), "\(page)")
        let chinese = try shown(desk, id, "--lang", "zh-Hans")
        #expect(chinese.contains("苹果已撤回退款") && !chinese.contains("并没有退款") && !chinese.contains("人为"), "\(chinese)")
    }

    /// What the consumer answered last is a part of the advice, not the last line of the page.
    @Test func theConsumersLastAnswerStandsWithTheYes() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        let key = try #require(try desk.manifestKeys().first)
        try desk.deliver("acks", ["\(key),permanent_error,\(desk.noon(1)),account banned"], night: 1)
        try desk.nights(1...1)
        #expect(try desk.subjects("2000000123456789")[0]["safe_reason"] as? String == "safe_after_tries")
        let advice = try #require(try desk.subjects("2000000123456789")[0]["advice"] as? String)
        #expect(advice.contains("account banned"), "\(advice)")
    }

    /// "The account shown" is not shown.
    @Test func whoSeesNoAccountGivesByTheTransaction() throws {
        let desk = try DeskFolder.lostOrder()
        let masked = try shown(desk, "2000000123456789", "--mask")
        #expect(masked.contains("YES") && masked.contains("The account is hidden from you"), "\(masked)")
        #expect(try shown(desk, "2000000123456789", "--mask", "--lang", "zh-Hans").contains("您看不到完整账号"))
        #expect(try !shown(desk, "2000000123456789").contains("hidden"))
    }

    /// The goods came; nobody is to read that the system is still giving them.
    @Test func anEntryThatIsNoLongerNeededIsNotPending() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        #expect(try shown(desk, "2000000123456789").contains("pending; attempts: 1"))
        try desk.deliver(
            "credits", ["CR1,ORD1000000042,2000000123456789,acct-lost-7,credit,auto,\(desk.noon(1))"], night: 1)
        try desk.nights(1...1)
        let page = try shown(desk, "2000000123456789")
        #expect(page.contains("no longer needed; attempts: 1") && !page.contains("pending; attempts"), "\(page)")
    }

    @Test func aTestPurchaseAndARenewalAreNamedInTheTimeline() throws {
        let desk = try TicketShop().desk
        let test = try shown(desk, "510001000000029")
        #expect(test.contains("test purchase, no money moved: coins_980") && !test.contains("paid to Apple"), "\(test)")
        let periods = try shown(desk, "510001000000201")
        #expect(periods.contains("later period of the subscription charged: vip_month × 1, 30.00 CNY"), "\(periods)")
    }

    @Test func aWishForARefundIsAnswered() throws {
        let desk = try TicketShop().desk
        let wishes = [("我要退款，账号u20000028", "zh-Hans"), ("I want my money back, account u20000028", "en")]
        for (text, language) in wishes {
            #expect(try shown(desk, text, "--lang", language).contains("reportaproblem.apple.com"))
        }
        #expect(try !shown(desk, "u20000028").contains("If the customer wants a refund"))
    }

    /// Coins are not restored, and Apple pays the money.
    @Test func whoWaitsForTheRefundReadsWhoPaysIt() throws {
        let desk = try TicketShop().desk
        let page = try shown(desk, "510001000000026 refunded, but no money came")
        #expect(page.contains("Apple returns the money to your payment method."), "\(page)")
        #expect(page.contains("If the customer has not received the money") && !page.contains("Restore"), "\(page)")
        let chinese = try shown(desk, "510001000000026 钱还没到", "--lang", "zh-Hans")
        #expect(chinese.contains("退款由苹果原路退回") && !chinese.contains("恢复购买"), "\(chinese)")
    }

    /// Words may miss a complaint, so every answer that nothing has to be given names both ways on.
    @Test(arguments: ["510001000000028", "510001000000029", "买重了吧 510001000000028"])
    func whoLacksNothingIsAskedForTheAccountAndSentToApple(text: String) throws {
        let desk = try TicketShop().desk
        let page = try shown(desk, text)
        #expect(page.contains("NOT NEEDED") && page.contains("ask which account and server"), "\(page)")
        #expect(page.contains("at reportaproblem.apple.com"))
        let chinese = try shown(desk, text, "--lang", "zh-Hans")
        #expect(chinese.contains("问清用户看的是哪个账号") && chinese.contains("reportaproblem.apple.com"), "\(chinese)")
    }

    /// The button stands below; the steps have its order.
    @Test func theGoodsAreRecordedBeforeTheyAreGiven() throws {
        let desk = try DeskFolder.lostOrder()
        for (language, steps) in [
            ("en", ["not been given yet", "Record it first", "give them once", "origin “desk” and transaction 2000"]),
            ("zh-Hans", ["确认无人补过单", "再登记", "补单一次", "来源（origin）填 desk"]),
        ] {
            let page = try shown(desk, "2000000123456789", "--lang", language)
            let places = try steps.map { try #require(page.range(of: $0), "\(page)").lowerBound }
            #expect(places == places.sorted(), "\(page)")
        }
    }

    /// Paid on the first day, taken back on the second; Apple may still report a refund.
    @Test func goodsThatWereTakenBackAreNotOnTheirWay() throws {
        let desk = try DeskFolder()
        let id = "2000000123456789"
        try desk.deliver("orders", ["ORD1,acct-7,coins,1,6.00,CNY,,\(id),credited,\(desk.noon(0)),"], night: 0)
        try desk.deliverTransactions([(id, "")], night: 0)
        for (night, kind) in [(0, "credit"), (1, "reversal")] {
            let at = desk.date(night) + "T13:00:00+08:00"
            try desk.deliver("credits", ["CR\(night),ORD1,\(id),acct-7,\(kind),auto,\(at)"], night: night)
        }
        try desk.nights(0...2)
        #expect(try desk.rulings(id) == ["waiting/paid_not_credited"])
        let page = try shown(desk, id)
        #expect(
            page.contains("taken back at 2025-11-02 13:00:00") && page.contains("who took the goods back"), "\(page)")
        #expect(!page.contains("being processed") && !page.contains("YES"))
        #expect(page.contains("Waiting · Goods taken back, refund not seen"), "\(page)")
    }

    @Test(arguments: [
        ("failed", "已标为失败"), ("cancelled", "已标为取消"), ("refunded", "已标为退款，但苹果尚无全额退款的记录"),
    ])
    func aClosedOrderIsCalledWhatTheShopCallsIt(status: String, words: String) throws {
        let desk = try DeskFolder()
        let id = "2000000123456789"
        try desk.deliver("orders", ["ORD1,acct-7,coins,1,6.00,CNY,,\(id),\(status),\(desk.noon(0)),"], night: 0)
        try desk.deliver("credits", night: 0)
        try desk.deliverTransactions([(id, "")], night: 0)
        try desk.nights(0...2)
        let page = try shown(desk, id, "--lang", "zh-Hans")
        #expect(page.contains(words) && !page.contains("失败、取消或已退款"), "\(page)")
        #expect(page.contains("记录范围 2025-11-01 至 2025-11-03，数据截至"), "\(page)")
    }

    /// A search for a record that begins at each of its beginnings takes a minute for this.
    @Test(.timeLimit(.minutes(1))) func textThatOnlyLooksLikeARecordCostsNoMoreThanItsLength() throws {
        let desk = try DeskFolder.lostOrder()
        let text = String(repeating: "eyJ", count: 30_000)
        let start = ContinuousClock.now
        let page = try shown(desk, text)
        let time = ContinuousClock.now - start
        #expect(!page.contains("YES") && time < .seconds(10), "\(time)")
    }
}
