/// What the backend booked in a month, and why it differs from the purchases. An order is booked where the backend calls it
/// paid, credited or refunded, or gave goods for it.
extension MonthTally {
    /// Adds an order of the month whose amount is the price, or that has none.
    mutating func addBooking(_ order: Order, of price: Money) {
        guard let amount = order.amount else { return add(price, for: .noAmount) }
        sums[amount.currency, default: CurrencySums()].booked &+= amount.minor
    }

    /// Adds a subject with its orders.
    ///
    /// - Parameter isRenewable: whether the product is an auto-renewable subscription.
    mutating func addBookings(
        _ orders: [Order], of subject: Subject, _ judgement: Judgement, legs: Legs, isRenewable: Bool
    ) {
        let purchase = legs.all.first { $0.kind == .purchase }
        let given = Set(subject.position.credits.compactMap(\.order))
        let all = orders.filter { $0.isBooked || given.contains($0.id) }
        let priced = all.filter { $0.amount != nil }.ordered { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        var currencies = Set(priced.compactMap(\.amount?.currency))
        if let own = purchase?.value?.currency { currencies.insert(own) }
        for currency in currencies {
            let own = priced.filter { $0.amount?.currency == currency }
            var months: [Int: Int64] = [:]
            if let purchase, let value = purchase.value, value.currency == currency {
                months[scope.number(of: purchase.at), default: 0] &+= value.minor
            }
            for order in own {
                guard let amount = order.amount else { continue }
                months[scope.number(of: order.createdAt), default: 0] &-= amount.minor
                if scope.span.contains(order.createdAt) {
                    sums[currency, default: CurrencySums()].booked &+= amount.minor
                }
            }
            guard let difference = months[scope.monthNumber], difference != 0 else { continue }
            let balance = shares(in: months)[scope.monthNumber] ?? 0
            var reason = reason(purchase, priced, isAmountMissing: !all.isEmpty && priced.isEmpty)
            if reason == .notBooked, isRenewable { reason = .renewal }
            for (reason, minor) in [(reason, balance), (.cutOff, difference &- balance)] where minor != 0 {
                add(Money(minor: minor, currency: currency), for: reason)
                guard reason.isListed else { continue }
                bookings.append(
                    BookingLine(
                        subject: subject.key.id.text, reason: reason, product: judgement.product?.text,
                        order: priced.first?.id.text, orderedAt: priced.first?.createdAt, purchasedAt: purchase?.at,
                        currency: currency, minor: minor))
            }
        }
    }

    private func reason(_ purchase: Leg?, _ priced: [Order], isAmountMissing: Bool) -> BookingReason {
        guard let purchase else { return .notPaid }
        guard let price = purchase.value else { return .noPrice }
        if priced.isEmpty { return isAmountMissing ? .noAmount : .notBooked }
        if !priced.contains(where: { $0.amount?.currency == price.currency }) { return .otherCurrency }
        if priced.contains(where: { $0.amount?.currency != price.currency }) { return .otherCurrency }
        return priced.count > 1 ? .bookedTwice : .amount
    }

    private mutating func add(_ difference: Money, for reason: BookingReason) {
        sums[difference.currency, default: CurrencySums()].bookings[reason, default: CountAndAmount()] +=
            CountAndAmount(of: difference)
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
