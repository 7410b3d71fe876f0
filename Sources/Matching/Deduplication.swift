internal import Domain

/// What became of one copy of a piece of evidence.
public enum VersionOutcome: UInt8, Sendable {
    /// It counts.
    case current
    /// Another copy counts; this one stays on record.
    case superseded
    /// It says only what another copy says: counted, ignored.
    case duplicate
}

/// Copies of one kind of evidence, of which one a key counts. Copies collapse *before* anything is joined.
struct Deduplicated: Sendable {
    /// The first position of each key, as long as others may name it.
    private(set) var keys: PositionTable?
    /// Of copies that count and are not the first of their key, the first.
    var firsts: [Int32: Int32] = [:]
    /// Of each copy, in the order given.
    var outcomes: [VersionOutcome]
    /// Positions of the copies that count, ascending.
    var current: [Int32]
    /// Each superseded copy with the one that counts instead.
    var superseded: [(copy: Int32, current: Int32)]
    /// Each duplicate given before its twin, whose file is the earlier one, with the copy that counts.
    var replaced: [(copy: Int32, current: Int32)]
    /// What the other copies say of those that count, where they say anything.
    var marks: [(position: Int32, marks: VersionMarks)]

    /// Without the keys, whose memory then serves others.
    consuming func withoutKeys() -> Deduplicated {
        keys = nil
        return self
    }

    /// Of each copy that counts, the first of its key.
    var standingFirsts: [Int32] {
        var firsts = current
        for (copy, first) in self.firsts { firsts[current.partitioningIndex { $0 >= copy }] = first }
        return firsts
    }
}

/// Decides which copy of each key counts, and what the others say of it. RULES §1.
///
/// Of copies with the same content the one of the earliest file is kept, whatever was imported first.
func deduplicate<Element: Versioned>(_ versions: [Element], policy: Policy) -> Deduplicated {
    var outcomes = [VersionOutcome](repeating: .current, count: versions.count)
    var table = PositionTable(capacity: versions.count)
    var groups: [Int: [Int]] = [:]
    table.enter(
        versions.indices, hash: { versions[$0].keyHash }, isSame: { versions[$0].hasSameKey(as: versions[$1]) },
        again: { first, position in groups[first, default: [first]].append(position) })
    var superseded: [(copy: Int32, current: Int32)] = []
    var replaced: [(copy: Int32, current: Int32)] = []
    var marks: [(position: Int32, marks: VersionMarks)] = []
    var firsts: [Int32: Int32] = [:]
    for (first, group) in groups {
        let (current, outdated, said) = settle(group, of: versions, outcomes: &outcomes, policy: policy)
        if current != first { firsts[Int32(current)] = Int32(first) }
        if !said.isEmpty { marks.append((Int32(current), said)) }
        for copy in group where outcomes[copy] == .superseded { superseded.append((Int32(copy), Int32(current))) }
        for copy in outdated { replaced.append((Int32(copy), Int32(current))) }
    }
    return Deduplicated(
        keys: table, firsts: firsts, outcomes: outcomes, current: standingPositions(outcomes), superseded: superseded,
        replaced: replaced,
        marks: marks)
}

private func standingPositions(_ outcomes: [VersionOutcome]) -> [Int32] {
    var current: [Int32] = []
    current.reserveCapacity(outcomes.count)
    for (position, outcome) in outcomes.enumerated() where outcome == .current { current.append(Int32(position)) }
    return current
}

/// Settles one group of copies of the same key, positions ascending. Returns the position of the one that counts, and of
/// duplicates that an earlier file's copy took the place of, and what the others say of the one that counts.
private func settle<Element: Versioned>(
    _ group: [Int], of versions: [Element], outcomes: inout [VersionOutcome], policy: Policy
) -> (current: Int, replaced: [Int], marks: VersionMarks) {
    var replaced: [Int] = []
    // A few are compared one by one; many are told apart by their text first.
    let isCrowd = group.count > 8
    var buckets: [String: [Int]] = [:]
    for position in group {
        let text = isCrowd ? versions[position].canonical : ""
        let same = buckets[text]?.firstIndex { versions[$0].hasSameContent(as: versions[position]) }
        guard let same, let twin = buckets[text]?[same] else {
            buckets[text, default: []].append(position)
            continue
        }
        let isEarlier = versions[position].source.fileDate < versions[twin].source.fileDate
        outcomes[isEarlier ? twin : position] = .duplicate
        if isEarlier {
            buckets[text]![same] = position
            replaced.append(twin)
        }
    }
    var distinct = buckets.values.flatMap { $0 }
    distinct.sort { versions[$0].precedes(versions[$1], policy: policy) }
    let last = distinct.removeLast()
    for position in distinct { outcomes[position] = .superseded }
    outcomes[last] = .current
    return (last, replaced, marks(of: versions[last], besides: distinct.map { versions[$0] }, policy: policy))
}

/// What the other copies say about the one that counts: a conflict between any two of them stays known.
private func marks<Element: Versioned>(of current: Element, besides others: [Element], policy: Policy) -> VersionMarks {
    let all = (others + [current]).map { (copy: $0, rank: $0.rank(policy: policy)) }
    var marks: VersionMarks = []
    // Two copies that differ are an update where one is later; only neighbours in rank can be tied.
    for (earlier, later) in zip(all, all.dropFirst()) where earlier.rank.isComparable(with: later.rank) {
        if earlier.rank.isTied(with: later.rank) { marks.insert(.conflict) }
    }
    // Where any two differ in a field, one of them differs from the first copy that has it.
    var first: [(copy: Element, rank: VersionRank)] = []
    for one in all {
        let peers = first.lazy.filter { $0.rank.isComparable(with: one.rank) }
        if peers.contains(where: { $0.copy.contradicts(one.copy) }) { marks.insert(.conflict) }
        if !peers.contains(where: { $0.copy.isFull || !one.copy.isFull }) { first.append(one) }
    }
    if all.last!.rank.proof > 0, all.contains(where: { $0.rank.proof == 0 }) { marks.insert(.forged) }
    return marks
}
