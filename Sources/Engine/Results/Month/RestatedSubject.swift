public import Domain

/// A subject that contributed to the change of a closed month.
public struct RestatedSubject: Hashable, Sendable, Codable {
    /// The closed month, `YYYY-MM`.
    public var period: String
    /// The id of the subject's key, without its kind. Empty for a change that no subject explains.
    public var subject: String
    /// The product, where it is known.
    public var product: String?
    /// ISO 4217, three letters.
    public var currency: Currency
    /// What the subject's movements in that month changed by.
    public var change: Movements
}
