/// What kind of revocation Apple's record names. `unnamed`: revoked, by a record that names none.
public enum RevocationType: UInt8, Sendable, CaseIterable {
    case unnamed, refundFull, refundProrated, familyRevoke, other
}
