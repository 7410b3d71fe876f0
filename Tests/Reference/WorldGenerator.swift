internal import Domain

/// Small random worlds in which identifiers often collide.
///
/// They have at most twelve rows with few ids. One in four begins with a shape that random rows hardly ever make. Their instants are at every boundary that the rules know, and one
/// millisecond before and after it. The same seed gives the same world.
package struct WorldGenerator {
    var random: SplitMix64
    let policy: Policy
    let horizon: Horizon
    /// Instants to choose from, or near which to choose: boundaries first, then what has happened.
    var moments: [Instant]
    var evidence = Evidence()
    /// One account, product and token; no references and no credits. Suggestions are frequent in such a world.
    let isNarrow: Bool

    package static func world(seed: UInt64) -> World {
        var random = SplitMix64(seed: seed)
        let policy = WorldPolicy.policy(&random)
        let horizon = WorldPolicy.horizon(&random, zone: policy.zone)
        let isNarrow = random.oneIn(6)
        var generator = WorldGenerator(
            random: random, policy: policy, horizon: horizon,
            moments: WorldPolicy.boundaries(policy: policy, horizon: horizon), isNarrow: isNarrow)
        return generator.world(seed: seed)
    }

    private mutating func world(seed: UInt64) -> World {
        var files: [WorldFile] = []
        var rows: [(FeedKind, Evidence)] = []
        if random.oneIn(4) {
            rows = shape()
            for (_, row) in rows { evidence.append(row) }
            rows.shuffle(using: &random)
        }
        for _ in 0..<Int.random(in: rows.isEmpty ? 1...12 : 0...4, using: &random) { rows.append(self.row()) }
        for (kind, row) in rows {
            let date = horizon.businessDate.advanced(by: -Int.random(in: 0...2, using: &random))
            if let index = files.firstIndex(where: { $0.kind == kind && $0.fileDate == date }) {
                files[index].evidence.append(row)
            } else {
                files.append(WorldFile(kind: kind, fileDate: date, evidence: row))
            }
        }
        return World(seed: seed, files: files, policy: policy, horizon: horizon)
    }

    /// A new row, a copy of an earlier one, or a changed copy.
    private mutating func row() -> (FeedKind, Evidence) {
        var row = Evidence()
        let kind = Int.random(in: 0..<100, using: &random)
        switch isNarrow && kind < 55 ? 0 : kind {
        case 0..<25:
            row.orders = [random.oneIn(4) ? evidence.orders.randomElement(using: &random) ?? order() : order()]
            evidence.append(row)
            return (.orders, row)
        case 25..<55:
            row.credits = [random.oneIn(6) ? evidence.credits.randomElement(using: &random) ?? credit() : credit()]
            evidence.append(row)
            return (.credits, row)
        case 55..<82:
            row.transactions = [transaction()]
            if random.oneIn(3), let known = evidence.transactions.randomElement(using: &random) {
                row.transactions = [random.oneIn(2) ? known : resigned(known)]
            }
            evidence.append(row)
            return (.transactions, row)
        default:
            row.receipts = [random.oneIn(5) ? evidence.receipts.randomElement(using: &random) ?? receipt() : receipt()]
            evidence.append(row)
            return (.receipts, row)
        }
    }

    /// An instant at a boundary, near an earlier event, or anywhere in the last forty days.
    mutating func moment() -> Instant {
        let hour: Int64 = 3_600_000
        let nearby: [Int64] = [
            0, 0, 0, 1, -1, 300_000, 300_001, -300_000, -300_001, hour, hour + 1, hour - 1, 24 * hour, 24 * hour + 1,
            -24 * hour, -24 * hour - 1, 6 * hour, -6 * hour,
        ]
        var instant = random.pick(moments) + Milliseconds(random.pick(nearby))
        if random.oneIn(5) {
            instant = horizon.instant + Milliseconds(-Int64.random(in: 0...(40 * 24 * hour), using: &random))
        }
        // Events attract further events: each is twice as likely to be chosen as a boundary.
        moments += [instant, instant]
        return instant
    }

    /// The same transaction, signed by Apple again: later, refunded, with a price, or with nothing changed.
    private mutating func resigned(_ known: Transaction) -> Transaction {
        var copy = known
        switch Int.random(in: 0..<6, using: &random) {
        case 0: copy.signedAt = moment()
        case 1: copy.revocation = random.oneIn(3) ? nil : revocation()
        case 2: copy.price = price()
        case 3: copy.proof = random.pick([.verified, .vouched, .unverifiable])
        case 4:
            copy.proof = .invalid
            copy.failure = random.pick([.badSignature, .untrustedChain, .wrongBundle])
        default:
            copy.signedAt = moment()
            copy.revocation = random.oneIn(2) ? nil : revocation()
        }
        return copy
    }
}
