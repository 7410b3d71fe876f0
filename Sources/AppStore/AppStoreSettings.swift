public import Domain

/// What the configuration says about the app, and what a run knows: the input chooses none of it.
public struct AppStoreSettings: Sendable {
    /// The app's own bundle ids; a record of another app's proves nothing here.
    public let bundles: Set<Identifier>
    /// Whose record one without a bundle is; nil where several are configured.
    let defaultBundle: Identifier?
    /// What a record without an environment belongs to.
    public var environment: AppEnvironment
    /// Further root certificates (DER) besides Apple's own, which are built in. Made by `TrustedRoot.certificates`.
    public var trustedRoots: [[UInt8]]
    /// The run's "now": a date of signing more than five minutes later is refused.
    public var now: Instant
    /// Apple's number for the app. Nil: not compared.
    public var appAppleID: Int64?
    /// Whether a JWS with this SHA-256 was verified in an earlier run: then only its signature and chain are not
    /// checked again.
    public var isKnownSignature: @Sendable (Digest256) -> Bool

    public init(
        bundles: Set<Identifier>, environment: AppEnvironment, trustedRoots: [[UInt8]] = [], now: Instant,
        appAppleID: Int64? = nil, isKnownSignature: @escaping @Sendable (Digest256) -> Bool = { _ in false }
    ) {
        self.bundles = bundles
        defaultBundle = bundles.count == 1 ? bundles.first : nil
        self.environment = environment
        self.trustedRoots = trustedRoots
        self.now = now
        self.appAppleID = appAppleID
        self.isKnownSignature = isKnownSignature
    }
}

/// Why a line, or one element of a history page, could not be used.
public struct LineReject: Error, Hashable, Sendable {
    /// The field at fault as Apple names it, or nil where the whole is.
    public var column: String?
    /// What is wrong and what would be right, for a person.
    public var reason: String

    public init(column: String? = nil, reason: String) {
        self.column = column
        self.reason = reason
    }
}

/// What one line of a transactions feed came to.
public struct LineOutcome: Sendable {
    public var transactions: [Transaction] = []
    /// SHA-256 of each JWS whose signature and chain were verified now, for `isKnownSignature` of later runs.
    public var verified: [Digest256] = []
    /// The line itself, or single elements of it.
    public var rejects: [LineReject] = []

    public init() {}

    /// Nothing of the line could be used. A genuine record that is no purchase yields nothing and is no reject.
    public var isRejected: Bool { transactions.isEmpty && !rejects.isEmpty }

    /// Empty again, memory kept: one outcome serves a thread's whole file.
    public mutating func removeAll() {
        transactions.removeAll(keepingCapacity: true)
        verified.removeAll(keepingCapacity: true)
        rejects.removeAll(keepingCapacity: true)
    }
}
