internal import Domain
internal import Reference
internal import Testing

/// RULES §6.5 on random worlds: what a client says makes no machine give goods, and changes nothing for others.
@Suite struct AttackerTests {
    /// An account that no order, credit or token of any world belongs to.
    private static let stranger: Identifier = "mallory"

    @Test(arguments: 0..<8) func addingReceiptsGainsNothing(_ block: UInt64) {
        for seed in block * 400..<(block + 1) * 400 {
            let world = WorldGenerator.world(seed: seed)
            let before = verdicts(world.evidence, world)
            var silent = world.evidence
            silent.receipts = []
            let owners = verdicts(silent, world).mapValues(\.owner)
            var random = SplitMix64(seed: seed ^ 0xA77AC4)
            for _ in 0..<4 {
                var attacked = world.evidence
                attacked.receipts += receipts(&random)
                let after = verdicts(attacked, world)
                let accounts = Set(attacked.receipts.dropFirst(world.evidence.receipts.count).map(\.account))
                let found = gains(before: before, after: after, owners: owners, accounts: accounts)
                #expect(found == [], "seed \(seed): \(attacked.receipts.dropFirst(world.evidence.receipts.count))")
                if found != [] { return }
            }
        }
    }

    private func verdicts(_ evidence: Evidence, _ world: World) -> [SubjectKey: ReferenceVerdict] {
        let verdicts = product(evidence, policy: world.policy, horizon: world.horizon)
        return Dictionary(uniqueKeysWithValues: verdicts.map { ($0.subject, $0) })
    }

    /// - Parameter owners: of each subject as the backend and Apple have it, without any receipt.
    private func gains(
        before: [SubjectKey: ReferenceVerdict], after: [SubjectKey: ReferenceVerdict],
        owners: [SubjectKey: Identifier?], accounts: Set<Identifier>
    ) -> [String] {
        var found: [String] = []
        for (key, verdict) in after where verdict.verdict == .paidNotCredited && verdict.action == .credit {
            // A purchase that was nobody's is the account's whose receipt Apple vouches for.
            let isClaimed = before[key]?.owner == nil && verdict.owner == Self.stranger
            let was = before[key]
            if was?.action == .credit && was?.owner == verdict.owner || isClaimed { continue }
            found.append("\(key.text): a machine gives to \(verdict.owner?.text ?? "-")")
        }
        for (key, verdict) in before {
            guard let owner = owners[key] ?? nil, !accounts.contains(owner) else { continue }
            if after[key]?.verdict != verdict.verdict {
                let now = String(describing: after[key]?.verdict)
                found.append("\(key.text) of \(owner.text): \(verdict.verdict), then \(now)")
            }
        }
        return found.sorted()
    }

    /// Of any account where the check did not accept them; accepted ones are the stranger's.
    private func receipts(_ random: inout SplitMix64) -> [Receipt] {
        (0..<Int.random(in: 1...4, using: &random)).map { number in
            let isAccepted = random.oneIn(3)
            let account = isAccepted ? Self.stranger : random.pick(WorldIDs.accounts + [Self.stranger])
            var receipt = Receipt(
                id: Identifier("A\(number)"), content: .absent, account: account,
                receivedAt: Instant(milliseconds: 1_763_000_000_000))
            receipt.order = random.oneIn(4) ? nil : random.pick(WorldIDs.orders)
            receipt.transaction = random.oneIn(4) ? nil : random.pick(WorldIDs.transactions + ["9"])
            receipt.verifyStatus = isAccepted ? 0 : random.pick([nil, 21003, 21005, 21007])
            return receipt
        }
    }
}
