internal import AppStore

/// What was read from one block, or from all blocks joined so far.
struct Part: Sendable {
    var evidence = Evidence()
    /// The SHA-256 of each JWS whose signature was verified.
    var verified: [Digest256] = []
    var rejects: [Reject] = []
    /// Whether there are more rejects than `rejects` lists.
    var isListCut = false
    /// The number of the file's last line, if that line is cut off.
    var cutLine: Int?
    /// Rejected rows that could not be divided into columns. They may not be rows at all.
    var undivided = 0
    /// Rows that the feed's conditions left out.
    var leftOut = 0
    /// The hashes of the ids of orders among them.
    var ordersLeftOut: [UInt64] = []
    /// Rows that delete a record.
    var deleted = 0
    var footers: [Footer] = []
    /// The conditions for which a row had a value, one bit each.
    var conditionsSeen: UInt64 = 0
    /// Accepted rows with an amount and no currency.
    var amountsWithoutCurrency = 0
    /// Credits that say that they are, and those that do not say what they are.
    var (kindsSaid, kindsOmitted) = (0, 0)
    /// Values of labels that were cut, of all rows.
    var labelsCut = 0
    /// The labels of which a row had a value, one bit each.
    var labelsSeen: UInt64 = 0
    /// How many of the first rows were counted, and how many of them have a value, for each of `Column.sampled`.
    var rowsCounted = 0
    var filled = Column.sampled.map { _ in 0 }
    /// The ids of those of the first transactions whose price is that of an offer.
    var offers: [Identifier] = []
    /// JSON lists that were opened and not closed.
    var openLists = 0
    /// Whether a JSON value over several lines is too long.
    var hasLongValue = false
    var totals = Totals()

    /// The rows, used or not, without the footer.
    var records: Int { totals.rows + leftOut + deleted }

    /// Adds a reject to the list, unless the list has `limit` entries already.
    mutating func list(_ reject: Reject, limit: Int) {
        guard rejects.count < limit else {
            isListCut = true
            return
        }
        rejects.append(reject)
    }
}

/// How many rejects are listed, for each block and for the whole file. The list is short until it is known that the
/// file is not refused, because a file of garbage may have millions of rejects.
struct RejectLimits: Sendable {
    var block: Int
    var file: Int

    /// For the first reading of a file.
    static let cautious = RejectLimits(block: 10_000, file: 100_000)
    /// For the second reading of a file that is known not to be refused.
    static let known = RejectLimits(block: .max, file: 1_000_000)
}

/// Turns blocks into evidence. Use one per thread.
struct BlockParser: ~Copyable {
    let framing: Framing
    /// The header of a CSV or TSV file; nil for JSON.
    let header: Header?
    let delivery: DeliveryID
    let fileDate: BusinessDate
    private let rejectsMax: Int
    /// Whether the current row was divided into its columns.
    private var isTakenApart = false
    var rows: RowReader
    var hasher = SHA256()
    var identifiers = IdentifierReader()
    var part = Part()
    /// The number of the file's first line with a row.
    private let firstLine: Int
    let checkers: RecordCheckers
    var outcome = LineOutcome()
    /// How many rows to make room for, from the block before: the blocks of a file look alike.
    private var rowsExpected = 0

    init(
        _ feed: Feed, plan: RowPlan, layout: FileLayout, delivery: DeliveryID, fileDate: BusinessDate,
        checkers: RecordCheckers, rejectsMax: Int
    ) {
        self.rejectsMax = rejectsMax
        self.checkers = checkers
        framing = layout.framing
        header = layout.header
        firstLine = layout.firstLine
        self.delivery = delivery
        self.fileDate = fileDate
        rows = RowReader(feed, plan)
    }

    /// Reads all rows of one block. Faulty rows become rejects; parsing never fails.
    mutating func parse(_ block: Block) -> Part {
        part = Part()
        part.evidence.reserve(rowsExpected, rows.feed.kind)
        block.bytes.withUnsafeBytes { bytes in
            if block.isCutLine {
                part.totals.rows += 1
                (isTakenApart, rows.isNested) = (false, false)
                reject(RowFault(nil, Self.tooLong), row: bytes, line: block.firstLine)
            } else {
                parseRecords(bytes, firstLine: block.firstLine)
            }
        }
        part.conditionsSeen = rows.conditionsSeen
        part.amountsWithoutCurrency = rows.takeAmountsWithoutCurrency()
        (part.kindsSaid, part.kindsOmitted) = (rows.kindsSaid, rows.kindsOmitted)
        (rows.kindsSaid, rows.kindsOmitted) = (0, 0)
        part.labelsCut = rows.labels.takeCut()
        part.labelsSeen = rows.labels.seen
        let kept = part.evidence.count(rows.feed.kind)
        rowsExpected = kept + kept / 16
        return part
    }

    static let tooLong = "longer than 4 MiB; a line ending or a closing quote is probably missing"

