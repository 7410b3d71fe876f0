/// What the checks of Apple's records need to know: the configuration's part about the app, and the run's clock. None
/// of it comes from the input.
public struct AppStoreSettings: Sendable {
    /// The bundle ids of the configured apps. A genuine record of another app proves nothing here.
    public let bundles: Set<Identifier>
    /// The app that a record without a bundle id belongs to; nil if several bundle ids are configured.
    let defaultBundle: Identifier?
    /// The environment of a record that names none.
    public var environment: AppEnvironment
    /// Additional trusted root certificates (DER), as `TrustedRoot.certificates` returns them. Apple's own are built
    /// in.
    public var trustedRoots: [[UInt8]]
    /// The run's current time. A record signed more than five minutes later than this is refused.
    public var now: Instant
    /// A row that tells of anything later than this is rejected. Apple dates a renewal up to a day ahead, and clocks and time
    /// zones of exports differ.
    public var latest: Instant { now + .days(1) }
    /// The app's Apple ID. If nil, it is not compared.
    public var appAppleID: Int64?
    /// Whether an earlier run verified the JWS with this SHA-256. If so, its signature and chain are not checked again;
    /// all other checks still run.
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

    /// Whether the record belongs to an app that is not configured. An id that the record lacks is not compared.
    /// See docs/spec/app-store.md#transaction-fields.
    func isForeign(_ bundle: Identifier?, appAppleID: Int64? = nil) -> Bool {
        if let bundle, bundle != defaultBundle, !bundles.contains(bundle) { return true }
        guard let expected = self.appAppleID, let appAppleID else { return false }
        return appAppleID != expected
    }
}

/// Why a line, or one element of a transaction history page, could not be used.
public struct LineReject: Error, Hashable, Sendable {
    /// The faulty field, by Apple's name; nil if the whole line or element is at fault.
    public var column: String?
    /// What is wrong and what would be right, for the operator.
    public var reason: String
    public var kind: Reject.Kind

    /// A rejection of the field `column`, or of the whole where it is nil.
    public init(column: String? = nil, reason: String, kind: Reject.Kind = .other) {
        (self.column, self.kind, self.reason) = (column, kind, reason)
    }

    /// Why a row that tells of `date` is rejected.
    public static func future(_ date: Instant) -> String {
        "\(date) is in the future; write when it happened, and nothing where it did not happen"
    }
}

/// The result of reading one line of a transactions feed.
public struct LineOutcome: Sendable {
    /// The transactions that the line contains, with their proof (verified, vouched or invalid).
    public var transactions: [Transaction] = []
    /// The SHA-256 of each JWS whose signature and chain were verified for this line. Later runs get them back through
    /// `isKnownSignature`.
    public var verified: [Digest256] = []
    /// What could not be used: the whole line, or single elements of it.
    public var rejects: [LineReject] = []
    /// The ids of those transactions whose price is that of an offer.
    public var offers: [Identifier] = []

    public init() {}

    /// Whether nothing in the line could be used. A genuine record that is not a purchase (a renewal, for example)
    /// yields no transactions and is not a reject.
    public var isRejected: Bool { transactions.isEmpty && !rejects.isEmpty }

    /// Empties the outcome and keeps its memory: one outcome serves all lines that a thread reads.
    public mutating func removeAll() {
        transactions.removeAll(keepingCapacity: true)
        verified.removeAll(keepingCapacity: true)
        rejects.removeAll(keepingCapacity: true)
        offers.removeAll(keepingCapacity: true)
    }
}
