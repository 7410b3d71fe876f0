/// A subject that contributed to the change of a closed month.
public struct RestatedSubject: Hashable, Sendable, Codable {
    /// The closed month, `YYYY-MM`.
    public var period: String
    /// The id of the subject's key, without its kind. Empty for a change that no subject explains.
    public var subject: String
    public var product: String?
    public var currency: Currency
    /// What the subject's movements in that month changed by.
    public var change: Movements
}
