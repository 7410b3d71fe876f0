import Foundation
import Testing

/// Whose purchase it is, seen from the customer who asks.
@Suite struct LookupAskerTests {
    private static let transaction = "2000000123456789"

    /// Safe or the reason, for each subject of the first answer.
    private func reasons(_ desk: DeskFolder, _ text: String, asker: String? = nil) throws -> [String] {
        let ended = try desk.run(["lookup", "--json", text] + (asker.map { ["--asker", $0] } ?? []))
        let object = try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any]
        let answers = object?["answers"] as? [[String: Any]] ?? []
        return (answers.first?["subjects"] as? [[String: Any]] ?? []).map { subject in
            #expect((subject["safe_reason"] as? String == "safe") == (subject["safe_to_compensate"] as? Bool))
            #expect(
                (subject["safe_reason"] as? String == "other_account")
                    == (subject["belongs_to_asker"] as? Bool == false))
            return subject["safe_reason"] as? String ?? ""
        }
    }

    @Test func theAccountBesideTheIdDecides() throws {
        let desk = try DeskFolder.lostOrder()
        #expect(try reasons(desk, Self.transaction) == ["safe"])
        for own in ["acct-lost-7", " ACCT-LOST-7 ", "UID: acct-lost-7"] {
            #expect(try reasons(desk, Self.transaction, asker: own) == ["safe"], "\(own)")
        }
        for other in ["acct-lost-8", "acct-lost", "0", "account"] {
            for id in [Self.transaction, "ORD1000000042", "acct-lost-7"] {
                #expect(try reasons(desk, id, asker: other) == ["other_account"], "\(other) \(id)")
            }
        }
    }

    /// On record or not. What no label calls an account is none that asks.
    @Test func theLabelledAccountAsks() throws {
        let desk = try DeskFolder.lostOrder()
        let id = Self.transaction
        for text in [
            "账号309999999 交易号\(id) 没到账", "我的ID301000105，交易号\(id)", "my ID301000105, transaction \(id)",
            "ID301000105 \(id)",
            "UID: acct-lost-8\n\(id)", "uid：a80 交易号：\(id)", "\(id) 用户ID是309999999", "account number: 309999999, \(id)",
            "我的账号309999999，朋友的账号acct-lost-7，交易号\(id)", "账号id：309999999\nORD1000000042",
            #"{"userId":"309999999","t":"\#(id)"}"#, "用户编号 309999999 \(id)", "会员号：309999999，\(id)",
            "书友号309999999 \(id)",
            "我的号309999999，\(id)", "我的号是309999999 \(id)", "号是309999999，\(id)", "account no 309999999 \(id)",
            "account no. 309999999 \(id)", "User: 309999999\n\(id)", "账号 9988 7766 \(id)", "账号：9988 7766，\(id)",
            "member no. 309999999 \(id)", "我是309999999，\(id)", "用戶編號：309999999 \(id)", "會員號309999999 \(id)",
        ] {
            #expect(try reasons(desk, text) == ["other_account"], "\(text)")
        }
        for text in [
            "账号acct-lost-7 交易号\(id) 没到账", "309999999 \(id)", "客服工单ID309999999，交易号\(id)",
            "Order ID 309999999, transaction \(id)",
            "Apple ID 13812345678，\(id)", "I paid 309999999 for \(id)", "ID：\(id)", "transaction_id=\(id)&x=1",
            "my account 2025-11-01 \(id)",
            "手机号是13812345678，\(id)", "订单号是SG309999999，\(id)", "账号acct-lost-7 2025 1101 \(id)", "uid 12345 98元 \(id)",
            "订单号ID：SG309999999，\(id)", "账号648没到，\(id)", "账号acct-lost-7 没到账",
            "我是2019年的老用户 \(id)", "I remember 309999999 \(id)",
        ] {
            #expect(try reasons(desk, text) == ["safe"], "\(text)")
        }
    }

    /// An account that only a receipt names, which is of another account's purchase.
    @Test func anAccountAloneAsksWhereThePurchaseIsAnothers() throws {
        let desk = try DeskFolder()
        let id = "2000000123450077"
        try desk.deliver(
            "orders", ["ORD1000000077,301000105,coins,1,6.00,CNY,,\(id),credited,\(desk.noon(0)),"], night: 0)
        try desk.deliverTransactions([(id, "")], night: 0)
        try desk.deliver(
            "credits", ["CR77,ORD1000000077,\(id),301000105,credit,auto,\(desk.noon(0))"], night: 0)
        try desk.deliver("receipts", [",\(desk.noon(0)),301000106,ORD1000000077,\(id),0,"], night: 0)
        try desk.night(0)
        for text in ["301000106", "ID301000106", "我第二个号301000106金币没到", "朋友送我的没到 账号301000106", "账号301000106 交易号\(id)"] {
            #expect(try reasons(desk, text) == ["other_account"], "\(text)")
            let shown = try desk.run(["lookup", text], variables: ["COLUMNS": "300"]).output
            #expect(shown.contains("Attention: \(id) belongs to another account than 301000106."), "\(shown)")
            #expect(!shown.contains("Your purchase is complete"), "\(shown)")
        }
        for text in ["301000105", "ID301000105", "ID301000105金币没到", "我的uid301000105没到账"] {
            #expect(try reasons(desk, text) == ["verdict"], "\(text)")
            #expect(try !desk.run(["lookup", text]).output.contains("For the customer with account"), "\(text)")
        }
    }

    /// The account stands in its own field, and the message has no id.
    @Test func aMessageWithoutAnIdIsAboutThePurchasesOfWhoAsks() throws {
        let desk = try DeskFolder.lostOrder()
        for text in ["没到账", "你们扣了我两次328", "my coins are missing", "68 not received"] {
            #expect(try reasons(desk, text, asker: "UID: acct-lost-7") == ["safe"], "\(text)")
            #expect(try reasons(desk, text, asker: "acct-lost-8") == [], "\(text)")
        }
        #expect(try reasons(desk, "ORD1000000099 没到账", asker: "acct-lost-7") == [])
    }

    /// Nothing is given for it, and the answer says what to ask for.
    @Test func anAccountWithoutAnyRecordIsSaidToBeThat() throws {
        let desk = try DeskFolder.lostOrder(settings: #"desk: { mayGive: ["li"], mask: ["wang"] },"#)
        let texts: [(text: String, asker: String?)] = [
            (Self.transaction, "309999999"), ("没到账", "309999999"), ("309999999", "309999999"),
            ("账号309999999 充了没到", nil), ("账号309999999 交易号\(Self.transaction)", nil),
        ]
        for (text, asker) in texts {
            #expect(try reasons(desk, text, asker: asker).allSatisfy { $0 == "other_account" }, "\(text)")
            let options = asker.map { ["--asker", $0] } ?? []
            let shown = try desk.run(["lookup", text] + options, variables: ["COLUMNS": "600"]).output
            #expect(shown.contains("No record names account 309999999. It may be mistyped;"), "\(shown)")
            #expect(!shown.contains("YES") && !shown.contains("For the customer with account"), "\(shown)")
            // Not what else it might be.
            #expect(!shown.contains("Searched as") || text != asker, "\(shown)")
        }
        let known = try desk.run(["lookup", Self.transaction, "--asker", "acct-lost-7"]).output
        #expect(!known.contains("No record names") && known.contains("YES"), "\(known)")
        let english = ["HTTP_ACCEPT_LANGUAGE": "en"]
        let page = try desk.web("id=\(Self.transaction)&account=309999999", by: "li", english)
        #expect(
            page.contains("class=\"alarm\">No record names account 309999999.") && !page.contains("name=\"given\""),
            "\(page)")
        let masked = try desk.web("id=\(Self.transaction)&account=309999999", by: "wang", english)
        #expect(masked.contains("No record names account 30***99."), "\(masked)")
    }

    /// A customer names both accounts; an agent enters the order in the wrong field.
    @Test func theSecondFieldMayNameTwoAccountsOrAnOrder() throws {
        let desk = try SearchShop().desk
        let (lost, order) = (SearchShop.transaction("2664"), "SG20251104000000" + "2664")
        for asker in [
            "u3004 u3005", "大号u3004，小号u3005", "u3004/u3005", "u3005;u3004", "u3004和u3005", "u3004及u3005", "u3004+u3005",
            "u3004|u3005", "（大号）u3004（小号）u3005", "大号u3004小号u3005", "大号：u3004，小号：u3005",
        ] {
            #expect(try reasons(desk, lost, asker: asker) == ["safe"], "\(asker)")
        }
        #expect(try reasons(desk, lost, asker: "u3004 u3003") == ["other_account"])
        // Without an id, what lacks its goods comes first, then what the other account has.
        #expect(try reasons(desk, "没到账", asker: "u3004 u3005") == ["safe", "verdict"])
        // A purchase of either account is the customer's, also in one question; that of a third one is not.
        let other = try #require(try desk.subjects("u3004").first?["transaction_ids"] as? [String])[0]
        let third = try #require(try desk.subjects("u3003").first?["transaction_ids"] as? [String])[0]
        for asker in ["u3004 u3005", "u3005 u3004"] {
            let both = try desk.run(
                ["lookup", "\(lost)\n\(other)", "--asker", asker, "--lang", "en"], variables: ["COLUMNS": "600"]
            ).output
            #expect(!both.contains("another account") && both.contains(" YES"), "\(both)")
            #expect(both.contains("For the customer with the accounts u3005, u3004."), "\(both)")
            let three = try desk.run(["lookup", "\(lost)\n\(third)", "--asker", asker]).output
            #expect(three.contains("\(third) belongs to another account than"), "\(three)")
        }
        for asker in [order, lost, "订单号：\(order)"] {
            let shown = try desk.run(["lookup", lost, "--asker", asker], variables: ["COLUMNS": "600"]).output
            let kind = asker == lost ? "Apple transaction" : "order"
            #expect(shown.contains("\(asker) is not an account but the id of: \(kind)."), "\(shown)")
            #expect(!shown.contains("No record names"))
            #expect(try reasons(desk, lost, asker: asker) == ["safe"], "\(asker)")
        }
        // Of another customer's order.
        #expect(try reasons(desk, lost, asker: "SG20251104000000" + "2571") == ["other_account"])
    }

    /// Behind one label of the message, both accounts are the customer's. A friend's is not, nor one that was mistaken.
    @Test func aMessageMayNameTwoAccounts() throws {
        let desk = try DeskFolder()
        let (lost, had) = ("2000000123450105", "2000000123450106")
        try desk.deliver(
            "orders",
            [lost, had].map { "ORD\($0),301000\($0.suffix(3)),coins,1,6.00,CNY,,\($0),paid,\(desk.noon(0))," },
            night: 0)
        try desk.deliverTransactions([(lost, ""), (had, "")], night: 0)
        try desk.deliver("credits", ["CR1,ORD\(had),\(had),301000106,credit,auto,\(desk.noon(0))"], night: 0)
        try desk.night(0)
        for text in [
            "我的id是301000106和301000105，都没到", "账号301000106和301000105，都没到", "账号：301000106、301000105 都没到",
            "我的id是301000105，小号301000106，都没到",
            "account 301000106 and 301000105, both missing", "账号301000106/301000105没到", "账号是301000106，另一个号301000105",
        ] {
            #expect(try reasons(desk, text) == ["safe", "verdict"], "\(text)")
            let page = try desk.run(["lookup", text], variables: ["COLUMNS": "600"]).output
            #expect(page.contains("For the customer with the accounts 301000105, 301000106."), "\(text): \(page)")
            #expect(!page.contains("another account") && !page.contains("We cannot find"), "\(text): \(page)")
        }
        for text in [
            "我的账号301000106和朋友的账号301000105，没到", "账号301000106和301000105，301000105是我朋友的", "账号301000106，充错到301000105",
            "账号301000106和301000105充错了",
            "account 301000106 and 301000105, the second is my brother's",
        ] {
            #expect(try reasons(desk, text).contains("other_account"), "\(text)")
        }
        // What is not on record, or no account, changes nothing.
        for text in ["账号301000105和\(lost)没到", "账号301000105和309999999没到 \(lost)", "账号301000105，98没到"] {
            #expect(try reasons(desk, text).first == "safe", "\(text)")
            #expect(try !desk.run(["lookup", text]).output.contains("with the accounts"), "\(text)")
        }
    }

    @Test func anotherCustomersPurchaseIsSaidToBeThatFirst() throws {
        let shop = try TicketShop()
        let texts = [
            "我的账号 u20000001，交易号 510001000000028，没到账": "u20000028", "u20000001 510001000000028": "u20000028",
            "Account u20000001. Paid 98, no coins. 510001000000031": "u20000030",
        ]
        for (text, owner) in texts {
            let shown = try shop.desk.run(["lookup", text], variables: ["COLUMNS": "300"]).output
            let lines = shown.split(separator: "\n").map { String($0) }
            let named = try #require(text.firstMatch(of: /5100[0-9]+/)).output
            let first = lines.first { $0.hasPrefix("Attention: \(named) belongs to another account than u20000001.") }
            #expect(first != nil && lines.firstIndex(of: first!)! < 6, "\(shown)")
            let block = try #require(
                shown.components(separatedBy: "\n\n").first { $0.contains("This belongs to another account") })
            #expect(block.contains("This belongs to another account: \(owner)"), "\(block)")
            #expect(block.contains(" NO – it belongs to another account"), "\(block)")
            let customer = try #require(lines.first { $0.contains("Tell the customer  We cannot find this purchase") })
            #expect(!customer.contains("98") && !customer.contains(owner))
        }
        let chinese = try shop.desk.run(
            ["lookup", "--lang", "zh-Hans", "--mask", "u20000001 510001000000028"], variables: ["COLUMNS": "300"]
        ).output
        #expect(chinese.contains("属于其他账号：u2***28") && chinese.contains("在您的账号下未查到这笔购买"), "\(chinese)")
        #expect(!chinese.contains("u20000028") && !chinese.contains("u20000001"))
    }

    /// An owner that nobody knows is no other account, and the customer is told nothing either.
    @Test func aPurchaseWithoutAnOwnerIsToldToNobody() throws {
        let shop = try TicketShop()
        #expect(try reasons(shop.desk, "510001000000040", asker: "u20000001") == ["owner_unknown"])
        let shown = try shop.desk.run(["lookup", "--asker", "u20000001", "510001000000040"]).output
        #expect(shown.contains("We are checking what you sent us") && !shown.contains("We can see a payment"))
        #expect(shown.contains("For the customer with account u20000001."))
    }

    /// The page is the command: the same text gives the same answers in the same order.
    @Test func pageAndCommandReadTheSameText() throws {
        let desk = try TicketShop().desk
        for (text, asker) in Self.messages.flatMap({ [($0, ""), ($0, "u20000028")] }) {
            _ = try desk.run(["lookup", "--html", "answer.html", text] + (asker.isEmpty ? [] : ["--asker", asker]))
            let page = try desk.folder.read("answer.html")
            let answers = try #require(page.firstMatch(of: /(?s)<main>(.*)<\/main>/)).output.1
            let form = [("id", text), ("account", asker)].map { name, value in
                name + "=" + value.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
            }.joined(separator: "&")
            let asked = try desk.web(form, by: "li")
            // On the page, the title is above them.
            let lowered = [3, 2, 1].reduce(String(answers.dropFirst())) { $0.replacing("h\($1)>", with: "h\($1 + 1)>") }
            #expect(asked.contains(lowered), "\(text): \(asked)")
            #expect(answers.contains("<h1>"))
        }
    }

    private static let messages = [
        "昨晚快12点充的 u20000017", "昨晚快12点充的 510001000000006", "510001000000028 510001000000006",
        "510001000000006\n510001000000028\n510001000000041", TicketShop.pasted, "u20000001,510001000000028",
        "你好\n账号：u20000030\n交易号\n51000100\n0000031", "DD20261118\r\n99000006", "nobody", "MKOH4T2Z9P",
    ]

    @Test func aNumberThatWasBrokenIsFound() throws {
        let desk = try TicketShop().desk
        for text in [
            "51000100\n0000006", "交易号：51000100\n0000006，没到账", "order DD20261118\n99000006 never came",
            "单号 DD2026 1118 9900 0006 谢谢", "5100-0100-\n0000006 paid 98",
        ] {
            let answer = try desk.look(text)
            let first = try #require((answer["subjects"] as? [[String: Any]])?.first, "\(text)")
            #expect(first["transaction_ids"] as? [String] == ["510001000000006"])
            #expect((answer["near"] as? [Any])?.isEmpty == true)
        }
    }

    /// Numbers that stand beside each other are not one.
    @Test func numbersThatAreKnownAreNotJoined() throws {
        let desk = try TicketShop().desk
        let answer = try desk.look("不知道是哪个 510001000000006 510001000000028 98")
        #expect(answer["read_as"] as? [String] == ["510001000000006", "510001000000028"])
        // The two together are a third customer's order.
        let other = try DeskFolder()
        try other.deliver("credits", night: 0)
        try other.deliver(
            "orders",
            ["900100200", "300400500", "900100200300400500"].map {
                "\($0),acct-\($0.count)\($0.first!),coins,1,6.00,CNY,,,paid,\(other.noon(0)),"
            }, night: 0)
        try other.night(0)
        let two = try other.look("which one? 900100200 300400500")
        #expect(two["read_as"] as? [String] == ["900100200", "300400500"], "\(two)")
    }

    @Test func aDeviceIsFoundInWhateverSpelling() throws {
        let desk = try TicketShop().desk
        for text in ["4f6d1a2b0c3d4e5f8a9b112233445566", "4f6d1a2b-0c3d-4e5f-8a9b-112233445566"] {
            #expect(try desk.rulings(text) == ["paid_not_credited/credit_failed"])
        }
    }

    /// The customer's order waits for a payment, which was a test purchase: that comes first.
    @Test func aTestPurchaseIsSaidOnTop() throws {
        let desk = try DeskFolder()
        let token = TicketShop.token("u20000077")
        try desk.deliver("credits", night: 0)
        try desk.deliver("orders", ["ORD77001,u20000077,coins,1,6.00,CNY,\(token),,pending,\(desk.noon(0)),"], night: 0)
        try desk.folder.write(
            #"{"transactionId":"2000000123450077","productId":"coins","purchaseDate":1761973800000,"quantity":1,"#
                + #""type":"Consumable","environment":"Sandbox","bundleId":"com.example.game","price":6000,"#
                + #""currency":"CNY","signedDate":1761973800000,"appAccountToken":"\#(token)"}"# + "\n",
            to: "inbox/transactions-\(desk.date(0)).jsonl")
        try desk.night(0)
        #expect(try desk.rulings("u20000077") == ["out_of_scope/sandbox", "waiting/closed"])
        let shown = try desk.run(["lookup", "u20000077"], variables: ["COLUMNS": "200"]).output
        #expect(shown.contains("NOT NEEDED – it was a test purchase, and no money moved."), "\(shown)")
    }

    @Test func whatIsNotOnRecordIsToldSinceWhenRecordsReach() throws {
        let desk = try TicketShop().desk
        for (language, words) in [
            ("en", "Purchases before 2025-11-01 are not in these records."), ("zh-Hans", "2025-11-01 之前的购买不在记录内"),
        ] {
            let shown = try desk.run(["lookup", "--lang", language, "99999999991"], variables: ["COLUMNS": "400"])
                .output
            #expect(shown.contains(words), "\(shown)")
        }
    }

    /// Where two accounts differ in nothing but letter case, another case names neither.
    @Test func anAccountInAnotherLetterCaseIsTheCustomers() throws {
        let desk = try DeskFolder()
        let ids = (0...2).map(DeskFolder.sold)
        let twins = ["Kx080Tz", "kx080tZ"]
        try desk.deliver(
            "orders",
            (["Kx106Tz"] + twins).enumerated().map {
                "ORD90\($0),\($1),coins,1,6.00,CNY,,\(ids[$0]),paid,\(desk.noon(0)),"
            }, night: 0)
        try desk.deliverTransactions(ids.map { ($0, "") }, night: 0)
        try desk.deliver("credits", night: 0)
        try desk.night(0)
        for text in ["kx106tz", "ID：KX106TZ", "kx106tz 没到", "我的ID是 kx106tz，没到", "我的ID KX106TZ，交易号\(ids[0]) 没到"] {
            #expect(try reasons(desk, text) == ["safe"], "\(text)")
        }
        for (id, asker, reason) in [
            (ids[0], "kx106tz", "safe"), (ids[0], "账号 KX106tz", "safe"), (ids[0], "kx107tz", "other_account"),
            (ids[1], "Kx080Tz", "safe"), (ids[1], "kx080tZ", "other_account"), (ids[1], "KX080TZ", "other_account"),
        ] { #expect(try reasons(desk, id, asker: asker) == [reason], "\(id) \(asker)") }
        for text in ["KX080TZ", "KX080TZ 6元没到"] {
            let answer = try desk.look(text)
            let near = (answer["near"] as? [[String: String]] ?? []).map { $0["id"] }
            #expect(near.sorted { $0! < $1! } == twins && (answer["subjects"] as? [Any])?.isEmpty == true, "\(answer)")
        }
    }
}
