/// What an `appAccountToken` names in this app.
public enum TokenUse: String, Sendable, CaseIterable {
    case account, order, none
}
