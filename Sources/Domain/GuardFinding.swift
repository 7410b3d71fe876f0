/// A figure of a night's input so far from the usual that a person looks before anything is given: the night is guarded.
///
/// No verdict changes by it. The retry manifest is held, and look-up advises against compensating by hand.
public struct GuardFinding: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, CaseIterable, Codable {
        /// Too many of a date's proven purchases have no credit: of `total` purchases `count`.
        case uncredited
        /// A feed delivered far fewer rows than usual: `count`, where `total` is the median of those in `usual`.
        case rows
        /// Too many of a date's transactions are of another app: of `total` transactions `count`.
        case invalid
    }

    public var kind: Kind
    /// The feed's kind; of `rows` that of the feed whose `path` it is.
    public var feed: String
    /// The feed's path as configured; nil where it is not about one feed.
    public var path: String?
    /// A business date.
    public var date: String
    public var count: Int
    public var total: Int
    /// The rows of the deliveries compared with, ascending; empty where nothing is compared.
    public var usual: [Int]

    public init(
        _ kind: Kind, feed: String, path: String? = nil, date: String, count: Int, total: Int, usual: [Int] = []
    ) {
        self.kind = kind
        self.feed = feed
        self.path = path
        self.date = date
        self.count = count
        self.total = total
        self.usual = usual
    }

    /// Whether `other` is about the same thing on the same day, whatever its figures.
    public func isSameMatter(as other: GuardFinding) -> Bool {
        (kind, feed, path, date) == (other.kind, other.feed, other.path, other.date)
    }

    /// In English, for the log and the ledger: `credits 2026-11-21: 0 rows, usually 58–63`.
    public var text: String {
        switch kind {
        case .uncredited: "credits \(date): \(count) of \(total) purchases have no credit"
        case .rows: "\(feed) \(date): \(count) rows, usually \(usualText)"
        case .invalid: "transactions \(date): \(count) of \(total) are of another app"
        }
    }

    /// `58–63`, or `58` where all are the same.
    public var usualText: String {
        guard let least = usual.first, let most = usual.last, least != most else { return String(usual.first ?? total) }
        return "\(least)–\(most)"
    }
}

extension [GuardFinding] {
    /// The first three, and how many more there are; nil where there is none.
    public var summary: String? {
        if isEmpty { return nil }
        let rest = count > 3 ? ["\(count - 3) more"] : []
        return (prefix(3).map(\.text) + rest).joined(separator: "; ")
    }
}
