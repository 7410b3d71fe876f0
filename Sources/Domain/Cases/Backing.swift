/// The kind of record that a subject rests on.
public enum Backing: UInt8, Sendable {
    /// Apple's record proves the payment.
    case purchase
    /// No record proves any of its transactions, or the subject names none.
    case unproven
    /// Its transaction carries a proof that does not hold. In a case without a purchase the transaction takes the
    /// purchase's place, so that credits can be attributed to it.
    case invalid
    /// Its only transaction cannot be verified here.
    case unverifiable
}
