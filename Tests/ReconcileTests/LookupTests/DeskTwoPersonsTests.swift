import Domain
import Foundation
import Testing

/// docs/spec/interfaces.md#desk-decisions: what a second user does about a request, and who gives the goods in the end.
@Suite struct DeskTwoPersonsTests {
    private static let transaction = "2000000123456789"
    private static let given = "&given=" + transaction

    /// Li, wang and ben give goods and waive; chen leads them.
    private func shop(_ settings: String) throws -> DeskFolder {
        let desk = try DeskFolder.lostOrder()
        let all = #"["li", "wang", "ben"]"#
        try desk.configure(
            settings: #"desk: { mayGive: \#(all), mayWaive: \#(all), mayRelease: \#(all), "#
                + #"mayWork: ["li", "wang", "ben", "chen"], mayLead: ["chen"], \#(settings) },"#)
        return desk
    }

    private func send(
        _ desk: DeskFolder, _ form: String, by user: String, in language: String = "en"
    ) throws -> String {
        try desk.web("id=\(Self.transaction)" + form, by: user, ["HTTP_ACCEPT_LANGUAGE": language])
    }

    private func exception(_ desk: DeskFolder) throws -> String {
        (try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any])?["id"] as? String ?? ""
    }

    private func lines(_ desk: DeskFolder, of name: String) -> Int {
        ((try? desk.folder.read("desk/\(name)-2025-11.jsonl")) ?? "").split(separator: "\n").count
    }

    /// The fields of the form that has this one, as the browser sends them, but for those that are filled in.
    private func fields(of page: String, with field: String) throws -> String {
        let forms = page.matches(of: /(?s)<form.*?<\/form>/).map(\.output)
        let form = try #require(forms.first { $0.contains("name=\"\(field)\"") }, "\(page)")
        return form.matches(of: /type="hidden" name="([^"]+)" value="([^"]*)"/).filter { $0.1 != "id" }
            .map { "&\($0.1)=\($0.2)" }.joined()
    }

