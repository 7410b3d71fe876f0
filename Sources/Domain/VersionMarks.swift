/// What is known of the other copies of a piece of evidence, whose standing copy this is.
public struct VersionMarks: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A copy of it disagrees in a way that no update does.
    public static let conflict = VersionMarks(rawValue: 1)
    /// A copy of it carries a proof that does not hold.
    public static let forged = VersionMarks(rawValue: 2)
}
