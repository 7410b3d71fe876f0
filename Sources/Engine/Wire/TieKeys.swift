/// The keys of a piece of evidence: a 64-bit hash of each identifier that it holds or names. Evidence that may belong
/// to one case shares a key, possibly through other evidence. Two identifiers with the same hash put more evidence
/// together than necessary, which is harmless.
struct TieKeys {
    private(set) var keys: [Int64] = []
    private var reader = IdentifierReader()
    private var names = NamedIdentifiers()

    /// The token that the piece of evidence carries.
    var token: Token? { names.token }

    mutating func removeAll() { keys.removeAll(keepingCapacity: true) }

    /// Replaces the keys by those of a piece of evidence. An account ties nothing together.
    mutating func set(of evidence: some DescribedEvidence) {
        removeAll()
        names.read(evidence)
        if let content = names.content { add(IdentifierKind.receipt.hash(content.words.0)) }
        for (kind, id) in names.ids where kind != .account { add(kind, id) }
    }

    mutating func add(_ key: Int64) {
        if !keys.contains(key) { keys.append(key) }
    }

    private mutating func add(_ kind: IdentifierKind, _ id: Identifier) {
        add(kind.hash(reader.stableHash(of: id)))
    }

    /// Adds the own key of a piece of evidence.
    mutating func add(_ subject: SubjectKey) {
        switch subject.kind {
        case .transaction: add(.transaction, subject.id)
        case .order: add(.order, subject.id)
        case .credit: add(.credit, subject.id)
        case .receipt:
            add(.receipt, subject.idWithoutAccount)
            // A receipt without an id of its own is named by its content. An id may look the same; then a key too many
            // does no harm.
            if let content = Digest256(hex: subject.id.text) {
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
