public import Domain

/// What a transactions feed must show to be believed: `signature` accepts only what Apple signed, `backend` also
/// accepts unsigned records on the backend's word.
public enum Trust: String, Sendable, CaseIterable {
    case backend, signature
}

/// The format of a feed's files.
public enum FileFormat: String, Sendable, CaseIterable {
    case csv, tsv, jsonl
}

/// The files that one source delivers, and how to read them. See docs/spec/interfaces.md#configuration-feeds.
public struct Feed: Sendable {
    /// What the rows are.
    public var kind: FeedKind
    /// The absolute path of the files. May contain `{date}` and `*`.
    public var path: String
    /// Identifies the feed: the name that the configuration gives it, or its path as the configuration writes it.
    public var name: String
    /// Whether a night without this feed's file reports a coverage gap.
    public var required: Bool
    /// The first business date that needs a file; nil to expect it since the night that first knows the feed.
    public var since: BusinessDate?
    /// A file is read only once the sender's own totals are beside it, in `FILE.totals`. Otherwise they are compared
    /// where they are there.
    public var needsTotals = false
    /// What a transactions feed must show to be believed; other feeds ignore it.
    public var trust: Trust
    /// The format; nil to determine it by the file's extension or, failing that, by its content.
    public var format: FileFormat?
    /// The file's own names of columns, by standard name.
    public var columns: [String: String]
    /// The file's own words for the status of an order.
    public var statuses: [String: OrderStatus]
    /// The time zone of times without an offset.
    public var zone: Zone

    /// A feed. The parameters are the properties of the same names.
    public init(
        kind: FeedKind, path: String, name: String, required: Bool = false, trust: Trust = .signature,
        format: FileFormat? = nil, columns: [String: String] = [:], statuses: [String: OrderStatus] = [:],
        zone: Zone = .utc
    ) {
        self.kind = kind
        self.path = path
        self.name = name
        self.required = required
        self.trust = trust
        self.format = format
        self.columns = columns
        self.statuses = statuses
        self.zone = zone
    }

    /// The standard names of the columns that a feed of this kind may map, in the order of
    /// docs/spec/interfaces.md#feed-columns.
    public static func columnNames(of kind: FeedKind) -> [String] { Column.all(of: kind).map(\.name) }
}

/// A failure that ends the reading of a file. A fault in the file's content is never an `IntakeError`.
public enum IntakeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path leads to a folder, a pipe or a device.
    case notAFile(path: String)
    /// The system's reason why the file could not be opened.
    case cannotOpen(path: String, reason: String)
    /// The system's reason why reading failed.
    case cannotRead(path: String, reason: String)
    /// The system's reason why the folder could not be read.
    case cannotList(folder: String, reason: String)

    /// What is wrong and what to do, for the operator.
    public var description: String {
        switch self {
        case .notAFile(let path):
            "\(path) is not a regular file: move it out of the feed's folder, or correct the feed's path"
        case .cannotOpen(let path, let reason):
            "cannot open \(path): \(reason); give the user that runs reconcile permission to read it"
        case .cannotRead(let path, let reason): "cannot read \(path): \(reason); check the disk and run again"
        case .cannotList(let folder, let reason):
            "cannot list \(folder): \(reason); give the user that runs reconcile permission to read it"
        }
    }
}
