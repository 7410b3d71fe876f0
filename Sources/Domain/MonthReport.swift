/// Why a subject's two legs differ within a month.
public enum DifferenceClass: Hashable, Sendable, Codable {
    /// Both legs are known, and fall into different months.
    case cutOff
    /// Refunded by a share that takes no whole piece of the goods back: they stay with the customer.
    case partialRefund
    /// The subject's verdict, which is an exception, or not settled yet.
    case verdict(Verdict)
    /// It falls on what should differ in nothing: matched, closed or out of scope.
    case unexplained

    /// What is left of a subject's difference once both months are looked at.
    public init(_ verdict: Verdict) {
        switch verdict {
        case .matched, .closed, .outOfScope: self = .unexplained
        default: self = .verdict(verdict)
        }
    }

    /// As `month.json` has it.
    public var code: String {
        switch self {
        case .cutOff: "cut_off"
        case .partialRefund: "partial_refund"
        case .verdict(let verdict): verdict.rawValue
        case .unexplained: "unexplained"
        }
    }

    /// In the order in which people meet them; `unexplained` is no explanation.
    public static let explanations: [DifferenceClass] =
        [.cutOff, .partialRefund]
        + Verdict.allCases.map(DifferenceClass.init).filter { $0 != .unexplained }
}

/// What moved in a month, in minor units of one currency.
public struct Movements: Hashable, Sendable, Codable {
    /// Customer price of verified purchases in scope, by purchase date.
    public var purchases: Int64 = 0
    /// What Apple gave back, by revocation date.
    public var refunds: Int64 = 0
    /// Goods given, each at the value of its purchase, else of its order.
    public var credited: Int64 = 0
    /// Goods taken back, at the same value.
    public var reversed: Int64 = 0

    public init(purchases: Int64 = 0, refunds: Int64 = 0, credited: Int64 = 0, reversed: Int64 = 0) {
        self.purchases = purchases
        self.refunds = refunds
        self.credited = credited
        self.reversed = reversed
    }

    public var net: Int64 { purchases - refunds }
    public var netCredited: Int64 { credited - reversed }
    public var difference: Int64 { net - netCredited }

    public static func += (left: inout Self, right: Self) {
        left.purchases += right.purchases
        left.refunds += right.refunds
        left.credited += right.credited
        left.reversed += right.reversed
    }

    public static func - (left: Self, right: Self) -> Self {
        Movements(
            purchases: left.purchases - right.purchases, refunds: left.refunds - right.refunds,
            credited: left.credited - right.credited, reversed: left.reversed - right.reversed)
    }
}

/// A month's money in one currency.
public struct MoneyLine: Hashable, Sendable, Codable {
    public struct Explained: Hashable, Sendable, Codable {
        public var reason: DifferenceClass
        public var minor: Int64

        public init(reason: DifferenceClass, minor: Int64) {
            self.reason = reason
            self.minor = minor
        }
    }
    public var currency: String
    public var movements: Movements
    /// In the order of `DifferenceClass.explanations`; only what occurs.
    public var explained: [Explained]
    public var unexplained: Int64

    public init(currency: String, movements: Movements, explained: [Explained], unexplained: Int64) {
        self.currency = currency
        self.movements = movements
        self.explained = explained
        self.unexplained = unexplained
    }

    /// The explanations and the rest come to the difference.
    public var isProven: Bool { explained.reduce(unexplained) { $0 + $1.minor } == movements.difference }
}

/// Movements that have no price, by number.
public struct UnpricedCounts: Hashable, Sendable, Codable {
    public var purchases = 0
    public var refunds = 0
    public var credited = 0
    public var reversed = 0
    public init() {}

    public var total: Int { purchases + refunds + credited + reversed }

    public static func += (left: inout Self, right: Self) {
        left.purchases += right.purchases
        left.refunds += right.refunds
        left.credited += right.credited
        left.reversed += right.reversed
    }
}

/// What one product moved in one storefront and currency.
public struct SalesLine: Hashable, Sendable, Codable {
    public var product: String
    /// Three letters as Apple writes it; empty where nobody knows it.
    public var storefront: String
    public var currency: String
    public var unitsSold: Int64
    public var unitsRefunded: Int64
    public var movements: Movements

    public init(
        product: String, storefront: String, currency: String, unitsSold: Int64, unitsRefunded: Int64,
        movements: Movements
    ) {
        self.product = product
        self.storefront = storefront
        self.currency = currency
        self.unitsSold = unitsSold
        self.unitsRefunded = unitsRefunded
        self.movements = movements
    }
}

/// What one subject leaves of the month's difference, for one reason.
public struct DifferenceLine: Hashable, Sendable, Codable {
    public var subject: String
    public var reason: DifferenceClass
    public var verdict: Verdict
    public var cause: Cause
    public var product: String?
    public var account: String?
    public var currency: String
    /// In minor units: net less net credited.
    public var minor: Int64
    /// The first of each, in any month. Milliseconds since 1970, UTC.
    public var purchasedAt: Int64?
    public var refundedAt: Int64?
    public var creditedAt: Int64?
    public var reversedAt: Int64?

    public init(
        subject: String, reason: DifferenceClass, verdict: Verdict, cause: Cause, product: String?, account: String?,
        currency: String, minor: Int64
    ) {
        self.subject = subject
        self.reason = reason
        self.verdict = verdict
        self.cause = cause
        self.product = product
        self.account = account
        self.currency = currency
        self.minor = minor
    }
}

/// A refund of the month, or one that was taken back again.
public struct MonthRefund: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, Codable, CaseIterable {
        case full, partial
        /// Apple's newer record shows no refund any more: the money came back.
        case reversed
    }
    public var transaction: String
    public var product: String
    public var storefront: String
    public var account: String?
    /// Milliseconds since 1970, UTC.
    public var purchasedAt: Int64
    public var revokedAt: Int64
    /// When Apple signed the record without it.
    public var takenBackAt: Int64?
    public var kind: Kind
    /// Apple's code: 0 other, 1 an issue within the app.
    public var reason: Int32?
    /// Thousandths of a percent.
    public var percentage: Int32?
    /// The customer price.
    public var price: Amount?
    /// What the month's refunds hold of it; nil where that is unknown, or nothing since it was taken back.
    public var amount: Amount?
    public var verdict: Verdict
    public var cause: Cause

    public init(
        transaction: String, product: String, storefront: String, purchasedAt: Int64, revokedAt: Int64, kind: Kind,
        verdict: Verdict, cause: Cause
    ) {
        self.transaction = transaction
        self.product = product
        self.storefront = storefront
        self.purchasedAt = purchasedAt
        self.revokedAt = revokedAt
        self.kind = kind
        self.verdict = verdict
        self.cause = cause
    }
}
