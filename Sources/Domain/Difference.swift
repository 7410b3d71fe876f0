/// A field in which the evidence disagrees, with both values as people read them.
public struct Difference: Hashable, Sendable {
    public var field: ComparedField
    public var left: String
    public var right: String

    public init(field: ComparedField, left: String, right: String) {
        self.field = field
        self.left = left
        self.right = right
    }
}
