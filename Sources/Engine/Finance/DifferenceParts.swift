extension Legs {
    /// Splits the difference that the subject causes in `month` by reason.
    ///
    /// How it works: for each currency, all legs of the subject are added up by month, purchases and reversals as
    /// positive, refunds and credits as negative. The sum over all months is the *balance*, which is zero where money
    /// and goods agree in the end. A balance other than zero is what the subject's verdict says is wrong, so it is
    /// reported under the verdict, in the latest months that lead to it (`share`). Whatever else a month differs by is
    /// cut-off: over all months it adds up to zero.
    ///
    /// For example, a purchase of 6.00 on 31 March that is credited on 1 April differs by +6.00 in March and −6.00 in
    /// April. The balance is 0, so both are cut-off. Without the credit, the balance is +6.00 and belongs to March.
    ///
    /// A partial refund without a whole quantity is not part of the balance. It is a difference of its own in its
    /// month. Where a verdict should leave no balance and rows of other products or quantities do, the difference is one
    /// of value.
    ///
    /// - Parameter number: the month of an instant.
    /// - Returns: for each reason and currency, net purchases less net credits.
    func parts(
        ofMonth month: Int, verdict: Verdict, number: (Instant) -> Int
    ) -> [(reason: DifferenceClass, value: Money)] {
        var parts: [(reason: DifferenceClass, value: Money)] = []
        for refund in partialRefunds where number(refund.at) == month {
            guard let value = refund.value else { continue }
            parts.append((.partialRefund, Money(minor: refund.sign &* value.minor, currency: value.currency)))
        }
        var moved: [Currency: [Int: Int64]] = [:]
        for leg in all {
            guard let value = leg.value else { continue }
            moved[value.currency, default: [:]][number(leg.at), default: 0] &+= leg.sign &* value.minor
        }
        for (currency, months) in moved.ordered() {
            guard let difference = months[month], difference != 0 else { continue }
            let own = shares(in: months)[month] ?? 0
            for (reason, minor) in [(reason(verdict), own), (.cutOff, difference &- own)] where minor != 0 {
                parts.append((reason, Money(minor: minor, currency: currency)))
            }
        }
        return parts
    }

    /// What the subject is out of balance by before `end`, in the same way: its shares of all months up to `month`, and the
    /// rest, which is cut-off.
    ///
    /// - Parameters:
    ///   - end: the end of `month`.
    ///   - number: the month of an instant.
    func open(
        before end: Instant, ofMonth month: Int, verdict: Verdict, number: (Instant) -> Int
    ) -> [(reason: DifferenceClass, value: Money)] {
        func sums(_ legs: [Leg]) -> [Currency: Int64] {
            legs.reduce(into: [:]) { sums, leg in
                guard let value = leg.value else { return }
                sums[value.currency, default: 0] &+= leg.sign &* value.minor
            }
        }
        var open = sums(partialRefunds.filter { $0.at < end }).map { (DifferenceClass.partialRefund, Money($1, $0)) }
        let before = sums(all.filter { $0.at < end })
        for (currency, whole) in sums(all) {
            var own: Int64 = 0
            if whole != 0 {
                let legs = all.filter { $0.value?.currency == currency }
                let months = Dictionary(grouping: legs) { number($0.at) }.mapValues { sums($0)[currency] ?? 0 }
                own = shares(in: months).reduce(0) { $1.key <= month ? $0 &+ $1.value : $0 }
            }
            open.append((reason(verdict), Money(own, currency)))
            open.append((.cutOff, Money((before[currency] ?? 0) &- own, currency)))
        }
        return open.filter { $0.1.minor != 0 }
    }

    private func reason(_ verdict: Verdict) -> DifferenceClass {
        let reason = DifferenceClass(verdict)
        return reason == .unexplained && isMixed ? .verdict(.valueMismatch) : reason
    }

    /// What the subject is out of balance by before `instant`, by currency: above 0 where the customer lacks something.
    func balance(before instant: Instant) -> [Currency: Int64] {
        withPartialRefunds.reduce(into: [:]) { sums, leg in
            guard leg.at < instant, let value = leg.value else { return }
            sums[value.currency, default: 0] &+= leg.sign &* value.minor
        }
    }
}

extension Leg {
    /// What a leg adds to the difference: positive where something was paid for or taken back, negative where it was
    /// refunded or given.
    var sign: Int64 {
        switch kind {
        case .purchase, .refundReversal, .reversal: 1
        case .refund, .credit: -1
        }
    }
}

/// The parts of a balance that belong to each month.
///
/// The balance is assigned from the latest month back. Each month takes as much of it as its own movements contributed in
/// the balance's direction, until nothing is left.
///
/// - Parameter months: the sum of the movements by month.
func shares(in months: [Int: Int64]) -> [Int: Int64] {
    var rest = months.values.reduce(0, &+)
    var shares: [Int: Int64] = [:]
    for (number, difference) in months.ordered(by: { $0.key > $1.key }) {
        let taken = rest < 0 ? max(rest, min(difference, 0)) : min(rest, max(difference, 0))
        shares[number] = taken
        rest &-= taken
    }
    return shares
}

extension Money {
    fileprivate init(_ minor: Int64, _ currency: Currency) { self.init(minor: minor, currency: currency) }
}
