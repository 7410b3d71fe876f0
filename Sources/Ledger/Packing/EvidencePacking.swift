/// How the ledger keeps the fields of evidence.
extension FieldVisitor where Self: ~Copyable {
    @inline(__always)
    mutating func id(
        _ name: StaticString, _ value: inout Identifier?, as use: IdentifierUse, isRequired: Bool
    ) throws(Failure) {
        if case .personal = use { return try field(name, &value, as: PlainText(), isRequired: isRequired) }
        if let value, let kind = use.kind, use != .original(of: value) { isFound(by: kind, value) }
        let packing =
            switch use {
            case .own, .personal: Spelled()
            case .word: Spelled(word: true)
            case .order: Spelled(unless: .order("order_id"), first.order)
            case .account: Spelled(unless: .order("account_id"), first.account)
            case .transaction: Spelled(unless: .transaction("transaction_id"), first.transaction)
            case .original(let id): Spelled(unless: .own("transaction_id"), id)
            }
        try field(name, &value, as: packing, isRequired: isRequired)
    }

    @inline(__always)
    mutating func token(_ name: StaticString, _ value: inout Token?, isOfPurchase: Bool) throws(Failure) {
        if let value { isFound(by: value) }
        try field(
            name, &value,
            as: isOfPurchase ? TokenBlob(unless: .transaction("app_account_token"), first.token) : TokenBlob())
    }

    @inline(__always)
    mutating func instant(_ name: StaticString, _ value: inout Instant?, isRequired: Bool) throws(Failure) {
        try field(name, &value, as: SinceFile(), isRequired: isRequired)
    }

    @inline(__always)
    mutating func number<Value: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ value: inout Value?, in range: ClosedRange<Int64>, isRequired: Bool
    ) throws(Failure) {
        try field(name, &value, as: Number(range), isRequired: isRequired)
    }

    @inline(__always)
    mutating func amount(
        _ name: StaticString, _ value: inout Int64?, in currency: inout Currency?
    ) throws(Failure) {
        try field(name, &value, as: Number.amount)
        try field("currency", &currency, as: CurrencyWord())
    }

    @inline(__always)
    mutating func word<Value>(
        _ name: StaticString, _ value: inout Value, of words: CaseWords<Value>
    ) throws(Failure) {
        try field(name, &value, as: words)
    }

    @inline(__always)
    mutating func code<Value: RawRepresentable<UInt8> & Sendable>(
        _ name: StaticString, _ value: inout Value?, isRequired: Bool
    ) throws(Failure) {
        try field(name, &value, as: Code(), isRequired: isRequired)
    }

    @inline(__always)
    mutating func flag(_ name: StaticString, _ value: inout Bool?, isRequired: Bool) throws(Failure) {
        try field(name, &value, as: Flag(), isRequired: isRequired)
    }

    @inline(__always)
    mutating func labels(_ value: inout LabelSet) throws(Failure) {
        var found = value.isEmpty ? nil : value
        try field("labels", &found, as: LabelsText())
        value = found ?? .none
    }

    @inline(__always)
    mutating func digest(_ name: StaticString, _ value: inout Digest256) throws(Failure) {
        isFound(by: value)
        try field(name, &value, as: DigestBlob())
    }
}
