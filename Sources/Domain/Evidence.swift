/// What is known of the other copies of a piece of evidence, whose standing copy this is.
public struct VersionMarks: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A copy of it disagrees in a way that no update does.
    public static let conflict = VersionMarks(rawValue: 1)
    /// A copy of it carries a proof that does not hold.
    public static let forged = VersionMarks(rawValue: 2)
}

/// How far along an order is, as the backend says; a later case is a further status.
public enum OrderStatus: UInt8, Sendable, CaseIterable, Comparable {
    case created, pending, paid, credited, failed, cancelled, refunded

    public var name: String { "\(word)" }
    public var word: StaticString {
        switch self {
        case .created: "created"
        case .pending: "pending"
        case .paid: "paid"
        case .credited: "credited"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .refunded: "refunded"
        }
    }
    public init?(name: String) {
        guard let status = Self.byName[name] else { return nil }
        self = status
    }
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A row of the backend's order table. RULES §1.
public struct Order: Equatable, Sendable {
    public var id: Identifier
    public var account: Identifier
    public var product: Identifier
    @PackedOptional public var token: Token?
    @PackedOptional public var transaction: Identifier?
    @PackedOptional public var bundle: Identifier?
    public var createdAt: Instant
    @PackedOptional public var updatedAt: Instant?
    /// For the whole quantity. Nil where amount or currency is absent.
    @PackedOptional public var amount: Money?
    // What is small stands behind what is large, without gaps: there are as many as purchases.
    public var status: OrderStatus
    public var marks: VersionMarks = []
    public var quantity: Int32 = 1
    public var source: Provenance

    @inlinable
    public init(
        id: Identifier, account: Identifier, product: Identifier, status: OrderStatus, createdAt: Instant,
        source: Provenance = .none
    ) {
        self.id = id
        self.account = account
        self.product = product
        self.status = status
        self.createdAt = createdAt
        self.source = source
    }
}

public enum CreditKind: UInt8, Sendable, CaseIterable {
    case credit, reversal
    public var name: String { "\(word)" }
    public var word: StaticString { self == .credit ? "credit" : "reversal" }
}

/// Who gave the goods: the backend by itself, or a person at the customer service desk.
public enum CreditOrigin: UInt8, Sendable, CaseIterable {
    case auto, desk
    public var name: String { "\(word)" }
    public var word: StaticString { self == .auto ? "auto" : "desk" }
}

/// A row of the backend's fulfilment ledger: goods or coins given, or taken back. RULES §1.
public struct Credit: Equatable, Sendable {
    public var id: Identifier
    public var account: Identifier
    @PackedOptional public var order: Identifier?
    @PackedOptional public var transaction: Identifier?
    @PackedOptional public var product: Identifier?
    public var creditedAt: Instant
    /// Nil: the purchase's own quantity.
    @PackedOptional public var quantity: Int32?
    public var kind: CreditKind
    public var origin: CreditOrigin
    /// Not a row of the credit ledger: what an order's status `credited` stands for.
    public var isImplicit = false
    public var marks: VersionMarks = []
    public var source: Provenance

    @inlinable
    public init(
        id: Identifier, account: Identifier, kind: CreditKind = .credit, origin: CreditOrigin = .auto,
        creditedAt: Instant, source: Provenance = .none
    ) {
        self.id = id
        self.account = account
        self.kind = kind
        self.origin = origin
        self.creditedAt = creditedAt
        self.source = source
    }
}

public enum ProductType: UInt8, Sendable, CaseIterable {
    case consumable, nonConsumable, autoRenewable, nonRenewing

    /// As the products feed writes it.
    public var name: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non_consumable"
        case .autoRenewable: "auto_renewable"
        case .nonRenewing: "non_renewing"
        }
    }
}

/// The App Store environment that a transaction belongs to. `other` is one this version does not know.
public enum AppEnvironment: UInt8, Sendable, CaseIterable {
    case production, sandbox, xcode, localTesting, other

    /// As Apple writes it.
    public var name: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .xcode: "Xcode"
        case .localTesting: "LocalTesting"
        case .other: "other"
        }
    }
}

public enum Ownership: UInt8, Sendable, CaseIterable {
    case purchased, familyShared, other
}

/// What kind of revocation Apple's record names. `unnamed`: revoked, by a record that names none.
public enum RevocationType: UInt8, Sendable, CaseIterable {
    case unnamed, refundFull, refundProrated, familyRevoke, other
}

/// Why a transaction's proof does not hold.
public enum ProofFailure: UInt8, Sendable, CaseIterable {
    case none, badSignature, untrustedChain, wrongBundle
}

/// What stands behind a transaction, weakest first: proof outranks date.
public enum Proof: UInt8, Sendable, CaseIterable, Comparable {
    /// Its signature, chain or bundle does not hold.
    case invalid
    /// It cannot be judged here; accuses nobody.
    case unverifiable
    /// The backend says that it checked.
    case vouched
    /// Verified by us from Apple's signature.
    case verified

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Apple's refund or withdrawal of a transaction.
public struct Revocation: Hashable, Sendable {
    public var at: Instant
    public var type: RevocationType
    /// Apple's code: 0 other, 1 an issue within the app.
    @PackedOptional public var reason: Int32?
    /// Thousandths of a percent of the price, 0…100 000.
    @PackedOptional public var percentage: Int32?

