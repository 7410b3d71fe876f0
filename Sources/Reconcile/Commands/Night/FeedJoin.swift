internal import Intake
internal import Ledger

/// Puts the files of a night together, in the order in which they were found: which count, which are refused, and which
/// hold what is known already.
struct FeedJoin {
    private let configuration: Configuration
    private let log: Log
    private(set) var delivered: Delivered
    /// The refused files of required feeds. They end the run once all files were read, so that it names every one.
    private var refused: [(file: FoundFile, gap: CoverageGap.Reason)] = []
    /// The files of tonight, by the kind of their feed and their content.
    private var seen: [FeedKind: [Digest256: (name: String, rows: Int)]] = [:]
    private let found: [FoundFile]
    /// How the nights before had the feeds' columns, and `kind` in the parts of credits feeds.
    private var runs: (columns: [String: [String: ColumnRun]], kinds: [String: [String: ColumnRun]])?

    private static let foreignName = "its name is not UTF-8; rename it, preferably with letters and digits only"

    init(configuration: Configuration, log: Log, _ found: FoundFiles) throws {
        self.configuration = configuration
        self.log = log
        delivered = found.delivered
        self.found = found.news
        for file in found.unopenable { try refuse(file, Refusal(Self.foreignName)) }
    }

    /// The number for the next file, if files are numbered as they are added.
    var nextDelivery: DeliveryID { delivered.firstDelivery.advanced(by: delivered.deliveries.count) }

    /// Adds a file that was read.
    /// - Parameter number: what the provenance of its rows says.
    mutating func add(
        _ file: FoundFile, _ outcome: consuming ReadOutcome, ledger: Ledger, number: DeliveryID
    ) throws {
        let feed = configuration.feeds[file.feed]
        var contents: FileContents
        switch consume outcome {
        case .refused(let refusal):
            // What was imported once is not judged anew.
            guard let digest = refusal.digest, let known = try ledger.file(kind: feed.kind, digest: digest) else {
                return try refuse(file, refusal)
            }
            return try skip(file, of: feed, sameAs: known.0, rows: known.1, digest: digest, ledger)
        case .read(let read): contents = read
        }
        let digest = contents.digest
        if let twin = try seen[feed.kind]?[digest] ?? ledger.file(kind: feed.kind, digest: digest) {
            return try skip(file, of: feed, sameAs: twin.name, rows: twin.rows, digest: digest, ledger)
        }
        let sample = contents.sample.without(feed.unread)
        let part = feed.part(of: file.name, on: file.fileDate)
        if feed.kind == .credits, try hasLostKind(file, sample, part, ledger) {
            return try refuse(file, Refusal(Self.withoutKind(ledger.hasReversals(), hasParts: part != nil)))
        }
        seen[feed.kind, default: [:]][digest] = (file.name, contents.totals.rows)
        warn(of: contents, in: file)
        delivered.ordersLeftOut.formUnion(contents.ordersLeftOut)
        delivered.samples[feed.name] = delivered.samples[feed.name].map { $0.joined(with: sample) } ?? sample
        if feed.kind == .credits, let part {
            delivered.kindSamples[feed.name, default: [:]][part] = sample
        }
        delivered.evidence.append(contents.evidence.take())
        delivered.verified += contents.verified
        delivered.rejects += contents.rejects.map { RejectLine($0, source: file.name) }
        delivered.deliveries.append(
            Delivery(
                number: number, kind: feed.kind, name: file.name, fileDate: file.fileDate, digest: contents.digest,
                stamp: contents.stamp, totals: contents.totals))
        delivered.arrivals.append(Arrival(feed: feed.name, date: file.fileDate, file: file.name))
    }

    /// Logs what a person may want to know of a file that was read.
    private func warn(of contents: FileContents, in file: FoundFile) {
        if contents.isListCut {
            log.warning(
                "\(file.name): of its \(contents.totals.rejected) rejected rows the first "
                    + "\(contents.rejects.count) are listed")
        }
        if !contents.ignoredColumns.isEmpty {
            log.notice("\(file.name): ignored columns \(contents.ignoredColumns.joined(separator: ", "))")
        }
        if contents.leftOut > 0 {
            log.notice("\(file.name): where and whereNot leave out \(counted(contents.leftOut, "row", "rows"))")
        }
        if contents.deleted > 0 {
            log.notice(
                "\(file.name): \(counted(contents.deleted, "row says", "rows say")) that a record was deleted; the record stays "
                    + "evidence")
        }
        if contents.amountsWithoutCurrency > 0 {
            log.warning(
                "\(file.name): \(counted(contents.amountsWithoutCurrency, "amount has no currency and is never compared", "amounts have no currency and are never compared")); "
                    + "export it, or set columns: { currency: { value: \"CNY\" } }")
        }
        if contents.labelsCut > 0 {
            log.warning(
                "\(file.name): \(counted(contents.labelsCut, "value of a label is too long and was cut", "values of labels are too long and were cut")) "
                    + "after \(LabelSet.textMax) bytes")
        }
        if !contents.emptyLabels.isEmpty, contents.totals.rows > 0 {
            log.notice(
                "\(file.name): no row has a value of the label \(contents.emptyLabels.joined(separator: ", "))")
        }
    }

    /// - Throws: `Failure` with `inputRefused` if a required feed's file was refused.
    consuming func finish(ledger: Ledger) throws -> Delivered {
        if let first = refused.first {
            let shown = refused.prefix(Self.refusedMost).map { "\($0.file.name) (\($0.gap.text ?? ""))" }
            let rest = refused.count > shown.count ? " and \(refused.count - shown.count) more" : ""
            throw Failure(
                .inputRefused,
                refused.count == 1
                    ? first.gap.machineText
                    : "\(refused.count) files of required feeds refused: \(shown.joined(separator: ", "))\(rest)",
                remedy: "Nothing was changed. " + remedy)
        }
        delivered.evidence.orderLookups = try ledger.unknown(delivered.evidence.orderLookups)
        return delivered
    }

