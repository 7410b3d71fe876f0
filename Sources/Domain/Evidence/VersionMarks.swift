/// What the other versions of a piece of evidence reveal about its current version.
public struct VersionMarks: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Two versions contradict each other in a way that an update does not explain.
    public static let conflict = VersionMarks(rawValue: 1)
    /// Another version carries a proof that does not hold.
    public static let forged = VersionMarks(rawValue: 2)
    /// The data of a client's receipt, which Apple signed, or another vouched version shows a refund that the current version
    /// does not.
    public static let refunded = VersionMarks(rawValue: 4)
    /// Another proven version of a transaction says something else about what was bought and for whom.
    public static let disagrees = VersionMarks(rawValue: 8)
}
