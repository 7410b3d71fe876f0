/// What an identifier may refer to. The raw values are written to JSON.
public enum LookupKind: String, Sendable, CaseIterable {
    case transaction, order, credit, receipt, account, token, line, exception, device, retry
    case emailedOrder = "emailed_order"

    /// The kinds of identifiers in evidence have the same words.
    init(_ kind: IdentifierKind) { self = LookupKind(rawValue: "\(kind)")! }
}
