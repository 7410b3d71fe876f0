/// What an identifier may refer to. The raw values are written to JSON.
public enum LookupKind: String, Sendable, CaseIterable {
    case transaction, order, credit, receipt, account, token, line, exception, device, retry
    case emailedOrder = "emailed_order"
}
