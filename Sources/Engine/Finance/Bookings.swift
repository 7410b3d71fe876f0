/// What the backend booked in a month, and why it differs from the purchases. An order is booked where the backend calls it
/// paid, credited or refunded, or gave goods for it.
extension MonthTally {
    /// Adds an order of the month whose amount is the price, or that has none.
    mutating func addBooking(_ order: Order, of price: Money) {
        guard let amount = order.amount else { return add(price, for: .noAmount) }
        sums[amount.currency, default: CurrencySums()].booked &+= amount.minor
    }

    /// Adds what a subject's orders book in the month.
    mutating func add(_ bookings: SubjectBookings, of subject: Subject, _ judgement: Judgement) {
        for (currency, minor) in bookings.booked { sums[currency, default: CurrencySums()].booked &+= minor }
        for (reason, difference) in bookings.parts {
            add(difference, for: reason)
            guard reason.isListed else { continue }
            self.bookings.append(
                BookingLine(
                    subject: subject.key.id.text, reason: reason, product: judgement.product?.text,
                    order: bookings.order?.id.text, orderedAt: bookings.order?.createdAt,
                    purchasedAt: bookings.purchase?.at, currency: difference.currency, minor: difference.minor))
        }
    }

    private mutating func add(_ difference: Money, for reason: BookingReason) {
        sums[difference.currency, default: CurrencySums()].bookings[reason, default: CountAndAmount()] +=
            CountAndAmount(of: difference)
    }
}

/// What a subject's orders book in one month, and why that is not what was paid.
struct SubjectBookings {
    private(set) var booked: [Currency: Int64] = [:]
    private(set) var parts: [(reason: BookingReason, difference: Money)] = []
    /// The earliest booked order with an amount.
    let order: Order?
    let purchase: Leg?

    /// - Parameters:
    ///   - isRenewable: whether the product is an auto-renewable subscription.
    ///   - number: the month of an instant.
    init(
        _ orders: [Order], of subject: Subject, legs: Legs, isRenewable: Bool, inMonth month: Int,
        number: (Instant) -> Int
    ) {
        purchase = legs.all.first { $0.kind == .purchase }
        let given = Set(subject.position.credits.compactMap(\.order))
        let all = orders.filter { $0.isBooked || given.contains($0.id) }
        let priced = all.filter { $0.amount != nil }.ordered { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        order = priced.first
        var currencies = Set(priced.compactMap(\.amount?.currency))
        if let own = purchase?.value?.currency { currencies.insert(own) }
        for currency in currencies {
            var months: [Int: Int64] = [:]
            if let purchase, let value = purchase.value, value.currency == currency {
                months[number(purchase.at), default: 0] &+= value.minor
            }
            for order in priced {
                guard let amount = order.amount, amount.currency == currency else { continue }
                let own = number(order.createdAt)
                months[own, default: 0] &-= amount.minor
                if own == month { booked[currency, default: 0] &+= amount.minor }
            }
            guard let difference = months[month], difference != 0 else { continue }
            let balance = shares(in: months)[month] ?? 0
            var reason = Self.reason(purchase, priced, isAmountMissing: !all.isEmpty && priced.isEmpty)
            if reason == .notBooked, isRenewable { reason = .renewal }
            for (reason, minor) in [(reason, balance), (.cutOff, difference &- balance)] where minor != 0 {
                parts.append((reason, Money(minor: minor, currency: currency)))
            }
        }
    }

    private static func reason(_ purchase: Leg?, _ priced: [Order], isAmountMissing: Bool) -> BookingReason {
        guard let purchase else { return .notPaid }
        guard let price = purchase.value else { return .noPrice }
        if priced.isEmpty { return isAmountMissing ? .noAmount : .notBooked }
        if !priced.contains(where: { $0.amount?.currency == price.currency }) { return .otherCurrency }
        if priced.contains(where: { $0.amount?.currency != price.currency }) { return .otherCurrency }
        return priced.count > 1 ? .bookedTwice : .amount
    }
}

extension Order {
    /// The backend calls the order paid for.
    var isBooked: Bool {
        switch status {
        case .paid, .credited, .refunded: true
        case .created, .pending, .failed, .cancelled: false
        }
    }
}
