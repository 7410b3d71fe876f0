internal import Domain
internal import Testing

@testable internal import Reference

/// RULES §6.5 on random worlds: what a client says makes no machine give goods, and changes nothing for others.
@Suite struct AttackerTests {
    /// An account that no order, credit or token of any world belongs to.
    private static let stranger: Identifier = "mallory"

    @Test(arguments: 0..<8) func addingReceiptsGainsNothing(_ block: UInt64) {
        for seed in block * 400..<(block + 1) * 400 {
            var random = SplitMix64(seed: seed ^ 0xA77AC4)
            if gains(in: WorldGenerator.world(seed: seed), &random) { return }
        }
    }

    /// The same in shops where receipts alone tie orders to payments, as many do.
    @Test(arguments: 0..<8) func noShopLosesByThem(_ block: UInt64) {
        for seed in block * 250..<(block + 1) * 250 {
            var random = SplitMix64(seed: seed ^ 0x5409)
            var world = WorldGenerator.world(seed: seed)
            world.policy = ScenarioWorld.policy
            world.policy.tokenUse = random.pick([.account, .account, .none])
            world.horizon = ScenarioWorld.horizon
            world.files = [WorldFile(kind: .orders, fileDate: ScenarioWorld.date, evidence: shop(&random))]
            if gains(in: world, &random) { return }
        }
    }

    /// Purchases of four accounts: credited by the order's number or by the transaction's, lost, refunded, of the sandbox.
    private func shop(_ random: inout SplitMix64) -> Evidence {
        var evidence = Evidence()
        for number in 0..<3 {
            let account = random.pick(WorldIDs.accounts)
            let at = ScenarioWorld.now(ScenarioWorld.policy) + .hours(-24 * Int64.random(in: 3...5, using: &random))
            let (order, transaction) = (WorldIDs.orders[number + 1], WorldIDs.transactions[number + 1])
            let token = random.oneIn(2) ? nil : Token(high: 1, low: account.bits)
            // Some orders are too old to be suggested for their payment.
            let created = at + (random.oneIn(3) ? .hours(-48) : .minutes(-1))
            var row = Order(id: order, account: account, product: "coins", status: .pending, createdAt: created)
            row.token = random.oneIn(4) ? nil : token
            row.transaction = random.oneIn(4) ? transaction : nil
            evidence.orders.append(row)
            var paid = Transaction(id: transaction, product: "coins", purchasedAt: at)
            paid.token = token
            paid.environment = random.oneIn(6) ? .sandbox : .production
            if random.oneIn(6) { paid.revocation = Revocation(at: at + .hours(1)) }
            evidence.transactions.append(paid)
            var receipt = Receipt(
                id: Identifier("R\(number)"), content: .absent, account: account, receivedAt: at + .minutes(1))
            (receipt.order, receipt.transaction) = (order, transaction)
            receipt.verifyStatus = random.pick([0, 0, 21005])
            evidence.receipts.append(receipt)
            if random.oneIn(3) { continue }
            var credit = Credit(id: Identifier("C\(number)"), account: account, creditedAt: at + .minutes(2))
            credit.order = order
            credit.transaction = random.oneIn(3) ? transaction : nil
            evidence.credits.append(credit)
        }
        return evidence
    }

    /// Whether somebody gains by one of some sets of further receipts, which is recorded.
    private func gains(in world: World, _ random: inout SplitMix64) -> Bool {
        let before = verdicts(world.evidence, world)
        var silent = world.evidence
        silent.receipts = []
        let owners = verdicts(silent, world).mapValues(\.owner)
        for _ in 0..<4 {
            let added = receipts(&random)
            var attacked = world.evidence
            attacked.receipts += added
            let found = gains(
                before: before, after: verdicts(attacked, world), owners: owners, accounts: Set(added.map(\.account)))
            #expect(found == [], "seed \(world.seed): \(added)")
            if found != [] { return true }
        }
        return false
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
