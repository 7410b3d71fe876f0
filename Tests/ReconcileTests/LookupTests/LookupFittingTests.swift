import Domain
import Foundation
import Testing

/// Which of a customer's purchases a message means.
@Suite struct LookupFittingTests {
    private func shown(_ desk: DeskFolder, _ text: String, _ options: String...) throws -> String {
        try desk.run(["lookup", text] + options, variables: ["COLUMNS": "900"]).output
    }

    private func ids(_ answer: [String: Any]) -> [String] {
        (answer["subjects"] as? [[String: Any]] ?? []).map { ($0["transaction_ids"] as? [String])?.first ?? "-" }
    }

    private static let complete = "Your purchase is complete"

    /// The order named is one of 59 that were delivered, for 98.00; the lost purchase was for 6.00.
    @Test func aWrongOrderNumberHidesNoLostPayment() throws {
        let desk = try TicketShop().desk
        let text = "前天17:05充的6块没到 订单号 DD20261198010000"
        for account in ["u20000017", "UID: u20000017"] {
            let answer = try desk.look(text, "--asker", account)
            #expect(ids(answer).prefix(2) == ["510002000001033", "510002000001000"], "\(answer)")
            #expect(answer["route"] is NSNull)
        }
        #expect(try ids(desk.look("账号u20000017，" + text)).first == "510002000001033")
        // Without the account, that of the order counts.
        #expect(try ids(desk.look(text)).prefix(2) == ["510002000001033", "510002000001000"])
        #expect(try !shown(desk, text).contains(Self.complete))
        // What is named and lost stays what is answered, and so does what fits.
        let lost = try desk.look("昨天充的648没到 510002000001033", "--asker", "u20000017")
        #expect(ids(lost) == ["510002000001033"] && lost["route"] is NSNull)
        let fitting = try desk.look("11月1日充的98没到 DD20261198010000", "--asker", "u20000017")
        #expect(ids(fitting) == ["510002000001000"] && fitting["route"] is NSNull)
        #expect(
            try desk.look("昨天充的648没到 DD20261198010000", "--asker", "u20000017")["route"] as? String == "named_differs")
        // The message has the whole order number, so the answer does not ask which app the purchase is from.
        let named = try shown(desk, "我买了648 DD20261198010000")
        #expect(named.contains("differs from the message in time") && !named.contains("No payment fits"), "\(named)")
    }

    /// The customer bought on the second day, and uploaded the receipt of a friend's purchase of the first.
    @Test func anothersPurchaseDoesNotFit() throws {
        let desk = try DeskFolder()
        for (night, account) in [(0, "301000105"), (1, "301000106")] {
            let (order, id) = ("ORD100000007\(night)", "200000012345007\(night)")
            try desk.deliver(
                "orders", ["\(order),\(account),coins,1,6.00,CNY,,\(id),credited,\(desk.noon(night)),"], night: night)
            try desk.deliverTransactions([(id, "")], night: night)
            try desk.deliver(
                "credits", ["CR\(night),\(order),\(id),\(account),credit,auto,\(desk.noon(night))"], night: night)
        }
        try desk.deliver("receipts", [",\(desk.noon(0)),301000106,ORD1000000070,2000000123450070,0,"], night: 0)
        try desk.nights(0...1)
        let text = "11月1日充的6块没到 账号301000106"
        let answer = try desk.look(text)
        #expect(answer["route"] as? String == "nothing_fits", "\(answer)")
        #expect(ids(answer) == ["2000000123450071", "2000000123450070"])
        #expect(try !shown(desk, text).contains(Self.complete))
        #expect(try desk.look("11月2日充的6块没到 账号301000106")["route"] is NSNull)
        // What the message names comes before what was delivered.
        let named = try desk.look("我的凭证 2000000123450070 账号301000106 没到")
        #expect(ids(named) == ["2000000123450070", "2000000123450071"], "\(named)")
    }

    /// 5 November or 11 May of a year of which the records have neither.
    @Test func aDateWithTwoReadingsThatFitsNothingIsNamed() throws {
        let desk = try SearchShop().desk
        for text in ["账号u3005 04/11/2025 充的98没到", "账号u3005 04-11-2025没到"] {
            #expect(try !shown(desk, text).contains("The date in the message"), "\(text)")
        }
        for (text, dates) in [
            ("账号u3005 10/09/2025 充的98没到", "2025-09-10 or 2025-10-09"), ("03/02/2025 充了98", "2025-02-03 or 2025-03-02"),
        ] {
            let page = try shown(desk, text)
            #expect(
                page.contains("The date in the message may be \(dates), and no purchase found fits either"), "\(page)")
            #expect(!page.contains("We can see your payment"), "\(page)")
        }
    }

    /// The payment of 16:05 has no known owner. The account's own purchase was at 20:05.
    @Test func anAccountHidesNoPaymentOfAnUnknownOwner() throws {
        let desk = try TicketShop().desk
        for text in ["11月5日16:05充的98没到", "11月5日充的98没到"] {
            for (text, options) in [("账号u20000028，" + text, []), (text, ["--asker", "u20000028"])] {
                let ended = try desk.run(["lookup", "--json", text] + options)
                let object = try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any]
                let answer = try #require((object?["answers"] as? [[String: Any]])?.first)
                #expect(answer["route"] as? String == "unowned_fits", "\(text)")
                let list = (answer["list"] as? [String: Any])?["purchases"] as? [[String: Any]] ?? []
                #expect(list.map { $0["transaction_ids"] as? [String] } == [["510001000000040"]], "\(text)")
                #expect(list.allSatisfy { $0["owner_account_id"] is NSNull })
                #expect(ids(answer) == ["510001000000028"])
            }
        }
        let page = try shown(desk, "账号u20000028，11月5日充的98没到")
        // What belongs to the customer comes before what may.
        let parts = page.components(separatedBy: "\nPayments that may be the customer's\n")
        #expect(
            parts.count == 2 && parts[0].contains("510001000000028") && parts[1].contains("510001000000040"), "\(page)")
        #expect(page.contains("Payments whose owner is unknown may be this") && page.contains("unknown; Paid not"))
        #expect(!page.contains(Self.complete) && !page.contains("YES") && !page.contains("No payment fits"), "\(page)")
        // What the account lost itself is what the message means.
        #expect(try desk.look("11月4日充的98没到 u20000006")["list"] is NSNull)
    }

    /// The app was killed after the payment, and the order was closed later. The payment has no known owner.
    @Test(arguments: ["cancelled", "failed", "pending"])
    func anOrderWithoutPaymentHidesNoPaymentOfAnUnknownOwner(status: String) throws {
        let desk = try DeskFolder()
        let orders = [(0, "301000105", "coins"), (0, "301000106", "gems"), (1, "301000107", "coins")].map {
            "ORD10000000\($0.1.suffix(2)),\($0.1),\($0.2),1,6.00,CNY,,,\(status),\(desk.noon($0.0)),"
        }
        try desk.deliver("orders", orders, night: 0)
        try desk.deliverTransactions([("2000000123450077", "")], night: 0)
        try desk.nights(0...4)
        for text in ["ORD1000000005", "301000105", "订单ORD1000000005没到账"] {
            let answer = try desk.look(text)
            let subject = try #require((answer["subjects"] as? [[String: Any]])?.first)
            #expect(subject["safe_reason"] as? String == "purchase_open", "\(text)")
            #expect(subject["open_purchase_ids"] as? [String] == ["2000000123450077"])
            let list = (answer["list"] as? [String: Any])?["purchases"] as? [[String: Any]] ?? []
            #expect(list.map { $0["transaction_ids"] as? [String] } == [["2000000123450077"]], "\(text)")
            let page = try shown(desk, text)
            #expect(answer["route"] as? String == "unowned_fits")
            #expect(!page.contains("NOT NEEDED") && page.contains("We have found a payment that may belong"), "\(page)")
        }
        // Of another product, or ordered a day later.
        for id in ["ORD1000000006", "ORD1000000007"] {
            let page = try shown(desk, id)
            #expect(!page.contains("2000000123450077") && page.contains("If you did pay"), "\(page)")
        }
    }

    /// One was delivered at 12:05, one was lost at 12:21.
    @Test func ofTwoThatFitTheLostOneComesFirst() throws {
        let desk = try TicketShop().desk
        for text in ["前天中午12点充的98没到 u20000030", "the day before yesterday at 12 pm I paid 98. u20000030"] {
            #expect(try ids(desk.look(text)).first == "510001000000031", "\(text)")
        }
    }

    @Test func aPastYearIsBeforeTheRecords() throws {
        let desk = try TicketShop().desk
        for text in [
            "去年10月买的98没到 u20000028", "前年买的没到 u20000028", "bought two years ago, u20000028",
            "20/12/2024 paid 98 u20000028",
        ] {
            let page = try shown(desk, text)
            #expect(page.contains("Purchases before 2025-11-01 are not in these records."), "\(page)")
            #expect(!page.contains("found tomorrow") && !page.contains(Self.complete), "\(page)")
        }
        #expect(try ids(desk.look("昨儿16:05充的98没到 u20000017")).first == "510002000001020")
    }

    @Test(arguments: ["小孩乱充的能退吗", "帮我退一下", "不想要了，退我钱", "必须退费", "请返还", "申请拒付", "退錢", "please reimburse me"])
    func otherWordsForARefund(text: String) throws {
        #expect(try shown(TicketShop().desk, text + " u20000028").contains("reportaproblem.apple.com"))
    }

    @Test func aQuestionAboutASubscriptionIsNoComplaint() throws {
        let desk = try TicketShop().desk
        for text in ["会员怎么取消自动续费", "APP升级后充的没到账", "VIP试用券怎么领"] {
            #expect(try !shown(desk, text + " u20000028").contains("asks about a charge"), "\(text)")
        }
        for text in [
            "取消了自动续费还扣钱", "25号自动扣25，我早取消订阅了", "明明取消了会员", "I cancelled my subscription in May", "两次都扣了",
            "I was billed 98 but it used to be 78",
        ] {
            #expect(try shown(desk, text + " u20000028").contains("asks about a charge"), "\(text)")
        }
        for text in ["把3块退我 u20000028", "涨了3块钱 u20000028"] {
            #expect(try !shown(desk, text).contains("Understood"), "\(text)")
        }
        #expect(try shown(desk, "98块钱 u20000028 51000100").contains("98 CNY."))
    }

    /// Without a unit, behind a verb or before what became of it.
    @Test(arguments: [
        "98扣了没到", "98被扣了", "98已扣，没到", "98扣款成功但没到账", "98付款成功没到", "98付了，没到", "那98都没到", "支付金额：98，没到",
        "App Store 98.00，没到", "98 was charged, nothing came", "98 not received", "they billed 98",
        "充了一个98的", "我買了98沒到", "98 did not arrive", "昨天下午4点98没到",
    ])
    func aNumberBesideAChargeIsAnAmount(text: String) throws {
        let page = try shown(TicketShop().desk, text + " u20000028")
        #expect(page.contains("Understood: 98") || page.contains("; 15:00 to 17:00; 98."), "\(page)")
    }

    /// Behind it stand a date, a time, an account or goods.
    @Test(arguments: [
        "充值98，11/06 20:16", "充了98，11月6日晚上", "付了98,6号晚上", "充98，6号晚上8点", "付款98，20:16", "98元，11/06 20:16",
        "paid 98, 11/06",
        "paid 98,6 Nov", "充值98，118号角色", "充了98，600金币", "充了98,300金币", "充了98，600金币11月6日", "充了98，118元的没到",
    ])
    func aCommaEndsAnAmount(text: String) throws {
        let page = try shown(SearchShop().desk, text)
        let understood = try #require(page.firstMatch(of: /Understood: ([^\n]*)/)?.1, "\(page)")
        #expect(understood.contains(/(?:^|; )98(?: CNY|, 118 CNY)?[.;]/), "\(understood)")
        #expect(!text.contains("6 Nov") || understood.hasPrefix("2025-11-06; "), "\(understood)")
    }

    @Test(arguments: ["充1,298元", "付¥1，298.00", "paid 1,298 and nothing came", "充了1，298元", "付了1,298"])
    func aCommaGroupsThreeDigits(text: String) throws {
        let page = try shown(SearchShop().desk, text)
        #expect(page.contains(/(?:Understood: |; )1298(?: CNY)?(?:\/JPY)?[.;]/), "\(page)")
    }

    @Test(arguments: ["98级了没到账", "看到第98没更新", "98%没到", "98 Main Street", "version 98.00.1"])
    func otherNumbersAreNoAmounts(text: String) throws {
        #expect(try !shown(TicketShop().desk, text + " u20000028").contains("Understood"), "\(text)")
    }

    /// Asked on 2025-11-08.
    @Test func weeksAndMonthsAgoAreAboutThen() throws {
        let desk = try TicketShop().desk
        for (text, days) in [
            ("一周前", "2025-10-29 to 2025-11-04"), ("2个星期前", "2025-10-22 to 2025-10-28"),
            ("一个月前", "2025-09-24 to 2025-10-24"), ("半个月之前", "2025-10-09 to 2025-11-08"),
            ("上上个月", "2025-09-01 to 2025-09-30"), ("a month ago", "2025-09-24 to 2025-10-24"),
            ("two weeks ago", "2025-10-22 to 2025-10-28"),
        ] {
            #expect(try shown(desk, text + " u20000028").contains("Understood: \(days)."), "\(text)")
        }
    }

    /// Asked two days later.
    @Test func agoCountsFromTheTicketsOwnTime() throws {
        let desk = try TicketShop().desk
        for text in [
            "Ticket #4711 created 2025-11-06T09:05:00Z User u20000030: I paid 98 an hour ago",
            "工单时间：2025-11-06T09:05:00Z 一小时前充的98没到 u20000030",
        ] {
            #expect(try shown(desk, text).contains("Understood: 2025-11-06; 15:05 to 17:05; 98."), "\(text)")
        }
        #expect(
            try shown(desk, "paid 98 at 2025-11-06T09:05:00Z u20000030").contains("Understood: 2025-11-06; 16:35 to"))
    }

    /// The code belongs to the amount before it.
    @Test func aCodeBetweenTwoNumbersIsOfTheFirst() throws {
        #expect(try shown(TicketShop().desk, "paid 98 CNY 51000100 u20000028").contains("Understood: 98 CNY."))
    }

    /// A number before a name, with a blank between them, is no part of it.
    @Test func anIdOrATimeBeforeAProductLeavesItsName() throws {
        let desk = try SearchShop().desk
        for text in [
            "UID 880199999 300 金币没到", "300金币没到 UID 880199999", "13800138000 300金币", "880199999 300 coins missing",
        ] {
            #expect(try shown(desk, text).contains("Understood: coins_300."), "\(text)")
        }
        #expect(try shown(desk, "昨天 23:55 300金币没到").contains("; coins_300."))
        #expect(try !shown(desk, "UID 880199999 1300金币没到").contains("Understood: coins_300."))
    }

    @Test func ofAMessageOnlyTheAccountIsMasked() throws {
        let desk = try TicketShop().desk
        #expect(try shown(desk, "98没到 账号u20000028", "--mask").hasPrefix("98没到 账号u2***28\n"))
        // In another spelling, all of it is.
        let other = try shown(desk, "98没到 账号U20000028", "--mask")
        #expect(!other.lowercased().contains("u20000028"), "\(other)")
    }

    @Test func whoSaysThatAnOrderWasPaidSendsTheReceipt() throws {
        let desk = try DeskFolder()
        try desk.deliver("orders", ["ORD1000000077,acct-7,coins,1,6.00,CNY,,,pending,\(desk.noon(0)),"], night: 0)
        try desk.nights(0...0)
        #expect(try shown(desk, "ORD1000000077").contains("send us Apple's receipt"))
        try desk.nights(1...4)
        #expect(try shown(desk, "ORD1000000077").contains("send us Apple's receipt"))
        #expect(try shown(desk, "ORD1000000077", "--lang", "zh-Hans").contains("请把苹果的收据邮件发给我们"))
    }
}
