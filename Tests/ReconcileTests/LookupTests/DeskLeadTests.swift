import Domain
import Foundation
import Testing

@testable import Reconcile

/// docs/spec/interfaces.md#lead: the lead's page.
@Suite struct DeskLeadTests {
    private func page(_ desk: DeskFolder, by user: String = "chen", _ language: String = "en") throws -> String {
        try desk.web(nil, by: user, ["QUERY_STRING": "lead&lang=" + language])
    }

    private func text(_ page: String) -> String {
        page.components(separatedBy: "<main>").last!.replacing(/<[^>]*>/, with: " ").split(
            whereSeparator: \.isWhitespace
        ).joined(separator: " ")
    }

    @Test func aDayWithoutItsCreditsHasNoRate() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.configure(settings: #"desk: { mayLead: ["chen"] },"#)
        try desk.deliver("orders", night: 1)
        try desk.deliverTransactions([("2000000123456790", "")], night: 1)
        try desk.night(1)
        try desk.deliverTransactions([("2000000123456791", "")], night: 3)
        try desk.nights(2...4)
        #expect(try page(desk).contains(#"<td class="figure" data-title="On hold">0</td>"#), "for phones")
        let shown = try text(page(desk))
        #expect(shown.contains("0 / 1 · Waiting 1") && shown.contains("1 / 1 · 100.00%"), "\(shown)")
    }

    /// All lost orders are of a Wednesday: that says something only where the other days are known.
    @Test(arguments: [true, false]) func aWeekdayIsNoReasonWhileADayIsMissing(isComplete: Bool) throws {
        let desk = try DeskFolder()
        for night in 0...4 {
            let ids = (0..<10).map { "20000008700\(night)000\($0)" }
            try desk.deliverTransactions(ids.map { ($0, "") }, night: night)
            if night != 2 || isComplete {
                let rows = ids.map { "CR\($0),,\($0),acct-\($0),credit,auto,\(desk.noon(night))" }
                try desk.deliver("credits", night == 4 ? [] : rows, night: night)
            }
            try desk.night(night)
        }
        let said = try desk.folder.read("out/latest/summary.json").contains("\"weekday\"")
        #expect(said == isComplete)
    }

    @Test func itShowsNightsOldestMoneyAndWhoGaveWhat() throws {
        let settings = #"desk: { mayWork: ["li"], mayLead: ["chen"], mayGive: ["li", "wang"] },"#
        let desk = try SearchShop(settings: settings).desk
        for (end, user) in [("3950", "wang"), ("2664", "li"), ("1492", "li")] {
            let id = SearchShop.transaction(end)
            _ = try desk.web("id=\(id)&given=\(id)", by: user)
        }
        // Of two that were given, the next night brings one credit. A date has no night, and a file comes late.
        let id = SearchShop.transaction("2664")
        try desk.deliver("credits", ["CR9,SG202511040000002664,\(id),u3005,credit,desk,\(desk.noon(7))"], night: 7)
        for feed in ["receipts", "acks", "orders"] { try desk.deliver(feed, night: 7) }
        try desk.folder.write("", to: "inbox/transactions-\(desk.date(7)).jsonl")
        try desk.night(8)
        let shown = try text(page(desk))
        #expect(shown.contains("2025-11-09 2025-11-10 04:00:00 1 1 0 0 1 3 2025-11-08 no night 2025-11-07"), "\(shown)")
        #expect(shown.contains("Recorded by Count Given, no credit li 2 1 wang 1 1"), "\(shown)")
        let oldest = try #require(shown.firstMatch(of: /oldest open money(.*)Given by hand in/)).output.1
        #expect(
            try page(desk).contains("<button type=\"submit\" class=\"link\">\(SearchShop.transaction("1492"))</button>")
        )
        #expect(oldest.matches(of: /200000087000\d+/).map { String($0.output.suffix(4)) } == ["1492", "3950", "4170"])
        #expect(
            try shown.contains("What they have in common")
                && page(desk, by: "chen", "zh-Hans").contains(">组长看板</h1>"))
        #expect(try desk.folder.read("desk/audit-2025-11.jsonl").contains(#""kind":"lead""#))
        for user in ["li", "wang"] {
            #expect(try page(desk, by: user).hasPrefix("Status: 403 "))
            #expect(try !desk.web(nil, by: user).contains("?lead"))
        }
        #expect(try desk.web(nil, by: "chen").contains("href=\"?lead&amp;lang=en\""))
    }
}
