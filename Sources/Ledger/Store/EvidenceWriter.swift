internal import Domain
internal import Parallel
internal import SQLite

/// The evidence of some cases, converted to rows of the ledger case by case. If cases are added in ascending order,
/// their rows go to the end of each table, where SQLite inserts fastest.
///
/// Within a case, transactions come first, then orders, then the others, which leave out what those have (`PackedSchema`).
public struct EvidenceRows: Sendable {
    /// How many cases the rows are of.
    public let cases: Int
    fileprivate var orders: RowBatch<PackedOrderColumn>
    fileprivate var credits: RowBatch<PackedCreditColumn>
    fileprivate var transactions: RowBatch<PackedTransactionColumn>
    fileprivate var receipts: RowBatch<PackedReceiptColumn>
    /// The keys by which look-ups find the cases.
    fileprivate var keys: [CaseKey] = []
    /// The sum of row hashes of each case, for `CaseSums`.
    fileprivate var sums: [(caseID: CaseID, sum: UInt64)] = []
    private let spellings: SharedSpellings
    private var identifiers = IdentifierReader()
    /// The keys of the case that is being added.
    private var own: [Int64] = []
    private var caseID: CaseID = 0
    /// The first order and the first transaction of the case that is being added.
    private var firstOrder: Order?
    private var firstTransaction: Transaction?
    /// How many rows of one kind a case can have.
    public static let rowsMax = CaseID.rowsMax

    /// - Parameter cases: how many cases will be added.
    init(cases: Int, _ spellings: SharedSpellings) {
        self.cases = cases
        self.spellings = spellings
        orders = RowBatch(rows: cases)
        credits = RowBatch(rows: cases)
        transactions = RowBatch(rows: cases)
        receipts = RowBatch(rows: cases)
        keys.reserveCapacity(cases * 6)
        sums.reserveCapacity(cases)
    }

    /// Adds the columns that the rows of every kind begin with.
    @inline(__always)
    private static func add<Column: EvidenceColumn>(
        _ caseID: CaseID, _ number: Int, _ isCurrent: Bool, _ source: Provenance, to row: inout RowBatch<Column>
    ) {
        precondition(number < rowsMax, "a case has more than \(rowsMax) rows of one kind")
        row.add(.id, caseID.row(number))
        row.add(.standing, isCurrent ? 1 : 0)
        row.add(.delivery, source.delivery)
        row.add(.line, Int64(source.line))
    }

    private mutating func begin(_ next: CaseID) {
        if next == caseID { return }
        endCase()
        caseID = next
        firstOrder = nil
        firstTransaction = nil
        sums.append((next, 0))
    }

    private mutating func count(_ hash: UInt64) { sums[sums.count - 1].sum &+= hash }

    /// Ends the case that is being added. Its keys are sorted first, because its evidence names the same few
    /// identifiers over and over.
    public mutating func endCase() {
        own.sort()
        for (index, key) in own.enumerated() where index == 0 || own[index - 1] != key {
            keys.append(CaseKey(key: key, caseID: caseID))
        }
        own.removeAll(keepingCapacity: true)
    }

    /// Adds a transaction. `number` counts the transactions of a case from 0.
    mutating func add(_ value: Transaction, in caseID: CaseID, number: Int, isCurrent: Bool) {
        begin(caseID)
        if number == 0 { firstTransaction = value }
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &transactions)
        spellings.use { transactions.add(value, &$0, &identifiers) }
        count(transactions.last)
    }

    /// Adds an order. `number` counts the orders of a case from 0.
    mutating func add(_ value: Order, in caseID: CaseID, number: Int, isCurrent: Bool) {
        begin(caseID)
        if number == 0 { firstOrder = value }
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &orders)
        spellings.use { orders.add(value, &$0, &identifiers, firstTransaction) }
        count(orders.last)
    }

    /// Adds a credit. `number` counts the credits of a case from 0.
    mutating func add(_ value: Credit, in caseID: CaseID, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &credits)
        spellings.use { credits.add(value, &$0, &identifiers, firstOrder, firstTransaction) }
        count(credits.last)
    }

    /// Adds a receipt. `number` counts the receipts of a case from 0.
    mutating func add(_ value: Receipt, in caseID: CaseID, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &receipts)
        spellings.use { receipts.add(value, &$0, &identifiers, firstOrder, firstTransaction) }
        count(receipts.last)
    }
}

/// Writes evidence, and the keys that find it, into the ledger.
public struct EvidenceWriter: ~Copyable {
    private let ledger: Ledger
    private var orders: RowInserter<PackedOrderColumn>
    private var credits: RowInserter<PackedCreditColumn>
    private var transactions: RowInserter<PackedTransactionColumn>
    private var receipts: RowInserter<PackedReceiptColumn>
    private var keys: [CaseKey] = []
    private let segmentKeys = SegmentKeys()
    /// The keys that are being sorted and packed in the background while rows are written.
    private var segment: BackgroundTask<[SegmentBlock], Never>?
    private let threads: Int
    /// How many keys are sorted at a time. They take 64 MiB, as much again while they are sorted, and as much for the
    /// keys collected meanwhile.
    private static let keysMax = 1 << 22

    /// - Parameter cases: how many cases will be written.
    public init(_ ledger: Ledger, cases: Int = 0, threads: Int = 1) throws {
        let orders = try RowInserter<PackedOrderColumn>(ledger)
        let credits = try RowInserter<PackedCreditColumn>(ledger)
        let transactions = try RowInserter<PackedTransactionColumn>(ledger)
        let receipts = try RowInserter<PackedReceiptColumn>(ledger)
        self.ledger = ledger
        self.orders = orders
        self.credits = credits
        self.transactions = transactions
        self.receipts = receipts
        self.threads = threads
        keys.reserveCapacity(min(cases * 6, Self.keysMax + 1 << 16))
    }

    /// Writes whole cases, none of which was written before.
    public mutating func write(_ rows: EvidenceRows) throws {
        try transactions.write(rows.transactions)
        try orders.write(rows.orders)
        try credits.write(rows.credits)
        try receipts.write(rows.receipts)
        try ledger.addSums(rows.sums)
        keys += rows.keys
        if keys.count >= Self.keysMax { try beginSegment() }
    }

    /// Writes the remaining keys, and merges segments.
    public mutating func finish() throws {
        try beginSegment()
        try endSegment()
        // Segments are merged once at the end. A first load of ten million cases writes fifteen of them.
        try ledger.mergeSegments()
    }

    private mutating func beginSegment() throws {
        try endSegment()
        segmentKeys.take(&keys)
        segment = BackgroundTask(isConcurrent: threads > 1) { [segmentKeys] in segmentKeys.blocks() }
    }

    private mutating func endSegment() throws {
        if let segment { try ledger.writeSegment(segment.value()) }
        segment = nil
    }
}
