/// What a transactions feed must show to be believed: `signature` accepts only what Apple signed, `backend` also
/// accepts unsigned records on the backend's word.
public enum Trust: String, Sendable, CaseIterable {
    case backend, signature
}

public enum FileFormat: String, Sendable, CaseIterable {
    case csv, tsv, jsonl
    /// The text format of PostgreSQL's `COPY`, which `mysql --batch` writes as well: tabs between the fields, escapes with a
    /// backslash, and quotes that mean themselves.
    case text
    /// One JSON value over any number of lines, a list of values, or several values one after the other.
    case json
}

/// Where a column's value comes from.
public struct ColumnSource: Hashable, Sendable {
    /// The file's own name of the column; in JSON also a path, its steps separated by points. Nil for the standard name.
    public var name: String?
    /// The value of every row, instead of one from the file.
    public var value: String?
    /// The file's own words, each with the standard word that it stands for.
    public var words: [String: String] = [:]
    /// Put before every value.
    public var prefix = ""
    /// Whether the feed has no such column, even if a column of the file has the standard name.
    public var isAbsent = false

    /// No column.
    public static let absent: ColumnSource = {
        var source = ColumnSource()
        source.isAbsent = true
        return source
    }()

    public init(name: String? = nil, value: String? = nil, words: [String: String] = [:], prefix: String = "") {
        self.name = name
        self.value = value
        self.words = words
        self.prefix = prefix
    }
}

extension ColumnSource: ExpressibleByStringLiteral {
    /// The column of that name, as it is.
    public init(stringLiteral name: String) { self.init(name: name) }
}

/// The files that one source delivers, and how to read them. See docs/spec/interfaces.md#configuration-feeds.
public struct Feed: Sendable {
    public var kind: FeedKind
    /// The absolute path of the files. May contain `{date}` and `*`.
    public var path: String
    /// Identifies the feed: the name that the configuration gives it, or its path as the configuration writes it.
    public var name: String
    /// Whether a night without this feed's file reports a coverage gap.
    public var required: Bool
    /// The first business date that needs a file; nil to expect it since the night that first knows the feed.
    public var since: BusinessDate?
    /// What writes the files; nil if others deliver them.
    public var command: FeedCommand?
    /// A file is read only once the sender's own totals are beside it, in `FILE.totals`. Otherwise they are compared
    /// where they are there.
    public var needsTotals = false
    /// What a transactions feed must show to be believed; other feeds ignore it.
    public var trust: Trust
    /// The format; nil to determine it by the file's extension or, failing that, by its content.
    public var format: FileFormat?
    /// How the bytes stand for characters.
    public var encoding = TextEncoding.utf8
    /// The byte between fields; nil to determine it by the header.
    public var delimiter: UInt8?
    /// The names of the columns from left to right, if the files have no header line; nil if they have one.
    public var header: [String]?
    /// Where columns come from, by standard name. A column that is not listed has its standard name in the file.
    public var columns: [String: ColumnSource]
    /// Where the shop's own columns come from, by the label's name.
    public var labels: [String: ColumnSource] = [:]
    /// Only rows that have one of these values in each of these columns of the file are used. Empty for all rows.
    public var conditions: [String: [String]] = [:]
    /// Rows that have one of these values in each of these columns are not used. Empty for none.
    public var excluded: [String: [String]] = [:]
    /// The values that these columns of rows that are used may have: a row with another one is rejected. Empty for any.
    public var known: [String: [String]] = [:]
    /// Rows that have one of these values in each of these columns say that a record was deleted. They are counted, and
    /// are not evidence.
    public var deletes: [String: [String]] = [:]
    /// The texts of the file's last row, by column. `{rows}` stands for the number of rows. Nil if files have no such row.
    public var footer: [String: String]?
    /// The number of lines before the header, and of those between it and the rows.
    public var skipped = (lines: 0, afterHeader: 0)
    /// Whether a credit without a kind is rejected. Set for a file whose other rows say `credit`.
    var needsKind = false
    /// How amounts are written.
    public var amounts = AmountFormat()
    /// How times are written; nil for the standard forms.
    public var timeFormat: TimeFormat?
    /// The time zone of times without an offset.
    public var zone: Zone

