/// Why bytes are not the requested JSON.
public struct JSONError: Error, Hashable, Sendable {
    /// The number of bytes before the fault.
    public var offset: Int
    /// What was expected or is wrong, as the rest of "at byte 17: …".
    public var reason: String

    /// An error after `offset` bytes.
    public init(_ offset: Int, _ reason: String) {
        self.offset = offset
        self.reason = reason
    }
}
