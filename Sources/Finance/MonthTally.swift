public import Domain

/// Which product, storefront and currency something was sold under.
public struct SalesKey: Hashable, Sendable {
    public var product: Identifier
    /// Absent where nobody knows it.
    public var storefront: Identifier
    /// Absent for what has no price: its pieces count, no value does.
    public var currency: Currency
}

extension SalesKey: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        (left.product, left.storefront, left.currency) < (right.product, right.storefront, right.currency)
    }
}

/// What was sold under one key.
public struct Sales: Hashable, Sendable {
    public var unitsSold: Int64 = 0
    public var unitsRefunded: Int64 = 0
    public var movements = Movements()

    public static func += (left: inout Self, right: Self) {
        left.unitsSold += right.unitsSold
        left.unitsRefunded += right.unitsRefunded
        left.movements += right.movements
    }
}

public typealias SalesTable = [SalesKey: Sales]

/// What is asked of the books: a month, and further spans whose sales are summed besides.
public struct MonthScope: Sendable {
    public var policy: Policy
    public var calendar: MonthCalendar
    public var month: Period
    /// Of `month`.
    let span: Range<Instant>
    let monthNumber: Int
    /// Spans of other months or of Apple's, each with a table of its own.
    public var windows: [Range<Instant>]

    public init(_ month: Period, calendar: MonthCalendar, policy: Policy, windows: [Range<Instant>] = []) {
        self.month = month
        self.calendar = calendar
        self.policy = policy
        self.windows = windows
        span = month.span(in: policy.zone)
        monthNumber = calendar.number(of: month.first)
    }

    func number(of instant: Instant) -> Int {
        span.contains(instant) ? monthNumber : calendar.number(of: policy.zone.date(of: instant))
    }
}

/// A month's figures, added up subject by subject; parts made of different cases are joined by `merge`.
public struct MonthTally: Sendable {
    let scope: MonthScope
    /// Of the month.
    public private(set) var sales: SalesTable = [:]
    /// Of each of the scope's windows.
    public private(set) var windows: [SalesTable]
    public private(set) var explained: [Currency: [DifferenceClass: Int64]] = [:]
    public private(set) var unpriced = UnpricedCounts()
    public private(set) var differences: [DifferenceLine] = []
    public private(set) var refunds: [MonthRefund] = []
    /// Products that anything was ever sold of.
    public private(set) var products: Set<Identifier> = []

    public init(_ scope: MonthScope) {
        self.scope = scope
        windows = Array(repeating: [:], count: scope.windows.count)
    }

    /// - Parameter superseded: older copies of the case's transactions, for refunds that were taken back.
    public mutating func add(
        _ subject: Subject, _ judgement: Judgement, in file: Case, superseded: [Transaction]
    ) {
        let legs = Legs(subject, judgement, in: file, policy: scope.policy)
        let record = subject.leading.map { file.transactions[$0] }
        if let record, subject.backing == .purchase { products.insert(record.product) }
        var isTouched = false
        for leg in legs.withPartialRefund {
            if scope.span.contains(leg.at) {
                isTouched = true
                if leg.value == nil { unpriced.count(leg.kind) }
            }
            add(leg, judgement, storefront: record?.storefront)
        }
        if isTouched { explain(legs, subject, judgement) }
        if subject.backing == .purchase, judgement.verdict != .outOfScope {
            refunds += monthRefunds(subject, judgement, in: file, superseded: superseded)
        }
    }

    /// A purchase that was credited once, as it should be. False, and nothing is added, where the two fall into different
    /// months: then it is to be added with its judgement.
    public mutating func addSettled(_ purchase: Transaction, creditedAt: Instant, amount: Money) -> Bool {
        let isWithin = scope.span.contains(purchase.purchasedAt)
        guard isWithin == scope.span.contains(creditedAt) else { return false }
        products.insert(purchase.product)
        if !isWithin && scope.windows.isEmpty { return true }
        let key = SalesKey(
            product: purchase.product, storefront: purchase.storefront ?? .absent, currency: amount.currency)
        let bought = Leg(.purchase, at: purchase.purchasedAt, value: amount, units: Int64(purchase.quantity))
        let given = Leg(.credit, at: creditedAt, value: amount)
        add(bought, amount.minor, key)
        add(given, amount.minor, key)
        return true
    }

    private mutating func add(_ leg: Leg, _ judgement: Judgement, storefront: Identifier?) {
        // Pieces count in the bridge to Apple's report, also where nobody knows their price.
        let value = leg.value ?? .absent
        let key = SalesKey(
            product: judgement.product ?? .absent, storefront: storefront ?? .absent, currency: value.currency)
        add(leg, value.minor, key)
    }

    private mutating func add(_ leg: Leg, _ minor: Int64, _ key: SalesKey) {
        if scope.span.contains(leg.at) { sales[key, default: Sales()].add(leg, minor) }
        for index in scope.windows.indices where scope.windows[index].contains(leg.at) {
            windows[index][key, default: Sales()].add(leg, minor)
        }
    }

    private mutating func explain(_ legs: Legs, _ subject: Subject, _ judgement: Judgement) {
        let parts = legs.parts(ofMonth: scope.monthNumber, verdict: judgement.verdict, number: scope.number)
        for part in parts {
            explained[part.currency, default: [:]][part.reason, default: 0] += part.minor
            differences.append(DifferenceLine(part, legs, subject, judgement))
        }
    }

    public mutating func merge(_ other: MonthTally) {
        sales.merge(other.sales) { $0 + $1 }
        for index in windows.indices { windows[index].merge(other.windows[index]) { $0 + $1 } }
        for (currency, reasons) in other.explained {
            explained[currency, default: [:]].merge(reasons, uniquingKeysWith: +)
        }
        unpriced += other.unpriced
        differences += other.differences
        refunds += other.refunds
        products.formUnion(other.products)
    }
}

extension Sales {
    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum += right
        return sum
    }

    mutating func add(_ leg: Leg, _ minor: Int64) {
        switch leg.kind {
        case .purchase:
            unitsSold += leg.units
            movements.purchases += minor
        case .refund:
            unitsRefunded += leg.units
            movements.refunds += minor
        case .credit: movements.credited += minor
        case .reversal: movements.reversed += minor
        }
    }
}

extension UnpricedCounts {
    fileprivate mutating func count(_ kind: Leg.Kind) {
        switch kind {
        case .purchase: purchases += 1
        case .refund: refunds += 1
        case .credit: credited += 1
        case .reversal: reversed += 1
        }
    }
}

extension DifferenceLine {
    fileprivate init(_ part: DifferencePart, _ legs: Legs, _ subject: Subject, _ judgement: Judgement) {
        self.init(
            subject: subject.key.id.text, reason: part.reason, verdict: judgement.verdict, cause: judgement.cause,
            product: judgement.product?.text, account: subject.owner?.text, currency: part.currency.text,
            minor: part.minor)
        func first(_ kind: Leg.Kind) -> Int64? {
            legs.withPartialRefund.filter { $0.kind == kind }.map(\.at.milliseconds).min()
        }
        purchasedAt = first(.purchase)
        refundedAt = first(.refund)
        creditedAt = first(.credit)
        reversedAt = first(.reversal)
    }
}
