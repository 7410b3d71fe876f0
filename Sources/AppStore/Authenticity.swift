/// The result of checking a signature and its certificate chain.
enum Authenticity: Equatable {
    /// Signed under one of Apple's roots or a configured root. `root` is its name; nil if an earlier run verified the
    /// record.
    case genuine(root: String?)
    /// The signature is the leaf's and the chain has no fault, but it does not end in a trusted root.
    case unknownRoot(String)
    /// The signature or the chain is wrong.
    case broken(ProofFailure, String)
    /// Signed in a way that this version cannot check.
    case unjudged(String)

    /// The failure as a nightly run records it; nil if the record is genuine. A run accepts nothing unproven, so an
    /// unknown root and an unchecked signature fail too. See docs/spec/rules.md#proof-rank.
    var failure: ProofFailure? {
        switch self {
        case .genuine: nil
        case .unknownRoot, .unjudged: .untrustedChain
        case .broken(let failure, _): failure
        }
    }

    /// The result in words, for the operator.
    var reason: String {
        switch self {
        case .genuine(let root): root.map { "signed under \($0)" } ?? "verified in an earlier run"
        case .unknownRoot(let reason), .broken(_, let reason), .unjudged(let reason): reason
        }
    }
}

extension ChainVerdict {
    /// The result for something that this chain signed at `date`: the chain must have been valid at that time.
    func authenticity(at date: Instant) -> Authenticity {
        switch self {
        case .trusted(let root, let validity):
            if validity.contains(date.milliseconds) { return .genuine(root: root.name) }
            return .broken(.untrustedChain, "signed at \(date), when the certificates were not valid")
        case .untrusted(let authenticity): return authenticity
        }
    }
}

extension AppStoreSettings {
    /// Why `date` cannot be a signing date; nil if it can.
    func objection(to date: Instant) -> Authenticity? {
        guard date > now + clockSkewTolerance else { return nil }
        return .broken(.untrustedChain, "signed at \(date), which is in the future")
    }
}
