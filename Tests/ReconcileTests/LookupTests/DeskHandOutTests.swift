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
        #expect(try ask(desk, by: "wang").contains("I have given the goods"))
        let first = try give(desk, by: "li")
        #expect(first.hasPrefix("Status: 200 ") && first.contains("NO – li recorded at 2025-11-02 09:00:00"))
        // Wang's page was loaded before, so it still has the button.
        let second = try give(desk, by: "wang")
        #expect(second.contains("NO – li recorded at 2025-11-02 09:00:00") && lines(desk) == 1)
        #expect(try desk.safety(Self.transaction) == "given")
    }

    @Test func onlyTheAgentWhoRecordedItWithdrawsIt() throws {
        let desk = try lostOrder()
        _ = try give(desk, by: "li")
        let withdrawal = "id=\(Self.transaction)&ungiven=\(Self.transaction)"
        #expect(try !ask(desk, by: "wang").contains("I did not give the goods"))
        _ = try desk.web(withdrawal, by: "wang")
        #expect(try desk.safety(Self.transaction) == "given" && lines(desk) == 1)
        #expect(try ask(desk, by: "li").contains("I did not give the goods"))
        #expect(try desk.web(withdrawal, by: "li").contains("class=\"safe yes\""))
        #expect(try desk.safety(Self.transaction) == "safe")
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
