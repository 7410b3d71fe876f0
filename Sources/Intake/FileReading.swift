/// One reading of one file by several threads.
///
/// Each thread takes blocks from the `BlockQueue`, parses them with its own `BlockParser` and passes the parts to an
/// `OrderedReducer`, which appends them in file order. The result is therefore the same for any number of threads and
/// any block size. A thread that fails stops the queue, so that the others end too.
struct FileReading: Sendable {
    private let queue: BlockQueue
    private let layout: FileLayout
    private let plan: RowPlan
    private let file: FoundFile
    private let feed: Feed
    private let delivery: DeliveryID
    private let blocksExpected: Int
    private let checkers: RecordCheckerPool
    private let limits: RejectLimits
    private let work: WorkCount

    /// Reads the beginning of the file, determines its format and takes its header. Throws `FileDefect` if the file
    /// must be refused because of them.
    init(
        _ source: consuming sending ByteSource, of file: FoundFile, feed: Feed, delivery: DeliveryID,
        settings: IntakeSettings, limits: RejectLimits
    ) throws {
        self.limits = limits
        let blockBytes = min(settings.blockBytes, max(IntakeSettings.smallFile, Int(source.stamp.bytes) + 1))
        blocksExpected = Int(source.stamp.bytes) / blockBytes + 1
        var reader = BlockReader(source, blockBytes: blockBytes)
        plan = RowPlan(feed)
        layout = try FileLayout(&reader, of: file, feed: feed, plan: plan)
        queue = BlockQueue(reader)
        self.file = file
        self.feed = feed
        self.delivery = delivery
        checkers = settings.checkers
        work = settings.work
    }

    /// The whole content, in file order. Throws `FileDefect` if the file must be refused, and `IntakeError` if reading
    /// fails.
    func contents(stamp: FileStamp, threads: Int) throws -> FileContents {
        let joined = OrderedReducer<Part, Part>(into: Part()) { [feed, blocksExpected, limits] whole, next in
            // Reserves by the rows that the first block yielded. Rows of garbage are not kept, so they reserve nothing.
            if whole.totals.rows == 0 {
                whole.evidence.reserve(next.evidence.count(feed.kind) * blocksExpected, feed.kind)
            }
            whole.append(next, rejectsMax: limits.file)
        }
        let ignored = try concurrently(threads: threads, threads) { _ in
            let ignored = Result { try parse(into: joined) }
            if case .failure = ignored { queue.stop() }
            return ignored
        }.map { try $0.get() }
        let (part, blocks) = joined.result()
        let (digest, blocksRead) = try queue.finish()
        try refuse(part)
        // Rows are counted where they are parsed, so no other check would notice a block that was lost on the way.
        precondition(blocks == blocksRead, "\(blocksRead) blocks were read, and \(blocks) joined")
        return contents(part, digest: digest, stamp: stamp, ignored: ignored.reduce([]) { $0.union($1) })
    }

    /// About `rows` rows from the beginning; more if the feed may leave out some.
    func beginning(rows: Int, stamp: FileStamp) throws -> FileContents {
        let block = try queue.next()?.block ?? Block(bytes: [], firstLine: 1)
        queue.stop()
        return try checkers.withCheckers { checkers in
            var parser = parser(checkers)
            let part = parser.parse(
                layout.framing.first(plan.conditions.isEmpty && plan.excluded.isEmpty ? rows : rows * 100, of: block))
            if let line = part.cutLine { throw FileDefect.cut(at: line) }
            return contents(part, digest: Digest256(words: (0, 0, 0, 0)), stamp: stamp, ignored: parser.rows.ignored)
        }
    }

    /// - Throws: `FileDefect` if the rows show that the file must be refused.
    private func refuse(_ part: Part) throws(FileDefect) {
        if let line = part.cutLine { throw .cut(at: line) }
        if part.hasLongValue { throw .valueTooLong }
        if part.openLists != 0 { throw .unbalancedList }
        if feed.footer != nil, let difference = part.differenceFromFooter(feed.amounts) { throw FileDefect(difference) }
        guard part.totals.rows == 0, part.leftOut > 0 else { return }
        for (number, condition) in plan.conditions.enumerated() where part.conditionsSeen >> number & 1 == 0 {
            throw .withoutCondition(condition.name)
        }
    }