    public init(at: Instant, type: RevocationType = .unnamed, reason: Int32? = nil, percentage: Int32? = nil) {
        self.at = at
        self.type = type
        self.reason = reason
        self.percentage = percentage
    }
}

extension Revocation: HasSentinel {
    public static var absent: Revocation { Revocation(at: .absent) }
}

/// What Apple says of one transaction, proven by Apple's signature or vouched for by the backend. RULES §1, APPLE §1.
public struct Transaction: Equatable, Sendable {
    public var id: Identifier
    @PackedOptional public var original: Identifier?
    /// `webOrderLineItemId`: one subscription period, whatever ids it is seen under.
    @PackedOptional public var line: Identifier?
    @PackedOptional public var bundle: Identifier?
    public var product: Identifier
    public var purchasedAt: Instant
    @PackedOptional public var expiresAt: Instant?
    /// When Apple signed this copy: the newest counts.
    @PackedOptional public var signedAt: Instant?
    @PackedOptional public var token: Token?
    /// Three letters as Apple writes it (`JPN`).
    @PackedOptional public var storefront: Identifier?
    /// The customer price for the whole quantity. Nil: unknown, not zero.
    @PackedOptional public var price: Price?
    // As in an order: no gaps.
    /// Nil: from the product list.
    public var type: ProductType?
    public var environment: AppEnvironment
    public var ownership: Ownership = .purchased
    public var isUpgraded = false
    public var proof: Proof
    public var failure: ProofFailure = .none
    @PackedOptional public var revocation: Revocation?
    public var quantity: Int32 = 1
    /// Known only from a receipt's data, which lists it without a price.
    public var isFromReceipt = false
    public var marks: VersionMarks = []
    public var source: Provenance

    @inlinable
    public init(
        id: Identifier, product: Identifier, purchasedAt: Instant, environment: AppEnvironment = .production,
        proof: Proof = .vouched, source: Provenance = .none
    ) {
        self.id = id
        self.product = product
        self.purchasedAt = purchasedAt
        self.environment = environment
        self.proof = proof
        self.source = source
    }
}

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

/// What a client uploaded, and what the backend's check of it answered. RULES §1.
public struct Receipt: Equatable, Sendable {
    @PackedOptional public var givenID: Identifier?
    /// SHA-256 of the row's canonical content: its key where no id was given.
    public var content: Digest256
    public var account: Identifier
    @PackedOptional public var order: Identifier?
    /// The one transaction that it claims; what else its data lists ties nothing.
    @PackedOptional public var transaction: Identifier?
    @PackedOptional public var product: Identifier?
    /// Personal data; never in logs or reports.
    @PackedOptional public var device: Identifier?
    public var receivedAt: Instant
    /// verifyReceipt's code, or the backend's own.
    @PackedOptional public var verifyStatus: Int32?
    public var isRetryable: Bool?
    public var proof: ReceiptProof = .unchecked
    public var marks: VersionMarks = []
    public var source: Provenance

    @inlinable
    public init(
        id: Identifier? = nil, content: Digest256, account: Identifier, receivedAt: Instant, source: Provenance = .none
    ) {
        self.content = content
        self.account = account
        self.receivedAt = receivedAt
        self.source = source
        self.givenID = id
    }

    /// Its id for people and reports: the given one, else the content's digest in hexadecimal.
    public var id: String { givenID?.text ?? content.hex }
}

/// A row of the product list; from the first instant of `validFrom` to the last of `validTo`.
public struct Product: Equatable, Sendable {
    public var id: Identifier
    public var type: ProductType?
    public var name: String?
    public var price: Money?
    public var validFrom: BusinessDate?
    public var validTo: BusinessDate?
    public var source: Provenance

    public init(id: Identifier, source: Provenance = .none) {
        self.id = id
        self.source = source
    }
}

/// What became of a retry entry, as its consumer says. RULES §5.
public enum AckOutcome: String, Sendable, CaseIterable {
    case applied
    case alreadyApplied = "already_applied"
    case preconditionFailed = "precondition_failed"
    case retryableError = "retryable_error"
    case permanentError = "permanent_error"
}

/// A consumer's answer to a retry entry.
public struct Acknowledgement: Equatable, Sendable {
    public var key: String
    public var outcome: AckOutcome
    public var at: Instant
    public var message: String?
    public var source: Provenance

    public init(key: String, outcome: AckOutcome, at: Instant, message: String? = nil, source: Provenance = .none) {
        self.key = key
        self.outcome = outcome
        self.at = at
        self.message = message
        self.source = source
    }
}

/// The relation of Apple's e-mailed order id (`M…`) to the transactions of that order. APPLE §4.
public struct OrderLookup: Equatable, Sendable {
    public var emailedOrder: Identifier
    public var transaction: Identifier
    public var source: Provenance

    public init(emailedOrder: Identifier, transaction: Identifier, source: Provenance = .none) {
        self.emailedOrder = emailedOrder
        self.transaction = transaction
        self.source = source
    }
}

/// What the check of a receipt ended in; where receipts disagree, the later case outweighs the earlier. RULES §3.
public enum CheckOutcome: UInt8, Sendable, Comparable {
    case unverified, rejected, accepted
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Receipt {
    /// What the backend's check came to. APPLE §5.
    public var check: CheckOutcome {
        switch verifyStatus {
        case 0: .accepted
        case 21003, 21006, 21010: .rejected
        case .some(21100...21199) where isRetryable == false: .rejected
        default: .unverified
        }
    }

    /// Its data, which we looked at, does not bear out what it claims.
    public var isDenied: Bool { proof == .lacksClaim || proof == .forged || proof == .wrongBundle }

    /// Accepted, and not denied by its own data: else anybody's genuine receipt with a foreign id made an owner.
    public var vouchesForItsClaim: Bool { check == .accepted && !isDenied }

    /// Our own request was at fault: the input is to be mended, not the receipt.
    public var isOurFault: Bool { verifyStatus == 21000 || verifyStatus == 21004 }
}

extension Receipt {
    /// By the id that people see.
    public func keyPrecedes(_ other: Receipt) -> Bool {
        id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
}
