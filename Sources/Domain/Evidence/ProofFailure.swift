/// Why a transaction's proof does not hold; `none` where it does.
public enum ProofFailure: UInt8, Sendable, CaseIterable {
    case none, badSignature, untrustedChain, wrongBundle
}