    private func contents(_ part: Part, digest: Digest256, stamp: FileStamp, ignored: Set<String>) -> FileContents {
        let names = ignored.union(layout.header?.ignored ?? [])
        let empty = plan.labels.enumerated().filter { part.labelsSeen >> UInt64($0.offset) & 1 == 0 }
        return FileContents(
            digest: digest, stamp: stamp, totals: part.totals.control, rejects: part.rejects,
            evidence: part.evidence, undivided: part.undivided, verified: part.verified,
            ignoredColumns: names.sorted { $0.isBefore($1) }, leftOut: part.leftOut,
            ordersLeftOut: part.ordersLeftOut, deleted: part.deleted,
            amountsWithoutCurrency: part.amountsWithoutCurrency, labelsCut: part.labelsCut,
            emptyLabels: empty.map(\.element.name), isListCut: part.isListCut,
            sample: sample(of: part), lacksKinds: lacksKinds(part))
    }

    private func lacksKinds(_ part: Part) -> Bool {
        let words = feed.columns[Column.kind.name]?.words ?? [:]
        return part.kindsOmitted > 0 && part.kindsSaid >= part.kindsOmitted
            && (words.isEmpty || words.values.contains(CreditKind.reversal.rawValue))
    }

    /// What header and first rows show. An amount is written in one of two columns.
    private func sample(of part: Part) -> RowSample {
        func standard(_ column: Column) -> String { column == .amountMinor ? Column.amount.name : column.name }
        guard FeedKind.evidence.contains(feed.kind) || feed.kind == .products else { return RowSample() }
        // Of the product list, only what verdicts need.
        let columns =
            feed.kind == .products ? [.type, .currency, .amount, .amountMinor] : Column.all(of: feed.kind)
        let named = layout.header.map { header in
            Set(columns.filter { plan.isFilled($0.rawValue, by: header.slots) }.map(standard)).union(
                plan.labels.filter { plan.isFilled($0.slot, by: header.slots) }.map(\.name))
        }
        // Of each block, the first rows are counted.
        let start = feed.zone.start(of: file.fileDate)
        let rows =
            feed.kind == .orders
            ? RowSample.newest(part.evidence.orders, since: start).count
            : min(part.evidence.count(feed.kind), RowSample.rowsMost)
        var filled: [String: Int] = [:]
        for (column, count) in zip(Column.sampled, part.filled) where part.rowsCounted > 0 && columns.contains(column) {
            filled[standard(column), default: 0] += count == 0 ? 0 : max(1, count * rows / part.rowsCounted)
        }
        return RowSample(
            of: part.evidence, feed.kind, named: named, filled: filled, offers: Set(part.offers), since: start)
    }

    private func parser(_ checkers: RecordCheckers) -> BlockParser {
        BlockParser(
            feed, plan: plan, layout: layout, delivery: delivery, fileDate: file.fileDate, checkers: checkers,
            rejectsMax: limits.block)
    }

    /// Parses blocks until there are no more. Returns the names of the columns that were ignored.
    private func parse(into joined: OrderedReducer<Part, Part>) throws -> Set<String> {
        try checkers.withCheckers { checkers in
            var parser = parser(checkers)
            while let (index, block) = try queue.next() {
                let part = parser.parse(block)
                work.add(rows: part.totals.rows)
                joined.add(part, at: index)
            }
            return parser.rows.ignored
        }
    }
}

extension Part {
    /// Appends the part that follows in the file.
    fileprivate mutating func append(_ next: Part, rejectsMax: Int) {
        footers += next.footers.map { $0.moved(by: records) }
        evidence.append(next.evidence)
        verified += next.verified
        isListCut = isListCut || next.isListCut
        cutLine = cutLine ?? next.cutLine
        undivided += next.undivided
        leftOut += next.leftOut
        ordersLeftOut += next.ordersLeftOut
        deleted += next.deleted
        conditionsSeen |= next.conditionsSeen
        amountsWithoutCurrency += next.amountsWithoutCurrency
        kindsSaid += next.kindsSaid
        kindsOmitted += next.kindsOmitted
        labelsCut += next.labelsCut
        labelsSeen |= next.labelsSeen
        rowsCounted += next.rowsCounted
        for place in filled.indices { filled[place] += next.filled[place] }
        offers += next.offers
        openLists += next.openLists
        hasLongValue = hasLongValue || next.hasLongValue
        for reject in next.rejects { list(reject, limit: rejectsMax) }
        totals.add(next.totals)
    }
}
