import Domain
import Foundation
import Testing

/// Who takes back what was recorded or decided on the desk's page.
@Suite struct DeskWithdrawalTests {
    private static let transaction = "2000000123456789"
    private static let english: [String: String?] = ["HTTP_ACCEPT_LANGUAGE": "en"]

    /// Li and wang decide; chen leads them, and decides nothing.
    private func shop(_ settings: String = "") throws -> DeskFolder {
        let desk = try DeskFolder.lostOrder()
        let (both, all) = (#"["li", "wang"]"#, #"["li", "wang", "chen"]"#)
        try desk.configure(
            settings: #"desk: { mayGive: \#(both), mayWaive: \#(both), mayAcceptGap: \#(both), mayWork: \#(all), "#
                + #"mayLead: ["chen"], \#(settings) },"#)
        return desk
    }

    private func send(_ desk: DeskFolder, _ form: String, by user: String) throws -> String {
        try desk.web("id=\(Self.transaction)" + form, by: user, Self.english)
    }

    /// The form of a page that shows what was withdrawn.
    private func giveAgain(_ desk: DeskFolder, by user: String) throws {
        let page = try send(desk, "", by: user)
        let seen = page.firstMatch(of: /name="given"(?:(?!<\/form>)[\s\S])*?name="seen" value="([^"]+)"/)
        _ = try send(desk, "&given=\(Self.transaction)&seen=" + (seen.map { String($0.1) } ?? ""), by: user)
    }

    private func waiver(_ desk: DeskFolder) throws -> String {
        let exception = try #require(try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any])
        return "&decide=waive&key=\(exception["id"] as? String ?? "")"
    }

    @Test func aPageThatIsOlderThanAWithdrawalRecordsNothing() throws {
        let desk = try shop()
        let given = "&given=" + Self.transaction
        #expect(!(try send(desk, "", by: "li").contains("name=\"seen\"")))
        _ = try send(desk, given, by: "wang")
        let record = try send(desk, "", by: "wang").firstMatch(of: /name="seen" value="([^"]*)"/)
        desk.now = desk.now + .hours(1)
        _ = try send(
            desk, "&ungiven=\(Self.transaction)&reason=timeout&seen=" + String(try #require(record).1), by: "wang")
        let refused = try send(desk, given + "&seen=", by: "li")
        #expect(refused.contains("Not recorded: something about \(Self.transaction)"), "\(refused)")
        #expect(refused.contains("class=\"safe wait\"") && refused.contains("timeout"), "\(refused)")
        #expect(try desk.safety(Self.transaction) == "safe")
        #expect(try desk.folder.read("desk/audit-2025-11.jsonl").contains(#""reason":"outdated","recorded":false"#))
        let seen = try #require(refused.firstMatch(of: /name="seen" value="([^"]*)"/)).1
        let own = try send(desk, given + "&seen=" + String(seen), by: "li")
        #expect(own.contains("Recorded: you give the goods"), "\(own)")
        // Who gives them reads one thing in all places.
        #expect(own.contains("class=\"safe wait\"") && own.contains("BY YOU: give the goods once"), "\(own)")
        #expect(
            own.contains("You recorded this. Give the goods once.") && !own.contains("Nothing to approve"), "\(own)")
        let other = try send(desk, "", by: "wang")
        #expect(other.contains("class=\"safe no\"") && other.contains("Nothing to approve"), "\(other)")
    }

    @Test func whoMayNotRecordReadsNoGreenYes() throws {
        let desk = try shop()
        #expect(try send(desk, "", by: "li").contains("class=\"safe yes\""))
        let page = try send(desk, "", by: "chen")
        #expect(page.contains("class=\"safe wait\"") && !page.contains("safe yes"), "\(page)")
    }

    /// A colleague asks for a waiver after the goods were recorded as given.
    @Test func aWaiverThatWaitsIsReadBeforeTheGoodsAreGiven() throws {
        let desk = try shop(#"twoPersons: ["waive"]"#)
        let waiver = try waiver(desk)
        _ = try send(desk, waiver + "&note=refund", by: "wang")
        let page = try send(desk, "", by: "li")
        #expect(page.contains("<dd>Ask wang before you give anything.") && !page.contains("name=\"given\""), "\(page)")
        #expect(try send(desk, "", by: "wang").contains("To give the goods, withdraw your request first."))
        // A page that is older than the request, or another program.
        let refused = try send(desk, "&given=" + Self.transaction, by: "li")
        #expect(refused.contains("was not recorded, because this stands: wang asks to waive"), "\(refused)")
        #expect(try desk.safety(Self.transaction) == "safe")
        // After it is withdrawn, its reasons are read beside the YES.
        _ = try send(desk, waiver + "&withdraw=1&reason=delivered", by: "wang")
        let after = try send(desk, "", by: "li")
        #expect(after.contains("wang (refund) asked at ") && after.contains("because: delivered. Ask wang"), "\(after)")
        #expect(try !send(desk, "", by: "wang").contains("Ask wang"))
        try giveAgain(desk, by: "li")
        _ = try send(desk, waiver + "&note=refund", by: "wang")
        let own = try send(desk, "", by: "li")
        #expect(own.contains("BY YOU") && own.contains("Ask wang before you give anything."), "\(own)")
        #expect(try !send(desk, "", by: "wang").contains("Ask wang"))
        // Without leads, one person alone withdraws it.
        try desk.configure(settings: #"desk: { mayGive: ["li", "wang"], mayWork: ["li"] },"#)
        #expect(try send(desk, "", by: "wang").contains("Only li can withdraw it."))
    }

    /// If a lead withdraws a colleague's request, whoever opens the payment next reads it. If users withdraw their own, nothing is said.
    @Test func whatALeadRefusedIsReadBeforeTheGoodsAreGiven() throws {
        let desk = try shop(#"twoPersons: ["given"]"#)
        for (user, isRefused) in [("li", false), ("chen", true)] {
            _ = try send(desk, "&given=" + Self.transaction, by: "li")
            let page = try send(desk, "", by: user)
            let form = try #require(page.firstMatch(of: /name="ungiven"(?:(?!<\/form>)[\s\S])*/)).0
            let seen = try #require(form.firstMatch(of: /name="seen" value="([^"]+)"/)).1
            #expect(form.contains("name=\"reason\"") == isRefused)
            let withdrawal = "&ungiven=\(Self.transaction)&seen=\(seen)" + (isRefused ? "&confirms=li" : "")
            if isRefused {
                #expect(try send(desk, withdrawal, by: user).contains("give a reason of at most"))
                #expect(try send(desk, "", by: "wang").contains("Confirm: the goods are given by hand"))
            }
            _ = try send(desk, withdrawal + (isRefused ? "&reason=Apple+paid+back" : ""), by: user)
            let read = try send(desk, "", by: "wang")
            #expect(read.contains("because: Apple paid back.") == isRefused)
            #expect(try desk.folder.read("desk/decisions-2025-11.jsonl").contains("Apple paid back") == isRefused)
            #expect(read.contains("and chen refused that at") == isRefused, "\(read)")
            #expect(read.contains("Ask chen before you give anything.") == isRefused)
            #expect(read.contains("class=\"safe \(isRefused ? "wait" : "yes")\""), "\(read)")
        }
        // It can be asked for again, and confirmed.
        try giveAgain(desk, by: "li")
        #expect(try send(desk, "", by: "wang").contains("Confirm: the goods are given by hand"))
    }

    /// Li asked to give the goods; wang waived the case.
    @Test func aRequestIsVoidOnceTheCaseIsWaived() throws {
        let desk = try shop(#"twoPersons: ["given"]"#)
        func isInQueue() throws -> Bool {
            let page = try desk.web(nil, by: "li", Self.english.merging(["QUERY_STRING": "queue&reason=wish"]) { $1 })
            return page.contains(Self.transaction)
        }
        _ = try send(desk, "&given=" + Self.transaction, by: "li")
        #expect(try isInQueue())
        _ = try send(desk, waiver(desk) + "&note=goodwill", by: "wang")
        for _ in 0...1 {
            let page = try send(desk, "", by: "wang")
            #expect(page.contains("That is void, because the exception is waived."), "\(page)")
            #expect(try !page.contains("until a second user confirms") && !isInQueue())
            try desk.nights(1...1)
        }
    }

    @Test func aLeadWithdrawsAColleaguesRecordAndOthersReadWhoCan() throws {
        let desk = try shop()
        _ = try send(desk, "&given=" + Self.transaction, by: "li")
        let others = try send(desk, "", by: "wang")
        #expect(
            others.contains("What li recorded can be withdrawn by: li, chen.") && !others.contains("name=\"ungiven\""),
            "\(others)")
        let own = try send(desk, "", by: "li")
        #expect(own.contains("Undo: I have not given the goods") && !own.contains("can be withdrawn by"))
        // It stands below the whole record, where no button to give was.
        #expect(
            try #require(own.range(of: "<h4>Facts</h4>")).lowerBound
                < #require(own.range(of: "name=\"ungiven\"")).lowerBound)
        let lead = try send(desk, "", by: "chen")
        #expect(lead.contains("Withdraw the record of li</button>") && lead.contains("Ask li first."), "\(lead)")
        #expect(lead.contains(#"name="confirms" value="li""#))
        let withdrawal = "&ungiven=\(Self.transaction)&reason=mistake"
        // The record on the page no longer stands, or the user is not a lead.
        for (form, user) in [("&confirms=wang", "chen"), ("", "chen"), ("&confirms=li", "wang")] {
            #expect(try send(desk, withdrawal + form, by: user).contains("Nothing was withdrawn"), "\(user)")
        }
        #expect(try desk.safety(Self.transaction) == "given")
        let page = try send(desk, withdrawal + "&confirms=li", by: "chen")
        #expect(page.contains("Withdrawn: the record about \(Self.transaction) no longer counts."), "\(page)")
        #expect(try desk.safety(Self.transaction) == "safe")
        #expect(try desk.folder.read("desk/given-2025-11.jsonl").contains(#""by":"chen","kind":"ungiven""#))
        #expect(
            try desk.folder.read("desk/audit-2025-11.jsonl").contains(
                #""kind":"ungiven","reason":null,"recorded":true"#))
        // A lead withdraws and gives nothing.
        #expect(try send(desk, "&given=" + Self.transaction, by: "chen").hasPrefix("Status: 403 "))
    }

    /// The browser sends the withdrawal again when its tab is loaded again.
    @Test func anOldPageWithdrawsNoLaterRecord() throws {
        let desk = try shop()
        _ = try send(desk, "&given=" + Self.transaction, by: "li")
        let forms = try ["li", "chen"].map { user in
            let page = try send(desk, "", by: user)
            let seen = try #require(page.firstMatch(of: /name="seen" value="([^"]+)"/), "\(page)").1
            return (user, "&ungiven=\(Self.transaction)&reason=tab&seen=\(seen)" + (user == "li" ? "" : "&confirms=li"))
        }
        #expect(try send(desk, forms[0].1, by: "li").contains("Withdrawn: the record"))
        desk.now = desk.now + .hours(1)
        _ = try send(desk, "&given=" + Self.transaction, by: "li")
        for (user, form) in forms {
            let page = try send(desk, form, by: user)
            #expect(page.contains("or it is not the one that your page showed."), "\(page)")
        }
        #expect(try desk.safety(Self.transaction) == "given")
        #expect(
            try send(desk, "&ungiven=\(Self.transaction)&reason=x&seen=", by: "li").contains("Nothing was withdrawn"))
    }

    /// The next agent must know of the record, and gives nothing before asking.
    @Test func aWithdrawnRecordIsShownToTheNextAgent() throws {
        let desk = try shop()
        _ = try send(desk, "&given=" + Self.transaction, by: "wang")
        // Without a reason, or with a very long one, the record stands.
        for reason in ["", "&reason=%20", "&reason=" + String(repeating: "x", count: 2001)] {
            let page = try send(desk, "&ungiven=\(Self.transaction)&confirms=wang" + reason, by: "chen")
            #expect(page.contains("give a reason of at most 2000 characters"), "\(page)")
            #expect(try desk.safety(Self.transaction) == "given")
        }
        #expect(try send(desk, "", by: "chen").contains(#"name="reason" required="required" maxlength="2000""#))
        _ = try send(desk, "&ungiven=\(Self.transaction)&confirms=wang&reason=wrong+<case>", by: "chen")
        let said =
            "wang recorded at 2025-11-02 09:00:00 that the goods were given by hand, "
            + "and chen withdrew that at 2025-11-02 09:00:00, because: wrong &lt;case&gt;."
        for user in ["li", "wang", "chen"] {
            let page = try send(desk, "", by: user)
            let caution = try #require(page.range(of: said + " Before you give anything, look into"), "\(page)")
            #expect(page.contains("safe wait") && !page.contains("safe yes") && !page.contains("We will add them"))
            let button = page.range(of: "name=\"given\"")
            #expect(user == "chen" || caution.lowerBound < button!.lowerBound)
        }
        let chinese = try desk.run(
            ["lookup", Self.transaction, "--lang", "zh-Hans"], variables: ["COLUMNS": "300"]
        ).output
        #expect(chinese.contains("wang 曾于 2025-11-02 09:00:00 登记人工补单，chen 于 2025-11-02 09:00:00 撤销，理由：wrong <case>。"))
        #expect(try desk.subjects(Self.transaction)[0]["cautions"] as? [String] != [])
        let masked = try desk.run(["lookup", "--mask", Self.transaction], variables: ["COLUMNS": "300"]).output
        #expect(masked.contains("chen withdrew that") && !masked.contains("wrong"), "\(masked)")
        // Li gives the goods after asking; what was withdrawn stays on record.
        try giveAgain(desk, by: "li")
        let page = try send(desk, "", by: "wang")
        #expect(page.contains(said) && !page.contains("Before you give anything, look into"), "\(page)")
    }

    @Test func aRecordWithdrawnInATerminalOrLongAgoIsShownToo() throws {
        let desk = try shop()
        _ = try desk.run(["given", Self.transaction, "--by", "wang", "--note", "CS-4712"])
        desk.now = desk.now + .hours(1)
        _ = try desk.run(["ungiven", Self.transaction, "--by", "lead"])
        let page = try send(desk, "", by: "li")
        #expect(
            page.contains("wang (CS-4712) recorded at 2025-11-02 09:00:00")
                && page.contains("at 2025-11-02 10:00:00. Be"),
            "\(page)")
        // The first night reads the record, and the second one its withdrawal.
        try desk.nights(1...2)
        #expect(try send(desk, "", by: "li").contains("lead withdrew that at 2025-11-02 10:00:00."))
    }

    @Test func aWithdrawnWaiverIsShownToTheNextAgent() throws {
        let desk = try shop()
        _ = try send(desk, waiver(desk) + "&note=bought+a+card", by: "li")
        #expect(try send(desk, waiver(desk) + "&withdraw=1", by: "li").contains("give a reason of at most"))
        #expect(try desk.safety(Self.transaction) == "waived")
        _ = try send(desk, waiver(desk) + "&withdraw=1&reason=other+case", by: "li")
        let page = try send(desk, "", by: "wang")
        #expect(page.contains("li (bought a card) waived the exception at 2025-11-02 09:00:00, and li"), "\(page)")
        #expect(page.contains("because: other case. Ask li before you give anything.") && page.contains("safe wait"))
    }

    @Test func aLeadWithdrawsADecisionOfAColleague() throws {
        for settings in ["", #"twoPersons: ["waive"]"#] {
            let desk = try shop(settings)
            let waiver = try waiver(desk)
            _ = try send(desk, waiver + "&note=goodwill", by: "li")
            let others = try send(desk, "", by: "wang")
            #expect(others.contains("What li recorded can be withdrawn by: li, chen.") == settings.isEmpty)
            let lead = try send(desk, "", by: "chen")
            let button = settings.isEmpty ? "Withdraw the decision of li" : "Refuse the request of li"
            #expect(lead.contains(button + "</button>") && !lead.contains("name=\"note\""), "\(lead)")
            for form in [waiver + "&note=x", waiver + "&withdraw=1&reason=mistake&confirms=wang"] {
                #expect(try !send(desk, form, by: "chen").contains("Withdrawn: "))
            }
            // Who refuses a request withdraws nothing.
            let done = try send(desk, waiver + "&withdraw=1&reason=mistake&confirms=li", by: "chen")
            #expect(done.contains("Withdrawn: nothing is decided") == settings.isEmpty, "\(done)")
            #expect(done.contains("and chen refused that at") == !settings.isEmpty, "\(done)")
            #expect(try desk.safety(Self.transaction) == "safe")
            #expect(try !send(desk, "", by: "chen").contains("name=\"decide\""))
            // Nothing stands any more, so nothing is written.
            let before = try desk.folder.read("desk/decisions-2025-11.jsonl")
            _ = try send(desk, waiver + "&withdraw=1&reason=mistake", by: "chen")
            #expect(try desk.folder.read("desk/decisions-2025-11.jsonl") == before)
        }
    }

    /// A colleague waived the case since, or took it in hand.
    @Test func aRequestIsWithdrawnWhateverHappenedSince() throws {
        let desk = try shop(#"twoPersons: ["given"]"#)
        let withdrawal = "&ungiven=\(Self.transaction)&reason=mistake"
        for user in ["li", "chen"] {
            try giveAgain(desk, by: "li")
            _ = try send(desk, waiver(desk) + "&note=goodwill", by: "wang")
            #expect(try desk.safety(Self.transaction) == "waived")
            let form = user == "li" ? "" : "&confirms=li"
            let page = try send(desk, "", by: user)
            #expect(
                page.contains("name=\"ungiven\"") && page.contains("name=\"confirms\"") == (user == "chen"), "\(page)")
            let said = user == "li" ? "Withdrawn: nothing is decided" : "and chen refused that at"
            #expect(try send(desk, withdrawal + form, by: user).contains(said))
            #expect(try !send(desk, "", by: user).contains("name=\"ungiven\""))
            _ = try send(desk, waiver(desk) + "&withdraw=1&reason=mistake", by: "wang")
        }
        let exception = try waiver(desk).split(separator: "=").last ?? ""
        try giveAgain(desk, by: "li")
        _ = try send(desk, "&work=take&exception=\(exception)", by: "wang")
        #expect(try send(desk, "", by: "li").contains("Withdraw my request"))
    }

    @Test func aLeadWithdrawsTheAcceptanceOfAGap() throws {
        let desk = try shop()
        try desk.deliver("orders", night: 1)
        try desk.night(1)
        let query = Self.english.merging(["QUERY_STRING": "queue"]) { $1 }
        let page = try desk.web(nil, by: "li", query)
        let gap = try #require(page.firstMatch(of: /name="key" value="([^"]+)"/)).output.1
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        _ = try desk.web("decide=gap&key=\(gap)&note=holiday", by: "li", query)
        #expect(try desk.web(nil, by: "chen", query).contains("Withdraw the decision of li</button>"))
        let after = try desk.web("decide=gap&key=\(gap)&withdraw=1&confirms=li", by: "chen", query)
        #expect(after.contains("Withdrawn: nothing is decided") && !after.contains("li decided"), "\(after)")
    }

    /// A payment that names nobody; chen and wang lead and two of them decide, li gives goods.
    private func ownerless() throws -> (desk: DeskFolder, form: String) {
        let desk = try SearchShop(
            settings: #"desk: { mayGive: ["li"], mayLead: ["chen", "wang"], twoPersons: ["given"] },"#
        ).desk
        let id = SearchShop.transaction("4170")
        return (desk, "id=\(id)&given=\(id)")
    }

    private func given(_ desk: DeskFolder) -> Int {
        ((try? desk.folder.read("desk/given-2025-11.jsonl")) ?? "").split(separator: "\n").count
    }

    /// Wang's page shows u3001; chen then asks for another account.
    @Test func nobodyConfirmsAnAccountThatTheirPageDidNotShow() throws {
        let (desk, form) = try ownerless()
        let id = SearchShop.transaction("4170")
        _ = try desk.web(form + "&owner=u3001&reason=mail", by: "chen")
        let seen = try #require(try desk.web("id=" + id, by: "wang").firstMatch(of: /name="seen" value="([^"]+)"/)).1
        _ = try desk.web("id=\(id)&ungiven=\(id)&reason=x", by: "chen")
        desk.now = desk.now + .hours(1)
        _ = try desk.web(form + "&owner=u3009&reason=friend", by: "chen")
        let page = try desk.web(form + "&confirms=chen&seen=\(seen)", by: "wang")
        #expect(page.contains("Nothing was recorded: chen asked at"), "\(page)")
        #expect(page.contains("to account u3009") && given(desk) == 0)
        #expect(try desk.web(form + "&confirms=chen", by: "wang").contains("to account u3009.") && given(desk) == 1)
    }

    /// Whoever opens the payment next reads first that a lead asks to give it to an account, and asks the customer for nothing.
    @Test func aLeadsRequestStandsAboveTheAdvice() throws {
        let (desk, form) = try ownerless()
        let id = SearchShop.transaction("4170")
        #expect(try desk.web("id=" + id, by: "li").contains("Please tell us the account") == true)
        _ = try desk.web(form + "&owner=u3001&reason=mail", by: "chen")
        for user in ["li", "wang"] {
            let page = try desk.web("id=" + id, by: user)
            let (wish, advice) = (page.range(of: "class=\"alarm\">chen asks to"), page.range(of: "<dl>"))
            #expect(try #require(wish).lowerBound < #require(advice).lowerBound, "\(page)")
            #expect(page.contains("<dd>Give nothing yet.") && page.contains("class=\"safe no\""), "\(page)")
            #expect(!page.contains("Please tell us the account"), "\(page)")
        }
    }

    /// The owner was not known when chen named u3002. The order that came since is of u3001.
    @Test func nobodyConfirmsAnotherAccountThanTheOwners() throws {
        let (desk, form) = try ownerless()
        let id = SearchShop.transaction("4170")
        _ = try desk.web(form + "&owner=u3002&reason=mail", by: "chen")
        for feed in ["credits", "receipts", "acks"] { try desk.deliver(feed, night: 7) }
        try desk.deliver(
            "orders", ["SG9,u3001,vip_monthly,1,25.00,CNY,,\(id),paid,\(desk.date(6))T15:50:00+08:00,"], night: 7)
        try desk.folder.write("\n", to: "inbox/transactions-\(desk.date(7)).jsonl")
        try desk.night(7)
        let page = try desk.web("id=" + id, by: "li")
        #expect(page.contains("class=\"safe wait\"") && page.contains("Ask chen before you give"), "\(page)")
        #expect(page.contains("name=\"given\""), "\(page)")
        #expect(!page.contains("name=\"confirms\""))
        let refused = try desk.web(form + "&confirms=chen", by: "li")
        #expect(refused.contains("cannot be given to account u3002, because it belongs to another"), "\(refused)")
        #expect(given(desk) == 0)
        // Li asks anew, for the owner.
        #expect(try desk.web(form, by: "li").contains("li asks to give by hand the goods of \(id)."))
        #expect(try !desk.folder.read("desk/audit-2025-11.jsonl").contains(#""decided":true"#))
    }
}
