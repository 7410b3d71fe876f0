/// What gets exactly one verdict, by the kind and id of the evidence that names it.
public struct SubjectKey: Hashable, Sendable {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case transaction, order, receipt, credit
        public var name: String { "\(word)" }
        public var word: StaticString {
            switch self {
            case .transaction: "transaction"
            case .order: "order"
            case .receipt: "receipt"
            case .credit: "credit"
            }
        }
    }
    // The larger first: nine bytes, of which others can fill the rest.
    public var id: Identifier
    public var kind: Kind

    public init(_ kind: Kind, _ id: Identifier) {
        self.kind = kind
        self.id = id
    }

    /// `transaction:2000000123456789`: what an exception's id is the hash of.
    public var text: String { kind.name + ":" + id.text }
}

extension SubjectKey: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        left.kind == right.kind ? left.id < right.id : left.kind.rawValue < right.kind.rawValue
    }
}
