import Domain
import Engine
import Foundation
import Testing

@testable import Reconcile

/// docs/spec/interfaces.md#desk-decisions: what users decide on the desk's page, and what the next night makes of it.
@Suite struct DeskDecisionTests {
    private static let transaction = "2000000123456789"

    private func lostOrder(_ settings: String = "", retry: String = "{ enabled: false }") throws -> DeskFolder {
        let desk = try DeskFolder.lostOrder(retry: retry)
        let everyone = #"["li", "wang"]"#
        try desk.configure(
            retry: retry,
            settings: "desk: { mayWork: \(everyone), mayWaive: \(everyone), mayRelease: \(everyone), "
                + "mayAcceptGap: \(everyone), mayGive: \(everyone), \(settings) },")
        return desk
    }

    private func id(_ desk: DeskFolder) throws -> String {
        (try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any])?["id"] as? String ?? ""
    }

    private func decide(
        _ desk: DeskFolder, _ kind: String, _ key: String, by user: String, _ fields: String = "&note=goodwill",
        _ changes: [String: String?] = [:]
    ) throws -> String {
        let key = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        return try desk.web("id=\(Self.transaction)&decide=\(kind)&key=\(key)\(fields)", by: user, changes)
    }

    private func states(_ desk: DeskFolder) throws -> [String] {
        try desk.folder.read("out/latest/exceptions.csv").split(separator: "\n").dropFirst().map {
            String($0.split(separator: ",")[1])
        }
    }

    private func queue(_ desk: DeskFolder, _ filter: String = "") throws -> String {
        try desk.web(nil, by: "li", ["QUERY_STRING": "queue" + filter, "HTTP_ACCEPT_LANGUAGE": "en"])
    }

    private func lines(_ desk: DeskFolder) -> Int {
        ((try? desk.folder.read("desk/decisions-2025-11.jsonl")) ?? "").split(separator: "\n").count
    }

    @Test func aWaiverTakesEffectWithTheNextNight() throws {
        let desk = try lostOrder()
        let path = desk.folder.path + "/ledger.sqlite"
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let page = try decide(desk, "waive", id(desk), by: "li")
        #expect(
            page.contains("class=\"good\"")
                && page.contains("li decided to waive the exception of \(Self.transaction)"), "\(page)")
        #expect(page.contains("because: goodwill. It takes effect with the next night."))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        // The answer knows it at once: goods may be no part of the agreement.
        #expect(try desk.safety(Self.transaction) == "waived")
        #expect(try !desk.web("id=" + Self.transaction, by: "wang").contains("name=\"given\""))
        // Sent twice, or by another: it stands as it is.
        for user in ["li", "wang"] { _ = try decide(desk, "waive", id(desk), by: user) }
        #expect(lines(desk) == 1)
        try desk.nights(1...1)
        #expect(try states(desk) == ["waived"] && desk.safety(Self.transaction) == "waived")
        let exception = try #require(try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any])
        let history = try #require(exception["history"] as? [[String: Any]])
        #expect(history.last?["by"] as? String == "li" && history.last?["note"] as? String == "goodwill")
        #expect(try desk.folder.read("complained").contains("in the ledger now: 1 of 1") == false)
        #expect(try desk.run(["unwaive", id(desk), "--by", "chen", "--note", "no"]).code == 0)
        try desk.nights(2...3)
        #expect(try states(desk) == ["open"] && desk.run(["check"]).code != 70)
        #expect(try !desk.web("id=" + Self.transaction, by: "li").contains("takes effect with the next night"))
    }

    /// The text for the customer threatens nothing that the waiver has dropped, at once and after the next night.
    @Test func whatIsWaivedIsNotTakenBack() throws {
        let desk = try lostOrder()
        let credits = [1, 2].map {
            "CR\($0),ORD1000000042,\(Self.transaction),acct-lost-7,credit,auto,\(desk.noon(1))"
        }
        try desk.deliver("credits", credits, night: 1)
        try desk.nights(1...1)
        #expect(try desk.web("id=" + Self.transaction, by: "wang").contains("We may remove the extra ones."))
        _ = try decide(desk, "waive", id(desk), by: "li")
        for _ in 0...1 {
            let page = try desk.web("id=" + Self.transaction, by: "wang")
            #expect(page.contains("We have reviewed your purchase and made a decision."), "\(page)")
            #expect(page.contains("See in the history below who decided and why."))
            #expect(!page.contains("remove the extra items") && !page.contains("take back the others"))
            #expect(try desk.safety(Self.transaction) == "waived")
            try desk.nights(2...2)
        }
    }

    /// What a person gives is not sent, so there is nothing to release.
    @Test func nothingIsReleasedThatIsGivenByHand() throws {
        let desk = try lostOrder(retry: "{ maxAttempts: 1 }")
        try desk.nights(1...2)
        let form = "name=\"decide\" value=\"release\""
        #expect(try desk.web("id=" + Self.transaction, by: "li").contains(form))
        _ = try desk.web("id=\(Self.transaction)&given=\(Self.transaction)", by: "li")
        #expect(try !desk.web("id=" + Self.transaction, by: "li").contains(form))
    }

    /// After today's waiver, nothing can be released and nobody has to act. A user who released the entry before can still
    /// withdraw that.
    @Test func nothingIsReleasedThatIsWaived() throws {
        let desk = try lostOrder(retry: "{ maxAttempts: 1 }")
        let key = try #require(try desk.manifestKeys().first)
        try desk.nights(1...2)
        let form = "name=\"decide\" value=\"release\""
        #expect(try queue(desk).contains(Self.transaction))
        _ = try decide(desk, "waive", id(desk), by: "li")
        #expect(try !desk.web("id=" + Self.transaction, by: "wang").contains(form))
        #expect(try decide(desk, "release", key, by: "wang").hasPrefix("Status: 403 ") && lines(desk) == 1)
        #expect(try !queue(desk).contains(Self.transaction))
        _ = try decide(desk, "waive", id(desk), by: "li", "&withdraw=1&reason=mistake")
        #expect(try queue(desk).contains(Self.transaction))
        _ = try decide(desk, "release", key, by: "wang")
        #expect(try !queue(desk).contains(Self.transaction))
        _ = try decide(desk, "waive", id(desk), by: "li")
        #expect(try desk.web("id=" + Self.transaction, by: "wang").contains(form))
        #expect(try !desk.web("id=" + Self.transaction, by: "li").contains(form))
        let page = try decide(desk, "release", key, by: "wang", "&withdraw=1", ["HTTP_ACCEPT_LANGUAGE": "zh-Hans"])
        #expect(page.contains("li 已豁免 \(Self.transaction) 的异常") && !page.contains("已决定"), "\(page)")
        try desk.nights(3...3)
        #expect(try desk.manifestKeys().isEmpty && desk.safety(Self.transaction) == "waived")
    }

    /// The next night sends what was released, so from now on nobody gives it by hand.
    @Test func aReleaseReachesTheAnswerAtOnce() throws {
        let desk = try lostOrder(retry: "{ maxAttempts: 1 }")
        let key = try #require(try desk.manifestKeys().first)
        try desk.nights(1...2)
        #expect(try desk.subjects(Self.transaction)[0]["safe_reason"] as? String == "safe_after_tries")
        let page = try decide(desk, "release", key, by: "li")
        #expect(page.contains("safe no") && page.contains("Withdraw</button>"), "\(page)")
        #expect(try desk.safety(Self.transaction) == "retry_out")
        _ = try decide(desk, "release", key, by: "li", "&withdraw=1")
        #expect(try desk.subjects(Self.transaction)[0]["safe_reason"] as? String == "safe_after_tries")
        _ = try decide(desk, "release", key, by: "li")
        try desk.nights(3...3)
        #expect(try desk.safety(Self.transaction) == "retry_silent" && desk.manifestKeys() == [key])
        let chinese = try desk.run(["lookup", Self.transaction, "--lang", "zh-Hans"], variables: ["COLUMNS": "200"])
            .output
        #expect(chinese.contains("；li 放行自动补单，理由：goodwill"), "\(chinese)")
    }

    @Test func aSecondUserDecidesAndTheFirstCannot() throws {
        let desk = try lostOrder(#"twoPersons: ["waive"]"#)
        for _ in 0...1 {
            #expect(try decide(desk, "waive", id(desk), by: "li").contains("li asks to waive the exception"))
        }
        #expect(lines(desk) == 1)
        try desk.nights(1...1)
        #expect(try states(desk) == ["open"] && desk.safety(Self.transaction) == "safe")
        #expect(try queue(desk, "&reason=wish").contains("To be confirmed</td>"))
        for (user, button) in [("li", "Withdraw</button>"), ("wang", "Confirm the waiver</button>")] {
            let page = try desk.web("id=" + Self.transaction, by: user)
            #expect(page.contains(button) && !page.contains("when a second user confirms it"), "\(page)")
            // Whoever gives the goods meanwhile asks first.
            #expect(page.contains("Ask li before you give") == (user == "wang"), "\(page)")
        }
        let page = try decide(desk, "waive", id(desk), by: "wang", "&note=yes&confirms=li")
        #expect(
            page.contains("li asked, and wang confirmed, to waive the exception")
                && page.contains("because: goodwill"), "\(page)")
        try desk.nights(2...2)
        #expect(try states(desk) == ["waived"])
        #expect(try desk.folder.read("out/latest/exceptions.csv").contains(",goodwill (confirmed by wang),"))
    }

    @Test func whoDecidedOrWishedItWithdrawsIt() throws {
        for settings in ["", #"twoPersons: ["waive"]"#] {
            let desk = try lostOrder(settings)
            _ = try decide(desk, "waive", id(desk), by: "li")
            _ = try decide(desk, "waive", id(desk), by: "wang", "&withdraw=1&reason=mistake")
            #expect(lines(desk) == 1)
            #expect(
                try decide(desk, "waive", id(desk), by: "li", "&withdraw=1&reason=mistake").contains(
                    "Withdrawn: nothing is decided"))
            try desk.nights(1...1)
            #expect(try states(desk) == ["open"])
        }
    }

    @Test(
        arguments: [
            ("zhao", "&note=x", [:]), ("li", "&note=x", ["HTTP_ORIGIN": nil]),
            ("li", "&note=x", ["HTTP_ORIGIN": "https://evil.example"]), ("li", "&note=+%0A%E2%80%AE", [:]),
        ] as [(String, String, [String: String?])])
    func othersDecideNothing(user: String, fields: String, changes: [String: String?]) throws {
        let desk = try lostOrder()
        let page = try decide(desk, "waive", id(desk), by: user, fields, changes)
        #expect(page.hasPrefix("Status: 403 ") || page.contains("give a reason of at most 2000"), "\(page)")
        for (kind, key) in [
            ("waive", "E0000000000000000"), ("release", "R0"), ("gap", "credits 2025-11-01"),
            ("given", Self.transaction), ("eat", "x"),
        ] {
            #expect(try decide(desk, kind, key, by: "li").hasPrefix("Status: 403 "), "\(kind)")
        }
        #expect(lines(desk) == 0)
    }

    @Test func aHeldEntryIsReleased() throws {
        let retry = "{ maxEntries: 0 }"
        let desk = try lostOrder(retry: "{ maxEntries: 1 }")
        try desk.configure(retry: retry, settings: #"desk: { mayWork: ["li"], mayRelease: ["li"] },"#)
        try desk.nights(1...1)
        let key = try #require(
            try desk.folder.read("out/latest/held.jsonl").firstMatch(of: /"key":"(R[0-9a-f]+)"/)
        ).output.1
        #expect(try queue(desk, "&reason=held").contains("On hold</td>"))
        #expect(try desk.web("id=" + Self.transaction, by: "li").contains("Release</button>"))
        #expect(
            try decide(desk, "release", String(key), by: "li").contains("li decided to release the automatic credit"))
        try desk.nights(2...2)
        #expect(try desk.manifestKeys() == [String(key)])
    }

    @Test func aGapIsAcceptedFromTheQueue() throws {
        let desk = try lostOrder()
        try desk.deliver("orders", night: 1)
        try desk.night(1)
        let page = try queue(desk)
        #expect(
            page.contains("<p>credits 2025-11-02; missing: inbox/credits-2025-11-02.csv</p>")
                && page.contains("Accept as complete</button>"), "\(page)")
        let key = try #require(page.firstMatch(of: /name="key" value="([^"]+)"/)).output.1
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
        let form = "decide=gap&key=\(key)&note=holiday"
        let chinese = try desk.web(form, by: "li", ["QUERY_STRING": "queue", "HTTP_ACCEPT_LANGUAGE": "zh-Hans"])
        #expect(chinese.contains("li 已确认当天无数据 inbox/credits-2025-11-02.csv，理由：holiday"), "\(chinese)")
        let decided = try desk.web(form, by: "li", ["QUERY_STRING": "queue", "HTTP_ACCEPT_LANGUAGE": "en"])
        #expect(
            decided.contains(
                "li decided to accept the missing file inbox/credits-2025-11-02.csv, because: holiday"))
        try desk.nights(2...2)
        let summary = try desk.folder.read("out/latest/summary.json")
        #expect(summary.contains("\"blind_spots\": []") && summary.contains("\"note\": \"holiday\""), "\(summary)")
        #expect(try !queue(desk).contains("Accept as complete"))
    }

    @Test func aSecondUserConfirmsGoodsGivenByHand() throws {
        let desk = try lostOrder(#"twoPersons: ["given"]"#)
        let given = "id=\(Self.transaction)&given=\(Self.transaction)"
        let before = try desk.web("id=" + Self.transaction, by: "li")
        #expect(before.contains("Once another user has confirmed, give them once"), "\(before)")
        for _ in 0...1 {
            #expect(try desk.web(given, by: "li").contains("li asks to give by hand the goods of \(Self.transaction)."))
        }
        #expect(try desk.safety(Self.transaction) == "safe")
        // The page tells both users to give nothing yet.
        for user in ["li", "wang"] {
            let page = try desk.web("id=" + Self.transaction, by: user)
            #expect(page.contains("<dd>Give nothing yet.") && !page.contains("Then give them once"), "\(page)")
        }
        let withdrawal = "id=\(Self.transaction)&ungiven=\(Self.transaction)&reason=mistake"
        #expect(try desk.web("id=" + Self.transaction, by: "li").contains("Withdraw my request"))
        _ = try desk.web(withdrawal, by: "wang")
        #expect(try desk.web(withdrawal, by: "li").contains("Withdrawn: nothing is decided"))
        #expect(try desk.web("id=" + Self.transaction, by: "wang").contains("Ask to give the goods"))
        _ = try desk.web(given, by: "li")
        #expect(try desk.web("id=" + Self.transaction, by: "wang").contains("Confirm: the goods are given by hand"))
        let confirmed = try desk.web(given + "&confirms=li", by: "wang")
        #expect(confirmed.contains("NO – li (confirmed by wang) recorded"))
        #expect(confirmed.contains("li gives the goods of \(Self.transaction). Give nothing yourself."), "\(confirmed)")
        // Li must give them now, and reads it in the queue and in the answer.
        #expect(try queue(desk, "&reason=confirmed").contains("Confirmed: to be given</td>"))
        #expect(
            try desk.web("id=" + Self.transaction, by: "li").contains(
                "give them once. If you have, do not give them again"))
        let line = try desk.folder.read("desk/given-2025-11.jsonl")
        #expect(line.contains(#""by":"li","confirmed_by":"wang","kind":"given","transaction_id":"#), "\(line)")
        // The first one did not give them after all: it needs two persons again.
        #expect(try desk.web("id=" + Self.transaction, by: "wang").contains("confirmed by wang"))
        #expect(try desk.web(withdrawal, by: "li").contains("Withdrawn: the record about"))
        let withdrawn = try desk.web("id=" + Self.transaction, by: "wang")
        #expect(!withdrawn.contains("confirmed by wang"), "\(withdrawn)")
        #expect(try desk.web(given, by: "wang").contains("wang asks to give by hand"))
        #expect(try desk.safety(Self.transaction) == "safe")
    }

    /// The page was loaded before the request was withdrawn.
    @Test func aConfirmationIsNoRequestOfOnesOwn() throws {
        let desk = try lostOrder(#"twoPersons: ["given", "waive"]"#)
        let exception = try id(desk)
        let given = "id=\(Self.transaction)&given=\(Self.transaction)"
        _ = try desk.web(given, by: "li")
        let field = #"<input type="hidden" name="confirms" value="li">"#
        for button in ["Confirm: the goods are given by hand", "Confirm the waiver</button>"] {
            let page = try desk.web("id=" + Self.transaction, by: "wang")
            #expect(page.contains(field) && page.contains(button), "\(page)")
            _ = try decide(desk, "waive", exception, by: "li")
        }
        _ = try desk.web("id=\(Self.transaction)&ungiven=\(Self.transaction)&reason=mistake", by: "li")
        _ = try decide(desk, "waive", exception, by: "li", "&withdraw=1&reason=mistake")
        let before = lines(desk)
        for (late, said) in [
            (try desk.web(given + "&confirms=li", by: "wang"), "the request about \(Self.transaction) was withdrawn."),
            (try decide(desk, "waive", exception, by: "wang", "&note=yes&confirms=li"), "li (goodwill) asked at "),
        ] {
            #expect(late.contains("Nothing was recorded: " + said), "\(late)")
        }
        #expect(lines(desk) == before)
        // A request that stands is confirmed.
        _ = try decide(desk, "waive", exception, by: "li")
        _ = try decide(desk, "waive", exception, by: "wang", "&note=yes&confirms=li")
        #expect(try desk.safety(Self.transaction) == "waived")
    }

    /// The first user withdrew the request that the page shows, and made another one.
    @Test func nobodyConfirmsWhatTheirPageDidNotShow() throws {
        let desk = try lostOrder(#"twoPersons: ["waive"]"#)
        let exception = try id(desk)
        _ = try decide(desk, "waive", exception, by: "li")
        let page = try desk.web("id=" + Self.transaction, by: "wang")
        let seen = try #require(page.firstMatch(of: /name="seen" value="([^"]+)"/)).1
        _ = try decide(desk, "waive", exception, by: "li", "&withdraw=1&reason=mistake")
        desk.now = desk.now + .hours(1)
        _ = try decide(desk, "waive", exception, by: "li", "&note=against+advice")
        let late = try decide(desk, "waive", exception, by: "wang", "&note=yes&confirms=li&seen=\(seen)")
        #expect(late.contains("Nothing was recorded: li asked at 2025-11-02 10:00:00 to waive"), "\(late)")
        #expect(try lines(desk) == 3 && desk.safety(Self.transaction) == "safe")
        let own = try decide(desk, "waive", exception, by: "li", "&withdraw=1&reason=old&seen=\(seen)")
        #expect(own.contains("Your entry was not recorded") && lines(desk) == 3, "\(own)")
    }

    /// A colleague waived it by the command since.
    @Test func aRequestThatIsOutdatedCanBeWithdrawn() throws {
        let desk = try lostOrder(#"twoPersons: ["waive"]"#)
        let exception = try id(desk)
        _ = try decide(desk, "waive", exception, by: "li")
        #expect(try desk.run(["waive", exception, "--by", "chen", "--note", "first"]).code == 0)
        #expect(try desk.web("id=" + Self.transaction, by: "li").contains("name=\"withdraw\""))
        #expect(try !desk.web("id=" + Self.transaction, by: "wang").contains("Confirm</button>"))
        let withdrawn = try decide(desk, "waive", exception, by: "li", "&withdraw=1&reason=mistake")
        #expect(withdrawn.contains("Withdrawn: nothing is decided"), "\(withdrawn)")
        #expect(try !desk.web("id=" + Self.transaction, by: "li").contains("name=\"decide\""))
    }

    /// What was decided in vain does not wait for the exception to come back.
    @Test func aDecisionThatCameTooLateIsForgotten() throws {
        let desk = try lostOrder()
        _ = try decide(desk, "waive", id(desk), by: "li")
        #expect(try desk.run(["waive", id(desk), "--by", "chen", "--note", "first"]).code == 0)
        try desk.nights(1...1)
        #expect(try states(desk) == ["waived"])
        #expect(try desk.run(["unwaive", id(desk), "--by", "chen", "--note", "no"]).code == 0)
        try desk.nights(2...3)
        #expect(try states(desk) == ["open"])
    }

    /// What was decided waits until every line can be read, and can be withdrawn until then.
    @Test(arguments: [false, true])
    func aDamagedLineMayBeAWithdrawal(isWithdrawn: Bool) throws {
        let desk = try lostOrder()
        _ = try decide(desk, "waive", id(desk), by: "li")
        let whole = try desk.folder.read("desk/decisions-2025-11.jsonl")
        try desk.folder.write(whole + "{\"at\":\n", to: "desk/decisions-2025-11.jsonl")
        try desk.deliver("credits", night: 1)
        try desk.deliver("orders", night: 1)
        let night = try desk.run(["nightly", "--date", desk.date(1), "--as-of", desk.date(2) + "T04:00:00+08:00"])
        #expect(night.code == 0 && night.errors.contains("line 2, is not a decision of the desk's page"), "\(night)")
        #expect(try states(desk) == ["open"])
        try desk.nights(2...2)
        #expect(try states(desk) == ["open"])
        #expect(try desk.web("id=" + Self.transaction, by: "li").contains("It takes effect with the next night."))
        try desk.folder.write(whole, to: "desk/decisions-2025-11.jsonl")
        if isWithdrawn { _ = try decide(desk, "waive", id(desk), by: "li", "&withdraw=1&reason=mistake") }
        try desk.nights(3...3)
        #expect(try states(desk) == [isWithdrawn ? "open" : "waived"])
        #expect(!FileManager.default.fileExists(atPath: desk.folder.path + "/desk/decisions.waiting"))
    }

    @Test func aRehearsalBringsNothingIn() throws {
        let desk = try lostOrder()
        _ = try decide(desk, "waive", id(desk), by: "li")
        try desk.deliver("credits", night: 1)
        try desk.deliver("orders", night: 1)
        let arguments = ["nightly", "--date", desk.date(1), "--as-of", desk.date(2) + "T04:00:00+08:00", "--dry-run"]
        _ = try desk.run(arguments)
        let exception = try #require(try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any])
        #expect(exception["state"] as? String == "new")
    }
}
