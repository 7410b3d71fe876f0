import Domain
import Matching
import Testing

@testable import Engine
@testable import Reference

/// What judging some cases found, joined with what judging others found.
@Suite struct VerdictsTests {
    private func judged(_ rows: String) throws -> Verdicts {
        let versions = Versions(evidence(rows), policy: ScenarioWorld.policy)
        let basis = Basis(policy: ScenarioWorld.policy, horizon: ScenarioWorld.horizon)
        return try JudgedCases(versions, basis) { _ in .unknown }.verdicts(Observer(firstDelivery: 1), threads: 1)
    }

    /// An order, a purchase whose owner a receipt names, and a credit; then an order of another account.
    private func joined() throws -> Verdicts {
        var verdicts = try judged("O1; T2; R2 T2 =0; C3 O9")
        verdicts.append(try judged("O4 by:b"), caseOffset: 3)
        return verdicts
    }

    @Test func unlinkedEvidenceIsFoundUnderTheNumberOfItsCase() throws {
        let found = try joined().suggestionEntries([10, 11, 12, 13])
        let expected: [(SuggestionKey, CaseID)] = [
            (.goods(account: "a", product: "coins"), 10), (.goods(of: "a"), 10),
            (.order(spelling: "o1"), 10), (.goods(account: "a", product: "coins"), 11),
            (.order(spelling: "o9"), 12), (.goods(of: "a"), 12),
            (.goods(account: "b", product: "coins"), 13), (.goods(of: "b"), 13),
            (.order(spelling: "o4"), 13),
        ]
        #expect(Set(found) == Set(expected.map { SuggestionEntry(key: $0.0, caseID: $0.1) }))
    }

    @Test func aCaseIsOpenUnderItsNumber() throws {
        var verdicts = try judged("O1 T1; T1 6.00CNY; C1 O1 T1")
        verdicts.append(try joined(), caseOffset: 1)
        #expect(verdicts.openCases([9, 10, 11, 12, 13]) == [10, 11, 12, 13])
    }

    @Test func anObservationKeepsItsSubject() throws {
        let verdicts = try joined()
        #expect(verdicts.findings.observations.count == verdicts.observedPositions.count)
        for (observation, position) in zip(verdicts.findings.observations, verdicts.observedPositions) {
            #expect(verdicts.all[position].stored.subject == observation.subject)
        }
    }

    @Test(
        arguments: [
            ("refundProrated:100000", .full), ("refundProrated:50000", .partial), ("refundFull", .full),
        ] as [(String, RefundLine.Kind)])
    func aRefundOfAllIsFullUnderEveryName(revoked: String, kind: RefundLine.Kind) throws {
        let found = try judged("O1 T1; T1 6.00CNY \(revoked)@-1d; C1 O1 T1").findings.refunds
        #expect(found.map(\.kind) == [kind])
    }
}
