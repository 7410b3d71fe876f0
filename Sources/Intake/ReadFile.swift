public import AppStore

/// How files are read.
public struct IntakeSettings: Sendable {
    /// A file with a larger share of rejected rows is refused. In parts per million.
    public var maxRejectedPartsPerMillion: Int
    /// How many threads parse a file; at least 1.
    public var threads: Int
    /// How many bytes of a file are parsed at a time; at least 16.
    public var blockBytes: Int
    /// How Apple's records are checked.
    public let appStore: AppStoreSettings
    /// Shared by all files that are read with these settings.
    let checkers: RecordCheckerPool
    /// Counts rows and bytes as they are read, for progress.
    public var work = WorkCount()

    /// A file of up to so many bytes is read by one thread, in blocks of this size.
    static let smallFile = 1 << 16

    /// Settings with the defaults: 1 % rejects, one thread, blocks of 1 MiB.
    public init(
        appStore: AppStoreSettings, maxRejectedPartsPerMillion: Int = 10_000, threads: Int = 1,
        blockBytes: Int = 1 << 20
    ) {
        precondition(threads >= 1 && blockBytes >= 16)
        self.maxRejectedPartsPerMillion = maxRejectedPartsPerMillion
        self.threads = threads
        self.blockBytes = blockBytes
        self.appStore = appStore
        checkers = RecordCheckerPool(appStore)
    }
}

/// The content of a file that was read to its end. As JSON, it is without its evidence and without the signatures that were
/// verified.
public struct FileContents: Sendable, Codable {
    private enum CodingKeys: CodingKey {
        case digest, stamp, totals, rejects, ignoredColumns, leftOut, ordersLeftOut, deleted, amountsWithoutCurrency,
            labelsCut,
            emptyLabels,
            isListCut, sample
    }

    /// The SHA-256 of the file as stored on disk.
    public var digest: Digest256
    /// The state of the file when it was opened.
    public var stamp: FileStamp
    public var totals = ControlTotals()
    /// The rejected rows, in file order.
    public var rejects: [Reject] = []
    /// The accepted rows, in file order.
    public var evidence = Evidence()
    /// How many rejected rows could not be divided into columns.
    var undivided = 0
    /// The SHA-256 of each JWS whose signature was verified in this reading.
    public var verified: [Digest256] = []
    /// The names of unknown columns, sorted, to be logged once.
    public var ignoredColumns: [String] = []
    /// How many rows the feed's conditions left out. They are in no other figure.
    public internal(set) var leftOut = 0
    /// The hashes of the ids of orders among them, as `IdentifierReader.textHash` has them.
    public internal(set) var ordersLeftOut: [UInt64] = []
    /// How many rows say that a record was deleted. They are in no other figure.
    public internal(set) var deleted = 0
    /// How many accepted rows have an amount without a currency, which is ignored.
    public internal(set) var amountsWithoutCurrency = 0
    /// How many values of labels are longer than `LabelSet.textMax` and were cut.
    public internal(set) var labelsCut = 0
    /// The feed's labels of which no row has a value, by name.
    public internal(set) var emptyLabels: [String] = []
    /// Whether there are more rejects than `rejects` lists.
    public internal(set) var isListCut = false
    public internal(set) var sample = RowSample()
    /// Whether some credits do not say what they are, and at least as many say that they are credits.
    var lacksKinds = false
}

/// A file that is refused: none of its rows are used.
public struct Refusal: Sendable, Codable {
    /// The SHA-256 of the file; nil if it could not be read to its end.
    public var digest: Digest256?
    /// What is wrong and what to do, as the rest of "orders-2025-11-18.csv is refused: …".
    public var reason: String
    /// The first rejected rows, at most `rejectsMax`.
    public var rejects: [Reject] = []
    /// How many rows the file has; 0 if none was read.
    public var rows: Int
    /// How many of them are rejected.
    public var rejected: Int

    /// How many rejected rows are kept of a refused file.
    public static let rejectsMax = 1000

    /// A refusal before any row was read.
    public init(_ reason: String) {
        self.reason = reason
        rows = 0
        rejected = 0
    }
}

/// The result of reading a file.
public enum ReadOutcome: Sendable, Codable {
    /// The file was read; single rows may be rejected.
    case read(FileContents)
    /// The file as a whole is not used.
    case refused(Refusal)
}

/// Reads a delivered file: all of it, or nothing and the reason.
///
/// The result depends only on the file, the feed and `maxRejectedPartsPerMillion`, never on threads or block size.
///
/// - Parameter delivery: the ledger's number for the file, as provenance of its rows.
/// - Throws: `IntakeError` if the file cannot be read at all.
public func read(
    _ file: FoundFile, feed: Feed, delivery: DeliveryID, settings: IntakeSettings
) throws(IntakeError) -> ReadOutcome {
    var (feed, outcome) = (feed, try read(file, feed: feed, delivery: delivery, settings: settings, limits: .cautious))
    // Where other rows say `credit`, a row that says nothing may be a reversal whose word was lost.
    if case .read(let contents) = outcome, contents.lacksKinds {
        feed.needsKind = true
        outcome = try read(file, feed: feed, delivery: delivery, settings: settings, limits: .cautious)
    }
    if case .refused(var refusal) = outcome, refusal.digest == nil {
        refusal.digest = digest(of: file)
        return .refused(refusal)
    }
    // Clients may send any amount of unusable receipts; a truncated reject list is enough for those.
    guard case .read(let contents) = outcome, contents.isListCut, feed.kind != .receipts else { return outcome }
    // Many rejects, but within the allowed share. This is rare enough to read the file twice, so that garbage never
    // fills memory.
    return try read(file, feed: feed, delivery: delivery, settings: settings, limits: .known)
}

