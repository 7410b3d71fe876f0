/// A figure of a night's input that is so unusual that a person must look before goods are given: the night is guarded.
///
/// It changes no verdict. Retry entries that it may concern are held, and look-up advises against giving their goods by hand.
public struct GuardFinding: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable, Codable {
        /// Too many of a date's proven purchases have no credit: `count` of `total` purchases.
        case uncredited
        /// A feed delivered far fewer rows than usual: `count`, where `total` is the median of `usual`.
        case rows
        /// A feed delivered far fewer new rows than usual, while another feed of the date is complete: `count`, where
        /// `total` is the median of `usual`.
        case newRows = "new_rows"
        /// Too many of a date's transactions are of another app: `count` of `total` transactions.
        case invalid
        /// Too many ids of a date's rows are shared by records of different customers or payments: `count` of `total`
        /// rows.
        case collisions
        /// The times of a feed are off by the same whole number of half hours against Apple's: `count` of `total`
        /// purchases.
        case clock
        /// An older ledger is in the place of the one that published the reports of `date`: their run is `count`, the
        /// ledger's last one `total`. Entries that went out since are unknown to it.
        case olderLedger = "older_ledger"
        /// The desk's files have lost hand-outs: `count` of the `total` that the ledger knows from the last 31 days.
        case handOuts = "hand_outs"
        /// Too many of a date's proven purchases were credited twice: `count` of `total` purchases.
        case creditedTwice = "credited_twice"
        /// Too many of a date's proven purchases are not what was ordered or credited: `count` of `total` purchases.
        case valueMismatch = "value_mismatch"
        /// A feed delivered fewer files than on each of the dates before: `count`, where `total` is that number.
        case parts
        /// No purchase has the date: `count` is 0, and `total` is the median of `usual`, the dates before.
        case noPurchases = "no_purchases"
        /// Too many of a date's proven purchases have no order: `count` of `total` purchases.
        case orderMissing = "order_missing"
        /// Too many of a date's proven purchases are refunded, and their goods were kept: `count` of `total` purchases.
        case refundedNotReversed = "refunded_not_reversed"
        /// Too many goods of a date were given for payments of another environment (`feed` is `transactions`), or for none at all
        /// or none so far (`credits`): `count`, and `total` with the date's proven purchases.
        case creditedNotPaid = "credited_not_paid"
        /// Too many of a date's proven purchases were credited to another account: `count` of `total` purchases.
        case creditedToWrongAccount = "credited_to_wrong_account"
        /// Purchases count as credited by their orders' status alone, as in no night before: `count` of the `total` subjects
        /// that the night of `date` judged.
        case statusOnly = "status_only"
        /// A credits feed's last row is earlier than usual. `count` = `total` = the purchases since then that lack their goods.
        case endsEarly = "ends_early"
        /// Of `total` purchases of some hours, or of a product, `count` lack their goods; `usual` is how many usually lack them.
        /// Of the ends of dates, both count dates.
        case lostTogether = "lost_together"
        /// Of `total` answers to entries to give goods, `count` say that the goods are there.
        case alreadyGiven = "already_given"

