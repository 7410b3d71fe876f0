internal import Console
internal import Domain
internal import Engine
internal import Foundation
internal import Intake
internal import Ledger
internal import Parallel
internal import ReportData
internal import Settings
internal import Text

/// Reads every file that matches a feed, is dated no later than the business date and was not imported before.
struct FeedImport {
    let configuration: Configuration
    let businessDate: BusinessDate
    let settings: IntakeSettings
    /// How many bytes of memory are free. Nil if unknown.
    let memory: Int64?
    let log: Log
    /// Whether a refused file of a required feed ends the run only after all files were read, so that every refusal is
    /// reported.
    let readsOn: Bool
    /// The refused files of required feeds.
    private var refused: [String] = []

    init(
        configuration: Configuration, businessDate: BusinessDate, settings: IntakeSettings, memory: Int64?, log: Log,
        readsOn: Bool
    ) {
        self.configuration = configuration
        self.businessDate = businessDate
        self.settings = settings
        self.memory = memory
        self.log = log
        self.readsOn = readsOn
    }

    /// - Throws: `Failure` with `inputRefused` if a required feed's file cannot be used, with `noInput` if no file
    ///   matches any feed and the ledger is empty; `IntakeError`, `LedgerError`, `SQLiteError`.
    mutating func run(ledger: Ledger) throws -> Delivered {
        let files = try findFiles(of: configuration.feeds, base: configuration.folder, through: businessDate)
        if files.isEmpty, try ledger.isEmpty {
            throw Failure(
                .noInput, "no file matches any feed of \(quoted(configuration.file))",
                remedy: "Check the feeds' paths, or deliver the files; nothing was changed.")
        }
        if let overlap = configuration.feeds.overlap(in: files) {
            throw Failure(.configuration, overlap, remedy: "A file belongs to one feed: change one of the paths.")
        }
        try warnOfEmptyFeeds(files, try ledger.isEmpty ? [:] : ledger.arrivals())
        var delivered = Delivered()
        delivered.firstDelivery = try ledger.nextDelivery()
        let stamps = try ledger.stamps()
        var seen: [KnownContent: (name: String, rows: Int)] = [:]
        var news: [FoundFile] = []
        var need = MemoryNeed()
        for file in files {
            let feed = configuration.feeds[file.feed]
            if feed.kind == .appleFinance { continue }
            if file.hasForeignName {
                try refuse(file, of: feed, Refusal(Self.foreignName), into: &delivered)
                continue
            }
            if feed.needsTotals, !StatedTotals.exist(beside: file) {
                log.warning("\(file.name) is not read yet, because its totals are missing. Deliver \(file.name).totals")
                continue
            }
            let stamp = try stamp(of: file)
            if stamps[FeedFile(kind: feed.kind, name: file.name)] == stamp {
                delivered.filesSkipped += 1
                if !file.isDated, feed.kind.isList {
                    delivered.arrivals.append(Arrival(feed: feed.name, date: businessDate, file: file.name))
                }
            } else {
                news.append(file)
                need.add(file, stamp, isOptional: feed.kind == .receipts && !feed.required)
                settings.work.expect(bytes: stamp.bytes)
            }
        }
        let tooLarge = try need.leftOut(available: memory)
        for (number, file) in news.enumerated() {
            try Interruption.process.check()
            if tooLarge.contains(number) {
                try refuse(file, of: configuration.feeds[file.feed], Refusal(Self.tooLarge), into: &delivered)
                continue
            }
            try take(file, of: configuration.feeds[file.feed], into: &delivered, ledger: ledger, seen: &seen)
        }
        if !refused.isEmpty {
            throw Failure(
                .inputRefused,
                "\(counted(refused.count, "file", "files")) of required feeds refused: \(refused.joined(separator: ", "))",
                remedy: "Nothing was changed. Correct what the warnings name, deliver the files again and run again.")
        }
        delivered.evidence.orderLookups = try ledger.unknown(delivered.evidence.orderLookups)
        return delivered
    }

    /// Warns where a feed that delivered before matches no file any more: its disk may not be mounted.
    private func warnOfEmptyFeeds(_ files: [FoundFile], _ arrivals: [String: Set<BusinessDate>]) throws {
        let found = Set(files.map(\.feed))
        for (index, feed) in configuration.feeds.enumerated() where !found.contains(index) && arrivals[feed.name] != nil
        {
            log.warning(
                "no file matches the feed \(feed.name) any more, although it delivered before. Check that its folder is "
                    + "there and its disk is mounted")
        }
    }

    private static let foreignName = "its name is not UTF-8; rename it, preferably with letters and digits only"
    private static let tooLarge = "there is not enough free memory to read it; run on a machine with more"

    private struct KnownContent: Hashable {
        var kind: FeedKind
        var digest: Digest256
    }