    /// How many refused files a message names.
    private static let refusedMost = 40

    /// How all refused files are mended.
    private var remedy: String {
        let (collected, others) = (refused.filter { hasCommand($0.file) }, refused.filter { !hasCommand($0.file) })
        let commands = Set(collected.map(\.file.fileDate)).sorted().map { "'\(Collect.again($0))'" }
        let again = others.count > 1 ? "Deliver the files again" : "Deliver the file again"
        if commands.isEmpty { return again + " and run again." }
        let all =
            commands.count == 1 ? commands[0] : commands.dropLast().joined(separator: ", ") + " and " + commands.last!
        return (others.isEmpty ? "" : again + ". ")
            + "Once \(collected.count > 1 ? "the" : "its") command is right, run \(all) and run again."
    }

    private func hasCommand(_ file: FoundFile) -> Bool { configuration.feeds[file.feed].command != nil }

    /// Skips a file whose content is known. If it is empty, it has still arrived. If the same content was delivered for
    /// another date, nothing was delivered for this date, unless its totals name this date. What came under another date's
    /// name and was renamed then counts with its rows.
    private mutating func skip(
        _ file: FoundFile, of feed: Feed, sameAs twin: String, rows: Int, digest: Digest256, _ ledger: Ledger
    ) throws {
        delivered.filesSkipped += 1
        let isStated = StatedTotals.exist(beside: file) && (try? StatedTotals(beside: file))?.date == file.fileDate
        if rows == 0 || !file.isDated || twin == file.name || isStated {
            delivered.arrivals.append(Arrival(feed: feed.name, date: file.fileDate, file: file.name))
            if rows > 0, twin != file.name, let brought = try ledger.replacement(kind: feed.kind, digest: digest) {
                delivered.renamed.append((feed.kind, file.name, file.fileDate, brought))
            }
        } else {
            log.warning(
                "\(file.name) has the same content as \(twin) and is skipped. Deliver the rows of its own day. If nothing "
                    + "changed, or the file was renamed, name the date in \(file.name).totals", for: .input)
        }
    }

    /// What is wrong with a file of credits that has lost the column: its reversals would be read as credits.
    private static func withoutKind(_ hasReversals: Bool, hasParts: Bool) -> String {
        let isMeant =
            hasParts && !hasReversals
            ? ". If files of this name never have a reversal, give them a feed of their own, with columns: { kind: null }"
            : hasReversals ? "" : ". If no file will ever have a reversal, set columns: { kind: null } in the feed"
        return "it no longer has the column kind, which tells reversals from credits. Export the column" + isMeant
    }

    /// Whether the file lacks `kind`, and those of its name had it; or those of the feed, unless it came beside all parts of
    /// the feed that are known.
    private mutating func hasLostKind(
        _ file: FoundFile, _ sample: RowSample, _ part: String?, _ ledger: Ledger
    ) throws -> Bool {
        let feed = configuration.feeds[file.feed]
        if runs == nil {
            let outline = try ledger.lastRun().map { try ledger.outline(of: $0) }
            let feeds = configuration.nightSettings.feeds.map(\.record)
            runs = (
                outline?.columnRuns.continued(from: outline?.feeds ?? [], by: feeds) ?? [:], outline?.kindRuns ?? [:]
            )
        }
        let parts = runs?.kinds[feed.name] ?? [:]
        if let part, let run = parts[part], run.mayLack(sample, ColumnRun.kind) { return true }
        let tonight = Set(
            found.filter { $0.feed == file.feed && $0.fileDate == file.fileDate }
                .compactMap { feed.part(of: $0.name, on: $0.fileDate) })
        // Of a new feed no parts are known, so another file must have shown that it is a part.
        let isBeside = delivered.samples[feed.name]?.filled[ColumnRun.kind] ?? 0 > 0 || !parts.isEmpty
        if let part, parts[part] == nil, isBeside, tonight.isSuperset(of: parts.keys) { return false }
        return runs?.columns[feed.name]?[ColumnRun.kind]?.mayLack(sample, ColumnRun.kind) == true
    }

    /// Warns about a file that cannot be used. If its feed is required, the run will end.
    mutating func refuse(_ file: FoundFile, _ refusal: Refusal) throws {
        let feed = configuration.feeds[file.feed]
        let reasons = refusal.rejects.map { ($0.column.map { $0 + ": " } ?? "") + $0.reason }
        let counts = Dictionary(reasons.map { ($0, 1) }, uniquingKeysWith: +)
        var told: Set<String> = []
        for (reject, reason) in zip(refusal.rejects, reasons) where told.count < 20 && told.insert(reason).inserted {
            let others = counts[reason]! > 1 ? " (and \(counted(counts[reason]! - 1, "more row", "more rows")))" : ""
            log.warning("\(file.name):\(reject.line): \(reason)\(others)")
        }
        let reason = CoverageGap.Reason.refused(file: file.name, feed: feed.name, text: refusal.reason)
        if feed.required {
            return refused.append((file, reason))
        }
        log.warning(reason.machineText)
        delivered.refusals.append(CoverageGap(feed: feed.kind, date: file.fileDate, reason: reason))
        delivered.rejects += refusal.rejects.map { RejectLine($0, source: file.name) }
    }
}
