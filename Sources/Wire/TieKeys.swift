public import Domain

/// The keys of a piece of evidence: a 64-bit hash of each identifier that it holds or names. Evidence that may belong
/// to one case shares a key, possibly through other evidence. Two identifiers with the same hash put more evidence
/// together than necessary, which is harmless.
struct TieKeys {
    private(set) var keys: [Int64] = []

    mutating func begin() { keys.removeAll(keepingCapacity: true) }

    mutating func add(_ kind: IdentifierKind, _ id: Identifier?, _ reader: inout IdentifierReader) {
        guard let id else { return }
        add(kind.hash(reader.stableHash(of: id)))
    }

    mutating func add(_ key: Int64) {
        if !keys.contains(key) { keys.append(key) }
    }

    /// Adds the own key of a piece of evidence.
    mutating func add(_ subject: SubjectKey, _ reader: inout IdentifierReader) {
        switch subject.kind {
        case .transaction: add(.transaction, subject.id, &reader)
        case .order: add(.order, subject.id, &reader)
        case .credit: add(.credit, subject.id, &reader)
        case .receipt:
            add(.receipt, subject.idWithoutAccount, &reader)
            // A receipt without an id of its own is named by its content. An id may look the same; then a key too many
            // does no harm.
            if let content = Digest256(hex: reader.text(of: subject.id)) {
                add(IdentifierKind.receipt.hash(content.words.0))
            }
        }
    }
}

/// The key of an identifier in a role.
public func tieKey(_ kind: IdentifierKind, _ id: Identifier) -> Int64 {
    var reader = IdentifierReader()
    return kind.hash(reader.stableHash(of: id))
}
