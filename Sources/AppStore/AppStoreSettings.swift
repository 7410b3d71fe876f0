package import Domain

/// What the configuration says about the app, and what a run knows: the input chooses none of it.
package struct AppStoreSettings: Sendable {
    /// The app's own bundle ids; a record of another app's proves nothing here.
    package var bundles: Set<Identifier>
    /// What a record without an environment belongs to.
    package var environment: AppEnvironment
    /// Further root certificates (DER) besides Apple's own, which are built in. Made by `TrustedRoot.certificates`.
    package var trustedRoots: [[UInt8]]
    /// The run's "now": a date of signing more than five minutes later is refused.
    package var now: Instant
    /// Apple's number for the app. Nil: not compared.
    package var appAppleID: Int64?
    /// Whether a JWS with this SHA-256 was verified in an earlier run: then only its signature and chain are not
    /// checked again.
    package var isKnownSignature: @Sendable (Digest256) -> Bool

    package init(
        bundles: Set<Identifier>, environment: AppEnvironment, trustedRoots: [[UInt8]] = [], now: Instant,
        appAppleID: Int64? = nil, isKnownSignature: @escaping @Sendable (Digest256) -> Bool = { _ in false }
    ) {
        self.bundles = bundles
        self.environment = environment
        self.trustedRoots = trustedRoots
        self.now = now
        self.appAppleID = appAppleID
        self.isKnownSignature = isKnownSignature
    }

    /// Whose record one without a bundle is; nil where several are configured.
    var defaultBundle: Identifier? { bundles.count == 1 ? bundles.first : nil }
}

/// Why a line, or one element of a history page, could not be used.
package struct LineReject: Error, Hashable, Sendable {
    /// The field at fault as Apple names it, or nil where the whole is.
    package var column: String?
    /// What is wrong and what would be right, for a person.
    package var reason: String

    package init(column: String? = nil, reason: String) {
        self.column = column
        self.reason = reason
    }
}

/// What one line of a transactions feed came to.
package struct LineOutcome: Sendable {
    package var transactions: [Transaction] = []
    /// SHA-256 of each JWS whose signature and chain were verified now, for `isKnownSignature` of later runs.
    package var verified: [Digest256] = []
    /// The line itself, or single elements of it.
    package var rejects: [LineReject] = []

    package init() {}

    /// Nothing of the line could be used. A genuine record that is no purchase yields nothing and is no reject.
    package var isRejected: Bool { transactions.isEmpty && !rejects.isEmpty }

    /// Empty again, memory kept: one outcome serves a thread's whole file.
    package mutating func removeAll() {
        transactions.removeAll(keepingCapacity: true)
        verified.removeAll(keepingCapacity: true)
        rejects.removeAll(keepingCapacity: true)
    }
}
