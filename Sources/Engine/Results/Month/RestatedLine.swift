/// What later evidence changed in a month that was closed before.
public struct RestatedLine: Hashable, Sendable, Codable {
    /// The closed month, `YYYY-MM`.
    public var period: String
    public var currency: Currency
    /// The movements as last reported: when the month was closed, or when a later month was.
    public var reported: Movements
    /// The movements by the evidence known now.
    public var now: Movements

    public var change: Movements { now - reported }
}

/// A subject that contributed to the change of a closed month.
public struct RestatedSubject: Hashable, Sendable, Codable {
    /// The closed month, `YYYY-MM`.
    public var period: String
    /// The id of the subject's key, without its kind. Empty for a change that no subject explains.
    public var subject: String
    public var product: String?
    /// The storefront, where the subject counts for another product or storefront now: each has a line. Else nil.
    public var storefront: String?
    /// The changed settings that moved each figure, by its word, and `movements` for `change`; an empty list where it is not
    /// known which of them. What no setting moved is not in it.
    @OmittedIfEmpty public var settings: [String: [String]] = [:]
    public var currency: Currency
    /// What the subject's movements in that month changed by.
    public var change: Movements
    public var purchasedAt: Instant?
    /// How many refunds more, less those that Apple took back.
    public var refunds = 0
    /// What more or less was taken back of which refunds, as a part of `change` and `refunds`.
    @OmittedIfEmpty public var ended: [RefundEnd] = []
    /// What else of the month the subject changed, by the figure's word: see `MoneyLine.named`.
    public var figures: [String: Int64] = [:]
    /// The latest row about what changed that was not known when the month was last reported: its file and line, and the
    /// night that read it. Nil where no new row explains the change.
    public var file: String?
    public var line: Int32?
    public var night: BusinessDate?
    /// `file:line` of further new rows about what changed: a refund and a reversal, say.
    @OmittedIfEmpty public var also: [String] = []
}

extension RestatedSubject {
    /// Whether a changed setting, or the changed product list, has a part in it.
    public var bySetting: Bool { !settings.isEmpty }
    /// The word of `change` in `settings`.
    public static let movements = "movements"
}

/// What later evidence changed of a closed month beside its movements: what was booked, or the amount of a reason.
public struct RestatedFigure: Hashable, Sendable, Codable {
    /// The closed month, `YYYY-MM`.
    public var period: String
    public var currency: Currency
    /// Its word: see `MoneyLine.named`.
    public var figure: String
    /// As last reported, in minor units.
    public var reported: Int64
    public var change: Int64

    public var now: Int64 { reported &+ change }
}

/// A gap in the files that began or ended since a month was closed last.
public struct GapChange: Hashable, Sendable, Codable {
    public var feed: FeedKind
    /// The date that lacks the file, or lacked it.
    public var date: BusinessDate
    public var hasBegun: Bool
    /// A person decided it: `gapDecisions` says who.
    public var isDecided: Bool
    /// The file of that date which came since. Nil without one.
    public var file: String?
    /// The business date of the night that read it; without a file, that of the first night with the gap, or again without it.
    /// Nil before such a night.
    public var night: BusinessDate?
}