        /// The verdict whose purchases it counts. Nil for `uncredited`, and where it counts something else.
        var verdict: Verdict? {
            switch self {
            case .creditedTwice: .creditedTwice
            case .valueMismatch: .valueMismatch
            case .orderMissing: .orderMissing
            case .refundedNotReversed: .refundedNotReversed
            case .creditedNotPaid: .creditedNotPaid
            case .creditedToWrongAccount: .creditedToWrongAccount
            case .uncredited, .rows, .newRows, .invalid, .collisions, .clock, .olderLedger, .handOuts, .parts,
                .noPurchases,
                .statusOnly, .endsEarly, .lostTogether, .alreadyGiven:
                nil
            }
        }
    }

    /// What only some kinds say.
    public enum Detail: Hashable, Sendable {
        /// `clock`: by how much the times are later than Apple's.
        case shift(ClockShift)
        /// `endsEarly`: from the last row to the usual one, in minutes of the clock since the midnight of `date`.
        case silence(Range<Int>)
        /// `lostTogether`: the purchases are of these hours of the clock. From 24 on, they are those of the next date.
        case hours(Range<Int>)
        /// `lostTogether`: they are of this product.
        case product(String)
        /// `lostTogether`: they were paid before the first credit of their dates, or after the last one.
        case ends
    }

    public var kind: Kind
    /// The kind of feed; for `rows`, `newRows`, `parts` and `endsEarly`, that of the feed at `path`.
    public var feed: FeedKind
    /// The feed's path as configured; nil if the finding is not about a single feed.
    public var path: String?
    public var date: BusinessDate
    /// The unusual figure; see the kinds.
    public var count: Int
    /// What `count` is compared with; see the kinds.
    public var total: Int
    /// The counts compared with, ascending. Empty for other kinds than `rows`, `newRows`, `parts`, `noPurchases`, `lostTogether`.
    public var usual: [Int] = []
    public var detail: Detail?
    /// For `lostTogether` and `alreadyGiven`, the first date, if it is about several dates together; `date` is the last.
    public var since: BusinessDate?

    /// Whether both are about the same thing on the same day, whatever their figures.
    public func isSameMatter(as other: GuardFinding) -> Bool {
        (kind, feed, path, date) == (other.kind, other.feed, other.path, other.date)
            && (since == nil) == (other.since == nil)
            && isAlike(other) {
                // What went on past midnight is more than was known.
                $0.overlaps($1) && ($0.upperBound > 24 || $1.upperBound <= 24)
            }
    }

    /// Whether it says the same of purchases as the other, where `areAlike` compares their hours.
    func isAlike(_ other: GuardFinding, areAlike: (_ own: Range<Int>, _ others: Range<Int>) -> Bool) -> Bool {
        switch (detail, other.detail) {
        case (.hours(let own), .hours(let others)): areAlike(own, others)
        case (.shift, .shift), (.silence, .silence): true
        default: detail == other.detail
        }
    }

    /// Whether a purchase of this product, paid in this hour of this date, is one of those that it is about.
    func explains(_ product: String?, at hour: Int, of date: BusinessDate) -> Bool {
        let isOfDate = ((since ?? self.date)...self.date).contains(date)
        switch detail {
        case .hours(let hours) where since == nil: return hours.contains(hour + 24 * Int(date.day - self.date.day))
        case .hours(let hours): return isOfDate && (hours.contains(hour) || hours.contains(hour + 24))
        case .product(let own): return isOfDate && own == product
        case .silence(let minutes): return isOfDate && minutes.lowerBound < (hour + 1) * 60
        default: return isOfDate
        }
    }

    /// Whether it may explain why a purchase lacks its goods. An hour before and after is in doubt, too; from 12 hours on, the whole
    /// date. What lacks on several dates may lack on any.
    func mayConcern(_ product: String?, paidAt: Instant?, in zone: Zone) -> Bool {
        guard kind == .lostTogether, let paidAt else { return true }
        var doubt = self
        switch detail {
        case .hours(let hours) where hours.count >= Self.hoursMost: doubt.detail = .hours(0..<24)
        case .product where product == nil: doubt.detail = nil
        default: break
        }
        return [-1, 0, 1].contains { (shift: Int64) in
            let near = paidAt + .hours(shift)
            return doubt.explains(product, at: zone.hour(of: near), of: since == nil ? zone.date(of: near) : date)
        }
    }

    private static let hoursMost = 12

    var hours: Range<Int>? {
        if case .hours(let hours) = detail { hours } else { nil }
    }
}

extension GuardFinding: Codable {
    /// As it was before findings had details.
    private struct Stored: Codable {
        var kind: Kind
        var feed: FeedKind
        var path: String?
        var date: BusinessDate
        var count: Int
        var total: Int
        var usual: [Int]
        var halfHours: Int32?
        var ends: [String]?
        var product: String?
        var since: BusinessDate?
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        (kind, feed, path, date) = (stored.kind, stored.feed, stored.path, stored.date)
        (count, total, usual, since) = (stored.count, stored.total, stored.usual, stored.since)
        let times = stored.ends?.compactMap(minutes) ?? []
        let isPastMidnight = kind == .lostTogether && times.count == 2 && times[0] >= times[1]
        let span = times.count == 2 ? times[0]..<times[1] + (isPastMidnight ? 1440 : 0) : nil
        detail =
            switch kind {
            case .clock: .shift(ClockShift(halfHours: stored.halfHours ?? 0))
            case .endsEarly: span.map { .silence($0) }
            case .lostTogether:
                stored.product.map { .product($0) }
                    ?? span.map { .hours($0.lowerBound / 60..<$0.upperBound / 60) } ?? .ends
            default: nil
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var stored = Stored(
            kind: kind, feed: feed, path: path, date: date, count: count, total: total, usual: usual, ends: times,
            since: since)
        if case .shift(let shift) = detail { stored.halfHours = shift.halfHours }
        if case .product(let product) = detail { stored.product = product }
        try stored.encode(to: encoder)
    }

    /// From when to when, as it is stored and published: `07:00`, `20:22`, or `11-03 03:30` where that is another day than `date`.
    public var times: [String]? {
        switch detail {
        case .silence(let minutes): [minutes.lowerBound, minutes.upperBound].map(clock)
        case .hours(let hours): [hours.lowerBound, hours.upperBound].map { "\(padded($0 > 24 ? $0 - 24 : $0, 2)):00" }
        default: nil
        }
    }

    private func clock(_ minutes: Int) -> String {
        let local = Instant(milliseconds: (Int64(date.day) * 1440 + Int64(minutes)) * 60_000).text.prefix(16)
        return local.hasPrefix(date.text) ? String(local.suffix(5)) : String(local.suffix(11)).replacing("T", with: " ")
    }

    /// Since the midnight of `date`.
    private func minutes(_ text: String) -> Int? {
        guard let hour = Int(text.suffix(5).prefix(2)), let minute = Int(text.suffix(2)) else { return nil }
        let day = text.count == 5 ? 0 : (-180...180).first { date.advanced(by: $0).text.hasSuffix(text.prefix(5)) }
        return day.map { $0 * 1440 + hour * 60 + minute }
    }
}
