/// What an `appAccountToken` identifies in this app: an account, an order, or nothing.
public enum TokenUse: String, Sendable, CaseIterable {
    case account, order, none
}
