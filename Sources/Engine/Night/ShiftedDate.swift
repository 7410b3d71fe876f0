public import Domain

/// A kind of feed, and the date of a file.
public struct FeedDate: Hashable, Sendable {
    public var feed: FeedKind
    public var date: BusinessDate

    public init(feed: FeedKind, date: BusinessDate) {
        self.feed = feed
        self.date = date
    }
}

/// A date of purchase, and by how much the times of a feed's rows are off against Apple's.
public struct ShiftedDate: Hashable, Sendable {
    /// `orders` or `credits`.
    public var feed: FeedKind
    public var date: BusinessDate
    public var shift: ClockShift

    public init(feed: FeedKind, date: BusinessDate, shift: ClockShift) {
        self.feed = feed
        self.date = date
        self.shift = shift
    }
}
