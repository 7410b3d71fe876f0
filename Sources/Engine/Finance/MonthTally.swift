/// The product, storefront and currency of a movement.
struct SalesKey: Hashable, Sendable {
    /// `.absent` where it is unknown.
    var product: Identifier
    /// `.absent` where it is unknown.
    var storefront: Identifier
    /// Absent for movements without a price: their pieces count, but no value does.
    var currency: Currency
    /// The app's bundle id, where there are several apps; else `.absent`.
    var bundle = Identifier.absent
}

extension SalesKey: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        (left.bundle, left.product, left.storefront, left.currency)
            < (right.bundle, right.product, right.storefront, right.currency)
    }
}

/// What moved under one key.
struct Sales: Hashable, Sendable {
    var unitsSold: Int64 = 0
    var unitsRefunded: Int64 = 0
    /// Pieces whose refund Apple took back.
    var unitsRefundReversed: Int64 = 0
    /// The money, in minor units of the key's currency.
    var movements = Movements()

    static func += (left: inout Self, right: Self) {
        left.unitsSold += right.unitsSold
        left.unitsRefunded += right.unitsRefunded
        left.unitsRefundReversed += right.unitsRefundReversed
        left.movements += right.movements
    }
}

/// Movements by product, storefront and currency.
typealias SalesTable = [SalesKey: Sales]

/// What a tally is to add up: a month, and further time spans whose sales are summed separately.
struct MonthScope: Sendable {
    /// The policy that prices and months are determined by.
    var policy: Policy
    var month: Period
    /// The instants of `month`.
    let span: Range<Instant>
    /// The month's number in its calendar.
    let monthNumber: Int
    /// Further spans, other months, each with a table of its own.
    var windows: [Range<Instant>]
    /// The days whose sales are summed day by day, for the bridge to Apple's report. Nil without one.
    var days: ClosedRange<BusinessDate>?
    private let daySpan: Range<Instant>?
    /// From the first closed month, or this one, to the last: what the sub-ledger covers.
    let book: ClosedRange<BusinessDate>
    let bookSpan: Range<Instant>
    /// The number of its last month.
    let bookEnd: Int

    /// - Parameter closed: the other months that are closed.
    init(
        _ month: Period, policy: Policy, windows: [Range<Instant>] = [], days: ClosedRange<BusinessDate>? = nil,
        closed: [Period] = []
    ) {
        book = closed.reduce(month.first...month.last) {
            min($0.lowerBound, $1.first)...max($0.upperBound, $1.last)
        }
        bookSpan = policy.zone.start(of: book.lowerBound)..<policy.zone.end(of: book.upperBound)
        bookEnd = month.number(of: book.upperBound)
        self.month = month
        self.policy = policy
        self.windows = windows
        self.days = days
        daySpan = days.map { policy.zone.start(of: $0.lowerBound)..<policy.zone.end(of: $0.upperBound) }
        span = month.span(in: policy.zone)
        monthNumber = month.number(of: month.first)
    }

    /// The app that a purchase belongs to, where there are several; else `.absent`.
    func bundle(of purchase: Transaction) -> Identifier {
        policy.bundles.count > 1 ? purchase.bundle ?? .absent : .absent
    }

    func type(of purchase: Transaction) -> ProductType? { policy.products.type(of: purchase) }

    /// The day of an instant whose sales are summed day by day. Apple does not say in which time zone its days are; the
    /// business time zone is used.
    func day(of instant: Instant) -> BusinessDate? {
        daySpan?.contains(instant) == true ? policy.zone.date(of: instant) : nil
    }

    /// The hour of an instant, by the clocks that Apple's days may go by.
    func hour(of instant: Instant) -> SaleHour { SaleHour(instant, in: policy.zone) }

    /// The number of the month that the instant falls into.
    func number(of instant: Instant) -> Int {
        span.contains(instant) ? monthNumber : month.number(of: policy.zone.date(of: instant))
    }
}

/// What a tally adds up for one currency, in minor units.
struct CurrencySums: Sendable {
    /// The purchases of the month that Apple states no price for.
    var estimated: Int64 = 0
    /// What the backend booked, and why it differs from the purchases.
    var booked: Int64 = 0
    var bookings: [BookingReason: CountAndAmount] = [:]
    /// What all subjects are out of balance by at both ends of the month.
    var opening = Balance()
    var closing = Balance()
    /// Goods that went to another account within the month.
    var strayed: Int64 = 0
    /// What the sub-ledger rests on: all before its first month, and at the end of its last.
    var brought: Int64 = 0
    var cutOff: Int64 = 0
    var open: [DifferenceClass: Balance] = [:]
    /// The parts of the month's difference.
    var explained: [DifferenceClass: Int64] = [:]

