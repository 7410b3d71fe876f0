internal import Domain
internal import Reference
internal import Testing

/// A mistake in a table must be noticed.
@Suite struct ScenarioTableTests {
    private func differences(_ line: String) -> [String] {
        let scenario = Scenario.table(line)[0]
        return scenario.differences(
            judge(scenario.evidence, policy: scenario.policy, horizon: scenario.horizon).verdicts)
    }

    @Test func aRightExpectationHolds() {
        #expect(differences("paid | O1 T1; T1 | T1 paid_not_credited/credit_failed action=credit anchor=-10d") == [])
    }

    @Test(arguments: [
        "another verdict | O1 T1; T1 | T1 matched", "another cause | O1 T1; T1 | T1 paid_not_credited/no_order",
        "a flag too many | O1 T1; T1 | T1 paid_not_credited/credit_failed conflict",
        "a flag too few | O1 T1; O1 T1 by:b; T1 | T1 paid_not_credited/credit_failed",
        "another detail | O1 T1; T1 | T1 paid_not_credited/credit_failed owner=b",
        "a subject too many | O1 T1; T1 | T1 paid_not_credited/credit_failed; O1 matched",
        "a subject too few | O1; T1 | T1 paid_not_credited/no_order",
    ])
    func aWrongExpectationIsReported(_ line: String) { #expect(differences(line) != []) }

    @Test func aContinuationLineBelongsToTheScenarioAboveIt() {
        let table = Scenario.table(
            "one | O1; T1\n    | O1 order_unverified\n    | ; T1 paid_not_credited/no_order\ntwo | O1 | O1 matched")
        #expect(table.map(\.sentence) == ["one", "two"])
        #expect(table[0].expected.keys.sorted() == ["O1", "T1"])
    }

    @Test func aDisagreementIsShrunkToTheRowsThatMatter() throws {
        let contrary: Judge = { evidence, policy, horizon in
            judge(evidence, policy: policy, horizon: horizon).verdicts.map { verdict in
                var verdict = verdict
                if verdict.verdict == .creditedTwice { verdict.verdict = .matched }
                return verdict
            }
        }
        let found = (0..<UInt64(2000)).lazy.compactMap { Disagreement(on: WorldGenerator.world(seed: $0), contrary) }
            .first
        let lines = try #require(found).description.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("transaction ") }.count >= 1)
        #expect(lines.filter { $0.hasPrefix("receipt ") }.count == 0)
        #expect(Disagreement(on: WorldGenerator.world(seed: 1), { judge($0, policy: $1, horizon: $2).verdicts }) == nil)
    }
}
