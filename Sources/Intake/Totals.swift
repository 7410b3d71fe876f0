internal import Domain

/// Control totals in the making: exact and in any order the same.
struct Totals: Sendable {
    var rows = 0
    var rejected = 0
    private var first = Instant(milliseconds: .max)
    private var last = Instant(milliseconds: .min)
    /// Few: searched faster than a dictionary. Wide: no number of rows overflows.
    private var amounts: [(currency: Currency, minor: Int128)] = []
    var hashTotal: UInt64 = 0

    mutating func add(event: Instant) {
        first = min(first, event)
        last = max(last, event)
    }

    mutating func add(_ money: Money?) {
        guard let money else { return }
        add(money.currency, Int128(money.minor))
    }

    private mutating func add(_ currency: Currency, _ minor: Int128) {
        if let index = amounts.firstIndex(where: { $0.currency == currency }) {
            amounts[index].minor += minor
        } else {
            amounts.append((currency, minor))
        }
    }

    mutating func add(_ other: Totals) {
        rows += other.rows
        rejected += other.rejected
        first = min(first, other.first)
        last = max(last, other.last)
        for (currency, minor) in other.amounts { add(currency, minor) }
        hashTotal &+= other.hashTotal
    }

    /// An amount beyond 64 bits is shown as the largest there is.
    var control: ControlTotals {
        var totals = ControlTotals()
        totals.rows = rows
        totals.rejected = rejected
        totals.firstEvent = first <= last ? first : nil
        totals.lastEvent = first <= last ? last : nil
        for (currency, minor) in amounts { totals.amounts[currency] = Int64(clamping: minor) }
        totals.hashTotal = hashTotal
        return totals
    }
}
