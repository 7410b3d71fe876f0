import Domain
import Foundation
import Testing

/// What stands beside the ids of a message: accounts that are not on record, and purchases that the ids do not name.
@Suite struct LookupDoubtTests {
    private static let (account, lost, given) = ("880101850", "2000000123450001", "2000000123450002")

    /// One purchase of the account was lost on the first day, another one delivered on the second.
    private func shop() throws -> DeskFolder {
        let desk = try DeskFolder()
        for (night, id, order) in [(0, Self.lost, "XY1000000001"), (1, Self.given, "XY1000000002")] {
            try desk.deliver(
                "orders", ["\(order),\(Self.account),coins,1,6.00,CNY,,\(id),paid,\(desk.noon(night)),"], night: night)
            try desk.deliverTransactions([(id, "")], night: night)
        }
        try desk.deliver(
            "credits", ["CR2,XY1000000002,\(Self.given),\(Self.account),credit,auto,\(desk.noon(1))"], night: 1)
        try desk.nights(0...1)
        return desk
    }

    private func shown(_ desk: DeskFolder, _ text: String, _ options: String...) throws -> String {
        try desk.run(["lookup", text] + options, variables: ["COLUMNS": "600"]).output
    }

    private func reasons(_ desk: DeskFolder, _ text: String, asker: String? = nil) throws -> [String] {
        let ended = try desk.run(["lookup", "--json", text] + (asker.map { ["--asker", $0] } ?? []))
        let object = try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any]
        return (object?["answers"] as? [[String: Any]] ?? []).flatMap { $0["subjects"] as? [[String: Any]] ?? [] }
            .compactMap { $0["safe_reason"] as? String }
    }

    @Test func anAccountLikeNumberWithholdsTheYes() throws {
        let desk = try shop()
        let (id, stray) = (Self.lost, "880112345")
        for text in [
            "UID 880 112 345 \(id)", "uid 8801 12345 \(id)", "UID「\(stray)」 \(id)", "UID<\(stray)> \(id)",
            "玩家 \(stray) \(id)",
            "用户\(stray) \(id)", "账号叫\(stray) \(id)", "player: \(stray) \(id)", "my number is \(stray) \(id)",
            "UID - \(stray) \(id)", "UID→\(stray) \(id)", "| UID | \(stray) |\n| 交易号 | \(id) |",
            "uid%3D\(stray)&tid=\(id)",
            "\(stray) \(id)", "8801123450的 \(id)", "uid 880112345, 68 元 \(id)",
        ] {
            let found = try reasons(desk, text)
            #expect(found == ["account_unclear"] || found == ["other_account"], "\(text): \(found)")
        }
        for text in [
            id, "交易号\(id)没到", "工单880112345 交易号\(id)", "手机13812345678 \(id)", "QQ：880112345 \(id)", "20251101 \(id)",
            "\(id) 2025-11-01 12:00", "账号\(Self.account) \(id)", "\(id) 没到账 账号880 101 850",
            "Order ID 880112345, transaction \(id)",
        ] {
            #expect(try reasons(desk, text).first == "safe", "\(text)")
        }
        // The agent says who asks.
        #expect(try reasons(desk, "玩家 \(stray) \(id)", asker: Self.account) == ["safe"])
        let page = try shown(desk, "玩家 \(stray) \(id)")
        #expect(page.contains("NO – the message also names \(stray), which is not on record"), "\(page)")
        #expect(page.contains("Tell the customer  We are checking what you sent us"), "\(page)")
    }

    @Test func theSecondFieldIsReadAsAgentsTypeIt() throws {
        let desk = try shop()
        for asker in [
            "账号880101850", "玩家880101850", "880101850（小号）", "880101850/小星星", "不知道", "未知", "-", "?", "unknown", "N/A",
        ] {
            #expect(try reasons(desk, Self.lost, asker: asker) == ["safe"], "\(asker)")
        }
        for asker in ["880101850 880112345", "账号880112345", "小星星", "8801018501", "880101"] {
            #expect(try reasons(desk, Self.lost, asker: asker) == ["other_account"], "\(asker)")
        }
    }

    /// A label before it does not make it another account.
    @Test(arguments: ["8801OI85O", "会员号88O101850，充的没到", "account 88o1o1850: nothing came"])
    func aMistypedAccountIsFoundAndCompared(text: String) throws {
        let page = try shown(shop(), text)
        #expect(
            page.contains("Found by exchanging letters and digits") && !page.contains("belongs to another"), "\(page)")
    }

    /// An account that follows a verb is not read as an amount.
    @Test(arguments: ["充值 U 没到账", "1号充的 U 没到", "付款账号 U 没到", "I paid for U nothing came", "给U充值没到", "充的880101851没到 U"])
    func anAccountIsNoAmount(text: String) throws {
        let page = try shown(shop(), text.replacing("U", with: Self.account))
        #expect(
            !page.contains("; 8801") && !page.contains("Understood: 8801") && !page.contains("No payment fits"),
            "\(page)")
        #expect(page.contains("Paid not credited"))
    }

    @Test func aLostPaymentIsNamedBesideWhatWasDelivered() throws {
        let desk = try shop()
        let warning =
            "Note: the goods of 1 other payment on the accounts concerned have not arrived: \(Self.lost) 6.00 CNY."
        for (text, options) in [
            ("XY1000000002", []), ("没到账 XY1000000002", []), ("没到账 XY1000000002", ["--asker", Self.account]),
            (Self.given, ["--asker", Self.account]), ("CR2", []),
        ] as [(String, [String])] {
            let page = try desk.run(["lookup", text] + options, variables: ["COLUMNS": "600"]).output
            #expect(page.split(separator: "\n")[1].hasPrefix(warning), "\(page)")
            #expect(!page.contains("Your purchase is complete"), "\(page)")
        }
        #expect(
            try shown(desk, "XY1000000002", "--lang", "zh-Hans").contains("注意：相关账号另有 1 笔付款商品未到账：\(Self.lost) 6.00 CNY"))
        let named = try desk.look(Self.given)["also_lost"] as? [[String: String]] ?? []
        #expect(named == [["transaction_id": Self.lost, "currency": "CNY", "amount": "6.00"]])
        for text in [Self.lost, Self.account, "\(Self.lost) \(Self.given)"] {
            #expect(try (desk.look(text)["also_lost"] as? [Any])?.isEmpty == true, "\(text)")
        }
        // The purchase that the message describes is shown, although the id is of another one and no account is given.
        let described = try desk.subjects("1号中午充的6块没到 XY1000000002").compactMap {
            ($0["transaction_ids"] as? [String])?.first
        }
        #expect(described == [Self.lost, Self.given])
        _ = try desk.run(["given", Self.lost, "--by", "li"])
        #expect(try !shown(desk, "XY1000000002").contains("Attention"))
    }

    /// Asked on the third day: the customer complained yesterday, when another purchase was delivered.
    @Test func theDayOfTheComplaintAnswersNoOtherPurchase() throws {
        let desk = try shop()
        for text in [
            "U 6元没到，昨天找过客服", "U 6元没到，昨天你们说会补", "U 6 coins missing, I wrote to you yesterday",
            "小鱼 2025/11/2 21:03:11\nU 6元没到",
        ] {
            let message = text.replacing("U", with: Self.account)
            #expect(try (desk.subjects(message)[0]["transaction_ids"] as? [String]) == [Self.lost], "\(text)")
            #expect(try !shown(desk, message).contains("No payment fits"))
        }
        let (said, below) = (
            "昨天充的6元没到 \(Self.account)", "Attention: the goods of 1 other payment of this account are missing"
        )
        #expect(try (desk.subjects(said)[0]["transaction_ids"] as? [String]) == [Self.given])
        #expect(try shown(desk, said).contains(below))
        #expect(try shown(desk, said, "--lang", "zh-Hans").contains("注意：该账号另有 1 笔付款商品未到账，见下方。"))
        for text in ["1号充的6元没到 \(Self.account)", Self.account] {
            #expect(try !shown(desk, text).contains(below), "\(text)")
        }
        let today = try shown(desk, "今天充的6元没到 \(Self.account)", "--lang", "zh-Hans")
        #expect(today.contains("不在记录范围内") && today.contains("如果那不是付款时间，请看下方该账号的购买。"), "\(today)")
    }

    @Test(arguments: ["账号88010185 1号充的6元没到", "账号880101851 1号充的6元没到", "uid 88010185 Nov 1, 6 yuan missing"])
    func accountsLikeAnUnknownOneAreNamedBesideADay(text: String) throws {
        let desk = try shop()
        let page = try shown(desk, text)
        #expect(!page.contains("No payment fits") && page.contains(Self.account), "\(page)")
        let answer = try desk.look(text)
        #expect(answer["route"] as? String == "unknown", "\(answer)")
        #expect(((answer["near"] as? [[String: String]])?.first?["id"]) == Self.account, "\(answer)")
        #expect(try shown(desk, "1号充的6元没到", "--asker", "88010185").contains(Self.account))
    }

    /// Codes of letters alone are accounts behind a label, if they are on record.
    @Test func anAccountWithoutADigitIsReadBehindItsLabel() throws {
        let desk = try DeskFolder()
        let owners = [("QWKZTMRA", Self.lost, "XY1000000001"), ("K7Q2M9XA", Self.given, "XY1000000002")]
        let orders = owners.map { "\($2),\($0),coins,1,6.00,CNY,,\($1),paid,\(desk.noon(0))," }
        try desk.deliver("orders", orders, night: 0)
        try desk.deliverTransactions(owners.map { ($0.1, "") }, night: 0)
        try desk.nights(0...0)
        for text in [
            "账号QWKZTMRA 没到账", "我的ID是QWKZTMRA，没到", "uid QWKZTMRA missing", "账号 QWKZTMRA",
            "my id is QWKZTMRA, paid, nothing",
        ] {
            #expect(
                try desk.subjects(text).compactMap { $0["transaction_ids"] as? [String] } == [[Self.lost]], "\(text)")
        }
        #expect(try reasons(desk, "我的ID是QWKZTMRA，交易号\(Self.given)没到").last == "other_account")
        #expect(try reasons(desk, "my account is QWKZTMRA, transaction \(Self.given) missing").last == "other_account")
        #expect(try reasons(desk, "my account manager says transaction \(Self.given) is missing") == ["safe"])
        let page = try shown(desk, "账号QQQQZZZZ 没到", "--lang", "zh-Hans")
        #expect(page.contains("QQQQZZZZ") && !page.contains("没有可以查询的编号"), "\(page)")
        #expect(try shown(desk, "my account is missing coins", "--lang", "zh-Hans").contains("没有可以查询的编号"))
    }

    /// Of 60 purchases, 59 fit what the message says, and 50 are shown.
    @Test func whatIsOpenIsCountedWhereverItStands() throws {
        let desk = try TicketShop().desk
        for text in ["u20000017", "u20000017 充的98没到"] {
            let page = try shown(desk, text)
            #expect(page.contains("60 found. To be resolved: 1, 6.00 CNY. Waiting: 0. Settled: 59."), "\(page)")
            #expect(page.contains("510002000001033"))
        }
    }

    /// Goods and money must not both be given; the answer to whether they may be given by hand stays the same.
    @Test(arguments: [
        "退钱！不要金币了", "向银行拒付了", "已撤单", "苹果已经退款给我了，但我还是想要金币", "有人盗用我的苹果账号充了，我没玩过", "I never bought anything",
        "I want my money back",
        "someone hacked my account", "I don't recognize this charge",
        "25号自动扣25 我早取消订阅了", "孩子偷偷充的68", "訂閱早就取消了，為什麼還扣我25", "my kid bought 600 coins w/o asking",
    ])
    func whoWantsTheMoneyIsAskedFirst(text: String) throws {
        let desk = try DeskFolder.lostOrder()
        let page = try shown(desk, text + " 2000000123456789")
        #expect(page.contains("YES") && page.contains("the goods or the money, never both"), "\(page)")
        #expect(page.contains("If a child paid or an account was stolen, inform your team lead."), "\(page)")
        #expect(!page.contains("We will add them"))
        #expect(try !shown(desk, "充了没到 2000000123456789").contains("never both"))
    }

    /// Words cannot show whether the customer has the goods. So any word makes the YES amber, never green.
    @Test(arguments: [
        "我手机被偷了，别人刷的328", "买错了，想买年卡的，能转成年卡吗", "请取消这个订单", "金币到了，谢谢客服", "没事了到账了", "已经补给我了，谢谢", "不用补发了", "昨天没到账，今天早上到了，谢谢",
        "没到账，已经找苹果退了", "没收到，是我家小孩偷偷充的", "没到 别补了", "没到账，补到我女儿的号上", "收到了，谢谢！> 客服：商品尚未到账，将为您补发", "👍", "✅", "OK,",
        "refund,", "+98.00", "2025-11-01 + 1,998.00",
        "All good now, the coins arrived, thanks!", "Never mind, it showed up", "never arrived, cancel it please",
        "not received, I reversed the payment at my bank", "missing, then support fixed it",
        // They miss the goods, and are read as well.
        "充了没到", "金币没收到", "还没补给我", "my coins never arrived", "coins missing",
    ])
    func wordsBesideTheIDsAreReadFirst(text: String) throws {
        let desk = try DeskFolder.lostOrder()
        for message in [text + " 2000000123456789", "2000000123456789 " + text, "2000000123456789," + text] {
            let page = try shown(desk, message)
            #expect(page.contains("YES") && !page.contains("We will add them"), "\(page)")
            #expect(page.contains("Read the message first") || page.contains("never both"), "\(page)")
        }
    }

    @Test(arguments: [
        "", "账号acct-lost-7", "order", "订单号：", "Transaction ID:", "ORD1000000042", "ord1000000042，", "me@example.com",
        "#",
    ])
    func nothingButIDsGetsAGreenAnswer(text: String) throws {
        let page = try shown(DeskFolder.lostOrder(), text + " 2000000123456789")
        #expect(page.contains("YES") && page.contains("We will add them"), "\(page)")
    }

    @Test(arguments: [
        "I was billed twice", "two charges on my card", "renewed at a higher price, why?",
        "I cancelled but was still charged",
        "我没有充值过", "账号被人盗了", "孩子用我手机充的", "莫名其妙扣了我98", "价格怎么变贵了", "扣了我双份钱", "被扣两笔", "一笔钱扣了2遍",
    ])
    func everydayWordsOfAComplaint(text: String) throws {
        #expect(try shown(TicketShop().desk, text + " u20000028").contains("asks about a charge"))
    }

    /// A customer who wants a refund, or who did not pay, must not be told that the purchase is complete.
    @Test(arguments: [
        "被盗刷了98", "不是我本人操作的 扣了98", "求退98", "退个款", "误触充了98", "这笔98我没买过", "I never authorised this 98 charge",
        "my kid bought this without asking", "unauthorized transaction", "我要退款",
    ])
    func whoMissesNoGoodsIsNotToldThatTheyCame(text: String) throws {
        let page = try shown(TicketShop().desk, text + " u20000028")
        #expect(page.contains("asks about a charge") && !page.contains("Your purchase is complete"), "\(page)")
    }
}