    private mutating func take(
        _ file: FoundFile, of feed: Feed, into delivered: inout Delivered, ledger: Ledger,
        seen: inout [KnownContent: (name: String, rows: Int)]
    ) throws {
        let number = delivered.firstDelivery.advanced(by: delivered.deliveries.count)
        log.detail("reading \(file.name)")
        switch try read(file, feed: feed, delivery: number, settings: settings) {
        case .refused(let refusal): try refuse(file, of: feed, refusal, into: &delivered)
        case .read(let contents):
            if let reason = Self.contradiction(of: contents, file) {
                return try refuse(file, of: feed, Refusal(reason), into: &delivered)
            }
            let key = KnownContent(kind: feed.kind, digest: contents.digest)
            let known = try ledger.file(kind: feed.kind, digest: contents.digest).map { ($0.name, $0.rows) }
            if let twin = seen[key] ?? known {
                skip(file, of: feed, sameAs: twin.0, rows: twin.1, into: &delivered)
                return
            }
            seen[key] = (file.name, contents.totals.rows)
            if contents.isListCut {
                log.warning(
                    "\(file.name): of its \(contents.totals.rejected) rejected rows the first "
                        + "\(contents.rejects.count) are listed")
            }
            if !contents.ignoredColumns.isEmpty {
                log.notice("\(file.name): ignored columns \(contents.ignoredColumns.joined(separator: ", "))")
            }
            if contents.leftOut > 0 {
                log.notice("\(file.name): where leaves out \(counted(contents.leftOut, "row", "rows"))")
            }
            if contents.amountsWithoutCurrency > 0 {
                log.warning(
                    "\(file.name): \(counted(contents.amountsWithoutCurrency, "amount has no currency and is never compared", "amounts have no currency and are never compared")); "
                        + "export it, or set columns: { currency: { value: \"CNY\" } }")
            }
            delivered.add(contents, file: file, kind: feed.kind, number: number)
            delivered.arrivals.append(Arrival(feed: feed.name, date: file.fileDate, file: file.name))
        }
    }

    /// How a file differs from its sender's totals, and what to do. Nil if they agree or are absent.
    private static func contradiction(of contents: FileContents, _ file: FoundFile) -> String? {
        guard StatedTotals.exist(beside: file) else { return nil }
        do {
            return try StatedTotals(beside: file).difference(from: contents, of: file).map {
                $0 + "; deliver both again"
            }
        } catch {
            return "\(file.name).totals \(error.text); deliver both again"
        }
    }

    /// Skips a file whose content is known. If it is empty, it has still arrived. If the same content was delivered for
    /// another date, nothing was delivered for this date, unless its totals name this date.
    private func skip(_ file: FoundFile, of feed: Feed, sameAs twin: String, rows: Int, into delivered: inout Delivered)
    {
        delivered.filesSkipped += 1
        let isStated = StatedTotals.exist(beside: file) && (try? StatedTotals(beside: file))?.date == file.fileDate
        if rows == 0 || !file.isDated || twin == file.name || isStated {
            delivered.arrivals.append(Arrival(feed: feed.name, date: file.fileDate, file: file.name))
        } else {
            log.warning(
                "\(file.name) has the same content as \(twin) and is skipped. Deliver the rows of its own day. If nothing "
                    + "changed, name the date in \(file.name).totals")
        }
    }

    /// Warns about a file that cannot be used. If its feed is required, the run ends.
    private mutating func refuse(_ file: FoundFile, of feed: Feed, _ refusal: Refusal, into delivered: inout Delivered)
        throws
    {
        for reject in refusal.rejects.prefix(20) {
            log.warning("\(file.name):\(reject.line): \(reject.column.map { $0 + ": " } ?? "")\(reject.reason)")
        }
        let reason = CoverageGap.Reason.refused(file: file.name, feed: feed.name, text: refusal.reason)
        if feed.required {
            guard readsOn else {
                throw Failure(
                    .inputRefused, reason.machineText,
                    remedy: "Nothing was changed. Deliver the file again and run again.")
            }
            refused.append(file.name)
            return log.warning(reason.machineText)
        }
        log.warning(reason.machineText)
        delivered.refusals.append(CoverageGap(feed: feed.kind, date: file.fileDate, reason: reason))
        delivered.rejects += refusal.rejects.map { RejectLine($0, source: file.name) }
    }
}

extension FeedKind {
    /// The rows of such a feed stay valid until they are changed, so an unchanged file counts as delivered. A file of
    /// any other feed has only arrived if it was written since.
    fileprivate var isList: Bool { self == .products || self == .orderLookups || self == .acks }
}

extension Delivered {
    /// Adds the contents of a file.
    mutating func add(_ contents: FileContents, file: FoundFile, kind: FeedKind, number: DeliveryID) {
        evidence.append(contents.evidence)
        verified += contents.verified
        rejects += contents.rejects.map { RejectLine($0, source: file.name) }
        deliveries.append(
            Delivery(
                number: number, kind: kind, name: file.name, fileDate: file.fileDate, digest: contents.digest,
                stamp: contents.stamp, totals: contents.totals))
    }
}

extension RejectLine {
    init(_ reject: Reject, source: String) {
        self.init(source: source, line: reject.line, column: reject.column, reason: reject.reason, row: reject.row)
    }
}
