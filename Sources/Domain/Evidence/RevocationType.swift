/// The kind of revocation in Apple's record. `unnamed`: the record is revoked without naming a kind.
public enum RevocationType: UInt8, Sendable, CaseIterable {
    case unnamed, refundFull, refundProrated, familyRevoke, other
}