    /// Wang's page offers to ask. Li asks; wang presses.
    @Test func aPressOnAnOlderPageConfirmsNothing() throws {
        let desk = try shop(#"twoPersons: ["given", "waive"]"#)
        let old = try fields(of: send(desk, "", by: "wang"), with: "given")
        _ = try send(desk, Self.given, by: "li")
        let pressed = try send(desk, old, by: "wang")
        #expect(
            pressed.contains(
                "Nothing was recorded: li asked at 2025-11-02 09:00:00 to give by hand the goods of "
                    + "\(Self.transaction). Your page did not show that request. Read the answer below, and press "
                    + "“Confirm: the goods are given by hand” there if you agree."), "\(pressed)")
        #expect(pressed.contains("class=\"warning\" role=\"status\"") && lines(desk, of: "decisions") == 1)
        #expect(try lines(desk, of: "given") == 0 && desk.safety(Self.transaction) == "safe")
        let chinese = try send(desk, old, by: "wang", in: "zh-Hans")
        #expect(chinese.contains("li 已于 2025-11-02 09:00:00 申请人工补单"), "\(chinese)")
        // The page that came back shows the request, and its button confirms it.
        let confirmed = try send(desk, fields(of: pressed, with: "confirms"), by: "wang")
        #expect(confirmed.contains("Confirmed: li gives the goods") && lines(desk, of: "given") == 1, "\(confirmed)")

        let other = try shop(#"twoPersons: ["waive"]"#)
        let waiver = try "&decide=waive&key=\(exception(other))&note=goodwill"
        _ = try send(other, waiver, by: "li")
        let waived = try send(other, waiver, by: "wang")
        #expect(waived.contains("li asked at") && waived.contains("press “Confirm the waiver” there"), "\(waived)")
        #expect(try lines(other, of: "decisions") == 1 && other.safety(Self.transaction) == "safe")
        #expect(try send(other, waiver + "&confirms=li", by: "wang").contains("li asked, and wang confirmed"))
    }

    /// Who may confirm may refuse, says why, and may then ask: the goods do not wait for whoever went home.
    @Test func aSecondUserRefuses() throws {
        let desk = try shop(#"twoPersons: ["given", "waive", "release"]"#)
        for (kind, form) in [("given", Self.given), ("waive", try "&decide=waive&note=x&key=\(exception(desk))")] {
            _ = try send(desk, form, by: "li")
            let page = try send(desk, "", by: "wang")
            #expect(page.contains("Refuse the request of li</button>"), "\(page)")
            let refusal = try fields(of: page, with: kind == "given" ? "ungiven" : "withdraw")
            let confirm = try fields(of: page, with: kind == "given" ? "given" : "note") + "&note=x"
            #expect(refusal.contains("&confirms=li&seen="), "\(refusal)")
            #expect(try send(desk, refusal, by: "wang").contains("give a reason of at most"))
            // A refusal names the user who asked.
            let bare = refusal.replacing("&confirms=li", with: "")
            #expect(try send(desk, bare + "&reason=x", by: "wang").contains("Your entry was not recorded"))
            let done = try send(desk, refusal + "&reason=Apple+paid", by: "wang")
            #expect(done.contains("and wang refused that at") && !done.contains("Withdrawn: nothing"), "\(done)")
            // Ben's page still shows the request.
            let late = try send(desk, confirm, by: "ben")
            let asker = kind == "given" ? "li" : "li (x)"
            #expect(late.contains("Nothing was recorded: \(asker) asked at 2025-11-02 09:00:00 to "), "\(late)")
            #expect(late.contains("because: Apple paid.") && !late.contains("Withdrawn: "), "\(late)")
            let read = try send(desk, "", by: "ben")
            #expect(read.contains("and wang refused that at"), "\(read)")
            #expect(read.contains("because: Apple paid. Ask wang before you give anything."), "\(read)")
        }
        // What was decided, only its user or a lead withdraws.
        let again = try fields(of: send(desk, "", by: "wang"), with: "given")
        #expect(try send(desk, again, by: "wang").contains("wang asks to give"))
        _ = try send(desk, Self.given + "&confirms=wang", by: "ben")
        #expect(try !send(desk, "", by: "ben").contains("name=\"ungiven\""))
        let refused = try send(desk, "&ungiven=\(Self.transaction)&reason=x&confirms=wang", by: "ben")
        #expect(
            refused.contains("Nothing was withdrawn: only wang or a lead can withdraw the record about"), "\(refused)")
        #expect(try desk.safety(Self.transaction) == "given")
    }

    /// Li asks to release; wang refuses with a reason, which li and the next one read. Then both agree.
    @Test func aReleaseIsRefusedAndConfirmed() throws {
        let desk = try DeskFolder.lostOrder(retry: "{ maxEntries: 0 }")
        try desk.configure(
            retry: "{ maxEntries: 0 }",
            settings: #"desk: { mayRelease: ["li", "wang", "ben"], mayLead: ["chen"], twoPersons: ["release"] },"#)
        try desk.nights(1...1)
        #expect(try desk.safety(Self.transaction) == "held")
        let form = try fields(of: send(desk, "", by: "li"), with: "decide") + "&note=checked"
        _ = try send(desk, form, by: "li")
        let asked = try send(desk, "", by: "ben")
        let page = try send(desk, "", by: "wang")
        let refusal = try fields(of: page, with: "withdraw")
        #expect(page.contains("Refuse the request of li</button>") && page.contains("name=\"reason\""), "\(page)")
        #expect(page.contains("<p>Before you release it, look into the account in the backend"), "\(page)")
        #expect(
            try send(desk, refusal, by: "wang").contains("give a reason of at most")
                && lines(desk, of: "decisions") == 1)
        _ = try send(desk, refusal + "&reason=file+is+cut", by: "wang")
        let read =
            "li (checked) asked at 2025-11-03 09:00:00 to release the automatic credit, and wang refused that at "
        for user in ["li", "ben", "chen"] {
            let shown = try send(desk, "", by: user)
            #expect(shown.contains(read) && shown.contains(", because: file is cut."), "\(shown)")
        }
        #expect(try send(desk, "", by: "li", in: "zh-Hans").contains("未同意，理由：file is cut。"))
        // Ben confirms on the page that still showed the request.
        let confirm = try fields(of: asked, with: "note")
        let late = try send(desk, confirm + "&note=yes", by: "ben")
        #expect(late.contains("Nothing was recorded: " + read) && late.contains("class=\"warning\""), "\(late)")
        #expect(!late.contains("Withdrawn") && lines(desk, of: "decisions") == 2)
        #expect(try send(desk, confirm + "&note=yes", by: "ben", in: "zh-Hans").contains("未保存：li（checked）曾于"))

        _ = try send(desk, form, by: "li")
        let done = try send(desk, fields(of: send(desk, "", by: "wang"), with: "note") + "&note=yes", by: "wang")
        #expect(done.contains("li asked, and wang confirmed, to release the automatic credit"), "\(done)")
        #expect(done.contains("and the system is asked for it after the next night"), "\(done)")
        #expect(
            done.contains("<dd>We have found your payment and are checking it.")
                && done.contains("released; attempts: 0"))
        #expect(!done.contains("at any time") && !done.contains("on hold"), "\(done)")
        #expect(try desk.safety(Self.transaction) == "retry_out")
        let chinese = try send(desk, "", by: "ben", in: "zh-Hans")
        #expect(chinese.contains("已放行，下一次夜间对账后由系统补单") && chinese.contains("已放行；已发出 0 次"), "\(chinese)")
        try desk.nights(2...2)
        #expect(try send(desk, "", by: "ben").contains("and may do so at any time"))
    }

