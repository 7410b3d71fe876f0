/// A field in which a subject's evidence disagrees, with both values as text for people.
public struct Difference: Hashable, Sendable {
    /// The field compared.
    public var field: ComparedField
    /// The value that was paid for.
    public var left: String
    /// The value that was ordered or credited.
    public var right: String

    public init(field: ComparedField, left: String, right: String) {
        self.field = field
        self.left = left
        self.right = right
    }
}
