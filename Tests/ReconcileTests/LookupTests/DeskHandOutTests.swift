import Domain
import Foundation
import Testing

@testable import Reconcile

/// Goods given by hand, recorded on the desk's page.
@Suite struct DeskHandOutTests {
    private static let transaction = "2000000123456789"

    private func lostOrder() throws -> DeskFolder {
        let desk = try DeskFolder.lostOrder(retry: "{ enabled: false }")
        try desk.configure(settings: #"desk: { mayGive: ["li", "wang"] },"#)
        return desk
    }

    private func ask(_ desk: DeskFolder, by user: String) throws -> String {
        try desk.web("id=" + Self.transaction, by: user)
    }

    private func give(_ desk: DeskFolder, by user: String, _ changes: [String: String?] = [:]) throws -> String {
        try desk.web("id=\(Self.transaction)&given=\(Self.transaction)", by: user, changes)
    }

    private func lines(_ desk: DeskFolder) -> Int {
        let text = try? desk.folder.read("desk/given-2025-11.jsonl")
        return text.map { $0.split(separator: "\n").count } ?? 0
    }

    @Test func theSecondAgentReadsWhoGaveTheGoods() throws {
        let desk = try lostOrder()
        let page = try ask(desk, by: "wang")
        // The button is below the advice, not below the whole record.
        let (button, facts) = (page.range(of: "I give the goods now"), page.range(of: "<h4>Facts</h4>"))
        #expect(try #require(button).lowerBound < #require(facts).lowerBound)
        let first = try give(desk, by: "li")
        let answer = "BY YOU: give the goods once – you recorded at 2025-11-02 09:00:00"
        #expect(first.hasPrefix("Status: 200 ") && first.contains(answer))
        // Wang's page was loaded before, so it still has the button. What became of it has the focus, and nothing else.
        #expect(first.contains("class=\"good\" role=\"status\" tabindex=\"-1\" autofocus="))
        #expect(first.ranges(of: "autofocus=").count == 1 && first.contains("Recorded: you give the goods"))
        let second = try give(desk, by: "wang")
        let refusal = "Your entry about \(Self.transaction) was not recorded: li recorded at 2025-11-02 09:00:00"
        #expect(second.contains("class=\"warning\" role=\"status\"") && second.contains(refusal), "\(second)")
        // Li sends the form again, or a colleague under the same login: the record stands.
        let again = try give(desk, by: "li", ["HTTP_ACCEPT_LANGUAGE": "zh-CN"])
        #expect(again.contains("您已于 2025-11-02 09:00:00 登记过") && again.contains("class=\"warning\" role=\"status\""))
        #expect(again.contains("由您补单一次，您已于 2025-11-02 09:00:00 登记") && !again.contains("登记成功"), "\(again)")
        #expect(second.contains("NO – li recorded at 2025-11-02 09:00:00") && lines(desk) == 1)
        #expect(try desk.safety(Self.transaction) == "given")
    }

    /// A payment of u3001's shop that names nobody; chen and wang lead, li gives goods.
    private func ownerless(_ settings: String = "") throws -> (desk: DeskFolder, form: String) {
        let leads = #"["chen", "wang"]"#
        let desk = try SearchShop(
            settings: #"desk: { mayGive: ["li"], mayWork: ["li", "chen"], mayLead: \#(leads), mask: ["zhao"], "#
                + settings + " },"
        ).desk
        let id = SearchShop.transaction("4170")
        return (desk, "id=\(id)&given=\(id)")
    }

    @Test func aLeadRecordsToWhomAPaymentWithoutAnOwnerIsGiven() throws {
        let (desk, form) = try ownerless()
        let id = SearchShop.transaction("4170")
        #expect(try !desk.web("id=" + id, by: "li").contains("name=\"given\""))
        let page = try desk.web("id=\(id)&account=u3001", by: "chen")
        #expect(page.contains("name=\"owner\"") && page.contains("value=\"u3001\""), "\(page)")
        #expect(page.contains("Record that I give the goods to this account") && page.contains("below this answer"))
        // Others, and forms without an account or a reason, record nothing.
        for (user, fields) in [
            ("li", "&owner=u3001&reason=mail"), ("chen", ""), ("chen", "&owner=u3001"), ("chen", "&reason=mail"),
            ("chen", "&owner=\(String(repeating: "u", count: 101))&reason=mail"),
        ] {
            #expect(try !desk.web(form + fields, by: user).contains("Recorded:"), "\(user) \(fields)")
        }
        #expect(lines(desk) == 0)
        let given = try desk.web(form + "&owner=u3001&reason=Apple's mail", by: "chen")
        #expect(
            given.contains("Recorded: you give the goods of \(id) to account u3001.") && lines(desk) == 1, "\(given)")
        #expect(given.contains("Undo: I have not given the goods") && !given.contains("Withdraw the record of chen"))
        let line = try desk.folder.read("desk/given-2025-11.jsonl")
        #expect(line.hasPrefix(#"{"account":"u3001","at":"#) && line.contains(#""note":"Apple's mail""#), "\(line)")
        // Chen sends the form again, and then another account in it.
        #expect(try desk.web(form + "&owner=u3001&reason=mail", by: "chen").contains("and nothing was recorded again"))
        let corrected = try desk.web(form + "&owner=u3002&reason=typo", by: "chen")
        #expect(
            corrected.contains("was not recorded: chen recorded at") && !corrected.contains("Recorded: you give"),
            "\(corrected)")
        let second = try desk.web(form + "&owner=u3002&reason=mail", by: "wang")
        #expect(
            second.contains("was not recorded: chen recorded at") && second.contains("to account u3001 (Apple"),
            "\(second)")
        #expect(try lines(desk) == 1 && desk.safety(id) == "given")
        #expect(try !desk.web("id=" + id, by: "zhao").contains("u3001"))
        let queue = try desk.web(nil, by: "li", ["QUERY_STRING": "queue", "HTTP_ACCEPT_LANGUAGE": "en"])
        #expect(!queue.contains(id), "\(queue)")
    }

    @Test func aSecondLeadConfirmsWhosePaymentItIs() throws {
        let (desk, form) = try ownerless(#"twoPersons: ["given"]"#)
        let id = SearchShop.transaction("4170")
        let wish = "to give by hand the goods of \(id), to account u3001, because: mail."
        #expect(try desk.web(form + "&owner=u3001&reason=mail", by: "chen").contains("chen asks " + wish))
        #expect(try !desk.web("id=" + id, by: "chen").contains("name=\"owner\""))
        #expect(try desk.web("id=" + id, by: "wang").contains("Refuse the request of chen"))
        // Wang's form was loaded before, and names another account.
        let refused = try desk.web(form + "&owner=u3002&reason=mail", by: "wang")
        #expect(refused.contains(" " + wish + " Your page did not show") && lines(desk) == 0)
        #expect(!refused.contains("class=\"good\""))
        let page = try desk.web("id=" + id, by: "wang")
        #expect(
            page.contains("Confirm: the goods are given by hand") && page.contains("name=\"confirms\" value=\"chen\""))
        #expect(try desk.web(form + "&confirms=chen", by: "li").contains("Recorded:") == false && lines(desk) == 0)
        #expect(try desk.folder.read("desk/decisions-2025-11.jsonl").hasPrefix(#"{"account":"u3001","at":"#))
        let confirmed = try desk.web(form + "&confirms=chen", by: "wang")
        #expect(confirmed.contains("Confirmed: chen gives the goods of \(id) to account u3001."), "\(confirmed)")
        #expect(
            confirmed.contains("chen (confirmed by wang) recorded at") && confirmed.contains("to account u3001 (mail)"))
        let chinese = try desk.run(["lookup", id, "--lang", "zh-Hans"], variables: ["COLUMNS": "300"]).output
        #expect(chinese.contains("chen（wang 确认）已于") && chinese.contains("补单给账号 u3001（理由：mail）"), "\(chinese)")
    }

    /// The desk gave u3002 goods an hour and a half after the payment, and wrote no number.
    @Test func noLeadGivesTheGoodsToAnAccountThatMayHaveThem() throws {
        for settings in ["", #"twoPersons: ["given"]"#] {
            let (desk, form) = try ownerless(settings)
            for feed in ["orders", "receipts", "acks"] { try desk.deliver(feed, night: 7) }
            try desk.folder.write(
                "credit_id,order_id,transaction_id,account_id,product_id,kind,origin,credited_at\n"
                    + "KF1,KF-20251107,,u3002,vip_monthly,credit,desk,\(desk.date(6))T17:30:00+08:00\n",
                to: "inbox/credits-\(desk.date(7)).csv")
            try desk.folder.write("\n", to: "inbox/transactions-\(desk.date(7)).jsonl")
            try desk.night(7)
            let refused = try desk.web(form + "&owner=u3002&reason=mail", by: "chen")
            let why = "cannot be given to account u3002, because the account, or another one whose receipt"
            #expect(refused.contains(why) && refused.contains("KF1") && lines(desk) == 0, "\(refused)")
            #expect(!refused.contains("asks to give by hand"))
            let other = try desk.web(form + "&owner=u3008&reason=mail", by: "chen")
            #expect(
                other.contains(settings.isEmpty ? "Recorded: you give the goods" : "asks to give by hand"), "\(other)")
        }
    }

    @Test func theAccountThatALeadNamesIsOnRecord() throws {
        let (desk, form) = try ownerless()
        let id = SearchShop.transaction("4170")
        for account in ["u9999", id, "不知道", "-", "u3001 u3002", "U3001", "账号u3001"] {
            let refused = try desk.web(form + "&owner=\(account)&reason=mail", by: "chen")
            #expect(
                refused.contains("Nothing was recorded about \(id): no account “\(account)” is on record."),
                "\(refused)")
            #expect(refused.contains("Similar: u3001.") == ["U3001", "账号u3001"].contains(account), "\(account)")
        }
        #expect(lines(desk) == 0)
    }

    /// No order carries the payment's token. The orders of u3001 carry another token, those of u4000 none.
    @Test func noLeadGivesTheGoodsToAnAccountWithAnotherToken() throws {
        let (desk, _) = try ownerless()
        let id = "2000000870009999"
        for feed in ["credits", "receipts", "acks"] { try desk.deliver(feed, night: 7) }
        try desk.deliver("orders", ["SG4000,u4000,coins_60,1,6.00,CNY,,,cancelled,\(desk.noon(7)),"], night: 7)
        let token = #","appAccountToken":"\#(TicketShop.token("u20003099"))""#
        try desk.deliverTransactions([(id, token)], night: 7)
        try desk.night(7)
        let form = "id=\(id)&given=\(id)&reason=mail&owner="
        let refused = try desk.web(form + "u3001", by: "chen")
        #expect(
            refused.contains("cannot be given to account u3001, because the payment carries another token")
                && lines(desk) == 0, "\(refused)")
        #expect(try desk.folder.read("desk/audit-2025-11.jsonl").contains(#""reason":"other_token""#))
        func offers(_ account: String) throws -> Bool {
            try desk.run(["lookup", "账号\(account) 11月8日12:00充的6块没到"]).output.contains(id)
        }
        #expect(try !offers("u3001") && offers("u4000"))
        #expect(try desk.web(form + "u4000", by: "chen").contains("Recorded: you give the goods"))
    }

    /// The night has read what li recorded first. What li recorded since is gone with the file.
    @Test func nothingIsGivenWhileTheDesksFilesLackAHandOut() throws {
        let (desk, _) = try ownerless()
        let (known, other) = (SearchShop.transaction("3950"), SearchShop.transaction("2664"))
        _ = try desk.web("id=\(known)&given=\(known)", by: "li")
        func night(_ night: Int) throws {
            for feed in ["orders", "credits", "receipts", "acks"] { try desk.deliver(feed, night: night) }
            try desk.folder.write("\n", to: "inbox/transactions-\(desk.date(night)).jsonl")
        }
        try night(7)
        try desk.night(7)
        #expect(try desk.safety(other) == "safe")
        try desk.folder.write("", to: "desk/given-2025-11.jsonl")
        #expect(try desk.safety(other) == "guarded" && desk.safety(known) == "given")
        let refused = try desk.web("id=\(other)&given=\(other)", by: "li")
        #expect(
            refused.contains("was not recorded: the last night found something very unusual") && lines(desk) == 0,
            "\(refused)")
        // The night finds it, too; a person who asked everybody releases it.
        try night(8)
        _ = try desk.run(["nightly", "--date", desk.date(8), "--as-of", desk.date(9) + "T04:00:00+08:00"])
        desk.now = desk.now + .days(1)
        #expect(try desk.safety(other) == "guarded")
        _ = try desk.run(["release", "--held", "--by", "Li", "--note", "all were asked"])
        #expect(try desk.safety(other) == "safe")
    }

    /// The account's own look-up shows it, and no other customer is offered the payment.
    @Test func aPaymentThatALeadGaveIsThatAccounts() throws {
        let (desk, form) = try ownerless()
        let id = SearchShop.transaction("4170")
        func offers(_ account: String) throws -> Bool {
            try desk.run(["lookup", "11月7日15:57充的25没到 账号\(account)"]).output.contains(id)
        }
        #expect(try offers("u3008"))
        _ = try desk.web(form + "&owner=u3001&reason=mail", by: "chen")
        #expect(try !offers("u3008") && offers("u3001"))
        let own = try desk.subjects("u3001").first { ($0["transaction_ids"] as? [String]) == [id] }
        #expect(own?["safe_reason"] as? String == "given" && own?["owner_account_id"] as? String == "u3001")
        _ = try desk.web("id=\(id)&ungiven=\(id)&reason=mistake", by: "chen")
        #expect(try offers("u3008") && desk.safety(id) == "owner_unknown")
        // A receipt proves later that another account paid.
        _ = try desk.web(form + "&owner=u3001&reason=mail", by: "chen")
        for feed in ["credits", "acks", "receipts"] { try desk.deliver(feed, night: 7) }
        try desk.deliver(
            "orders", ["SGLATE,u3008,vip_monthly,1,25.00,CNY,,\(id),paid,\(desk.date(6))T15:50:00+08:00,"], night: 7)
        try desk.deliverTransactions([], night: 7)
        try desk.night(7)
        let late = try desk.run(["lookup", id], variables: ["COLUMNS": "600"]).output
        #expect(late.contains("given to account u3001, but the records name account u3008"), "\(late)")
        #expect(!late.contains("We are adding the items"))
        // The backend gives the goods to a third account.
        for feed in ["orders", "acks", "receipts"] { try desk.deliver(feed, night: 8) }
        try desk.deliver("credits", ["CRLATE,,\(id),u3002,credit,desk,\(desk.noon(8))"], night: 8)
        try desk.deliverTransactions([], night: 8)
        try desk.night(8)
        let third = try desk.run(["lookup", id], variables: ["COLUMNS": "600"]).output
        #expect(
            third.contains("given to account u3001, but the records name") && !third.contains("is complete"), "\(third)"
        )
    }

    /// An old night does not know what was given since.
    @Test func noLeadRecordsAnOwnerWhileSomethingElseSpeaksAgainstIt() throws {
        let (desk, form) = try ownerless()
        desk.now = desk.now + .days(3)
        let page = try desk.web("id=" + SearchShop.transaction("4170"), by: "chen")
        #expect(
            page.contains("this cannot be recorded yet: the last night") && !page.contains("name=\"owner\""), "\(page)")
        let late = try desk.web(form + "&owner=u3001&reason=mail", by: "chen")
        #expect(late.contains("was not recorded: the last night") && lines(desk) == 0, "\(late)")
    }

    /// The record comes first: li reads that it is his, and what is left to do; others read that nothing is.
    @Test func whoRecordedItGivesTheGoodsAndNobodyElse() throws {
        let desk = try lostOrder()
        #expect(try ask(desk, by: "li").contains("press this first, and give the goods once when"))
        let own = try give(desk, by: "li")
        #expect(
            own.contains("you give the goods of \(Self.transaction). Give them now, once"))
        #expect(own.contains("This is your record.") && !own.contains("Do not give anything."))
        let others = try ask(desk, by: "wang")
        #expect(others.contains("Do not give anything.") && !others.contains("This is your record."))
    }

    /// Beside the YES, and before anybody gives anything.
    @Test func whatAColleagueHasInHandIsLeftToTheColleague() throws {
        let desk = try lostOrder()
        try desk.configure(settings: #"desk: { mayGive: ["li", "wang"], mayWork: ["li", "wang"] },"#)
        let id = (try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any])?["id"] as? String ?? ""
        let taken = try desk.web("id=\(Self.transaction)&work=take&exception=\(id)", by: "li")
        #expect(taken.contains("You have \(Self.transaction) in hand now.") && taken.contains("name=\"given\""))
        let page = try ask(desk, by: "wang")
        let answer = try #require(page.range(of: "class=\"safe wait\""))
        let holder = try #require(
            page.range(of: "li has had this case in hand since 2025-11-02 09:00:00. Give nothing"))
        let advice = try #require(page.range(of: "What happened"))
        #expect(answer.lowerBound < holder.lowerBound && holder.lowerBound < advice.lowerBound)
        #expect(!page.contains("name=\"given\""))
        #expect(
            page.contains("Give nothing: li has this case in hand.") && !page.contains("Record it first"), "\(page)")
        #expect(!page.contains("safe yes") && taken.contains("safe yes"))
        // The page was loaded before li took the case.
        let pressed = try give(desk, by: "wang")
        #expect(pressed.contains("Nothing was recorded: li has had \(Self.transaction) in hand") && lines(desk) == 0)
        #expect(try give(desk, by: "li").contains("Recorded: you give") && lines(desk) == 1)
    }

    @Test func onlyTheAgentWhoRecordedItWithdrawsIt() throws {
        let desk = try lostOrder()
        _ = try give(desk, by: "li")
        let withdrawal = "id=\(Self.transaction)&ungiven=\(Self.transaction)&reason=mistake"
        #expect(try !ask(desk, by: "wang").contains("Undo: I have not given the goods"))
        _ = try desk.web(withdrawal, by: "wang")
        #expect(try desk.safety(Self.transaction) == "given" && lines(desk) == 1)
        #expect(try ask(desk, by: "li").contains("Undo: I have not given the goods"))
        #expect(try ask(desk, by: "li").contains("class=\"safe wait\""))
        #expect(try desk.web(withdrawal, by: "li").contains("class=\"safe yes\""))
        #expect(try desk.safety(Self.transaction) == "safe")
    }

    @Test func whatWasPressedIsOnRecordAsWhatItWas() throws {
        let desk = try lostOrder()
        _ = try ask(desk, by: "wang")
        _ = try give(desk, by: "li")
        _ = try give(desk, by: "wang")
        let withdrawal = "id=\(Self.transaction)&ungiven=\(Self.transaction)&reason=mistake"
        #expect(try desk.web(withdrawal, by: "li").contains("Withdrawn: the record about"))
        #expect(try desk.web(withdrawal, by: "wang").contains("Nothing was withdrawn"))
        let lines = try desk.folder.read("desk/audit-2025-11.jsonl").split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let told = lines.map { line in
            [line["user"], line["kind"], line["recorded"], line["reason"]].map { $0.map { "\($0)" } ?? "-" }
                .joined(separator: " ")
        }
        #expect(
            told == [
                "wang lookup - -", "li given 1 <null>", "li lookup - -", "wang given 0 given", "wang lookup - -",
                "li ungiven 1 <null>", "li lookup - -", "wang ungiven 0 safe", "wang lookup - -",
            ], "\(told)")
        #expect(
            lines.filter { $0["kind"] as? String == "given" }.allSatisfy {
                $0["transaction_id"] as? String == Self.transaction
            })
    }

    @Test func theGoodsOfAnotherAccountCannotBeGiven() throws {
        let desk = try lostOrder()
        for form in ["id=\(Self.transaction)&account=acct-other", "id=acct-lost-8%0A\(Self.transaction)&account=x1"] {
            #expect(try !desk.web(form, by: "li").contains("name=\"given\""))
            let pressed = try desk.web(form + "&given=\(Self.transaction)", by: "li")
            #expect(pressed.contains("was not recorded: it belongs to another account") && lines(desk) == 0)
        }
        let own = "id=\(Self.transaction)&account=+ACCT-lost-7+"
        #expect(
            try desk.web(own, by: "li").contains(
                "name=\"account\" value=\"ACCT-lost-7\"><input type=\"hidden\" name=\"given\""))
        #expect(try desk.web(own + "&given=\(Self.transaction)", by: "li").contains("Recorded: you give"))
    }

    @Test func theBoxKeepsTheLinesOfAMessage() throws {
        let desk = try lostOrder()
        let page = try desk.web("id=Hello%0D%0A+20000001%0D%0A23456789+&account=acct-lost-7", by: "li")
        #expect(page.contains(">\nHello\n 20000001\n23456789</textarea>"), "\(page)")
        #expect(page.contains("<h2>Hello 20000001 23456789</h2>"))
        #expect(page.contains("name=\"id\" value=\"Hello  20000001 23456789\""))
        #expect(
            try desk.web("id=Hello+20000001+23456789&given=\(Self.transaction)", by: "li").contains("Recorded: you"))
    }

    /// A YES without the button: two of them may both give what neither can record.
    @Test func whoCannotRecordReadsWhoMust() throws {
        let desk = try lostOrder()
        func warning(_ page: String) -> Bool {
            page.contains("class=\"safe wait\"") && page.contains("Give nothing yet: you cannot record it here.")
        }
        let page = try ask(desk, by: "zhao")
        #expect(warning(page) && page.contains("First have it recorded by: li, wang."), "\(page)")
        #expect(try !warning(ask(desk, by: "li")))
        // The same while a wish is open, and where nobody may record on the page.
        try desk.configure(settings: #"desk: { mayGive: ["li", "wang"], twoPersons: ["given"] },"#)
        _ = try give(desk, by: "li")
        #expect(try warning(ask(desk, by: "zhao")) && !warning(ask(desk, by: "wang")))
        try desk.configure()
        #expect(try warning(ask(desk, by: "zhao")) && ask(desk, by: "zhao").contains("“reconcile given”"))
    }

    /// The record comes before the goods, so the customer is promised nothing that is not there.
    @Test func whatIsRecordedIsNotSaidToBeThere() throws {
        let desk = try lostOrder()
        for page in [try give(desk, by: "li"), try ask(desk, by: "wang")] {
            #expect(page.contains("We are adding the items of this purchase."), "\(page)")
            #expect(!page.contains("have been added"))
        }
        let chinese = try desk.run(["lookup", Self.transaction, "--lang", "zh-Hans"], variables: ["COLUMNS": "300"])
        #expect(chinese.output.contains("商品正在为您补发，请稍后查看您的账号。"))
    }

    @Test func othersMayOnlyLookUp() throws {
        let desk = try lostOrder()
        #expect(try !ask(desk, by: "zhao").contains("name=\"given\""))
        #expect(try give(desk, by: "zhao").hasPrefix("Status: 403 "))
        #expect(lines(desk) == 0)
    }

    @Test(arguments: [nil, "https://evil.example", "null"] as [String?])
    func theFormMustComeFromThePageItself(origin: String?) throws {
        let desk = try lostOrder()
        #expect(try give(desk, by: "li", ["HTTP_ORIGIN": origin]).hasPrefix("Status: 403 "))
        #expect(lines(desk) == 0)
    }

    @Test func whatIsNotSafeCannotBeRecorded() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        try desk.configure(retry: "{}", settings: #"desk: { mayGive: ["li"] },"#)
        #expect(try desk.safety(Self.transaction) == "retry_out")
        let answer = try give(desk, by: "li")
        #expect(answer.contains("class=\"safe no\"") && lines(desk) == 0)
        #expect(try desk.web("id=1&given=9999999999", by: "li").hasPrefix("Status: 200 ") && lines(desk) == 0)
    }
}
