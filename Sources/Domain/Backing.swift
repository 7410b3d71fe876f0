/// What stands behind a subject.
public enum Backing: UInt8, Sendable {
    /// Apple's record proves that it was paid.
    case purchase
    /// Nobody has proven any of its transactions, or it names none.
    case unproven
    /// Its transaction carries a proof that does not hold. Where a case has no purchase it plays one.
    case invalid
    /// Its only transaction cannot be judged here.
    case unverifiable
}
