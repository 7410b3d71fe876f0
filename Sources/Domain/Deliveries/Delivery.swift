/// One file of a feed that was read completely.
public struct Delivery: Hashable, Sendable {
    /// The ledger's number of the file, ascending in order of import.
    public var number: DeliveryID
    public var kind: FeedKind
    /// The path relative to the configuration's folder: `inbox/orders-2025-11-18.csv`.
    public var name: String
    /// The date in the file's name, else the business date of the run that read it.
    public var fileDate: BusinessDate
    /// SHA-256 of the file.
    public var digest: Digest256
    /// Identifies the file on disk without reading it.
    public var stamp: FileStamp
    public var totals: ControlTotals
    /// Rows that contributed at least one new piece of evidence. Part of `totals.rows`.
    public var accepted: Int
    /// Rows that held nothing new. Part of `totals.rows`.
    public var duplicates: Int

    public init(
        number: DeliveryID, kind: FeedKind, name: String, fileDate: BusinessDate, digest: Digest256, stamp: FileStamp,
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

/// A delivered file as evidence names it.
public struct NamedFile: Codable, Hashable, Sendable {
    /// The path relative to the configuration's folder.
    public var name: String
    /// SHA-256, hexadecimal.
    public var digest: String

    public init(name: String, digest: String) {
        self.name = name
        self.digest = digest
    }
}

extension Delivery {
    public var file: NamedFile { NamedFile(name: name, digest: digest.hex) }
}
