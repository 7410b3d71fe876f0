internal import Domain
internal import Testing

@testable internal import Reference

/// docs/spec/rules.md#client-data on random worlds: data from a client never makes a machine give goods, and changes
/// nothing for other accounts.
@Suite struct AttackerTests {
    /// An account that no order, credit or token of any world belongs to.
    private static let stranger: Identifier = "mallory"

    @Test(arguments: 0..<8) func addingReceiptsGainsNothing(_ block: Int) {
        for seed in Trials.seeds(inBlock: block, 60, long: 400) {
            var random = SplitMix64(seed: seed ^ 0xA77AC4)
            if gains(in: WorldGenerator.world(seed: seed), &random) { return }
        }
    }

    /// The same in shops where only receipts link orders to payments, as in many shops.
    @Test(arguments: 0..<8) func noShopLosesByThem(_ block: Int) {
        for seed in Trials.seeds(inBlock: block, 50, long: 250) {
            var random = SplitMix64(seed: seed ^ 0x5409)
            var world = WorldGenerator.world(seed: seed)
            world.policy = ScenarioWorld.policy
            world.policy.tokenUse = random.pick([.account, .account, .none])
            world.horizon = ScenarioWorld.horizon
            world.files = [WorldFile(kind: .orders, fileDate: ScenarioWorld.date, evidence: shop(&random))]
            if gains(in: world, &random) { return }
        }
    }

    /// Purchases of four accounts: credited under the order's id or the transaction's, lost, refunded, or made in the
    /// sandbox.
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

    /// Whether any of several sets of further receipts gains an account something. If so, the test fails.
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

    /// - Parameter owners: the owner of each subject according to the backend and Apple, without any receipt.
    private func gains(
        before: [SubjectKey: ReferenceVerdict], after: [SubjectKey: ReferenceVerdict],
        owners: [SubjectKey: Identifier?], accounts: Set<Identifier>
    ) -> [String] {
        var found: [String] = []
        for (key, verdict) in after where verdict.verdict == .paidNotCredited && verdict.action == .credit {
            // A purchase without an owner belongs to the account whose receipt Apple vouches for.
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

    /// Receipts of any account that the check did not accept, and accepted ones of the attacker's account.
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
