import Domain
import Testing

@testable import Engine
@testable import Reference

/// docs/spec/rules.md#records-disagree on random worlds: a copy of lower proof, or of another environment, never changes
/// what happens to a record that Apple signed, except to withhold. What a vouched copy may tell is a refund.
@Suite struct LesserCopyTests {
    @Test(arguments: 0..<8) func lesserCopiesOnlyWithhold(_ block: Int) throws {
        for seed in Trials.seeds(inBlock: block, 25, long: 1500) {
            var random = SplitMix64(seed: seed ^ 0x1E55E2)
            let world = SignedWorld(seed: seed, &random)
            let before = try world.night()
            for _ in 0..<3 {
                let (copies, refunds) = world.lesserCopies(&random)
                if copies.isEmpty { break }
                let allowed = refunds.isEmpty ? [before] : [before, try world.night(with: refunds)]
                let found = try world.night(with: copies).changes(beyond: allowed)
                #expect(
                    found == [], "seed \(seed): \(copies.map(\.told)) beside \(world.evidence.transactions.map(\.told))"
                )
                if found != [] { return }
            }
        }
    }
}

/// A shop most of whose transactions Apple signed.
private struct SignedWorld {
    var evidence: Evidence
    var policy: Policy
    let horizon: Horizon

    init(seed: UInt64, _ random: inout SplitMix64) {
        if random.oneIn(2) {
            let world = WorldGenerator.world(seed: seed)
            (evidence, policy, horizon) = (world.files.evidence(delivery: 1), world.policy, world.horizon)
        } else {
            let shop = GivingShop(seed: seed)
            (evidence, policy, horizon) = (shop.evidence, shop.policy, shop.horizon)
        }
        policy.reverseRefunds = true
        for index in evidence.transactions.indices where !random.oneIn(4) {
            if evidence.transactions[index].proof == .vouched { evidence.transactions[index].proof = .verified }
            let isPeriod = random.oneIn(3)
            if isPeriod { evidence.transactions[index].product = "month" }
            if isPeriod, random.oneIn(2) { evidence.transactions[index].line = random.pick(["L1", "L2"]) }
            if isPeriod { evidence.transactions[index].expiresAt = horizon.instant + .days(random.pick([9, 20])) }
        }
    }

    /// The records that Apple signed, of the configured environment.
    private var signed: [Transaction] {
        evidence.transactions.filter {
            $0.proof == .verified && !$0.isFromReceipt && $0.environment == policy.environment
        }
    }

