/// What a feed delivers.
public enum FeedKind: String, Sendable, CaseIterable, Codable {
    case orders, credits, transactions, receipts, acks, products
    case orderLookups = "order-lookups"
    case appleFinance = "apple-finance"
}

/// Where a piece of evidence came from.
@frozen
public struct Provenance: Hashable, Sendable {
    /// The ledger's number of the delivered file.
    public var delivery: Int32
    /// The line on which the row begins, from 1 (a header is line 1).
    public var line: Int32
    /// The date of the file: its `{date}`, else the business date of the run that read it.
    public var fileDate: BusinessDate

    @inlinable
    public init(delivery: Int32, line: Int32, fileDate: BusinessDate) {
        self.delivery = delivery
        self.line = line
        self.fileDate = fileDate
    }

    /// For values made in code, not read from a file.
    public static let none = Provenance(delivery: 0, line: 0, fileDate: BusinessDate(day: 0))
}

/// A row that could not be used: a fact about the data, never an error of the run.
public struct Reject: Hashable, Sendable {
    /// The line on which the row begins, from 1.
    public var line: Int
    /// The column at fault by its standard name, or nil where the row as a whole is.
    public var column: String?
    /// What is wrong and what would be right, for a person.
    public var reason: String
    /// The row as read, cut at 4 KiB. May be no UTF-8.
    public var row: [UInt8]

    public init(line: Int, column: String?, reason: String, row: [UInt8]) {
        self.line = line
        self.column = column
        self.reason = reason
        self.row = row
    }
}

/// What identifies a file on disk without reading it: unchanged stamp, unchanged content.
public struct FileStamp: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    public var bytes: Int64
    /// Nanoseconds since 1970; the change time cannot be set back by its owner.
    public var modified: Int64
    public var changed: Int64

    public init(device: UInt64, inode: UInt64, bytes: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.bytes = bytes
        self.modified = modified
        self.changed = changed
    }
}

/// What is counted while a file is read, to be compared with what its sender counted.
public struct ControlTotals: Hashable, Sendable {
    /// Records in the file, whatever became of them.
    public var rows = 0
    public var rejected = 0
    /// Earliest and latest instant of the rows used.
    public var firstEvent: Instant?
    public var lastEvent: Instant?
    /// Sum per currency of the rows' amounts, in minor units.
    public var amounts: [Currency: Int64] = [:]
    /// Sum modulo 2^64 of the 64-bit FNV-1a of each used row's key: order does not matter, every key does.
    public var hashTotal: UInt64 = 0

    public init() {}
}

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

/// A required feed's missing file, or a file refused: what nobody could look at.
public struct CoverageGap: Hashable, Sendable, Codable {
    public var feed: String
    public var date: String
    /// `missing`, or why the file was refused.
    public var why: String
    /// Of a refused file: the path of its feed as configured, and the file's name.
    public var path: String?
    public var file: String?

    public init(feed: String, date: String, why: String, path: String? = nil, file: String? = nil) {
        self.feed = feed
        self.date = date
        self.why = why
        self.path = path
        self.file = file
    }

    /// Whether both are about one refused file, whatever was wrong with it each time.
    public func isSameFile(as other: CoverageGap) -> Bool {
        (feed, date, path, file) == (other.feed, other.date, other.path, other.file)
    }
}
