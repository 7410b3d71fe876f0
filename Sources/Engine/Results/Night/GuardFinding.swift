/// A figure of a night's input that is so unusual that a person must look before goods are given: the night is guarded.
///
/// It changes no verdict. The retry manifest is held, and look-up advises against compensating by hand.
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
        /// Not one purchase is of the date: `count` is 0, and `total` is the median of `usual`, the dates before.
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
    }

    public var kind: Kind
    /// The kind of feed; for `rows`, `newRows` and `parts`, that of the feed at `path`.
    public var feed: FeedKind
    /// The feed's path as configured; nil if the finding is not about a single feed.
    public var path: String?
    public var date: BusinessDate
    /// The unusual figure; see the kinds.
    public var count: Int
    /// What `count` is compared with; see the kinds.
    public var total: Int
    /// The counts compared with, ascending. Empty for the kinds other than `rows`, `newRows`, `parts` and `noPurchases`.
    public var usual: [Int] = []
    /// For `clock`: by how many half hours the times are later than Apple's. Nil for the other kinds.
    public var halfHours: Int32?

    /// Whether both are about the same thing on the same day, whatever their figures.
    public func isSameMatter(as other: GuardFinding) -> Bool {
        (kind, feed, path, date) == (other.kind, other.feed, other.path, other.date)
    }

    /// In English, for the log and the ledger: `credits 2026-11-21: 0 rows, usually 58–63`.
    public var text: String {
        switch kind {
        case .uncredited: "credits \(date): \(count) of \(counted(total, "purchase", "purchases")) without a credit"
        case .rows: "\(feed.rawValue) \(date): \(counted(count, "row", "rows")), usually \(usualText)"
        case .newRows:
            "\(feed.rawValue) \(date): \(counted(count, "new row", "new rows")), usually \(usualText). Is the file a part, a "
                + "copy of another date's, or an export of a database that stands still?"
        case .parts:
            "\(feed.rawValue) \(date): \(counted(count, "file", "files")), and \(total) on each date before. Deliver what is "
                + "missing; the next night counts it"
        case .noPurchases:
            "\(feed.rawValue) \(date): no purchase of this date, usually \(usualText). Do the files hold another date's rows?"
        case .collisions:
            "\(feed.rawValue) \(date): \(count) of \(counted(total, "row", "rows")) have the id of another record. Were ids "
                + "or accounts exported wrongly? \(Self.undo). Only where two feeds count from 1, give the ids of each a 'prefix' "
                + "in its 'columns', and restore that backup"
        case .clock:
            "\(feed.rawValue) \(date): the times of \(count) of \(counted(total, "purchase", "purchases")) are \(shift) "
                + "\(isLate ? "later" : "earlier") than Apple's. Name the time zone of the export in the feed's 'timeZone'. "
                + "Then restore the backup from before these rows, and run again"
        case .olderLedger:
            "an older ledger is in place: the reports of \(date) are of run \(count), and it ends with run \(total). Put the "
                + "newer ledger back with 'reconcile restore'. If it is lost, compare the manifests of its nights with what was given"
        case .handOuts:
            "the desk's files have lost \(count) of \(counted(total, "hand-out", "hand-outs")), the last of them of \(date). "
                + "These still count. Others that no night has read may be lost too: put the files back, or record them again"
        case .creditedTwice:
            "credits \(date): \(count) of \(counted(total, "purchase", "purchases")) "
                + "credited twice. Were credits exported again under new ids? \(Self.undo)"
        case .creditedToWrongAccount:
            "credits \(date): \(count) of \(counted(total, "purchase", "purchases")) "
                + "credited to another account. Were accounts or ids exported wrongly? \(Self.undo)"
        case .statusOnly:
            "orders \(date): \(counted(count, "purchase counts", "purchases count")) as credited by the order's status alone, as "
                + "in no night before. Does the export, or the feed's 'columns', say so before the goods are given? \(Self.undo)"
        case .valueMismatch:
            "orders \(date): \(count) of \(counted(total, "purchase", "purchases")) "
                + "differ from Apple's record. Were amounts exported in another unit? \(Self.undo)"
        case .orderMissing:
            "orders \(date): \(count) of \(counted(total, "purchase", "purchases")) "
                + "without an order. Is the file another app's, or a part? Deliver the right file and run again"
        case .refundedNotReversed:
            "transactions \(date): \(count) of \(counted(total, "purchase", "purchases")) refunded, and their goods "
                + "kept. Did every record get a revocation date? \(Self.undo)"
        case .creditedNotPaid where feed == .transactions:
            "transactions \(date): \(count) of \(counted(total, "purchase", "purchases")) "
                + "credited in another environment. Are these Apple's test records? Deliver those of production and "
                + "run again. If other feeds came from there too, restore the backup from before these rows first"
        case .creditedNotPaid:
            "credits \(date): \(count) of \(counted(total, "purchase", "purchases")) "
                + "credited without a payment. Is a part of that date's Apple records missing? Deliver it: that alone heals. "
                + "Or are these another server's or app's credits? \(Self.undo)"
        case .invalid:
            "transactions \(date): \(count) of \(total) \(count == 1 ? "is" : "are") of another app. Is app.bundleIDs "
                + "right? If it was wrong, correct it and run again: its rows are judged by the ids of today"
        }
    }

    /// The rows of a wrong file stay on record, so the right one does not mend them.
    private static let undo =
        "If so, set the file or its 'columns' right, restore the backup from before these rows, and run again"

    /// How far the times are off: `8 h`.
    public var shift: String { ClockShift(halfHours: halfHours ?? 0).text }

    public var isLate: Bool { (halfHours ?? 0) > 0 }

    /// `58–63`, or `58` where all deliveries had the same number of rows.
    public var usualText: String {
        guard let least = usual.first, let most = usual.last, least != most else { return String(usual.first ?? total) }
        return "\(least)–\(most)"
    }
}

extension [GuardFinding] {
    /// The first three findings, what to do about those of a kind once, and the number of the others; nil without findings.
    public var summary: String? {
        if isEmpty { return nil }
        let (shown, rest) = (prefix(3), count > 3 ? ["\(count - 3) more"] : [])
        let texts = shown.indices.map { index in
            let isSaidLater = shown[(index + 1)...].contains { $0.kind == self[index].kind }
            return isSaidLater ? String(self[index].text.split(separator: ". ", maxSplits: 1)[0]) : self[index].text
        }
        return (texts + rest).joined(separator: "; ")
    }
}
