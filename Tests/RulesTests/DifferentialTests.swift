internal import Reference
internal import Testing

/// Compares matching and rules with the independent reference, on small random worlds in which identifiers often
/// collide.
@Suite struct DifferentialTests {
    @Test(arguments: 0..<24) func productAndReferenceAgree(_ block: Int) {
        for seed in Trials.seeds(inBlock: block, 100, long: 250) {
            let disagreement = Disagreement(on: WorldGenerator.world(seed: seed)) {
                product($0, policy: $1, horizon: $2)
            }
            #expect(disagreement == nil, "\(disagreement!.description)")
            if disagreement != nil { return }
        }
    }

    @Test func orderOfEvidenceDoesNotMatter() {
        for seed in Trials.seeds(inBlock: 0, 200, long: 500) {
            let world = WorldGenerator.world(seed: seed)
            let other = world.shuffled(seed: seed + 1)
            let verdicts = product(world.evidence, policy: world.policy, horizon: world.horizon)
            #expect(verdicts == product(other.evidence, policy: other.policy, horizon: other.horizon), "seed \(seed)")
        }
    }
}
