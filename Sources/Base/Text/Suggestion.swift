/// The name that was probably meant; nil without a similar one.
///
/// Case, `-` and `_` are ignored. Of equally similar names, the first is returned.
public func nearest(_ typed: String, among names: [String]) -> String? {
    let wanted = plain(typed)
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
        let candidate = plain(name)
        let isBeginning = wanted.count >= 3 && candidate.starts(with: wanted)
        let distance = isBeginning ? 1 : editDistance(wanted, candidate)
        let allowed = max(1, (min(wanted.count, candidate.count) + 1) / 3)
        if distance <= allowed, distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
}

private func plain(_ name: String) -> [UInt8] {
    name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
}

/// The number of insertions, deletions, substitutions and swaps of neighbours that turn one into the other.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        for column in right.indices {
            let isSame = left[row] == right[column]
            var cost = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
