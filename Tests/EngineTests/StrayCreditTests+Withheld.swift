import Domain
import Matching
import Testing

@testable import Engine
@testable import Reference

private let noon = ScenarioWorld.horizon.instant

/// What is withheld because of stray credits. See docs/spec/rules.md#withheld-entries.
extension StrayCreditTests {
    /// A lost purchase of account a, whose order names it.
    func lost() throws -> [Observation] { try judged("O1 T1; T1 6.00CNY").findings.observations }

    func apply(
        to observations: inout [Observation], strays: [StrayCredit] = [], rejected: String? = nil,
        periods: [Identifier: ChainPeriod] = [:], handOuts: [HandOut] = []
    ) -> [NightWarning] {
        let rows = rejected.map { row in
            [
                RejectedRow(
                    kind: .credits, date: ScenarioWorld.date, source: "credits.csv", line: 7, row: Array(row.utf8))
            ]
        }
        return Withholding(
            rejected: RejectedRows(rows ?? [], zone: .utc), strays: StrayCreditIndex(strays),
            openOrders: OpenOrders([]), periods: periods, handOuts: handOuts,
            policy: ScenarioWorld.policy
        ).apply(to: &observations, on: ScenarioWorld.date)
    }

    @Test func withoutADoubtTheDemandStands() throws {
        var observations = try lost()
        #expect(apply(to: &observations, strays: [stray(account: "b")], rejected: "C1,b,O2") == [])
        #expect(observations.map(\.retry?.action) == [.credit] && observations[0].facts?.action == .credit)
    }

    @Test func aStrayCreditOfTheOwnerWithdrawsTheDemand() throws {
        var observations = try lost()
        let warnings = apply(to: &observations, strays: [stray()])
        let worth = [Money(minor: 600, currency: "CNY")]
        #expect(warnings == [.withheld(WithheldCredits(reason: .credit, count: 1, worth: worth, names: ["C9"]))])
        #expect(observations[0].retry == nil && observations[0].facts?.action == .investigate)
    }

    @Test func aRejectedRowThatMentionsThePurchaseWithdrawsTheDemandFirst() throws {
        var observations = try lost()
        let warnings = apply(to: &observations, strays: [stray()], rejected: "C1,b,T1,?")
        let worth = [Money(minor: 600, currency: "CNY")]
        let withheld = WithheldCredits(reason: .rejectedRow, count: 1, worth: worth, names: ["credits.csv:7"])
        #expect(warnings == [.withheld(withheld)])
        #expect(observations[0].retry == nil && observations[0].facts?.action == .fixInput)
    }

    /// A refunded purchase of account a, whose goods stand.
    private func refunded() throws -> [Observation] {
        try judged("O1 T1; T1 6.00CNY refunded@-9d; C1 O1 T1", reversesRefunds: true).findings.observations
    }

    @Test func goodsOfARefundAreTakenBackOnce() throws {
        var observations = try refunded()
        var reversal = stray(account: "b", order: "O2", isUnplaced: false)
        reversal.kind = .takenBack
        _ = apply(to: &observations, strays: [reversal], rejected: "V1,a,O2")
        #expect(observations.map(\.retry?.action) == [.reverseCredit])
        reversal.order = "o1"
        for (strays, rejected, action) in [([reversal], nil, Action.investigate), ([], "V1,a,O1", .fixInput)] {
            observations = try refunded()
            _ = apply(to: &observations, strays: strays, rejected: rejected)
            #expect(observations[0].retry == nil && observations[0].facts?.action == action)
        }
    }

    /// The shop took the pieces back under an order that nothing links to the payment.
    @Test(arguments: [
        ("O2; C2 O2 @-9d; V2 O2 @-8d", false), ("V2 O9 @-8d", false), ("V2 O9 by:b @-8d", true),
        ("V2 O9 @-12d", true), ("O2 T2; T2 6.00CNY refunded@-9d; C2 O2 T2; V2 O2 @-8d", true),
    ])
    func aReversalThatNoRefundAccountsForWithholds(rows: String, stands: Bool) throws {
        let found = try judged("O1 T1; T1 6.00CNY refunded@-9d; C1 O1 T1; " + rows, reversesRefunds: true).findings
        var observations = found.observations.filter { $0.retry?.action == .reverseCredit }
        _ = apply(to: &observations, strays: found.strayCredits)
        #expect(observations.map { $0.retry != nil } == [stands])
    }

    /// A record of the business date warns; a later one does not yet.
    @Test(arguments: [(-1, true), (0, false)])
    func goodsGivenByHandAreWaitedFor(minutes: Int64, isLate: Bool) throws {
        var observations = try lost()
        let handOut = HandOut(transaction: "T1", by: "Li", at: noon + .minutes(minutes))
        let warnings = apply(to: &observations, handOuts: [handOut])
        #expect(warnings == (isLate ? [.handOutsWithoutCredit(count: 1, handOut)] : []))
        #expect(observations[0].retry == nil && observations[0].facts?.action == .wait)
    }
}