    /// One to three copies of one of them with other values, and the refunds that they tell of, without the other values.
    func lesserCopies(_ random: inout SplitMix64) -> (copies: [Transaction], refunds: [Transaction]) {
        guard let record = signed.randomElement(using: &random) else { return ([], []) }
        let others =
            evidence.transactions
            + evidence.transactions.map {
                var other = $0
                other.token = Token(high: 1, low: 98)
                return other
            }
        let copies = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            var copy = record
            copy.proof = random.pick([.vouched, .vouched, .vouched, .verified, .unverifiable, .invalid])
            if copy.proof == .invalid { copy.failure = random.pick([.badSignature, .untrustedChain, .wrongBundle]) }
            copy.environment = record.environment == .production ? .sandbox : .production
            let isOfSameEnvironment = random.oneIn(3) ? false : copy.proof != .verified
            if isOfSameEnvironment { copy.environment = record.environment }
            copy.signedAt = random.pick([nil, record.signedAt, horizon.instant])
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                change(&copy, others.randomElement(using: &random)!, &random)
            }
            return copy
        }
        let refunds = copies.filter { $0.revocation != nil }.map { copy in
            var refund = record
            (refund.proof, refund.failure, refund.environment) = (copy.proof, copy.failure, copy.environment)
            (refund.signedAt, refund.revocation) = (copy.signedAt, copy.revocation)
            return refund
        }
        return (copies, refunds)
    }

    private func change(_ copy: inout Transaction, _ other: Transaction, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: copy.token = random.oneIn(3) ? nil : other.token
        case 1: copy.product = other.product
        case 2: (copy.line, copy.expiresAt) = (other.line ?? random.pick([nil, "L1"]), other.expiresAt)
        case 3: copy.original = random.pick([nil, other.id, other.original, "9"])
        case 4: copy.expiresAt = random.pick([nil, other.expiresAt, horizon.instant + .days(9)])
        case 5: copy.type = random.pick(ProductType.allCases + [nil])
        case 6: copy.revocation = Revocation(at: random.pick([copy.purchasedAt, horizon.instant + .days(-3)]))
        case 7: copy.bundle = "com.example.other"
        case 8: copy.quantity = random.pick([1, 2, 10])
        default: copy.purchasedAt = other.purchasedAt
        }
    }

    /// What the first night does with all evidence.
    func night(with copies: [Transaction] = []) throws -> Outcome {
        var delivered = Delivered()
        delivered.firstDelivery = 1
        delivered.evidence = evidence
        delivered.evidence.transactions += copies
        let all = delivered.evidence
        func number<Piece>(
            _ pieces: inout [Piece], _ source: WritableKeyPath<Piece, Provenance>, _ delivery: DeliveryID
        ) {
            for index in pieces.indices {
                pieces[index][keyPath: source].delivery = delivery
                pieces[index][keyPath: source].line = Int32(index) + 2
            }
        }
        number(&delivered.evidence.orders, \.source, 1)
        number(&delivered.evidence.credits, \.source, 2)
        number(&delivered.evidence.transactions, \.source, 3)
        number(&delivered.evidence.receipts, \.source, 4)
        let counts: [(FeedKind, Int)] = [
            (.orders, all.orders.count), (.credits, all.credits.count), (.transactions, all.transactions.count),
            (.receipts, all.receipts.count),
        ]
        for (index, count) in counts.enumerated() {
            delivered.deliveries.append(
                Delivery(DeliveryID(Int32(index) + 1), count.0, horizon.businessDate, rows: count.1))
        }
        let time = RunTime(businessDate: horizon.businessDate, asOf: horizon.instant)
        let night = try Night.reconcile(
            delivered, at: time, by: NightSettings(policy: policy), after: MemoryHistory())
        var outcome = Outcome()
        for transition in night.transitions { outcome.exceptions[transition.record.subject] = transition.record }
        let subjects = Dictionary(uniqueKeysWithValues: night.transitions.map { ($0.record.id, $0.record.subject) })
        outcome.actions = outcome.exceptions.mapValues(\.facts.action)
        for entry in night.retries where entry.isDemanded {
            outcome.entries[subjects[entry.exception]!] = entry.facts.allFields
        }
        return outcome
    }
}

/// What a night does.
private struct Outcome {
    var actions: [SubjectKey: Action] = [:]
    var entries: [SubjectKey: RetryFields] = [:]
    var exceptions: [SubjectKey: ExceptionRecord] = [:]

    /// What it does that is neither among what may happen nor withholding.
    func changes(beyond allowed: [Outcome]) -> [String] {
        var found: [String] = []
        for (subject, action) in actions where action == .credit || action == .reverseCredit {
            if !allowed.contains(where: { $0.actions[subject] == action }) {
                found.append("\(subject.text): \(action)")
            }
        }
        // To ask Apple for a record gives nothing away.
        for (subject, entry) in entries where entry.movesGoods {
            if !allowed.contains(where: { $0.entries[subject]?.isSameWork(as: entry) == true }) {
                found.append("\(subject.text): the entry \(entry.action) of \(entry.account ?? "-")")
            }
        }
        for (subject, record) in allowed[0].exceptions where record.verdict == .paidNotCredited {
            if !allowed.allSatisfy({ $0.shows(subject) }) || shows(subject) { continue }
            found.append("\(subject.text): its lost order is hidden")
        }
        return found.sorted()
    }

    private func shows(_ subject: SubjectKey) -> Bool {
        exceptions.values.contains { $0.subject == subject || $0.facts.transactions.contains(subject.id.text) }
    }
}

extension Transaction {
    /// For messages of failed tests.
    fileprivate var told: String {
        "\(id.text) \(proof) \(environment) \(product.text) of \(original?.text ?? "-") line \(line?.text ?? "-") token "
            + "\(token?.text ?? "-") x\(quantity) \(type.map { "\($0)" } ?? "-") expires \(expiresAt?.text ?? "-") bought "
            + "\(purchasedAt.text) signed \(signedAt?.text ?? "-") revoked \(revocation?.at.text ?? "-") \(failure)"
    }
}
