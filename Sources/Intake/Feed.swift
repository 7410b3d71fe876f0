public import Domain

/// Whether a transactions feed's word counts by itself, or only what Apple signed.
public enum Trust: String, Sendable, CaseIterable {
    case backend, signature
}

public enum FileFormat: String, Sendable, CaseIterable {
    case csv, tsv, jsonl
}

/// Files that one source delivers, and how to read them. INTERFACES §1.
public struct Feed: Sendable {
    public var kind: FeedKind
    /// Absolute; may hold `{date}` and `*`.
    public var path: String
    /// The pattern as the configuration writes it, for people.
    public var name: String
    public var required: Bool
    public var trust: Trust
    /// Nil: by the file's extension, else by its content.
    public var format: FileFormat?
    /// Standard column → the file's own name for it.
    public var columns: [String: String]
    /// The file's own words for an order's status.
    public var statuses: [String: OrderStatus]
    /// Of instants written without an offset.
    public var zone: Zone

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

    /// The standard columns that a feed of that kind may map, in the order of INTERFACES §1.
    public static func columnNames(of kind: FeedKind) -> [String] { Column.all(of: kind).map(\.name) }
}

/// What stops the reading of a file altogether; a fault of its content never does.
public enum IntakeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A folder, a pipe, a device.
    case notAFile(path: String)
    case cannotOpen(path: String, reason: String)
    case cannotRead(path: String, reason: String)
    case cannotList(folder: String, reason: String)

    public var description: String {
        switch self {
        case .notAFile(let path):
            "\(path) is no regular file: move it out of the feed's folder, or correct the feed's path"
        case .cannotOpen(let path, let reason): "cannot open \(path): \(reason); let the batch's user read it"
        case .cannotRead(let path, let reason): "cannot read \(path): \(reason); check the disk and run again"
        case .cannotList(let folder, let reason): "cannot list \(folder): \(reason); let the batch's user read it"
        }
    }
}
