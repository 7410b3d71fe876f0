internal import Domain

/// One version of a piece of evidence, as docs/spec/rules.md#version-precedence ranks and compares it.
struct Copy<Piece> {
    var piece: Piece
    var key: Identifier
    var content: [UInt8]
    /// The rank of its proof: 4 a verified record, 3 a vouched one, 2 a verified receipt's line, 1 unverifiable, 0
    /// invalid.
    var proof = 4
    var isHome = true
    /// The date that decides which version is later, in milliseconds.
    var date: Int64
    /// The rank of an order's status, or 1 for a revoked transaction.
    var step = 0
    /// When a revoked transaction was revoked, in milliseconds.
    var refunded: Int64?
    var fileDate: BusinessDate

    /// Whether this version counts rather than the other: by proof, environment, date, status, file date, canonical
    /// bytes.
    func outranks(_ other: Copy) -> Bool {
        let left = [Int64(proof), isHome ? 1 : 0, date, Int64(step), Int64(fileDate.day)]
        let right = [
            Int64(other.proof), other.isHome ? 1 : 0, other.date, Int64(other.step), Int64(other.fileDate.day),
        ]
        if left != right { return right.lexicographicallyPrecedes(left) }
        return other.content.lexicographicallyPrecedes(content)
    }

    /// Proven versions are compared with proven ones, unverifiable with unverifiable, invalid with invalid.
    var court: Int { min(proof, 2) }
}

/// The result of deduplicating one kind of evidence.
struct Collapsed<Piece> {
    /// The current version of each key, with marks about its other versions.
    var standing: [(piece: Piece, marks: VersionMarks)] = []
    /// All proven versions of the keys whose proven versions disagree.
    var disputed: [Piece] = []
    var duplicates = 0
}

/// The same content under the same key is a duplicate. Of the remaining versions, one is current.
///
/// - Parameters:
///   - fill: takes what only the other version says about what was bought and for whom.
///   - disagree: whether another proven version speaks against the one that counts about that.
///   - differ: whether two versions have different kinds, accounts, products, amounts or currencies.
func collapse<Piece>(
    _ copies: [Copy<Piece>], fill: (inout Piece, Piece) -> Void = { _, _ in },
    disagree: (Piece, Piece) -> Bool = { _, _ in false }, differ: (Piece, Piece) -> Bool
) -> Collapsed<Piece> {
    var result = Collapsed<Piece>()
    for key in Set(copies.map(\.key)).sorted() {
        let all = copies.filter { $0.key == key }
        let contents = distinct(all)
        result.duplicates += all.count - contents.count
        var counting = contents.reduce(contents[0]) { $1.outranks($0) ? $1 : $0 }
        // "A refund that a vouched copy tells of, signed later, is not hidden by a verified one."
        let vouched = contents.filter { $0.proof == 3 }
        if let first = vouched.first, counting.proof == 4, counting.step == 0 {
            let best = vouched.reduce(first) { $1.outranks($0) ? $1 : $0 }
            if best.step == 1, max(best.date, best.refunded ?? .min) > counting.date, best.isHome == counting.isHome {
                // "If the vouched copy disagrees with the verified one, the verified one stands."
                if !disagree(counting.piece, best.piece) { counting = best }
            }
        }
        var marks: VersionMarks = []
        let hasConflict = contents.contains { one in contents.contains { conflict(one, $0, differ: differ) } }
        if hasConflict { marks.insert(.conflict) }
        if counting.proof > 0, contents.contains(where: { $0.proof == 0 }) { marks.insert(.forged) }
        let isHidden = contents.contains { one in
            (2...3).contains(one.proof) && one.step == 1 && counting.step == 0 && one.isHome == counting.isHome
                && max(one.date, one.refunded ?? .min) > counting.date
        }
        let isForgotten = contents.contains { one in
            one.proof == 3 && counting.proof == 3 && one.step == 1 && counting.step == 0
                && one.isHome == counting.isHome
        }
        if isHidden || isForgotten { marks.insert(.refunded) }
        var piece = counting.piece
        if counting.court == 2 {
            let proven = contents.filter { $0.court == 2 }.sorted { $0.outranks($1) }
            for other in proven { fill(&piece, other.piece) }
            if contents.contains(where: { disagree(piece, $0.piece) }) {
                marks.insert(.disagrees)
                result.disputed += proven.map(\.piece)
            }
        }
        result.standing.append((piece, marks))
    }
    return result
}

/// One version of each content, with the earliest file date: a duplicate is ignored, so it makes nothing later.
private func distinct<Piece>(_ copies: [Copy<Piece>]) -> [Copy<Piece>] {
    Set(copies.map(\.content)).map { content in
        copies.filter { $0.content == content }.min { $0.fileDate < $1.fileDate }!
    }
}

/// Different content is an update if the compared fields are unchanged and one version is later or better proven.
private func conflict<Piece>(_ one: Copy<Piece>, _ other: Copy<Piece>, differ: (Piece, Piece) -> Bool) -> Bool {
    if one.content == other.content || one.court != other.court { return false }
    let isLater = one.date != other.date || one.step != other.step || one.proof != other.proof
    return differ(one.piece, other.piece) || !isLater
}

/// Whether two values differ. A value that one side lacks is not compared.
func contradict<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return false }
    return left != right
}
