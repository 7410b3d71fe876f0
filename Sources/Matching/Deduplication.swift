/// What became of one version of a piece of evidence.
public enum VersionOutcome: UInt8, Sendable {
    /// It counts.
    case current
    /// Another version counts; this one stays on record.
    case superseded
    /// It holds nothing that another version does not hold. It is counted and ignored.
    case duplicate
}

/// The versions of one kind of evidence, and which of them is current for each key.
///
/// Versions are deduplicated *before* anything is linked. Linked first, every credit that was delivered twice would
/// look like a second credit.
struct Deduplicated: Sendable {
    /// The first position of each key. Nil if no other evidence looks keys up.
    private(set) var keys: PositionTable?
    /// For each current version that is not the first of its key: the position of the first. Nodes are numbered by
    /// first positions.
    var firsts: [Int32: Int32] = [:]
    /// What became of each version, in the order given.
    var outcomes: [VersionOutcome]
    /// Positions of the current versions, ascending.
    var current: [Int32]
    /// Each superseded version with the current one of its key; those of a key by rank, ascending.
    var superseded: [(copy: Int32, current: Int32)]
    /// Each duplicate that was given before a version with the same content but from an earlier file, with the current
    /// version of its key.
    var replaced: [(copy: Int32, current: Int32)]
    /// What the other versions of a key reveal about its current version; only where they reveal anything.
    var marks: [(position: Int32, marks: VersionMarks)]
    /// What the labels of a version become by its duplicates; only where they change.
    var labels: [(position: Int32, labels: LabelSet)]

    /// The same without the table of keys, which frees its memory.
    consuming func withoutKeys() -> Deduplicated {
        keys = nil
        return self
    }

    /// For each current version, the position of the first version of its key.
    var currentFirsts: [Int32] {
        var firsts = current
        for (copy, first) in self.firsts { firsts[current.partitioningIndex { $0 >= copy }] = first }
        return firsts
    }
}

/// Decides which version of each key is current, and what the other versions reveal about it.
/// See docs/spec/rules.md#versions.
///
/// Equal keys are found with a hash table of positions. Only keys with several versions are looked at further; see
/// `chooseCurrent`. Of versions with the same content, the one from the earliest file is kept, whatever was imported
/// first. It takes the labels of the others: under each name, the value read last counts.
func deduplicate<Element: Versioned>(_ versions: [Element], policy: Policy) -> Deduplicated {
    var outcomes = [VersionOutcome](repeating: .current, count: versions.count)
    var table = PositionTable(capacity: versions.count)
    var groups: [Int: [Int]] = [:]
    table.enter(
        versions.indices, hash: { versions[$0].keyHash }, isSame: { versions[$0].hasSameKey(as: versions[$1]) },
        repeated: { first, position in groups[first, default: [first]].append(position) })
    var superseded: [(copy: Int32, current: Int32)] = []
    var replaced: [(copy: Int32, current: Int32)] = []
    var marks: [(position: Int32, marks: VersionMarks)] = []
    var firsts: [Int32: Int32] = [:]
    var labels: [(position: Int32, labels: LabelSet)] = []
    for (first, group) in groups {
        let (current, others, outdated, said) = chooseCurrent(
            group, of: versions, outcomes: &outcomes, labels: &labels, policy: policy)
        if current != first { firsts[Int32(current)] = Int32(first) }
        if !said.isEmpty { marks.append((Int32(current), said)) }
        for copy in others { superseded.append((Int32(copy), Int32(current))) }
        for copy in outdated { replaced.append((Int32(copy), Int32(current))) }
    }
    return Deduplicated(
        keys: table, firsts: firsts, outcomes: outcomes, current: currentPositions(outcomes), superseded: superseded,
        replaced: replaced,
        marks: marks, labels: labels)
}

private func currentPositions(_ outcomes: [VersionOutcome]) -> [Int32] {
    var current: [Int32] = []
    current.reserveCapacity(outcomes.count)
    for (position, outcome) in outcomes.enumerated() where outcome == .current { current.append(Int32(position)) }
    return current
}

