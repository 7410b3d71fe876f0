import Domain
import Foundation
import Testing

/// `reconcile find` and the second form of the page.
@Suite struct FindTests {
    private func found(_ desk: DeskFolder, _ options: [String]) throws -> [String] {
        let ended = try desk.run(["find", "--json"] + options)
        let object = try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any]
        let list = (object?["answers"] as? [[String: Any]])?.first?["list"] as? [String: Any]
        let purchases = list?["purchases"] as? [[String: Any]] ?? []
        #expect((ended.code == 0) == !purchases.isEmpty, "\(ended.errors)")
        return purchases.map { String(($0["transaction_ids"] as? [String])?.first?.suffix(4) ?? "-") }
    }

    @Test func everyOptionNarrowsDown() throws {
        let desk = try SearchShop().desk
        for (options, expected) in [
            (["--date", "2025-11-07"], ["4170", "4391", "4306", "4288"]),
            (["--date", "2025-11-07", "--around", "15:57"], ["4170", "4288"]),
            (["--date", "2025-11-07", "--around", "15:57", "--within", "15"], ["4170"]),
            (["--date", "2025-11-06", "--around", "24:00"], ["3950"]),
            (["--date", "2025-11-05", "--around", "29:59"], []),
            (["--date", "2025-11-07", "--around", "00:15"], ["3950"]),
            (["--date", "2025-11-07", "--around", "00:15", "--within", "15"], []),
            (["--since", "2025-11-01", "--until", "2025-11-04"], ["2664", "1492", "2571"]),
            (["--since", "2025-11-01", "--until", "2025-11-04", "--product", "宝石"], ["1492", "2571"]),
            (["--amount", "25", "--currency", "CNY"], ["4170", "4288"]),
            (["--amount", "25.00", "--currency", "USD"], []),
            (["--amount", "120", "--currency", "jpy"], ["3733"]), (["--amount", "4.99"], ["1492", "2571"]),
            (["--product", "coins_60"], ["4306", "3817", "3733"]),
            (["--product", "60 Coins"], ["4306", "3817", "3733"]),
            (["--product", "coins_60", "--storefront", "jpn"], ["3733"]), (["--product", "no such thing"], []),
            // A payment whose owner is unknown may be this account's.
            (["--date", "2025-11-07", "--account", "u300"], ["4170", "4391", "4306", "4288"]),
            (["--date", "2025-11-07", "--account", "u3002"], ["4170", "4306"]),
            (["--date", "2025-11-07", "--asker", "u3002"], ["4306", "4170"]),
            (["--date", "2025-11-07", "--ends", "4306"], ["4306"]), (["--ends", "3950"], ["3950"]),
            (["--since", "2025-11-01", "--until", "2025-11-07", "--around", "09:05"], ["3733", "2571"]),
        ] as [([String], [String])] {
            #expect(try found(desk, options) == expected, "\(options)")
        }
    }

    @Test func whatCannotBeUsedIsRefused() throws {
        let desk = try SearchShop().desk
        for options in [
            [], ["--around", "15:57"], ["--date", "2025-13-01"], ["--date", "2025-11-07", "--around", "30:00"],
            ["--date", "2025-11-07", "--around", "15:57", "--within", "5"], ["--amount", "x"], ["--amount", "1.2.3"],
            ["--amount", "25", "--currency", "XXL"], ["--since", "2025-11-07", "--until", "2025-11-01"],
            ["--since", "2025-01-07", "--until", "2025-11-01"], ["--date", "2025-11-07", "--since", "2025-11-01"],
        ] {
            let ended = try desk.run(["find"] + options)
            #expect(ended.code == 64 && ended.errors.contains("find"), "\(options): \(ended.errors)")
        }
        let within = try desk.run(["find", "--date", "2025-11-07", "--around", "15:57", "--within", "5"])
        #expect(within.errors.contains("--within cannot be used. "), "\(within.errors)")
        let early = try desk.run(["find", "--date", "2024-11-07"], variables: ["COLUMNS": "300"])
        #expect(
            early.code == 1 && early.output.contains("Purchases before 2025-11-01 are not in these records"),
            "\(early.output)")
        let none = try desk.run(["find", "--date", "2025-11-07", "--amount", "7", "--lang", "zh-Hans"])
        #expect(none.code == 1 && none.output.contains("没有符合条件的付款"), "\(none.output)")
    }

    /// Its last digits stand bare in the message. Amounts and years do not count.
    @Test func whatEndsInDigitsOfTheMessageComesFirst() throws {
        let desk = try SearchShop().desk
        for (text, end, isNamed) in [
            ("这周充了25没到，4288", "4288", true), ("这周充了25没到", "4170", false), ("这周充了25没到 2025", "4170", false),
            ("这周充了25没到，0000", "4170", false),
        ] {
            let shown = try desk.run(["lookup", text], variables: ["COLUMNS": "300"]).output
            let first = try #require(shown.firstMatch(of: /20000008700[0-9]{5}/), "\(shown)").0
            #expect(
                first.hasSuffix(end) && shown.contains("ends in 4288, which the message has") == isNamed, "\(shown)")
        }
    }

    /// A list has no YES, although 3950 may be compensated.
    @Test func aListNeverSaysYes() throws {
        let desk = try SearchShop().desk
        #expect(try desk.safety("2000000870003950") == "safe")
        for language in ["en", "zh-Hans"] {
            let shown = try desk.run(["find", "--date", "2025-11-06", "--lang", language]).output
            #expect(shown.contains("2000000870003950"))
            #expect(shown.contains(language == "en" ? "open it first" : "点开查看结论"), "\(shown)")
            #expect(!shown.contains("YES") && !shown.contains("；可以"), "\(shown)")
        }
    }

    /// More than a list shows: it asks to narrow down, and the total is told.
    @Test func aLongListAsksToNarrowDown() throws {
        let desk = try DeskFolder()
        try desk.deliver("credits", night: 0)
        try desk.deliver("orders", night: 0)
        try desk.deliverTransactions((100..<550).map { ("2000000870000\($0)", "") }, night: 0)
        try desk.night(0)
        let shown = try desk.run(["find", "--date", "2025-11-01"], variables: ["COLUMNS": "200"]).output
        #expect(shown.contains("450 purchases found, 20 shown.") && shown.contains("Narrow it down"), "\(shown)")
        #expect(shown.matches(of: /20000008700005\d\d/).count == 20)
        // Those that were not looked at may be other customers'.
        let own = try desk.run(["find", "--date", "2025-11-01", "--asker", "u3001"], variables: ["COLUMNS": "200"])
        #expect(own.output.contains("400 purchases found, 20 shown."), "\(own.output)")
        // What is asked for exactly is found among all of them, not only among those that are judged.
        for end in ["0549", "0100"] { #expect(try found(desk, ["--date", "2025-11-01", "--ends", end]) == [end]) }
    }

    /// An hour in which many paid: the list has the payment of the minute that the customer names.
    @Test func ofTooManyThoseNearestToTheTimeAreListed() throws {
        let desk = try DeskFolder()
        try desk.deliver("credits", night: 0)
        try desk.deliver("orders", night: 0)
        let start = Zone("Asia/Shanghai")!.start(of: DeskFolder.first).milliseconds
        let lines = (1...50).map { minute in
            let at = start + (20 * 60 + Int64(minute)) * 60_000 + 20_000
            return
                #"{"transactionId":"20000008700000\#(9 + minute)","productId":"coins","purchaseDate":\#(at),"quantity":1,"#
                + #""type":"Consumable","environment":"Production","bundleId":"com.example.game","price":6000,"#
                + #""currency":"CNY","signedDate":\#(at)}"# + "\n"
        }
        try desk.folder.write(lines.joined(), to: "inbox/transactions-\(desk.date(0)).jsonl")
        try desk.night(0)
        let listed = try found(desk, ["--date", "2025-11-01", "--around", "20:12"])
        #expect(listed.first == "0021" && listed.count == 20 && listed.contains("0012"), "\(listed)")
        let shown = try desk.run(["lookup", "11月1日20:12付了6元", "--lang", "zh-Hans"], variables: ["COLUMNS": "300"])
        #expect(shown.output.contains("2000000870000021") && shown.output.contains("改小“前后分钟数”"), "\(shown.output)")
    }

    /// The order's, too, whether the case needs the rules or not; and one of two signs, which is in no table.
    @Test func anEndOfAnyOfItsIDsFindsThePurchase() throws {
        let desk = try DeskFolder.lostOrder()
        func find() throws {
            for (end, expected) in [("6789", ["6789"]), ("1000000042", ["6789"]), ("42", ["6789"]), ("0000043", [])] {
                #expect(try found(desk, ["--date", desk.date(0), "--ends", end]) == expected, "\(end)")
            }
        }
        try find()
        try desk.deliver(
            "credits", ["CR1,ORD1000000042,2000000123456789,acct-lost-7,credit,auto,\(desk.noon(1))"], night: 1)
        try desk.nights(1...1)
        try find()
    }

    private static let settings = #"desk: { maySearch: ["li"], mayGive: ["li"], mask: ["wang"] },"#

    @Test func onlySearchersSeeOthersPurchases() throws {
        let desk = try SearchShop(settings: Self.settings).desk
        for text in ["尾号4170", "昨天15:57我付了25元", "2000****4170", "200000087OOO417O"] {
            let form = "id=" + text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
            let allowed = try desk.web(form, by: "li", ["HTTP_ACCEPT_LANGUAGE": "en"])
            let denied = try desk.web(form, by: "zhao", ["HTTP_ACCEPT_LANGUAGE": "en"])
            #expect(allowed.contains("2000000870004170") && allowed.contains("25.00 CNY"), "\(text)")
            #expect(!denied.contains("25.00") && !denied.contains("u3001") && !denied.contains("<table"), "\(denied)")
        }
        // Where the account is known, who may not search reads that there is one, and whom to ask.
        let form = "id=" + "账号u3001，昨天15:57我付了25元".addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        let told = try desk.web(form, by: "zhao", ["HTTP_ACCEPT_LANGUAGE": "en"])
        #expect(told.contains("ask a colleague who may search") && !told.contains("2000000870004170"), "\(told)")
        #expect(try desk.web(form, by: "li").contains("<button type=\"submit\" class=\"link\">2000000870004170"))
        #expect(try !desk.web(nil, by: "zhao").contains("name=\"find\""))
        #expect(try desk.web(nil, by: "li").contains("name=\"find\""))
        #expect(try desk.web("find=1&from=2025-11-07", by: "zhao").hasPrefix("Status: 403 "))
    }

    /// 4170 has no known owner, 4288 is u3001's. What is opened from the list is asked for by the same account.
    @Test func anAccountWithoutARecordSeesNoOtherAccountsPurchase() throws {
        let desk = try SearchShop(
            settings: #"desk: { maySearch: ["li", "wang"], mayGive: ["li", "wang"], mask: ["wang"] },"#
        ).desk
        let text = "账号309999999，昨天15:57我付了25元没到".addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        let page = try desk.web("id=" + text, by: "li", ["HTTP_ACCEPT_LANGUAGE": "en"])
        #expect(page.contains("No record names account 309999999.") && !page.contains("2000000870004288"), "\(page)")
        #expect(
            page.contains(
                /name="id" value="2000000870004170">\s*<input type="hidden" name="account" value="309999999">/),
            "\(page)")
        let masked = try desk.web("id=" + text, by: "wang", ["HTTP_ACCEPT_LANGUAGE": "en"])
        #expect(masked.contains("2000000870004170") && !masked.contains("name=\"account\" value=\"30"), "\(masked)")
        let lost = "账号309999999，11月6日23:58充的30没到".addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        let other = try desk.web("id=" + lost, by: "li", ["HTTP_ACCEPT_LANGUAGE": "en"])
        #expect(other.contains("No record names account 309999999.") && !other.contains("3950"), "\(other)")
    }

    @Test func theFormShowsWhatWasUnderstoodAndCanCorrectIt() throws {
        let desk = try SearchShop(settings: Self.settings).desk
        let text = "昨天15:57我付了25元".addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        let page = try desk.web("id=" + text, by: "li")
        #expect(page.contains("Understood: 2025-11-07; 15:27 to 16:27; 25 CNY."), "\(page)")
        for (name, value) in [
            ("from", "2025-11-07"), ("time", "15:57"), ("within", "30"), ("amount", "25"), ("currency", "CNY"),
        ] {
            #expect(page.contains(try Regex("name=\"\(name)\" type=\"[a-z]+\" value=\"\(value)\"")), "\(name)")
        }
        #expect(page.contains("<details open=\"open\">"))
        let corrected = try desk.web(
            "find=1&from=2025-11-06&to=2025-11-07&time=&within=&amount=30&currency=CNY", by: "li")
        #expect(corrected.contains("2 purchases found, 2 shown.") && corrected.contains(">2000000870003950</button>"))
        #expect(!corrected.contains("class=\"safe yes\"") && !corrected.contains("YES"))
        let opened = try desk.web("id=2000000870003950", by: "li")
        #expect(opened.contains("class=\"safe yes\""))
        #expect(try desk.web("find=1&from=2025-11-31", by: "li").contains("The dates cannot be used."))
        #expect(try desk.web("find=1", by: "li").contains("Enter an id first."))
    }

    @Test func eachSearchIsOnRecord() throws {
        let desk = try SearchShop(settings: Self.settings).desk
        _ = try desk.web("find=1&from=2025-11-07&to=2025-11-07&amount=25&begins=u3", by: "li")
        _ = try desk.web("id=%E6%98%A8%E5%A4%A9", by: "li")
        let lines = try desk.folder.read("desk/audit-2025-11.jsonl").split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.map { $0["kind"] as? String } == ["find", "find"])
        #expect(lines.map { $0["found"] as? Int } == [2, 4])
        let asked = try #require(lines[0]["asked"] as? [String: Any])
        #expect(asked["from"] as? String == "2025-11-07" && asked["amounts"] as? [String] == ["25"])
        #expect(asked["account_id"] as? String == "u3" && lines[1]["query"] as? String == "昨天")
    }

    @Test func maskedUsersSeeMaskedAccounts() throws {
        let settings = #"desk: { maySearch: ["wang"], mask: ["wang"] },"#
        let desk = try SearchShop(settings: settings).desk
        for form in ["find=1&from=2025-11-07&begins=u3", "id=ends+with+4306", "id=yesterday"] {
            let page = try desk.web(form, by: "wang")
            #expect(page.contains("4306") && page.matches(of: /u300\d/).isEmpty, "\(page)")
        }
        #expect(try desk.run(["find", "--mask", "--date", "2025-11-07"]).output.matches(of: /u300\d/).isEmpty)
    }

    @Test func allTailsOfAMessageAreSearched() throws {
        let desk = try SearchShop().desk
        for text in ["尾号4170和尾号4288 两笔25", "一笔尾号4170 一笔尾号4288", "尾号4170和4288", "ending in 4170 and ending in 4288"] {
            let list = try desk.look(text)["list"] as? [String: Any]
            let found = (list?["purchases"] as? [[String: Any]])?.compactMap {
                ($0["transaction_ids"] as? [String])?.first
            }
            #expect(Set(found ?? []) == ["2000000870004170", "2000000870004288"], "\(text)")
        }
        // A tail that matches nothing is named. A tail that is part of another does not count twice.
        let one = try desk.look("尾号4170和尾号9999")
        #expect(one["found_by"] as? String == "ending" && one["unknown_ids"] as? [String] == ["…9999"], "\(one)")
        for text in ["尾号4170，就是尾号04170", "2000****4170 尾号4170", "尾号4170和2026年"] {
            let answer = try desk.look(text)
            #expect(answer["unknown_ids"] as? [String] == [] && answer["found_by"] is String, "\(text)")
        }
    }

    /// A whole id in a message is never beaten by a part, a date or an amount.
    @Test func aPartThatIsAnothersIsStillAnothers() throws {
        let desk = try SearchShop().desk
        for (asker, reason) in [("u3002", "other_account"), ("u3003", "safe")] {
            let answer = try desk.look("ends with 3950", "--asker", asker)
            let subject = try #require((answer["subjects"] as? [[String: Any]])?.first)
            #expect(answer["found_by"] as? String == "ending" && subject["safe_reason"] as? String == reason)
        }
        for text in ["ends with 3950", "尾号3950没到"] {
            #expect(try desk.look(text, "--asker", "u3003")["found_by"] as? String == "ending")
        }
        #expect(try desk.look("ends with 3950")["found_by"] as? String == "ending")
        #expect(try desk.safety("ends with 3950") == "found_by_part")
        // Nothing shows that a delivered purchase is this customer's either.
        for (text, asker) in [("ends with 4306", ""), ("ends with 4170", ""), ("ends with 4170", "u3002")] {
            let options = asker.isEmpty ? [] : ["--asker", asker]
            let shown = try desk.run(["lookup", text] + options, variables: ["COLUMNS": "200"]).output
            #expect(shown.contains("Tell the customer  We are checking what you sent us"), "\(shown)")
        }
    }
}
