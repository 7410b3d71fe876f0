/// Control totals while they are added up.
///
/// Every operation is exact and commutative (minimum, maximum, `MoneySum`, a wrapping sum of hashes), so the totals are
/// the same for any division into blocks and any order.
struct Totals: Sendable {
    /// All rows, rejected ones included.
    var rows = 0
    var rejected = 0
    /// The earliest and latest instant of an accepted row; reversed while there is none.
    private var first = Instant(milliseconds: .max)
    private var last = Instant(milliseconds: .min)
    private var amounts = MoneySum()
    /// The sum, modulo 2⁶⁴, of a stable hash of each accepted row's key. It reveals a lost or exchanged row that the
    /// counts do not.
    var hashTotal: UInt64 = 0

    /// Includes the instant of an accepted row.
    mutating func add(event: Instant) {
        first = min(first, event)
        last = max(last, event)
    }

    /// Includes the amount of an accepted row, if it has one.
    mutating func add(_ money: Money?) {
        if let money { amounts.add(money) }
    }

    /// Includes the totals of another part of the file.
    mutating func add(_ other: Totals) {
        rows += other.rows
        rejected += other.rejected
        first = min(first, other.first)
        last = max(last, other.last)
        amounts.add(other.amounts)
        hashTotal &+= other.hashTotal
    }

    /// The finished totals. A sum that does not fit 64 bits is clamped to the largest or smallest number.
    var control: ControlTotals {
        var totals = ControlTotals()
        totals.rows = rows
        totals.rejected = rejected
        totals.firstEvent = first <= last ? first : nil
        totals.lastEvent = first <= last ? last : nil
        for sum in amounts.amounts { totals.amounts[sum.currency] = sum.minor }
        totals.hashTotal = hashTotal
        return totals
    }
}
