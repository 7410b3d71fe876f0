/// A kind of feed, and the date of a file.
public struct FeedDate: Codable, Hashable, Sendable {
    public var feed: FeedKind
    public var date: BusinessDate
}

/// A date of purchase, and by how much the times of a feed's rows of an account are off against Apple's.
public struct ShiftedDate: Codable, Hashable, Sendable {
    /// `orders` or `credits`.
    public var feed: FeedKind
    public var date: BusinessDate
    public var shift: ClockShift
    /// Absent for all accounts.
    public var account: Identifier
}