    static func += (left: inout Self, right: Self) {
        left.estimated &+= right.estimated
        left.booked &+= right.booked
        left.bookings.merge(right.bookings, uniquingKeysWith: +)
        left.opening += right.opening
        left.closing += right.closing
        left.strayed &+= right.strayed
        left.brought &+= right.brought
        left.cutOff &+= right.cutOff
        left.open.merge(right.open) { $0 + $1 }
        left.explained.merge(right.explained, uniquingKeysWith: &+)
    }
}

/// A month's figures, added up subject by subject. Tallies of different cases are joined by `merge`.
struct MonthTally: Sendable {
    let scope: MonthScope
    private(set) var sales: SalesTable = [:]
    /// What moved in each of the scope's windows.
    private(set) var windows: [SalesTable]
    /// What moved on each of the scope's days.
    private(set) var days: DayTable = [:]
    /// The sums of each currency, apart from those of `sales`.
    var sums: [Currency: CurrencySums] = [:]
    /// Movements of the month without a price.
    private(set) var unpriced = UnpricedCounts()
    /// The subjects that cause the month's difference.
    private(set) var differences: [DifferenceLine] = []
    /// The subjects that are booked otherwise than bought.
    var bookings: [BookingLine] = []
    private(set) var refunds: [RefundLine] = []
    /// All products of proven purchases, in any month.
    private(set) var products: Set<Identifier> = []

    init(_ scope: MonthScope) {
        self.scope = scope
        windows = Array(repeating: [:], count: scope.windows.count)
    }

    /// Adds a subject.
    ///
    /// - Parameters:
    ///   - orders: the positions of the case's orders whose bookings count for this subject.
    ///   - superseded: older versions of the case's transactions. They date refunds and what was taken back of them.
    /// - Returns: all that moved for the subject, in any month.
    @discardableResult
    mutating func add(
        _ subject: Subject, _ judgement: Judgement, in file: Case, orders: [Int], superseded: [Transaction]
    ) -> Legs {
        let legs = Legs(subject, judgement, in: file, superseded: superseded, policy: scope.policy)
        let record = subject.leading.map { file.transactions[$0] }
        if let record, subject.backing == .purchase { products.insert(record.product) }
        var isTouched = false
        for leg in legs.withPartialRefunds {
            if scope.span.contains(leg.at) {
                isTouched = true
                if leg.value == nil { unpriced.count(leg.kind) }
                if leg.kind == .purchase, legs.priceSource != .apple, let value = leg.value {
                    sums[value.currency, default: CurrencySums()].estimated &+= value.minor
                }
            }
            add(leg, of: judgement, record: record, isStated: legs.priceSource == .apple)
        }
        if isTouched {
            explain(legs, of: subject, judgement)
            refunds += monthRefunds(legs, of: subject, judgement, in: file)
        }
        addBalances(legs, judgement)
        if judgement.verdict != .outOfScope {
            let bookings = SubjectBookings(
                orders.map { file.orders[$0] }, of: subject, legs: legs,
                isRenewable: record.flatMap(scope.type) == .autoRenewable, inMonth: scope.monthNumber,
                number: scope.number)
            add(bookings, of: subject, judgement)
        }
        return legs
    }

    /// Adds what the subject is out of balance by at both ends of the month, and of the sub-ledger.
    private mutating func addBalances(_ legs: Legs, _ judgement: Judgement) {
        func add(_ amounts: [Currency: Int64], _ body: (inout CurrencySums, Int64) -> Void) {
            for (currency, minor) in amounts where minor != 0 { body(&sums[currency, default: CurrencySums()], minor) }
        }
        add(legs.balance(before: scope.span.lowerBound)) { $0.opening.add($1) }
        add(legs.balance(before: scope.span.upperBound)) { $0.closing.add($1) }
        add(legs.stray(before: scope.span.lowerBound)) { $0.opening.add(stray: $1) }
        add(legs.stray(before: scope.span.upperBound)) { $0.closing.add(stray: $1) }
        add(legs.strayed(within: scope.span)) { $0.strayed &+= $1 }
        add(legs.balance(before: scope.bookSpan.lowerBound)) { $0.brought &+= $1 }
        let verdict = judgement.verdict
        add(legs.stray(before: scope.bookSpan.upperBound)) {
            $0.open[.verdict(verdict), default: Balance()].add(stray: $1)
        }
        for (reason, value) in legs.open(
            before: scope.bookSpan.upperBound, ofMonth: scope.bookEnd, verdict: verdict, number: scope.number)
        {
            add([value.currency: value.minor]) {
                if reason == .cutOff { $0.cutOff &+= $1 } else { $0.open[reason, default: Balance()].add($1) }
            }
        }
    }

