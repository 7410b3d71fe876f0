/// Who gave the goods: the backend automatically, or a person at the customer service desk.
public enum CreditOrigin: UInt8, Sendable, CaseIterable {
    case auto, desk
    /// The word in the credits feed.
    public var name: String { self == .auto ? "auto" : "desk" }
}
