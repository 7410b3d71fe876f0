/// One file that a feed delivered, read to its end.
public struct Delivery: Hashable, Sendable {
    /// The ledger's number for it, ascending in order of import.
    public var number: Int32
    public var kind: FeedKind
    /// As the configuration's folder sees it: `inbox/orders-2025-11-18.csv`.
    public var name: String
    public var fileDate: BusinessDate
    public var digest: Digest256
    public var stamp: FileStamp
    public var totals: ControlTotals
    /// Of `totals.rows`: rows of which at least one piece of evidence was new.
    public var accepted: Int
    /// Of `totals.rows`: rows that said only what was known.
    public var duplicates: Int

    public init(
        number: Int32, kind: FeedKind, name: String, fileDate: BusinessDate, digest: Digest256, stamp: FileStamp,
        totals: ControlTotals, accepted: Int = 0, duplicates: Int = 0
    ) {
        self.number = number
        self.kind = kind
        self.name = name
        self.fileDate = fileDate
        self.digest = digest
        self.stamp = stamp
        self.totals = totals
        self.accepted = accepted
        self.duplicates = duplicates
    }
}