    /// Reads the records in `bytes`. Line numbers count from 1 through the whole file.
    private mutating func parseRecords(_ bytes: UnsafeRawBufferPointer, firstLine: Int) {
        // The JSON reader checks UTF-8 itself.
        let needsCheck = framing.delimiter != nil && !bytes.isPlain
        var start = 0
        var line = firstLine
        while let record = start < bytes.count ? framing.record(bytes, from: start, isLast: true) : nil {
            let row = content(bytes.part(start, record.end))
            // An empty line is not a row; files often end with one.
            if !row.isEmpty {
                part.totals.rows += 1
                (isTakenApart, rows.isNested) = (false, false)
                do throws(RowFault) {
                    if record.end - start > Framing.recordMax {
                        part.hasLongValue = framing.isDocument
                        throw RowFault(nil, Self.tooLong)
                    }
                    if record.isBroken {
                        throw RowFault(
                            nil,
                            "its quotes are unbalanced; quote the whole field, and double the quotes inside it"
                                + (framing.delimiter == UInt8(ascii: "\t") ? ", or set format: \"text\"" : ""))
                    }
                    if needsCheck { try checkText(row) }
                    try use(row, Provenance(delivery: delivery, line: Int32(clamping: line), fileDate: fileDate))
                } catch {
                    reject(error, row: row, line: line)
                    if endsFile(record, bytes), isCut(row) { part.cutLine = line }
                }
                if framing.delimiter == nil, endsFile(record, bytes), isCutTransaction(row) { part.cutLine = line }
            }
            start = record.end
            line += record.lines
        }
    }

    /// The record without its line ending. Of a JSON document: the value, or nothing for a bracket around the values.
    private mutating func content(_ record: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard framing.isDocument else { return record.withoutLineEnding }
        let value = record.withoutSeparators
        guard value.count == 1, value[0] == UInt8(ascii: "[") || value[0] == UInt8(ascii: "]") else { return value }
        part.openLists += value[0] == UInt8(ascii: "[") ? 1 : -1
        return value.part(0, 0)
    }

    /// Throws unless the row is UTF-8 without NUL.
    private func checkText(_ row: UnsafeRawBufferPointer) throws(RowFault) {
        if let fault = UTF8Check.firstFault(in: row) {
            let remedy = rows.feed.encoding == .utf8 ? "export the file as UTF-8" : "correct the feed's encoding"
            throw RowFault(nil, "not \(rows.feed.encoding.name) from byte \(fault + 1) on; \(remedy)")
        }
        if let fault = row.position(of: 0, from: 0) {
            throw RowFault(nil, "contains a NUL at byte \(fault + 1); remove it")
        }
    }

    private mutating func reject(_ fault: RowFault, row: UnsafeRawBufferPointer, line: Int) {
        part.totals.rejected += 1
        if !isTakenApart { part.undivided += 1 }
        if line == firstLine, header != nil, Header.isTypes(row, framing) {
            return list(nil, Header.typesNamed, .other, row: row, line: line)
        }
        list(fault.column?.name, fault.reason, fault.kind, row: row, line: line)
    }

    /// Lists a fault of a row or of a part of it, without counting the row as rejected.
    mutating func list(
        _ column: String?, _ reason: String, _ kind: Reject.Kind, row: UnsafeRawBufferPointer, line: Int
    ) {
        part.list(
            Reject(line: line, column: column, kind: kind, reason: reason, row: shown(row)), limit: rejectsMax)
    }

    /// The row as reports show it: as read, except that receipt data and device ids are hidden. A row that is too long, or
    /// hidden as a whole, keeps its ids at its end, so that whoever asks what it may be about finds them. So does a receipt
    /// whose genuine data names a transaction.
    private func shown(_ row: UnsafeRawBufferPointer) -> [UInt8] {
        let isReceipt = rows.feed.kind == .receipts
        guard isTakenApart || rows.isNested else {
            return isReceipt ? Redaction.whole : Array(row.prefix(Reject.rowMax))
        }
        let hidden =
            isTakenApart ? Redaction.hide([rows.text(.receiptData), rows.text(.deviceID)], in: row) : Redaction.whole
        let shown = isReceipt ? hidden : Array(row)
        let data = isReceipt ? rows.value(.receiptData) : nil
        let check = data.map { checkers.receipts.check($0, claimed: nil, source: .none) }
        let named = ([check?.named, check?.transactions.first?.original] + (check?.further ?? [])).compactMap {
            $0?.text
        }
        if shown.count < Reject.rowMax, shown != Redaction.whole, named.isEmpty { return shown }
        // Text that is too long for an id names no account.
        let ids = ([.orderID, .transactionID, .accountID].map { Array(rows.text($0)) } + named.map { Array($0.utf8) })
            .filter { 1..<256 ~= $0.count }.flatMap { [UInt8(ascii: ",")] + $0 }
        return shown.prefix(Reject.rowMax - 1 - ids.count) + ids
    }

