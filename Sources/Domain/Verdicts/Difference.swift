/// A field in which a subject's evidence disagrees, with both values as text.
public struct Difference: Hashable, Sendable {
    public var field: ComparedField
    /// The value that was paid for.
    public var left: String
    /// The value that was ordered or credited.
    public var right: String

    public init(field: ComparedField, left: String, right: String) {
        (self.field, self.left, self.right) = (field, left, right)
    }
}

/// The code of CSV, JSON and the ledger: `quantity: 2≠1`.
extension Difference: RawRepresentable, Codable {
    /// Nil if the text is not such a code.
    public init?(rawValue: String) {
        guard let colon = rawValue.firstRange(of: ": "),
            let field = ComparedField(rawValue: String(rawValue[..<colon.lowerBound])),
            let sign = rawValue[colon.upperBound...].firstIndex(of: "≠")
        else { return nil }
        self.init(
            field: field, left: String(rawValue[colon.upperBound..<sign]),
            right: String(rawValue[rawValue.index(after: sign)...]))
    }

    /// Field and values.
    public var rawValue: String { field.rawValue + ": " + left + "≠" + right }
}
