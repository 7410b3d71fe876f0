/// Who gave the goods: the backend automatically, or a person at the customer service desk. The raw values are the words
/// in the credits feed.
public enum CreditOrigin: String, Sendable, CaseIterable {
    case auto, desk
}
