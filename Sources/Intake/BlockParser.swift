internal import AppStore
internal import Digest
internal import Domain
internal import Scan

/// What a part of a file holds.
struct Part: Sendable {
    var evidence = Evidence()
    var verified: [Digest256] = []
    var rejects: [Reject] = []
    /// There are more rejects than are listed.
    var isListCut = false
    /// The file's last line, where it breaks off.
    var cutLine: Int?
    /// Rejected rows that could not be divided into columns: they may never have been rows.
    var undivided = 0
    var totals = Totals()

    mutating func list(_ reject: Reject, limit: Int) {
        guard rejects.count < limit else {
            isListCut = true
            return
        }
        rejects.append(reject)
    }
}

/// How many rejects are listed before it is known that the file is not refused, and after: of garbage there may be millions.
struct RejectLimits: Sendable {
    var block: Int
    var file: Int

    static let cautious = RejectLimits(block: 10_000, file: 100_000)
    static let known = RejectLimits(block: .max, file: 1_000_000)
}

/// Turns blocks into evidence; one a thread.
struct BlockParser: ~Copyable {
    let framing: Framing
    /// Of a CSV or TSV file.
    let header: Header?
    let delivery: Int32
    let fileDate: BusinessDate
    private let rejectsMax: Int
    /// The row at hand was divided into its columns.
    private var isTakenApart = false
    var rows: RowReader
    var hasher = SHA256()
    var identifiers = IdentifierReader()
    var part = Part()
    private let appStore: AppStoreSettings
    /// Made only where a row needs them: each reads Apple's certificates.
    lazy var apple = TransactionLineReader(settings: appStore)
    lazy var receipts = ReceiptChecker(settings: appStore)
    var outcome = LineOutcome()
    /// Of the block before: blocks of a file look alike.
    private var rowsExpected = 0

    init(
        _ feed: Feed, _ framing: Framing, _ header: Header?, delivery: Int32, fileDate: BusinessDate,
        _ appStore: AppStoreSettings, rejectsMax: Int
    ) {
        self.rejectsMax = rejectsMax
        self.appStore = appStore
        self.framing = framing
        self.header = header
        self.delivery = delivery
        self.fileDate = fileDate
        rows = RowReader(feed)
    }

    mutating func parse(_ block: Block) -> Part {
        part = Part()
        part.evidence.reserve(rowsExpected, rows.feed.kind)
        block.bytes.withUnsafeBytes { bytes in
            if block.isCutLine {
                part.totals.rows += 1
                isTakenApart = false
                reject(RowFault(nil, Self.tooLong), bytes, block.firstLine)
            } else {
                parseRecords(bytes, firstLine: block.firstLine)
            }
        }
        let kept = part.evidence.count(rows.feed.kind)
        rowsExpected = kept + kept / 16
        return part
    }

    static let tooLong = "longer than 4 MiB; a missing line ending or quote, most likely"

    private mutating func parseRecords(_ bytes: UnsafeRawBufferPointer, firstLine: Int) {
        // JSON's reader looks at each byte anyway.
        let needsCheck = framing.delimiter != nil && !bytes.isPlain
        var start = 0
        var line = firstLine
        while let record = start < bytes.count ? framing.record(bytes, from: start, isLast: true) : nil {
            let row = bytes.part(start, record.end).withoutLineEnding
            // An empty line is no row: files end in them.
            if !row.isEmpty {
                part.totals.rows += 1
                isTakenApart = false
                do throws(RowFault) {
                    if record.end - start > Framing.recordMax { throw RowFault(nil, Self.tooLong) }
                    if record.isBroken {
                        throw RowFault(nil, "its quotes do not add up; quote whole fields, double quotes inside")
                    }
                    if needsCheck { try checkText(row) }
                    try use(row, Provenance(delivery: delivery, line: Int32(clamping: line), fileDate: fileDate))
                } catch {
                    reject(error, row, line)
                    if endsFile(record, bytes), isCut(row, error, isBroken: record.isBroken) { part.cutLine = line }
                }
                if framing.delimiter == nil, endsFile(record, bytes), isCutSignature(row) { part.cutLine = line }
            }
            start = record.end
            line += record.lines
        }
    }

