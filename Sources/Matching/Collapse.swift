internal import Domain

/// What became of one copy of a piece of evidence.
public enum CopyFate: UInt8, Sendable {
    /// It counts.
    case standing
    /// Another copy counts; this one stays on record.
    case superseded
    /// It says only what another copy says: counted, ignored.
    case duplicate
}

/// Copies of one kind of evidence, of which one a key counts. Copies collapse *before* anything is joined.
struct Collapsed: Sendable {
    /// The first position of each key, as long as others may name it.
    private(set) var keys: PositionTable?
    /// Of copies that count and are not the first of their key, the first.
    var firsts: [Int32: Int32] = [:]
    /// Of each copy, in the order given.
    var fates: [CopyFate]
    /// Positions of the copies that count, ascending.
    var standing: [Int32]
    /// Each superseded copy with the one that counts instead.
    var superseded: [(copy: Int32, standing: Int32)]
    /// Each duplicate given before its twin, whose file is the earlier one, with the copy that counts.
    var replaced: [(copy: Int32, standing: Int32)]
    /// What the other copies say of those that count, where they say anything.
    var marks: [(position: Int32, marks: CopyMarks)]

    /// Without the keys, whose memory then serves others.
    consuming func withoutKeys() -> Collapsed {
        keys = nil
        return self
    }

    /// Of each copy that counts, the first of its key.
    var standingFirsts: [Int32] {
        var firsts = standing
        for (copy, first) in self.firsts { firsts[standing.partitioningIndex { $0 >= copy }] = first }
        return firsts
    }
}

/// Decides which copy of each key counts, and what the others say of it. RULES §1.
///
/// Of copies with the same content the one of the earliest file is kept, whatever was imported first.
func collapse<Element: Copied>(_ copies: [Element], policy: Policy) -> Collapsed {
    var fates = [CopyFate](repeating: .standing, count: copies.count)
    var table = PositionTable(capacity: copies.count)
    var groups: [Int: [Int]] = [:]
    table.enter(
        copies.indices, hash: { copies[$0].keyHash }, isSame: { copies[$0].hasSameKey(as: copies[$1]) },
        again: { first, position in groups[first, default: [first]].append(position) })
    var superseded: [(copy: Int32, standing: Int32)] = []
    var replaced: [(copy: Int32, standing: Int32)] = []
    var marks: [(position: Int32, marks: CopyMarks)] = []
    var firsts: [Int32: Int32] = [:]
    for (first, group) in groups {
        let (standing, outdated, said) = settle(group, of: copies, fates: &fates, policy: policy)
        if standing != first { firsts[Int32(standing)] = Int32(first) }
        if !said.isEmpty { marks.append((Int32(standing), said)) }
        for copy in group where fates[copy] == .superseded { superseded.append((Int32(copy), Int32(standing))) }
        for copy in outdated { replaced.append((Int32(copy), Int32(standing))) }
    }
    return Collapsed(
        keys: table, firsts: firsts, fates: fates, standing: standingPositions(fates), superseded: superseded,
        replaced: replaced,
        marks: marks)
}

private func standingPositions(_ fates: [CopyFate]) -> [Int32] {
    var standing: [Int32] = []
    standing.reserveCapacity(fates.count)
    for (position, fate) in fates.enumerated() where fate == .standing { standing.append(Int32(position)) }
    return standing
}

/// Settles one group of copies of the same key, positions ascending. Returns the position of the one that counts, and of
/// duplicates that an earlier file's copy took the place of, and what the others say of the one that counts.
private func settle<Element: Copied>(
    _ group: [Int], of copies: [Element], fates: inout [CopyFate], policy: Policy
) -> (standing: Int, replaced: [Int], marks: CopyMarks) {
    var replaced: [Int] = []
    // A few are compared one by one; many are told apart by their text first.
    let isCrowd = group.count > 8
    var buckets: [String: [Int]] = [:]
    for position in group {
        let text = isCrowd ? copies[position].canonical : ""
        let same = buckets[text]?.firstIndex { copies[$0].hasSameContent(as: copies[position]) }
        guard let same, let twin = buckets[text]?[same] else {
            buckets[text, default: []].append(position)
            continue
        }
        let isEarlier = copies[position].source.fileDate < copies[twin].source.fileDate
        fates[isEarlier ? twin : position] = .duplicate
        if isEarlier {
            buckets[text]![same] = position
            replaced.append(twin)
        }
    }
    var distinct = buckets.values.flatMap { $0 }
    distinct.sort { copies[$0].precedes(copies[$1], policy: policy) }
    let last = distinct.removeLast()
    for position in distinct { fates[position] = .superseded }
    fates[last] = .standing
    return (last, replaced, marks(of: copies[last], besides: distinct.map { copies[$0] }, policy: policy))
}

/// What the other copies say about the one that counts: a conflict between any two of them stays known.
private func marks<Element: Copied>(of standing: Element, besides others: [Element], policy: Policy) -> CopyMarks {
    let all = (others + [standing]).map { (copy: $0, rank: $0.rank(policy: policy)) }
    var marks: CopyMarks = []
    // Two copies that differ are an update where one is later; only neighbours in rank can be tied.
    for (earlier, later) in zip(all, all.dropFirst()) where earlier.rank.isComparable(with: later.rank) {
        if earlier.rank.isTied(with: later.rank) { marks.insert(.conflict) }
    }
    // Where any two differ in a field, one of them differs from the first copy that has it.
    var first: [(copy: Element, rank: CopyRank)] = []
    for one in all {
        let peers = first.lazy.filter { $0.rank.isComparable(with: one.rank) }
        if peers.contains(where: { $0.copy.contradicts(one.copy) }) { marks.insert(.conflict) }
        if !peers.contains(where: { $0.copy.isFull || !one.copy.isFull }) { first.append(one) }
    }
    if all.last!.rank.proof > 0, all.contains(where: { $0.rank.proof == 0 }) { marks.insert(.forged) }
    return marks
}
