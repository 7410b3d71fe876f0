/// The kind and id of the piece of evidence that names a subject.
public struct SubjectKey: Hashable, Sendable {
    public enum Kind: UInt8, Sendable, CaseIterable {
        case transaction, order, receipt, credit
        /// The word in ids and reports.
        public var name: String {
            switch self {
            case .transaction: "transaction"
            case .order: "order"
            case .receipt: "receipt"
            case .credit: "credit"
            }
        }
    }
    // The larger field first: the key takes nine bytes, and neighbouring fields can fill the rest.
    public var id: Identifier
    public var kind: Kind

    public init(_ kind: Kind, _ id: Identifier) {
        self.kind = kind
        self.id = id
    }

    /// A receipt's key: its account and the id that the backend assigned, such as `receipt:player7/R1`, or the digest
    /// of its content where it has no id. In the account, `%` and `/` are written as `%25` and `%2F`.
    public init(_ receipt: Receipt) {
        guard let id = receipt.givenID else {
            self.init(.receipt, Identifier(receipt.content.hex))
            return
        }
        let account = receipt.account.text.replacing("%", with: "%25").replacing("/", with: "%2F")
        self.init(.receipt, Identifier(account + "/" + id.text))
    }

    /// The part of a receipt's key after the account; of any other key the id.
    public var idWithoutAccount: Identifier {
        guard kind == .receipt, let slash = id.text.firstIndex(of: "/") else { return id }
        return Identifier(id.text[slash...].dropFirst())
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

extension SubjectKey: TextCodable {
    /// From a text such as `order:ORD1000000042`; nil for any other text.
    public init?(text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let kind = Kind.allCases.first(where: { $0.name == text[..<colon] })
        else { return nil }
        let id = text[text.utf8.index(after: colon)...]
        if id.isEmpty { return nil }
        self.init(kind, Identifier(id))
    }
}