    public init(
        kind: FeedKind, path: String, name: String, required: Bool = false, trust: Trust = .signature,
        format: FileFormat? = nil, columns: [String: ColumnSource] = [:], zone: Zone = .utc
    ) {
        self.kind = kind
        self.path = path
        self.name = name
        self.required = required
        self.trust = trust
        self.format = format
        self.columns = columns
        self.zone = zone
    }

    /// The standard names of the columns that a feed of this kind may map, in the order of
    /// docs/spec/interfaces.md#feed-columns.
    public static func columnNames(of kind: FeedKind) -> [String] { Column.all(of: kind).map(\.name) }

    /// The standard words of a column; nil if the column does not hold one of a closed set of words.
    public static func words(of column: String, in kind: FeedKind) -> [String]? {
        Column.all(of: kind).first { $0.name == column }?.words
    }

    /// Whether the column's values may be given a prefix: identifiers, except those that Apple or a client makes.
    public static func takesPrefix(_ column: String) -> Bool {
        [Column.orderID, .accountID, .productID, .creditID, .receiptID].contains { $0.name == column }
    }

    /// The standard columns that are not read by their names. Either `columns` says that there are none, or it gives the column of
    /// that name to another standard one and names no source. Columns that every row needs, the token and the time of
    /// the last change are always read.
    public var unread: Set<String> {
        let others = Column.all(of: kind).filter {
            !Column.required(of: kind).contains($0) && ![Column.appAccountToken, .updatedAt].contains($0)
                && columns[$0.name] == nil
        }
        // A credit's own number may also be its order's id, where each order has one credit.
        let mapped = Set(
            columns.filter { $0.key != Column.creditID.name && $0.key != Column.receiptID.name }.values
                .compactMap(\.name).map(Self.plain))
        return Set(
            columns.filter(\.value.isAbsent).keys + others.map(\.name).filter { mapped.contains(Self.plain($0)) })
    }

    /// The columns that every row of a feed needs.
    public static func requiredColumns(of kind: FeedKind) -> [String] { Column.required(of: kind).map(\.name) }

    /// In a configuration, begins a value that a person has not confirmed yet. Nothing runs with such a configuration.
    public static let undecided = "DECIDE"

    /// A column's name without what does not distinguish names.
    public static func plain(_ name: String) -> String { RowPlan.plain(name) }

    /// Whether a file has one column under both names.
    public static func isSame(_ name: String, _ other: String) -> Bool { RowPlan.plain(name) == RowPlan.plain(other) }

    /// Whether the names of the files have dates.
    public var isDated: Bool { path.split(separator: "/").contains { NamePattern($0).isDated } }
}

/// A failure that ends the reading of a file. A fault in the file's content is never an `IntakeError`.
public enum IntakeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path leads to a folder, a pipe or a device.
    case notAFile(path: String)
    /// The file does not exist, or is a link to a file that does not exist.
    case absent(path: String)
    /// The system's reason why the file could not be opened.
    case cannotOpen(path: String, reason: String)
    /// The system's reason why reading failed.
    case cannotRead(path: String, reason: String)
    /// The system's reason why the folder could not be read.
    case cannotList(folder: String, reason: String)
    /// The system cannot convert the encoding.
    case cannotDecode(path: String, encoding: String)

    /// What is wrong and what to do, for the operator.
    public var description: String {
        switch self {
        case .notAFile(let path):
            "\(path) is not a regular file: move it out of the feed's folder, or correct the feed's path"
        case .absent(let path):
            "the file \(path) does not exist, or is a link to a file that does not exist; check the path"
        case .cannotOpen(let path, let reason):
            "cannot open \(path): \(reason); give the user that runs reconcile permission to read it"
        case .cannotRead(let path, let reason): "cannot read \(path): \(reason); check the disk and run again"
        case .cannotList(let folder, let reason):
            "cannot list \(folder): \(reason); give the user that runs reconcile permission to read it"
        case .cannotDecode(let path, let encoding):
            "cannot read \(path): this system cannot convert \(encoding); install glibc's gconv modules, or export UTF-8"
        }
    }
}
