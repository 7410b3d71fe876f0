/// Why a subject's two legs differ within a month.
package enum DifferenceClass: Hashable, Sendable, Codable {
    /// Both legs are known, and fall into different months.
    case cutOff
    /// Refunded by a share that takes no whole piece of the goods back: they stay with the customer.
    case partialRefund
    /// The subject's verdict, which is an exception, or not settled yet.
    case verdict(Verdict)
    /// It falls on what should differ in nothing: matched, closed or out of scope.
    case unexplained

    /// What is left of a subject's difference once both months are looked at.
    package init(_ verdict: Verdict) {
        switch verdict {
        case .matched, .closed, .outOfScope: self = .unexplained
        default: self = .verdict(verdict)
        }
    }

    /// As `month.json` has it.
    package var code: String {
        switch self {
        case .cutOff: "cut_off"
        case .partialRefund: "partial_refund"
        case .verdict(let verdict): verdict.rawValue
        case .unexplained: "unexplained"
        }
    }

    /// In the order in which people meet them; `unexplained` is no explanation.
    package static let explanations: [DifferenceClass] =
        [.cutOff, .partialRefund]
        + Verdict.allCases.map(DifferenceClass.init).filter { $0 != .unexplained }
}

/// What moved in a month, in minor units of one currency.
package struct Movements: Hashable, Sendable, Codable {
    /// Customer price of verified purchases in scope, by purchase date.
    package var purchases: Int64 = 0
    /// What Apple gave back, by revocation date.
    package var refunds: Int64 = 0
    /// Goods given, each at the value of its purchase, else of its order.
    package var credited: Int64 = 0
    /// Goods taken back, at the same value.
    package var reversed: Int64 = 0

    package init(purchases: Int64 = 0, refunds: Int64 = 0, credited: Int64 = 0, reversed: Int64 = 0) {
        self.purchases = purchases
        self.refunds = refunds
        self.credited = credited
        self.reversed = reversed
    }

    package var net: Int64 { purchases - refunds }
    package var netCredited: Int64 { credited - reversed }
    package var difference: Int64 { net - netCredited }

    package static func += (left: inout Self, right: Self) {
        left.purchases += right.purchases
        left.refunds += right.refunds
        left.credited += right.credited
        left.reversed += right.reversed
    }

    package static func - (left: Self, right: Self) -> Self {
        Movements(
            purchases: left.purchases - right.purchases, refunds: left.refunds - right.refunds,
            credited: left.credited - right.credited, reversed: left.reversed - right.reversed)
    }
}

/// A month's money in one currency.
package struct MoneyLine: Hashable, Sendable, Codable {
    package struct Explained: Hashable, Sendable, Codable {
        package var reason: DifferenceClass
        package var minor: Int64

        package init(reason: DifferenceClass, minor: Int64) {
            self.reason = reason
            self.minor = minor
        }
    }
    package var currency: String
    package var movements: Movements
    /// In the order of `DifferenceClass.explanations`; only what occurs.
    package var explained: [Explained]
    package var unexplained: Int64

    package init(currency: String, movements: Movements, explained: [Explained], unexplained: Int64) {
        self.currency = currency
        self.movements = movements
        self.explained = explained
        self.unexplained = unexplained
    }

    /// The explanations and the rest come to the difference.
    package var isProven: Bool { explained.reduce(unexplained) { $0 + $1.minor } == movements.difference }
}

/// Movements that have no price, by number.
package struct UnpricedCounts: Hashable, Sendable, Codable {
    package var purchases = 0
    package var refunds = 0
    package var credited = 0
    package var reversed = 0
    package init() {}

    package var total: Int { purchases + refunds + credited + reversed }

    package static func += (left: inout Self, right: Self) {
        left.purchases += right.purchases
        left.refunds += right.refunds
        left.credited += right.credited
        left.reversed += right.reversed
    }
}

/// What one product moved in one storefront and currency.
package struct SalesLine: Hashable, Sendable, Codable {
    package var product: String
    /// Three letters as Apple writes it; empty where nobody knows it.
    package var storefront: String
    package var currency: String
    package var unitsSold: Int64
    package var unitsRefunded: Int64
    package var movements: Movements

    package init(
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
package struct DifferenceLine: Hashable, Sendable, Codable {
    package var subject: String
    package var reason: DifferenceClass
    package var verdict: Verdict
    package var cause: Cause
    package var product: String?
    package var account: String?
    package var currency: String
    /// In minor units: net less net credited.
    package var minor: Int64
    /// The first of each, in any month. Milliseconds since 1970, UTC.
    package var purchasedAt: Int64?
    package var refundedAt: Int64?
    package var creditedAt: Int64?
    package var reversedAt: Int64?

    package init(
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
package struct MonthRefund: Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case full, partial
        /// Apple's newer record shows no refund any more: the money came back.
        case reversed
    }
    package var transaction: String
    package var product: String
    package var storefront: String
    package var account: String?
    /// Milliseconds since 1970, UTC.
    package var purchasedAt: Int64
    package var revokedAt: Int64
    /// When Apple signed the record without it.
    package var takenBackAt: Int64?
    package var kind: Kind
    /// Apple's code: 0 other, 1 an issue within the app.
    package var reason: Int32?
    /// Thousandths of a percent.
    package var percentage: Int32?
    /// The customer price.
    package var price: Amount?
    /// What the month's refunds hold of it; nil where that is unknown, or nothing since it was taken back.
    package var amount: Amount?
    package var verdict: Verdict
    package var cause: Cause

    package init(
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
