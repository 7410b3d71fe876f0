public import AppStore
public import Domain

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
    /// Signatures that were verified now, by the SHA-256 of the JWS.
    public var verified: [Digest256] = []
    /// Names of columns that stand for nothing, sorted; to be logged once.
    public var ignoredColumns: [String] = []
    /// There are more rejects than are listed: the file is to be read once more.
    var isListCut = false
}

/// A file of which nothing is kept.
public struct Refusal: Sendable {
    public var stamp: FileStamp
    /// Nil where it could not be read to its end.
    public var digest: Digest256?
    /// Why, and what to do, as the rest of "orders-2025-11-18.csv is refused: …".
    public var reason: String
    /// The first of them, at most `rejectsMax`.
    public var rejects: [Reject]
    public var rows: Int
    public var rejected: Int

    public static let rejectsMax = 1000
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
    guard case .read(let contents) = outcome, contents.isListCut else { return outcome }
    // Many rejects, and yet within the share: rare enough to read twice, so that garbage never fills the memory.
    return try read(file, feed, delivery, settings, .none)
}

private func read(
    _ file: FoundFile, _ feed: Feed, _ delivery: Int32, _ settings: IntakeSettings, _ limits: RejectLimits
) throws(IntakeError) -> ReadOutcome {
    var source = try ByteSource(file.path, work: settings.work)
    var refusal = Refusal(stamp: source.stamp, digest: nil, reason: "", rejects: [], rows: 0, rejected: 0)
    do {
        if feed.kind == .appleFinance {
            // Apple's reports have readers of their own; here they only arrive.
            try source.drain()
            return .read(FileContents(digest: try source.finish(), stamp: refusal.stamp))
        }
        let reading = try FileReading(source, file, feed, delivery, settings, limits)
        let contents = try reading.contents(stamp: refusal.stamp, threads: settings.threads)
        let totals = contents.totals
        if totals.rejected * 1_000_000 <= totals.rows * settings.maxRejectedPartsPerMillion { return .read(contents) }
        refusal = Refusal(contents)
        return .refused(refusal)
    } catch let damage as Damage {
        refusal.reason = damage.reason
        return .refused(refusal)
    } catch {
        throw error as? IntakeError ?? .cannotRead(path: file.path, reason: "\(error)")
    }
}

extension Refusal {
    /// Of a file of which too much is rejected.
    fileprivate init(_ contents: FileContents) {
        let (rows, rejected) = (contents.totals.rows, contents.totals.rejected)
        self.init(
            stamp: contents.stamp, digest: contents.digest,
            reason: "\(rejected) of its \(rows) rows are rejected, more than maxRejectedShare allows; "
                + "correct it and deliver it again",
            rejects: Array(contents.rejects.prefix(Self.rejectsMax)), rows: rows, rejected: rejected)
    }
}
