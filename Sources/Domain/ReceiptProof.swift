/// What our own check of a receipt's data said.
public enum ReceiptProof: UInt8, Sendable, CaseIterable {
    /// No data, or data that was not checked.
    case unchecked
    /// Genuine, and lists the transaction that the receipt claims.
    case listsClaim
    /// Genuine, and does not list the transaction that the receipt claims.
    case lacksClaim
    /// Signature or chain does not hold.
    case forged
    /// Genuine, but of another app.
    case wrongBundle
    case unverifiable
}
