public import AppStore
public import Domain
public import Parallel

public struct IntakeSettings: Sendable {
    /// More of a file's rows rejected: the file is refused.
    public var maxRejectedPartsPerMillion: Int
    public var threads: Int
    /// How much of a file is one piece of work; at least 16.
    public var blockBytes: Int
    public var appStore: AppStoreSettings
    /// Where rows and bytes are counted as they are read.
    public var work = WorkCount()

    public init(
        appStore: AppStoreSettings, maxRejectedPartsPerMillion: Int = 10_000, threads: Int = 1,
        blockBytes: Int = 1 << 20
    ) {
        precondition(threads >= 1 && blockBytes >= 16)
        self.maxRejectedPartsPerMillion = maxRejectedPartsPerMillion
        self.threads = threads
        self.blockBytes = blockBytes
        self.appStore = appStore
    }
}

/// A file read to its end.
public struct FileContents: Sendable {
    public var digest: Digest256
    public var stamp: FileStamp
    public var totals = ControlTotals()
    /// By line.
    public var rejects: [Reject] = []
    public var evidence = Evidence()
    /// Rejected rows that could not be divided into columns.
    var undivided = 0
    /// Signatures that were verified now, by the SHA-256 of the JWS.
    public var verified: [Digest256] = []
    /// Names of columns that stand for nothing, sorted; to be logged once.
    public var ignoredColumns: [String] = []
    /// There are more rejects than are listed.
    public internal(set) var isListCut = false
}

/// A file of which nothing is kept.
public struct Refusal: Sendable {
    /// Nil where it could not be read to its end.
    public var digest: Digest256?
    /// Why, and what to do, as the rest of "orders-2025-11-18.csv is refused: …".
    public var reason: String
    /// The first of them, at most `rejectsMax`.
    public var rejects: [Reject]
    public var rows: Int
    public var rejected: Int

    public static let rejectsMax = 1000

    /// Of a file of which nothing was read.
    public init(_ reason: String) {
        self.reason = reason
        rejects = []
        rows = 0
        rejected = 0
    }
}

public enum ReadOutcome: Sendable {
    case read(FileContents)
    case refused(Refusal)
}

/// Reads a file that a feed delivered: all of it, or nothing with the reason why.
///
/// The outcome depends on the file, the feed and the settings' share alone, never on threads or blocks.
/// `delivery` is the ledger's number for the file. Throws where the file cannot be read at all.
public func read(
    _ file: FoundFile, feed: Feed, delivery: Int32, settings: IntakeSettings
) throws(IntakeError) -> ReadOutcome {
    let outcome = try read(file, feed, delivery, settings, .cautious)
    // Clients may send as much as they like that cannot be used: what is listed of it is enough.
    guard case .read(let contents) = outcome, contents.isListCut, feed.kind != .receipts else { return outcome }
    // Many rejects, and yet within the share: rare enough to read twice, so that garbage never fills the memory.
    return try read(file, feed, delivery, settings, .known)
}

private func read(
    _ file: FoundFile, _ feed: Feed, _ delivery: Int32, _ settings: IntakeSettings, _ limits: RejectLimits
) throws(IntakeError) -> ReadOutcome {
    var source = try ByteSource(file.path, work: settings.work)
    let stamp = source.stamp
    do {
        if feed.kind == .appleFinance {
            // Apple's reports have readers of their own; here they only arrive.
            try source.drain()
            return .read(FileContents(digest: try source.finish(), stamp: stamp))
        }
        let reading = try FileReading(source, file, feed, delivery, settings, limits)
        let contents = try reading.contents(stamp: stamp, threads: settings.threads)
        guard contents.hasTooManyRejects(of: feed.kind, settings) else { return .read(contents) }
        return .refused(Refusal(contents))
    } catch let damage as FileDefect {
        return .refused(Refusal(damage.reason))
    } catch {
        throw error as? IntakeError ?? .cannotRead(path: file.path, reason: "\(error)")
    }
}

extension FileContents {
    /// So few rejected rows refuse no file, unless they are most of it.
    private static let rejectsHarmless = 10

    /// Whether so much is rejected that the file is not what it should be.
    ///
    /// What clients send never counts: of receipts only a file without a single row is refused.
    fileprivate func hasTooManyRejects(of kind: FeedKind, _ settings: IntakeSettings) -> Bool {
        let (rows, rejected) = (totals.rows, totals.rejected)
        let share = settings.maxRejectedPartsPerMillion
        if kind == .receipts { return undivided == rows && rows > Self.rejectsHarmless && share < 1_000_000 }
        return rejected * 1_000_000 > rows * share
            && (rejected > Self.rejectsHarmless || rejected * 2 > rows)
    }
}

extension Refusal {
    /// Of a file of which too much is rejected.
    fileprivate init(_ contents: FileContents) {
        rows = contents.totals.rows
        rejected = contents.totals.rejected
        reason =
            "\(rejected) of its \(rows) rows are rejected, more than maxRejectedShare allows; "
            + "correct it and deliver it again"
        rejects = Array(contents.rejects.prefix(Self.rejectsMax))
        digest = contents.digest
    }
}
