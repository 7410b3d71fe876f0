/// The subject that a closed month changed by.
public struct RestatedSubject: Hashable, Sendable, Codable {
    public var period: String
    public var subject: String
    public var product: String?
    public var currency: String
    public var change: Movements

    public init(period: String, subject: String, product: String?, currency: String, change: Movements) {
        self.period = period
        self.subject = subject
        self.product = product
        self.currency = currency
        self.change = change
    }
}
