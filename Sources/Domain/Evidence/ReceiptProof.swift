/// The result of our own check of a receipt's data.
public enum ReceiptProof: UInt8, Sendable, CaseIterable {
    /// The row has no data, or the data was not checked.
    case unchecked
    /// Genuine, and it lists the transaction that the receipt claims.
    case listsClaim
    /// Genuine, but it does not list the transaction that the receipt claims.
    case lacksClaim
    /// The signature or certificate chain does not hold.
    case forged
    /// Genuine, but of another app.
    case wrongBundle
    /// It cannot be verified here.
    case unverifiable
}