    /// Li takes the case, asks, and hands it over to wang.
    @Test func aHandOverSaysWhoGivesTheGoods() throws {
        let desk = try shop(#"twoPersons: ["given"]"#)
        let work = try "&exception=\(exception(desk))&work="
        _ = try send(desk, work + "take", by: "li")
        let asked = try send(desk, Self.given, by: "li")
        #expect(!asked.contains("You still give the goods"), "\(asked)")
        let handed = try send(desk, work + "hand_over&to=wang", by: "li")
        let own = "Recorded for \(Self.transaction). You still give the goods. If you have not given them yet"
        #expect(handed.contains(own) && handed.contains("class=\"good\""), "\(handed)")
        let wish = "Once it is confirmed, li gives the goods. If li cannot today"
        #expect(try send(desk, "", by: "wang").contains(wish))
        for user in ["li", "ben"] { #expect(try !send(desk, "", by: user).contains(wish), "\(user)") }
        _ = try send(desk, Self.given + "&confirms=li", by: "ben")
        let record = "li still gives the goods. If li has not given them yet and cannot do so today, have li or a lead"
        #expect(try send(desk, "", by: "wang").contains(record))
        for user in ["li", "ben"] { #expect(try !send(desk, "", by: user).contains(record), "\(user)") }
        // Who gives it back, or hands on what another one gives, reads it, too.
        #expect(try send(desk, work + "give_back", by: "wang").contains("Recorded for \(Self.transaction). " + record))
        _ = try send(desk, work + "take", by: "li")
        #expect(try send(desk, work + "give_back", by: "li").contains(own))
        #expect(try !send(desk, work + "comment&comment=x", by: "li").contains("still give"))
    }

    /// While a request for a waiver waits, the page has no button, and tells each reader why.
    @Test func aWaiverThatWaitsExplainsTheMissingButton() throws {
        let desk = try shop(#"twoPersons: ["given", "waive"]"#)
        _ = try send(desk, Self.given, by: "li")
        _ = try send(desk, "&decide=waive&note=refund&key=\(exception(desk))", by: "wang")
        let said =
            "<dd>Ask wang before you give anything. A request for a waiver waits, so goods cannot be "
            + "recorded as given"
        for user in ["li", "ben", "chen"] {
            let page = try send(desk, "", by: user).replacing("'", with: "&#39;")
            #expect(page.contains(said) && !page.contains("name=\"given\""), "\(user): \(page)")
        }
        #expect(try send(desk, "", by: "wang").contains("To give the goods, withdraw your request first."))
        #expect(try send(desk, "", by: "ben", in: "zh-Hans").contains("先向 wang 核实。豁免申请待确认"))
    }

    /// Li is to give the goods. Ben asks for a waiver, and wang confirms it: li reads so before the goods are given.
    @Test func whoGivesReadsThatItWasWaived() throws {
        let desk = try shop(#"twoPersons: ["given", "waive"]"#)
        func queue(_ user: String, _ language: String = "en", _ filter: String = "") throws -> String {
            try desk.web(nil, by: user, ["QUERY_STRING": "queue" + filter, "HTTP_ACCEPT_LANGUAGE": language])
        }
        _ = try send(desk, Self.given, by: "li")
        _ = try send(desk, Self.given + "&confirms=li", by: "wang")
        #expect(try send(desk, "", by: "li").contains("BY YOU: give the goods once"))
        #expect(try queue("li").contains("BY YOU: give the goods once</td>"))
        #expect(try queue("li", "zh-Hans").contains("由您补单一次") && !queue("ben", "zh-Hans").contains("由您补单一次</td>"))
        #expect(try queue("li", "en", "&answer=by_you&csv=1").contains(",by_you,"))
        let waiver = try "&decide=waive&note=refunded&key=\(exception(desk))"
        _ = try send(desk, waiver, by: "ben")
        #expect(try send(desk, "", by: "wang").contains("Confirm the waiver</button>"))
        #expect(try send(desk, "", by: "wang", in: "zh-Hans").contains("确认豁免</button>"))
        _ = try send(desk, waiver + "&confirms=ben", by: "wang")
        let page = try send(desk, "", by: "li")
        let said = "the exception was waived by ben (confirmed by wang; refunded)"
        #expect(page.contains(said) && page.contains("do not give them now: ask ben first"), "\(page)")
        #expect(!page.contains("BY YOU") && !page.contains("give them once. If you have"), "\(page)")
        #expect(try send(desk, "", by: "li", in: "zh-Hans").contains("该异常已由 ben（wang 确认"))
        #expect(try queue("li").contains(said) && !queue("li").contains("once</td>"))
    }

    @Test func aLeadReadsWhyThereIsNoFormForTheOwner() throws {
        let leads = #"["chen", "wang"]"#
        let desk = try SearchShop(
            settings: #"desk: { mayLead: \#(leads), mayWaive: \#(leads), twoPersons: ["waive"] },"#
        ).desk
        let id = SearchShop.transaction("4170")
        let key = (try desk.subjects(id)[0]["exception"] as? [String: Any])?["id"] as? String ?? ""
        #expect(try desk.web("id=" + id, by: "chen").contains("with the form below this answer"))
        _ = try desk.web("id=\(id)&decide=waive&note=x&key=" + key, by: "wang")
        let page = try desk.web("id=" + id, by: "chen")
        #expect(page.contains("A request for a waiver waits") && !page.contains("form below"), "\(page)")
    }
}
