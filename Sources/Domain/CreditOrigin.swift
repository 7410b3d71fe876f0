/// Who gave the goods: the backend by itself, or a person at the customer service desk.
public enum CreditOrigin: UInt8, Sendable, CaseIterable {
    case auto, desk
    public var name: String { "\(word)" }
    public var word: StaticString { self == .auto ? "auto" : "desk" }
}
