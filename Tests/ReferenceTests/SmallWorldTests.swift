internal import Domain
internal import Reference
internal import Testing

@Suite struct ReferenceOnSmallWorlds {
    static let seeds = Trials.seeds(inBlock: 0, 110, long: 500)

    @Test func orderOfRowsAndFilesDoesNotMatter() {
        for seed in Self.seeds {
            let world = WorldGenerator.world(seed: seed)
            #expect(world.shuffled(seed: seed).verdicts == world.verdicts, "seed \(seed)")
        }
    }

    @Test func nightsAddUpToTheWhole() {
        for seed in Self.seeds {
            let world = WorldGenerator.world(seed: seed)
            let split = world.splitIntoNights(3, seed: seed).flatMap { $0 }
            let verdicts = judge(split.evidence, policy: world.policy, horizon: world.horizon).verdicts
            #expect(verdicts == world.verdicts, "seed \(seed)")
        }
    }

    @Test func aFileDeliveredTwiceAddsOnlyDuplicates() {
        for seed in Self.seeds {
            let world = WorldGenerator.world(seed: seed)
            let twice = world.withDuplicateFile(seed: seed)
            let before = judge(world.evidence, policy: world.policy, horizon: world.horizon)
            let after = judge(twice.evidence, policy: world.policy, horizon: world.horizon)
            #expect(after.verdicts == before.verdicts, "seed \(seed)")
            let added = after.duplicates.values.reduce(0, +) - before.duplicates.values.reduce(0, +)
            #expect(added == twice.files.last!.rows, "seed \(seed)")
        }
    }

    @Test func everyPieceOfEvidenceIsSomebodysAndEverySubjectIsJudgedOnce() {
        for seed in Self.seeds {
            let world = WorldGenerator.world(seed: seed)
            let verdicts = world.verdicts
            let evidence = world.evidence
            #expect(Set(verdicts.map(\.subject)).count == verdicts.count, "seed \(seed)")
            #expect(Set(verdicts.flatMap(\.orders)) == Set(evidence.orders.map(\.id)), "seed \(seed)")
            #expect(Set(verdicts.flatMap(\.transactions)) == Set(evidence.transactions.map(\.id)), "seed \(seed)")
            #expect(Set(verdicts.flatMap(\.receipts).map(\.text)) == Set(evidence.receipts.map(\.id)), "seed \(seed)")
            let credits = verdicts.flatMap(\.credits)
            #expect(credits.count == Set(credits).count, "seed \(seed)")
            #expect(Set(credits) == Set(evidence.credits.map(\.id)), "seed \(seed)")
        }
    }

    @Test func everyVerdictCauseAndFlagIsReached() {
        var rulings: [String: Int] = [:]
        var flags: Flags = []
        for seed in 0..<UInt64(6000) {
            for verdict in WorldGenerator.world(seed: seed).verdicts {
                rulings[verdict.verdict.ruling(verdict.cause), default: 0] += 1
                flags.formUnion(verdict.flags)
            }
        }
        // Once would be luck.
        let unreached = Verdict.allRulings.filter { rulings[$0, default: 0] < 2 }
        #expect(unreached == [], "\(rulings.sorted { $0.key < $1.key })")
        #expect(flags.names.count == Flags.names.count, "\(flags.names)")
    }
}