    /// Adds a purchase that was ordered and credited once, as it should be, without a judgement. Returns false and adds
    /// nothing where purchase, order and credit fall into different months; such a purchase must be added with its
    /// judgement.
    mutating func addCleanMatch(
        _ purchase: Transaction, _ order: Order, creditedAt: Instant, amount: Money
    ) -> Bool {
        let isWithin = scope.span.contains(purchase.purchasedAt)
        func isOnOneSide(_ instant: Instant) -> Bool { (purchase.purchasedAt < instant) == (creditedAt < instant) }
        guard isWithin == scope.span.contains(order.createdAt), isOnOneSide(scope.span.lowerBound),
            isOnOneSide(scope.span.upperBound), isOnOneSide(scope.bookSpan.lowerBound),
            isOnOneSide(scope.bookSpan.upperBound)
        else { return false }
        products.insert(purchase.product)
        if isWithin { addBooking(order, of: amount) }
        if !isWithin && scope.windows.isEmpty && scope.days == nil { return true }
        let key = SalesKey(
            product: purchase.product, storefront: purchase.storefront ?? .absent, currency: amount.currency,
            bundle: scope.bundle(of: purchase))
        let bought = Leg(kind: .purchase, at: purchase.purchasedAt, value: amount, units: Int64(purchase.quantity))
        let given = Leg(kind: .credit, at: creditedAt, value: amount)
        add(bought, worth: amount.minor, to: key, isStated: true)
        add(given, worth: amount.minor, to: key, isStated: true)
        return true
    }

    /// Adds a leg under the subject's product and storefront.
    private mutating func add(_ leg: Leg, of judgement: Judgement, record: Transaction?, isStated: Bool) {
        // Pieces count in the bridge to Apple's report even where their price is unknown.
        let value = leg.value ?? .absent
        let key = SalesKey(
            product: judgement.product ?? .absent, storefront: record?.storefront ?? .absent,
            currency: value.currency, bundle: record.map(scope.bundle) ?? .absent)
        add(leg, worth: value.minor, to: key, isStated: isStated)
    }

    /// Adds a leg to the month, and to each window and day that it falls into.
    private mutating func add(_ leg: Leg, worth minor: Int64, to key: SalesKey, isStated: Bool) {
        if scope.span.contains(leg.at) { sales[key, default: Sales()].add(leg, minor) }
        for index in scope.windows.indices where scope.windows[index].contains(leg.at) {
            windows[index][key, default: Sales()].add(leg, minor)
        }
        guard leg.isMoney, let day = scope.day(of: leg.at) else { return }
        days[key, default: [:]][day, default: DaySales()].add(
            leg, isStated: isStated, hour: scope.hour(of: leg.at))
    }

    /// Splits what the subject contributes to the month's difference by reason.
    private mutating func explain(_ legs: Legs, of subject: Subject, _ judgement: Judgement) {
        for (reason, value) in legs.parts(
            ofMonth: scope.monthNumber, verdict: judgement.verdict, number: scope.number)
        {
            sums[value.currency, default: CurrencySums()].explained[reason, default: 0] &+= value.minor
            differences.append(legs.line(of: subject, judgement, for: reason, value))
        }
    }

    /// Adds the figures of a tally of other cases with the same scope.
    mutating func merge(_ other: MonthTally) {
        sales.merge(other.sales) { $0 + $1 }
        for index in windows.indices { windows[index].merge(other.windows[index]) { $0 + $1 } }
        days.merge(other.days)
        for (currency, own) in other.sums { sums[currency, default: CurrencySums()] += own }
        unpriced += other.unpriced
        differences += other.differences
        bookings += other.bookings
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

    /// Adds a leg worth `minor`. A negative `minor` subtracts its value, but not its pieces.
    mutating func add(_ leg: Leg, _ minor: Int64) {
        switch leg.kind {
        case .purchase:
            unitsSold += leg.units
            movements.purchases &+= minor
        case .refund:
            unitsRefunded += leg.units
            movements.refunds &+= minor
        case .refundReversal:
            unitsRefundReversed += leg.units
            movements.refundReversals &+= minor
        case .credit: movements.credited &+= minor
        case .reversal: movements.reversed &+= minor
        }
    }
}

extension UnpricedCounts {
    /// Counts one movement without a price.
    fileprivate mutating func count(_ kind: Leg.Kind) {
        switch kind {
        case .purchase: purchases += 1
        case .refund, .refundReversal: refunds += 1
        case .credit: credited += 1
        case .reversal: reversed += 1
        }
    }
}