    private func checkText(_ row: UnsafeRawBufferPointer) throws(RowFault) {
        if let fault = UTF8Check.firstFault(in: row) {
            throw RowFault(nil, "no UTF-8 from byte \(fault + 1) on; export the file as UTF-8")
        }
        if let fault = row.position(of: 0, from: 0) {
            throw RowFault(nil, "holds a NUL as byte \(fault + 1); leave it out")
        }
    }

    private mutating func reject(_ fault: RowFault, _ row: UnsafeRawBufferPointer, _ line: Int) {
        part.totals.rejected += 1
        if !isTakenApart { part.undivided += 1 }
        list(column: fault.column?.name, fault.reason, row, line)
    }

    /// Lists what is wrong with a row, or with a part of one.
    mutating func list(column: String?, _ reason: String, _ row: UnsafeRawBufferPointer, _ line: Int) {
        part.list(
            Reject(line: line, column: column, reason: reason, row: shown(row)),
            limit: rejectsMax)
    }

    /// The row as reports show it: as read, but of a receipt neither its data nor its device.
    private func shown(_ row: UnsafeRawBufferPointer) -> [UInt8] {
        guard rows.feed.kind == .receipts else { return Array(row.prefix(Reject.rowMax)) }
        guard isTakenApart else { return Redaction.whole }
        return Array(Redaction.hide([rows.text(.receiptData), rows.text(.deviceID)], in: row).prefix(Reject.rowMax))
    }

    /// Adds what the row says to the part, all or nothing.
    private mutating func use(_ row: UnsafeRawBufferPointer, _ source: Provenance) throws(RowFault) {
        if rows.feed.kind == .transactions { return useTransactions(row, source) }
        if let header { try rows.readFields(row, header, framing) } else { try rows.readJSON(row) }
        isTakenApart = true
        switch rows.feed.kind {
        case .orders:
            let order = try rows.order(source)
            part.evidence.orders.append(order)
            part.totals.add(order.amount)
            count(order.createdAt, .orderID)
        case .credits:
            let credit = try rows.credit(source)
            part.evidence.credits.append(credit)
            count(credit.creditedAt, .creditID)
        case .receipts: try useReceipt(source)
        case .acks:
            let acknowledgement = try rows.acknowledgement(source)
            part.evidence.acknowledgements.append(acknowledgement)
            count(acknowledgement.at, .key)
        case .products:
            part.evidence.products.append(try rows.product(source))
            count(nil, .productID)
        case .orderLookups: try useOrderLookup(row, source)
        case .transactions, .appleFinance: break
        }
    }

    private mutating func useReceipt(_ source: Provenance) throws(RowFault) {
        var receipt = try rows.receipt(source, &hasher)
        if let data = rows.value(.receiptData) {
            let check = receipts.check(data, claimed: receipt.transaction, source: source)
            receipt.proof = check.proof
            part.evidence.transactions += check.transactions
        }
        part.evidence.receipts.append(receipt)
        if receipt.givenID == nil {
            // Its content is its key, and a SHA-256 already.
            part.totals.hashTotal &+= receipt.content.words.0
            part.totals.add(event: receipt.receivedAt)
        } else {
            count(receipt.receivedAt, .receiptID)
        }
    }

    /// Adds a used row's instant and key to the totals.
    private mutating func count(_ event: Instant?, _ key: Column) {
        if let event { part.totals.add(event: event) }
        part.totals.hashTotal &+= StableHash.of(rows.text(key))
    }
}

extension Evidence {
    /// Makes room for so many rows of a feed, once rather than while they come.
    mutating func reserve(_ rows: Int, _ kind: FeedKind) {
        switch kind {
        case .orders: orders.reserveCapacity(rows)
        case .credits: credits.reserveCapacity(rows)
        case .transactions: transactions.reserveCapacity(rows)
        case .receipts: receipts.reserveCapacity(rows)
        case .acks, .products, .orderLookups, .appleFinance: break
        }
    }

    /// How many rows of a feed there are, of those that `reserve` makes room for.
    func count(_ kind: FeedKind) -> Int {
        switch kind {
        case .orders: orders.count
        case .credits: credits.count
        case .transactions: transactions.count
        case .receipts: receipts.count
        case .acks, .products, .orderLookups, .appleFinance: 0
        }
    }
}