/// Settles the versions of one key.
///
/// First, versions with the same content are reduced to the one from the earliest file. Then the remaining ones are
/// sorted by rank; the last is current and the others are superseded, unless the best of a lesser proof overrules it.
///
/// - Parameters:
///   - group: positions of the versions, ascending.
///   - labels: changed labels are added to it.
/// - Returns: the position of the current version, those of the superseded ones by rank, ascending, those of duplicates whose
///   place was taken by a version from an earlier file, and what the other versions reveal.
private func chooseCurrent<Element: Versioned>(
    _ group: [Int], of versions: [Element], outcomes: inout [VersionOutcome],
    labels: inout [(position: Int32, labels: LabelSet)], policy: Policy
) -> (current: Int, superseded: [Int], replaced: [Int], marks: VersionMarks) {
    var replaced: [Int] = []
    // A few versions are compared one by one. Many are first grouped by their canonical text, to avoid comparing all
    // pairs.
    let isCrowd = group.count > 8
    var buckets: [String: [Int]] = [:]
    // Where labels differ: the positions with the same content, ascending, by the one that is kept.
    let isLabelled = group.contains { versions[$0].labels != versions[group[0]].labels }
    var twins: [Int: [Int]] = [:]
    for position in group {
        let text = isCrowd ? versions[position].canonical : ""
        let same = buckets[text]?.firstIndex { versions[$0].hasSameContent(as: versions[position]) }
        guard let same, let twin = buckets[text]?[same] else {
            buckets[text, default: []].append(position)
            continue
        }
        let isEarlier = versions[position].source.fileDate < versions[twin].source.fileDate
        outcomes[isEarlier ? twin : position] = .duplicate
        if isLabelled {
            var all = twins.removeValue(forKey: twin) ?? [twin]
            all.append(position)
            twins[isEarlier ? position : twin] = all
        }
        if isEarlier {
            buckets[text]![same] = position
            replaced.append(twin)
        }
    }
    var distinct = buckets.values.flatMap { $0 }
    for (kept, twins) in twins {
        let joined = twins.reversed().reduce(LabelSet.none) { $0.filled(from: versions[$1].labels) }
        if joined != versions[kept].labels { labels.append((Int32(kept), joined)) }
    }
    distinct.sort { versions[$0].precedes(versions[$1], policy: policy) }
    var last = distinct.removeLast()
    let best = versions[last].rank(policy: policy)
    if let next = distinct.lastIndex(where: { versions[$0].rank(policy: policy).proof < best.proof }),
        versions[distinct[next]].rank(policy: policy).isOfEnvironment == best.isOfEnvironment,
        versions[distinct[next]].overrules(versions[last], policy: policy)
    {
        let better = last
        last = distinct.remove(at: next)
        distinct.append(better)
    }
    for position in distinct { outcomes[position] = .superseded }
    outcomes[last] = .current
    return (last, distinct, replaced, marks(of: versions[last], among: distinct.map { versions[$0] }, policy: policy))
}

/// What the other versions of a key reveal about the current one. A conflict between any two versions is kept, even if
/// neither of them is current.
///
/// - Parameter others: the superseded versions by rank, ascending.
private func marks<Element: Versioned>(of current: Element, among others: [Element], policy: Policy) -> VersionMarks {
    let all = (others + [current]).map { (copy: $0, rank: $0.rank(policy: policy)) }
    var marks: VersionMarks = []
    // Versions that differ are an update where one of them is later, whatever their environments. Sorted without those,
    // only neighbours can be tied.
    let ranks = all.map(\.rank).sorted { ($0.proof, $0.date, $0.step) < ($1.proof, $1.date, $1.step) }
    if zip(ranks, ranks.dropFirst()).contains(where: { $0.hasSameRank(as: $1) }) { marks.insert(.conflict) }
    // If any two versions differ in a compared field, at least one of them differs from the first version that has the
    // field. So it is enough to compare with those first versions. A version is left out only where one before it has
    // all of its fields.
    var first: [(copy: Element, rank: VersionRank)] = []
    for one in all {
        let peers = first.lazy.filter { $0.rank.isComparable(with: one.rank) }
        if peers.contains(where: { $0.copy.contradicts(one.copy) }) { marks.insert(.conflict) }
        let presence = one.copy.presence
        if !peers.contains(where: { $0.copy.presence & presence == presence }) { first.append(one) }
    }
    let last = all.last!
    if last.rank.proof > 0, all.contains(where: { $0.rank.proof == 0 }) { marks.insert(.forged) }
    let peers = all.lazy.filter { $0.rank.isOfEnvironment == last.rank.isOfEnvironment }
    if peers.contains(where: { $0.copy.reportsRefund(besides: last.copy) }) { marks.insert(.refunded) }
    if last.rank.proof >= 2 {
        let proven = all.filter { $0.rank.proof >= 2 }.map(\.copy)
        let filled = proven.reversed().reduce(into: last.copy) { $0.fill(from: $1, policy: policy) }
        if all.contains(where: { filled.disagrees(with: $0.copy, policy: policy) }) { marks.insert(.disagrees) }
    }
    return marks
}
