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

    private func waiver(_ desk: DeskFolder) throws -> String {
        let exception = try #require(try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any])
        return "&decide=waive&key=\(exception["id"] as? String ?? "")"
    }

    @Test func aLeadWithdrawsAColleaguesRecordAndOthersReadWhoCan() throws {
        let desk = try shop()
        _ = try send(desk, "&given=" + Self.transaction, by: "li")
        let others = try send(desk, "", by: "wang")
        #expect(
            others.contains("What li recorded can be withdrawn by: li, chen.") && !others.contains("name=\"ungiven\""),
            "\(others)")
        let own = try send(desk, "", by: "li")
        #expect(own.contains("I did not give the goods") && !own.contains("can be withdrawn by"))
        // It stands below the whole record, where no button to give was.
        #expect(
            try #require(own.range(of: "<h3>Facts</h3>")).lowerBound
                < #require(own.range(of: "name=\"ungiven\"")).lowerBound)
        let lead = try send(desk, "", by: "chen")
        #expect(lead.contains("Withdraw the record of li</button>") && lead.contains("Ask li first."), "\(lead)")
        #expect(lead.contains(#"name="confirms" value="li""#))
        let withdrawal = "&ungiven=\(Self.transaction)"
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

    @Test func aLeadWithdrawsADecisionOfAColleague() throws {
        for settings in ["", #"twoPersons: ["waive"]"#] {
            let desk = try shop(settings)
            let waiver = try waiver(desk)
            _ = try send(desk, waiver + "&note=goodwill", by: "li")
            #expect(try send(desk, "", by: "wang").contains("What li recorded can be withdrawn by: li, chen."))
            let lead = try send(desk, "", by: "chen")
            #expect(lead.contains("Withdraw the decision of li</button>") && !lead.contains("name=\"note\""), "\(lead)")
            for form in [waiver + "&note=x", waiver + "&withdraw=1&confirms=wang"] {
                #expect(try !send(desk, form, by: "chen").contains("Withdrawn: "))
            }
            #expect(
                try send(desk, waiver + "&withdraw=1&confirms=li", by: "chen").contains("Withdrawn: nothing is decided")
            )
            #expect(try desk.safety(Self.transaction) == "safe")
            #expect(try !send(desk, "", by: "chen").contains("name=\"decide\""))
            // Nothing stands any more, so nothing is written.
            let before = try desk.folder.read("desk/decisions-2025-11.jsonl")
            _ = try send(desk, waiver + "&withdraw=1", by: "chen")
            #expect(try desk.folder.read("desk/decisions-2025-11.jsonl") == before)
        }
    }

    /// A colleague waived the case since, or took it in hand.
    @Test func aRequestIsWithdrawnWhateverHappenedSince() throws {
        let desk = try shop(#"twoPersons: ["given"]"#)
        let withdrawal = "&ungiven=\(Self.transaction)"
        for user in ["li", "chen"] {
            _ = try send(desk, "&given=" + Self.transaction, by: "li")
            _ = try send(desk, waiver(desk) + "&note=goodwill", by: "wang")
            #expect(try desk.safety(Self.transaction) == "waived")
            let form = user == "li" ? "" : "&confirms=li"
            let page = try send(desk, "", by: user)
            #expect(
                page.contains("name=\"ungiven\"") && page.contains("name=\"confirms\"") == (user == "chen"), "\(page)")
            #expect(try send(desk, withdrawal + form, by: user).contains("Withdrawn: nothing is decided"))
            #expect(try !send(desk, "", by: user).contains("name=\"ungiven\""))
            _ = try send(desk, waiver(desk) + "&withdraw=1", by: "wang")
        }
        let exception = try waiver(desk).split(separator: "=").last ?? ""
        _ = try send(desk, "&given=" + Self.transaction, by: "li")
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
}