/// The digest of a file that was not read to its end. Nil if it cannot be.
private func digest(of file: FoundFile) -> Digest256? {
    do {
        var source = try ByteSource(file.path)
        try source.drain()
        return try source.finish()
    } catch { return nil }
}

/// Reads the beginning of a file, to show how it is understood: its header and about `rows` rows.
///
/// The contents have no digest, and their totals are those of these rows. A fault further down is not found.
///
/// - Throws: `IntakeError` if the file cannot be read at all.
public func readBeginning(
    of file: FoundFile, feed: Feed, rows: Int, settings: IntakeSettings
) throws(IntakeError) -> ReadOutcome {
    try reading(file.path, refused: { .refused(Refusal($0)) }) {
        let source = try ByteSource(file.path, encoding: feed.encoding)
        let stamp = source.stamp
        let reading = try FileReading(source, of: file, feed: feed, delivery: 0, settings: settings, limits: .cautious)
        return .read(try reading.beginning(rows: rows, stamp: stamp))
    }
}

/// Reads the file once, with the given limits for listing rejects.
private func read(
    _ file: FoundFile, feed: Feed, delivery: DeliveryID, settings: IntakeSettings, limits: RejectLimits
) throws(IntakeError) -> ReadOutcome {
    try reading(file.path, refused: { .refused(Refusal($0)) }) {
        var source = try ByteSource(file.path, encoding: feed.encoding, work: settings.work)
        let stamp = source.stamp
        if feed.kind == .appleFinance {
            // Apple's reports have their own readers; here they are only hashed and recorded.
            try source.drain()
            return .read(FileContents(digest: try source.finish(), stamp: stamp))
        }
        let reading = try FileReading(
            source, of: file, feed: feed, delivery: delivery, settings: settings, limits: limits)
        // Starting threads for a small file would take longer than reading it.
        let threads = stamp.bytes <= IntakeSettings.smallFile ? 1 : settings.threads
        let contents = try reading.contents(stamp: stamp, threads: threads)
        if contents.hasTooManyRejects(of: feed.kind, settings) { return .refused(Refusal(contents)) }
        if let reason = contents.unverifiedReason { return .refused(Refusal(reason)) }
        return .read(contents)
    }
}

/// What `body` makes of the file at `path`, or what `refused` makes of the defect that it finds.
func reading<Outcome>(
    _ path: String, refused: (_ reason: String) -> Outcome, _ body: () throws -> Outcome
) throws(IntakeError) -> Outcome {
    do { return try body() } catch let defect as FileDefect {
        return refused(defect.reason)
    } catch {
        throw error as? IntakeError ?? .cannotRead(path: path, reason: "\(error)")
    }
}

extension FileContents {
    /// Up to this many rejected rows do not cause a refusal, unless they are more than half of the file.
    private static let rejectsHarmless = 10

    /// One forged record is an attack. A file without a single good signature is a root that is not trusted, a wrong
    /// clock or a broken export, and must not accuse all of its customers.
    private static let unverifiedMin = 20

    /// Why a file of signed transactions is refused, if Apple signed none of them. Nil if it is not.
    fileprivate var unverifiedReason: String? {
        let transactions = evidence.transactions
        guard transactions.count >= Self.unverifiedMin,
            transactions.allSatisfy({ $0.failure == .untrustedChain || $0.failure == .badSignature })
        else { return nil }
        return
            "no signature of its \(transactions.count) transactions can be traced to Apple. Check that the export is whole, that "
            + "the clock is right, and, for a root certificate of your own, 'trustedRoots'; then deliver it again"
    }

    /// Whether too many rows are rejected for the file to be trusted.
    ///
    /// What clients send must not block a file: a receipts file is refused only if none of its rows could be divided
    /// into columns.
    fileprivate func hasTooManyRejects(of kind: FeedKind, _ settings: IntakeSettings) -> Bool {
        let (rows, rejected) = (totals.rows, totals.rejected)
        let share = settings.maxRejectedPartsPerMillion
        if kind == .receipts { return undivided == rows && rows > Self.rejectsHarmless && share < 1_000_000 }
        return rejected * 1_000_000 > rows * share
            && (rejected > Self.rejectsHarmless || rejected * 2 > rows)
    }
}

extension Refusal {
    /// The refusal of a file with too many rejected rows.
    fileprivate init(_ contents: FileContents) {
        rows = contents.totals.rows
        rejected = contents.totals.rejected
        reason =
            "\(rejected) of its \(counted(rows, "row", "rows")) \(rejected == 1 ? "is" : "are") rejected, more than maxRejectedShare allows; "
            + "correct it and deliver it again"
        rejects = Array(contents.rejects.prefix(Self.rejectsMax))
        digest = contents.digest
    }
}