    /// Adds the row to the evidence and the totals, completely or not at all.
    private mutating func use(_ row: UnsafeRawBufferPointer, _ source: Provenance) throws(RowFault) {
        if rows.feed.kind == .transactions { return useTransactions(row, source) }
        if let header { try rows.readFields(row, header: header, framing: framing) } else { try rows.readJSON(row) }
        isTakenApart = true
        if rows.role != .evidence { return setAside(source) }
        switch rows.feed.kind {
        case .orders:
            let order = try rows.order(source)
            try checkers.requirePast(order.createdAt, .createdAt)
            try checkers.requirePast(order.$updatedAt, .updatedAt)
            part.evidence.orders.append(order)
            part.totals.add(order.amount)
            count(order.createdAt, .orderID)
        case .credits:
            let credit = try rows.credit(source)
            try checkers.requirePast(credit.creditedAt, .creditedAt)
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
        guard part.rowsCounted < RowSample.rowsMost else { return }
        part.rowsCounted += 1
        for (place, column) in Column.sampled.enumerated() where rows.value(column) != nil { part.filled[place] += 1 }
    }

    /// Counts a row that is not evidence.
    private mutating func setAside(_ source: Provenance) {
        part.totals.rows -= 1
        switch rows.role {
        case .evidence: break
        case .leftOut:
            part.leftOut += 1
            if rows.feed.kind == .orders, let id = rows.value(.orderID) { part.ordersLeftOut.append(StableHash.of(id)) }
        case .deletion: part.deleted += 1
        case .footer(let count):
            var footer = Footer(
                line: Int(source.line), recordsBefore: part.records, count: count < 0 ? nil : Int(count))
            footer.amounts = [Column.amount, .amountMinor].map { column in
                rows.value(column).map { String(decoding: $0, as: UTF8.self) }
            }
            part.footers.append(footer)
        }
    }

    private mutating func useReceipt(_ source: Provenance) throws(RowFault) {
        var receipt = try rows.receipt(source, &hasher)
        try checkers.requirePast(receipt.receivedAt, .receivedAt)
        if let data = rows.value(.receiptData) {
            let check = checkers.receipts.check(data, claimed: receipt.transaction, source: source)
            receipt.proof = check.proof
            if let named = check.named { receipt.transaction = named }
            receipt.setFurther(check.further)
            if let version = check.appVersion {
                let stated = LabelSet([LabelSet.Value(name: LabelSet.appVersion, text: version)])
                receipt.labels = receipt.labels.filled(from: stated)
            }
            part.evidence.transactions += check.transactions
        }
        part.evidence.receipts.append(receipt)
        if receipt.givenID == nil {
            // The key of such a receipt is a SHA-256 of its content, so it needs no hashing.
            part.totals.hashTotal &+= receipt.content.words.0
            part.totals.add(event: receipt.receivedAt)
        } else {
            count(receipt.receivedAt, .receiptID)
        }
    }

    /// Adds the instant and the key of an accepted row to the totals.
    private mutating func count(_ event: Instant?, _ key: Column) {
        if let event { part.totals.add(event: event) }
        part.totals.hashTotal &+= StableHash.of(rows.text(key))
    }
}

extension Evidence {
    /// Makes room for that many rows of a feed at once.
    mutating func reserve(_ rows: Int, _ kind: FeedKind) {
        switch kind {
        case .orders: orders.reserveCapacity(rows)
        case .credits: credits.reserveCapacity(rows)
        case .transactions: transactions.reserveCapacity(rows)
        case .receipts: receipts.reserveCapacity(rows)
        case .acks, .products, .orderLookups, .appleFinance: break
        }
    }

    /// The number of rows of a feed, for the kinds that `reserve` makes room for.
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

/// Hides personal data that no verdict depends on (receipt data, device ids) when a rejected row is copied into the
/// ledger, logs and reports.
enum Redaction {
    /// Shown in place of a row that could not be divided into columns, because the data may be anywhere in it.
    static let whole = Array("(not shown: it may contain a receipt or a device id; see the file)".utf8)

    private static let mark = Array("(withheld)".utf8)

    /// `row` with each of `values`, which must be parts of it, replaced by `(withheld)`. If a value is not a part of
    /// the row (it had escapes and was copied), the whole row is withheld.
    static func hide(_ values: [UnsafeRawBufferPointer], in row: UnsafeRawBufferPointer) -> [UInt8] {
        guard let base = row.baseAddress else { return [] }
        var shown: [UInt8] = []
        var start = 0
        let present = values.filter { !$0.isEmpty }.map { ($0.baseAddress! - base, $0.count) }.sorted { $0.0 < $1.0 }
        for (place, count) in present {
            guard place >= start, place + count <= row.count else { return whole }
            shown += row[start..<place] + mark
            start = place + count
        }
        return shown + row[start...]
    }
}
