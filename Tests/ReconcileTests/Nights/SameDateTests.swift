import Foundation
import Testing

@testable internal import Domain
@testable import Ledger
@testable internal import Reconcile
@testable internal import Reference

/// A date that is run a second time, with a later "now": the reports show the date's news, not only the last run's.
@Suite struct SameDateTests {
    private let night: NightFolder

    /// Two nights. In the second one a lost order is new, and one of the first night is resolved.
    init() throws {
        night = try NightFolder(required: [.orders, .credits, .transactions])
        for number in 0..<2 { try night.deliverLostOrders(number, count: number + 1) }
        try night.forget()
        try night.deliverLostOrders(0, count: 1)
        #expect(try night.night(moment(0)).code == .done)
        try night.deliverLostOrders(1, count: 2)
        try night.deliver(
            file(.credits, 1) { rows in
                rows.credits = [credit("200000000000100", id: "C1")]
            })
        #expect(try night.night(moment(1)).code == .done)
    }

    private func credit(_ transaction: Identifier, id: Identifier) -> Credit {
        var credit = Credit(id: id, account: "a", creditedAt: noon(1))
        credit.transaction = transaction
        credit.order = Identifier("ORD" + transaction.text)
        return credit
    }

    /// The second night again, some hours later.
    private func later(_ hours: Int64) throws -> NightFolder.Outcome {
        let asOf = moment(1).asOf + .hours(hours)
        return try night.run(["nightly", "--as-of", asOf.text, "--date", day(1).text])
    }

    private func states() throws -> [String: String] {
        let lines = try night.folder.read("out/latest/exceptions.csv").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let transaction = try #require(lines[0].firstIndex(of: "transaction_id"))
        return lines.dropFirst().reduce(into: [:]) { $0[String($1[transaction].suffix(4))] = String($1[1]) }
    }

    @Test func theNewsOfTheDateStaysNews() throws {
        #expect(try states() == ["0100": "resolved", "1100": "new", "1101": "new"])
        let again = try later(1)
        #expect(again.code == .done && again.output.hasPrefix("2 new, worth CNY 12.00"), "\(again.output)")
        #expect(try states() == ["0100": "resolved", "1100": "new", "1101": "new"])
        #expect(try night.run(["check"]).output.contains("WRONG  ledger and") == false)
    }

    /// The third run of the date resolves what the first one found new.
    @Test func whatALaterRunOfTheDateFindsIsAdded() throws {
        _ = try later(1)
        try night.folder.write(
            "credit_id,order_id,transaction_id,account_id,credited_at\n"
                + "C2,ORD200000000001100,200000000001100,a,2025-11-11T12:30:00Z\n",
            to: "inbox/credits-2025-11-11-late.csv")
        let third = try later(2)
        #expect(third.output.hasPrefix("1 new, worth CNY 6.00"), "\(third.output)")
        #expect(try states() == ["0100": "resolved", "1100": "resolved", "1101": "new"])
        try night.deliverLostOrders(2, count: 0)
        #expect(try night.night(moment(2)).output.hasPrefix("Nothing new"))
        #expect(try states() == ["1101": "open"])
    }

    @Test func aRunOfTheSameDateIsRebuiltFromTheLedgerAlone() throws {
        _ = try later(1)
        let before = try night.reports("latest")
        try night.forget()
        #expect(try later(1).errors.contains("rebuilt from the ledger"))
        #expect(try night.reports("latest") == before)
    }

    /// The times of the credits feed are eight hours early.
    @Test func aFeedWhoseTimesAreOffIsNamed() throws {
        let night = try NightFolder(required: [.orders, .credits, .transactions])
        try night.deliverLostOrders(0, count: 30)
        try night.deliver(
            file(.credits, 0) { rows in
                rows.credits = (100..<130).map { number in
                    var credit = Credit(id: Identifier("C\(number)"), account: "a", creditedAt: noon(0) + .hours(-8))
                    credit.transaction = Identifier("200000000000\(number)")
                    return credit
                }
            })
        let ended = try night.night(moment(0))
        #expect(ended.errors.contains("30 of 30 subjects have the flag clock_skew"), "\(ended.errors)")
        #expect(try night.folder.read("out/latest/summary.json").contains("\"clock_skew\": 30"))
    }

    /// A waiver between two runs of a date is shown by the second one, and by the third.
    @Test func aWaiverBetweenTwoRunsStaysShown() throws {
        let open = try #require(
            try night.ledger().unresolvedExceptions().first { $0.subject.id.text.hasSuffix("1101") })
        #expect(try night.run(["waive", open.id.text, "--by", "Li", "--note", "paid in cash"]).code == .done)
        _ = try later(1)
        #expect(try states()["1101"] == "waived")
        _ = try later(2)
        #expect(try states()["1101"] == "waived")
        let before = try night.reports("latest")
        try night.forget()
        _ = try later(2)
        #expect(try night.reports("latest") == before)
    }
}
