import Foundation
import Testing

@testable import Reconcile

/// One desk page for several apps.
@Suite struct DeskAppsTests {
    private static let transaction = "2000000123456789"
    /// It has the lost order.
    private let game: DeskFolder
    /// It knows nothing of that order, and has one of its own.
    private let words: DeskFolder

    init() throws {
        game = try DeskFolder.lostOrder()
        try game.configure(settings: #"desk: { mayGive: ["li"] },"#)
        words = try DeskFolder()
        try words.deliver(
            "orders", ["WORD77000042,acct-9,coins,1,6.00,CNY,,,created,\(words.noon(0)),"], night: 0)
        try words.nights(0...0)
    }

    private var gameName: String { name(game) }
    private func name(_ desk: DeskFolder) -> String { String(desk.folder.path.split(separator: "/").last!) }

    private func ask(_ form: String?, by user: String = "li", query: String = "") throws -> String {
        try game.web(
            form, by: user, ["QUERY_STRING": query],
            configurations: [game, words].map { $0.folder.path + "/reconcile.json" })
    }

    @Test func eachAppAnswersForWhatItKnows() throws {
        let lost = try ask("id=" + Self.transaction)
        #expect(lost.hasPrefix("Status: 200 ") && lost.contains("<h2>\(gameName)</h2>"), "\(lost)")
        #expect(lost.contains("class=\"safe yes\"") && !lost.contains("<h2>\(name(words))</h2>"))
        let other = try ask("id=WORD77000042")
        #expect(other.contains("<h2>\(name(words))</h2>") && !other.contains("<h2>\(gameName)</h2>"))
        let both = try ask("id=WORD77000042+" + Self.transaction)
        #expect(both.contains("<h2>\(name(words))</h2>") && both.contains("<h2>\(gameName)</h2>"))
        // Each app keeps its own record of what was asked.
        for desk in [game, words] {
            let month = try FileManager.default.contentsOfDirectory(atPath: desk.folder.path + "/desk").first
            let record = try desk.folder.read("desk/" + #require(month))
            #expect(record.split(separator: "\n").count == 4, "\(record)")
        }
    }

    @Test func whatNoAppKnowsIsAnsweredOnce() throws {
        let unknown = try ask("id=WORD77000043")
        #expect(unknown.components(separatedBy: "No record of").count == 2, "\(unknown)")
        #expect(unknown.contains("WORD77000042"), "the app with a similar order answers")
    }

    @Test func goodsAreRecordedInTheAppThatTheButtonNames() throws {
        let form = "id=\(Self.transaction)&given=\(Self.transaction)&app="
        #expect(try ask("id=" + Self.transaction).contains("name=\"app\" value=\"\(gameName)\""))
        #expect(try ask(form + name(words)).hasPrefix("Status: 403 "), "nobody may give goods there")
        #expect(try ask(form + "none").hasPrefix("Status: 403 "))
        #expect(try game.safety(Self.transaction) == "safe")
        #expect(try ask(form + gameName).contains("BY YOU: give the goods once – you recorded"))
        #expect(try game.safety(Self.transaction) == "given")
    }

    @Test func eachNightHasItsLineAndItsReport() throws {
        let page = try ask(nil)
        #expect(page.components(separatedBy: "Last night reconciled: 2025-11-01").count == 3, "\(page)")
        #expect(page.contains("?report=" + gameName))
        let report = try ask(nil, query: "report=" + gameName)
        #expect(report.contains("acct-lost-7") && !report.contains("WORD77000042"))
        #expect(try ask(nil, query: "report=none").hasPrefix("Status: 404 "))
    }

    @Test func withoutOneLedgerTheOthersAnswer() throws {
        try FileManager.default.removeItem(atPath: words.folder.path + "/ledger.sqlite")
        let answer = try ask("id=" + Self.transaction)
        #expect(answer.hasPrefix("Status: 200 ") && answer.contains("class=\"safe yes\""), "\(answer)")
        #expect(answer.contains("<h2>\(name(words))</h2>") && answer.contains("role=\"alert\""))
        try FileManager.default.removeItem(atPath: game.folder.path + "/ledger.sqlite")
        #expect(try ask("id=" + Self.transaction).hasPrefix("Status: 503 "))
    }
}
