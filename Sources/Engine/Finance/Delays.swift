/// How long Apple usually takes to report a sale, and which products are in transit for longer at every closing: a share of
/// their sales that never arrives is as likely as a slow payment.
///
/// Of sums alone, nothing can tell which of the last days' sales are missing, so a small hole stays within the ordinary
/// balance for good. But it stays there at each closing, and other products have no such hole.
struct Delays {
    private struct Closing {
        var last: BusinessDate
        /// In transit in the ordinary way.
        var units: Int64
        /// The days at the period's end whose sales are at least as many.
        var delay: Int
        /// What the last days of the period sold: of one day, of two days, and so on.
        var sold: [Int64]
    }
    private var closings: [BridgeKey: [Closing]] = [:]
    /// Lines of which the figures show their own delay, or that it varies: nothing of it is longer than usual.
    var found: Set<BridgeKey> = []
    /// How long a share must be missing.
    private static let span = 90
    /// How many closings there must be within the span.
    private static let closingsMin = 3

    mutating func add(_ key: BridgeKey, _ period: ApplePeriod, inTransit units: Int64, of own: LedgerDays) {
        let end = period.last.advanced(by: 1)
        let tail = own.days(in: end.advanced(by: -settlementDays)..<end)
        let sold = (1...settlementDays).map { count in
            tail.reduce(0) { $0 &+ ($1.day >= end.advanced(by: -count) ? $1.sum.units : 0) }
        }
        guard sold[settlementDays - 1] > 0 else { return }
        // Where nothing was sold on some of these days, several delays are as likely: the longest counts.
        let least = units == 0 ? 0 : (sold.firstIndex { $0 >= units } ?? settlementDays - 1) + 1
        let delay = max(least, (sold.lastIndex { $0 <= units } ?? -1) + 1)
        closings[key, default: []].append(Closing(last: period.last, units: units, delay: delay, sold: sold))
    }

    /// Divides what is in transit of each line where more than the usual delay explains was in transit at every closing of
    /// the last 90 days.
    func mark(_ lines: inout [BridgeLine]) {
        guard let last = closings.values.joined().map(\.last).max() else { return }
        let isRecent = { (closing: Closing) in closing.last.advanced(by: Self.span) >= last }
        for index in lines.indices {
            let line = lines[index]
            let key = BridgeKey(
                product: Identifier(line.product), country: line.country, currency: line.currency, kind: line.kind)
            guard !found.contains(key), let own = closings[key]?.filter(isRecent), own.count >= Self.closingsMin else {
                continue
            }
            // The usual delay is the median of all other closings of the currency.
            let others = closings.filter { $0.key.currency == key.currency && $0.key.kind == key.kind }
                .flatMap { other, closings in other == key ? closings.filter { !isRecent($0) } : closings }
                .map(\.delay).ordered()
            guard !others.isEmpty else { continue }
            // A day more, as Apple's days may begin at another hour.
            let usual = min(settlementDays, others[others.count / 2] + 1)
            let excess = own.map { $0.units - $0.sold[usual - 1] }.min() ?? 0
            if excess > 0 { lines[index].markSteady(excess) }
        }
    }
}

extension BridgeLine {
    /// Makes so many units of the ordinary part a part of their own.
    fileprivate mutating func markSteady(_ units: Int64) {
        guard let index = aging.firstIndex(where: { !$0.isLate }) else { return }
        var part = aging[index]
        part.isSteady = true
        part.sum = part.sum.part(kind == .returns ? 0 - units : units)
        aging[index].sum = aging[index].sum - part.sum
        aging.insert(part, at: index)
        aging.removeAll { $0.sum == .zero }
    }
}
