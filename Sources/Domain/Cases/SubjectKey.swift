/// The kind and id of the piece of evidence that names a subject.
public struct SubjectKey: Hashable, Sendable {
    /// The kind of evidence.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case transaction, order, receipt, credit
        /// The word in ids and reports.
        public var name: String { "\(word)" }
        /// The same as a compile-time constant.
        public var word: StaticString {
            switch self {
            case .transaction: "transaction"
            case .order: "order"
            case .receipt: "receipt"
            case .credit: "credit"
            }
        }
    }
    // The larger field first: the key takes nine bytes, and neighbouring fields can fill the rest.
    /// The id of that piece of evidence.
    public var id: Identifier
    /// The kind of that piece of evidence.
    public var kind: Kind

    public init(_ kind: Kind, _ id: Identifier) {
        self.kind = kind
        self.id = id
    }

    /// `transaction:2000000123456789`. An exception's id is the hash of this text.
    public var text: String { kind.name + ":" + id.text }
}

extension SubjectKey: Comparable {
    /// By kind, then by the bytes of the id.
    public static func < (left: Self, right: Self) -> Bool {
        left.kind == right.kind ? left.id < right.id : left.kind.rawValue < right.kind.rawValue
    }
}
