internal import Domain
internal import Reference
internal import Testing

/// Every sentence of docs/spec/rules.md as scenarios, judged by the reference.
@Suite struct ScenarioTests {
    static let judges: [(name: String, judge: Judge)] = [
        ("reference", { judge($0, policy: $1, horizon: $2).verdicts }),
        ("product", { product($0, policy: $1, horizon: $2) }),
    ]

    @Test(arguments: Scenario.table(Tables.copies)) func copies(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.proofs)) func proofs(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.clients)) func clients(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.cases)) func cases(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.attribution)) func attribution(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.owners)) func owners(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.suggestions)) func suggestions(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.invalid)) func invalidTransaction(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.scope)) func outOfScope(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.refunds)) func refunds(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.partialRefunds)) func partialRefunds(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.creditedTwice)) func creditedTwice(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.notCredited)) func paidNotCredited(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.paidTwice)) func paidTwice(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.crossed)) func crossedOrders(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.mismatches)) func valueMismatch(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.unpaid)) func withoutPurchase(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.checks)) func checks(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.graces)) func graces(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.coverage)) func coverage(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.flags)) func flags(_ scenario: Scenario) { hold(scenario) }
    @Test(arguments: Scenario.table(Tables.actions)) func actions(_ scenario: Scenario) { hold(scenario) }

    @Test func everyVerdictCauseAndFlagIsExpectedSomewhere() {
        let expected = Tables.all.flatMap(Scenario.table).flatMap(\.expected.values)
        let missing = Set(Verdict.allRulings).subtracting(expected.map(\.ruling))
        #expect(missing.sorted() == [])
        #expect(Set(expected.flatMap(\.flags)) == Set(Flags.names.map(\.name)))
    }

    private func hold(_ scenario: Scenario, _ location: SourceLocation = #_sourceLocation) {
        for (name, judge) in Self.judges {
            let differences = scenario.differences(judge(scenario.evidence, scenario.policy, scenario.horizon))
            #expect(differences == [], "\(name): \(scenario.sentence)", sourceLocation: location)
        }
    }
}
