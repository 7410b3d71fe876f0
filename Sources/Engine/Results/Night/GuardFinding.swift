/// A figure of a night's input that is so unusual that a person must look before goods are given: the night is guarded.
///
/// It changes no verdict. Retry entries that it may concern are held, and look-up advises against giving their goods by hand.
public struct GuardFinding: Hashable, Sendable, Codable {
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
        /// A credits feed's last row is earlier than usual: `count` purchases since then, which is `total`, too, lack goods.
        case endsEarly = "ends_early"
        /// Of `total` purchases of some hours, or of a product, `count` lack their goods; `usual` is how many of them usually do.
        /// With neither hours nor product: on `count` of `total` dates, what was paid outside the credits' times lacks its goods.
        case lostTogether = "lost_together"
        /// Of `total` answers to entries to give goods, `count` say that the goods are there.
        case alreadyGiven = "already_given"
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
    /// For `clock`: by how many half hours the times are later than Apple's. Nil for the other kinds.
    public var halfHours: Int32?
    /// For `endsEarly`: the local times of the last row and of the usual one; for `lostTogether`, from when to when. Nil otherwise.
    public var ends: [String]?
    /// For `lostTogether`, what the purchases have in common, if it is not their hours.
    public var product: String?
    /// For `lostTogether` and `alreadyGiven`, the first date, if it is about several dates together; `date` is the last.
    public var since: BusinessDate?

    /// Whether both are about the same thing on the same day, whatever their figures.
    public func isSameMatter(as other: GuardFinding) -> Bool {
        (kind, feed, path, date, product) == (other.kind, other.feed, other.path, other.date, other.product)
            && (since == nil) == (other.since == nil)
            && hours.map { other.hours?.overlaps($0) ?? false } ?? true
    }

    /// For `lostTogether`, the hours of the clock, if they are what the purchases have in common.
    var hours: Range<Int>? {
        let ends = ends?.compactMap { Int($0.prefix(2)) } ?? []
        return kind == .lostTogether && ends.count == 2 ? ends[0]..<ends[1] : nil
    }

    /// Whether it may explain why a purchase lacks its goods. What is missing may begin before, and end after, so an hour on either
    /// side is in doubt; and all hours, if so many of them are.
    func mayConcern(_ product: String?, paidAt: Instant?, in zone: Zone) -> Bool {
        guard kind == .lostTogether, let paidAt else { return true }
        if let own = self.product, let product, own != product { return false }
        let hours = hours.flatMap { $0.count < Self.hoursMost ? $0 : nil }
        return [-1, 0, 1].contains { (shift: Int64) in
            let near = paidAt + .hours(shift)
            return hours?.contains(zone.hour(of: near)) ?? true && (since != nil || zone.date(of: near) == date)
        }
    }

    /// Names the finding's texts in the templates.
    public var code: String {
        switch kind {
        case .clock: isLate ? "late" : "early"
        case .creditedNotPaid where feed == .transactions: "credited_in_test"
        case .lostTogether where product != nil: "product_lost"
        case .lostTogether where ends == nil: "ends_lost"
        default: kind.rawValue
        }
    }

    /// So many hours of a date in doubt are a doubt about the whole date.
    private static let hoursMost = 12

    /// How far the times are off: `8 h`.
    public var shift: String { ClockShift(halfHours: halfHours ?? 0).text }

    public var isLate: Bool { (halfHours ?? 0) > 0 }

    /// `58–63`, or `58` where all deliveries had the same number of rows.
    public var usualText: String {
        guard let least = usual.first, let most = usual.last, least != most else { return String(usual.first ?? total) }
        return "\(least)–\(most)"
    }
}
