internal import Domain

/// What the check of a signature and its chain came to.
enum Authenticity: Equatable {
    /// Apple's (or a configured root's owner) signed it. The root is nil where an earlier run found that out.
    case genuine(root: String?)
    /// Whoever signed it is nobody known here: a chain without fault that ends in no trusted root, and a signature
    /// that is its leaf's.
    case unknownRoot(String)
    case broken(ProofFailure, String)
    /// Made in a way that cannot be checked here.
    case unjudged(String)

    /// What it means in a night, where nothing unproven may pass. RULES §3.
    var failure: ProofFailure? {
        switch self {
        case .genuine: nil
        case .unknownRoot, .unjudged: .untrustedChain
        case .broken(let failure, _): failure
        }
    }

    var reason: String {
        switch self {
        case .genuine(let root): root.map { "signed under \($0)" } ?? "verified in an earlier run"
        case .unknownRoot(let reason), .broken(_, let reason), .unjudged(let reason): reason
        }
    }
}

extension ChainVerdict {
    /// Whether a chain that signed something at `date` vouches for it.
    func authenticity(at date: Instant) -> Authenticity {
        switch self {
        case .trusted(let root, let validity):
            if validity.contains(date.milliseconds) { return .genuine(root: root.name) }
            return .broken(.untrustedChain, "signed at \(date), when the certificates were not valid")
        case .unknownRoot(let reason): return .unknownRoot(reason)
        case .broken(let reason): return .broken(.untrustedChain, reason)
        }
    }
}

extension AppStoreSettings {
    /// A clock may be wrong by this much.
    private static let skew = Milliseconds.minutes(5)

    /// Why nothing can have been signed at `date`; nil where it can.
    func objection(to date: Instant) -> Authenticity? {
        guard date > now + Self.skew else { return nil }
        return .broken(.untrustedChain, "signed at \(date), which is in the future")
    }
}
