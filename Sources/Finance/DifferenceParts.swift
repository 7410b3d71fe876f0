public import Domain

/// What a subject leaves of one month's difference, in one currency.
public struct DifferencePart: Hashable, Sendable {
    public var reason: DifferenceClass
    public var currency: Currency
    public var minor: Int64
}

extension Legs {
    /// The parts of `month`'s difference.
    ///
    /// All that a subject ever moved comes to a balance. The balance is its verdict's; it stands in the latest months
    /// whose movements lead to it. What a month differs by besides is cut-off: it comes to nothing over all months.
    ///
    /// - Parameter number: the month of an instant.
    public func parts(
        ofMonth month: Int, verdict: Verdict, number: (Instant) -> Int
    ) -> [DifferencePart] {
        var parts: [DifferencePart] = []
        if let refund = partialRefund, let value = refund.value, number(refund.at) == month {
            parts.append(DifferencePart(reason: .partialRefund, currency: value.currency, minor: -value.minor))
        }
        for currency in currencies {
            var months: [Int: Int64] = [:]
            for leg in all {
                guard let value = leg.value, value.currency == currency else { continue }
                months[number(leg.at), default: 0] += leg.sign * value.minor
            }
            guard let difference = months[month], difference != 0 else { continue }
            let own = share(of: month, in: months)
            if own != 0 { parts.append(DifferencePart(reason: .init(verdict), currency: currency, minor: own)) }
            if difference != own {
                parts.append(DifferencePart(reason: .cutOff, currency: currency, minor: difference - own))
            }
        }
        return parts
    }

    /// What of the balance stands in `month`: from the latest month back, as far as each month's movements go its way.
    private func share(of month: Int, in months: [Int: Int64]) -> Int64 {
        var rest = months.values.reduce(0, +)
        for (number, difference) in months.sorted(by: { $0.key > $1.key }) {
            let taken = rest < 0 ? max(rest, min(difference, 0)) : min(rest, max(difference, 0))
            if number == month { return taken }
            rest -= taken
        }
        return 0
    }

    private var currencies: [Currency] {
        var found: [Currency] = []
        for leg in all {
            if let currency = leg.value?.currency, !found.contains(currency) { found.append(currency) }
        }
        return found.count > 1 ? found.sorted() : found
    }
}

extension Leg {
    /// Net less net credited: what was paid and not given counts up.
    var sign: Int64 { kind == .purchase || kind == .reversal ? 1 : -1 }
}
