public import Domain
internal import Parallel
internal import SQLite

/// The evidence of some cases as rows of the ledger, case by case. Cases written in ascending order go to the end of
/// each table.
public struct EvidenceRows: Sendable {
    public let cases: Int
    fileprivate var orders: RowBatch
    fileprivate var credits: RowBatch
    fileprivate var transactions: RowBatch
    fileprivate var receipts: RowBatch
    /// What look-ups find the cases by.
    fileprivate var keys: [CaseKey] = []
    /// What the rows of each case add up to.
    fileprivate var sums: [(caseID: Int64, sum: UInt64)] = []
    private var identifiers = IdentifierReader()
    /// The keys of the case that is being added.
    private var own: [Int64] = []
    private var caseID: Int64 = 0
    /// Rows a kind and case: what the lower bits of a row's id can number.
    public static let rowsMax = 1 << 24
    fileprivate static let columns = (orders: 17, credits: 14, transactions: 29, receipts: 16)

    /// - Parameter cases: how many there will be.
    public init(cases: Int) {
        self.cases = cases
        orders = RowBatch(rows: cases, columns: Self.columns.orders)
        credits = RowBatch(rows: cases, columns: Self.columns.credits)
        transactions = RowBatch(rows: cases, columns: Self.columns.transactions)
        receipts = RowBatch(rows: cases, columns: Self.columns.receipts)
        keys.reserveCapacity(cases * 6)
        sums.reserveCapacity(cases)
    }

    private static func add(
        _ caseID: Int64, _ number: Int, _ isCurrent: Bool, _ source: Provenance, to row: inout RowBatch
    ) {
        precondition(number < rowsMax, "a case has more than \(rowsMax) rows of one kind")
        row.add(caseID << 24 | Int64(number))
        row.add(isCurrent ? 1 : 0)
        row.add(Int64(source.delivery))
        row.add(Int64(source.line))
        row.add(Int64(source.fileDate.day))
    }

    private mutating func begin(_ next: Int64) {
        if next == caseID { return }
        endCase()
        caseID = next
        sums.append((next, 0))
    }

    private mutating func count(_ hash: UInt64) { sums[sums.count - 1].sum &+= hash }

    /// The evidence of a case names the same few identifiers over and over.
    public mutating func endCase() {
        own.sort()
        for (index, key) in own.enumerated() where index == 0 || own[index - 1] != key {
            keys.append(CaseKey(key: key, caseID: caseID))
        }
        own.removeAll(keepingCapacity: true)
    }

    public mutating func add(_ value: Order, in caseID: Int64, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &orders)
        orders.add(value.id, &identifiers)
        orders.add(value.account, &identifiers)
        orders.add(value.product, &identifiers)
        orders.add(Int64(value.quantity))
        orders.add(value.amount?.minor)
        orders.add(value.amount?.currency)
        orders.add(value.token)
        orders.add(value.transaction, &identifiers)
        orders.add(value.bundle, &identifiers)
        orders.add(value.status.word)
        orders.add(value.createdAt.milliseconds)
        orders.add(value.updatedAt?.milliseconds)
        count(orders.last)
    }

    public mutating func add(_ value: Credit, in caseID: Int64, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &credits)
        credits.add(value.id, &identifiers)
        credits.add(value.order, &identifiers)
        credits.add(value.transaction, &identifiers)
        credits.add(value.account, &identifiers)
        credits.add(value.product, &identifiers)
        credits.add(value.quantity.map(Int64.init))
        credits.add(value.kind.word)
        credits.add(value.origin.word)
        credits.add(value.creditedAt.milliseconds)
        count(credits.last)
    }

    public mutating func add(_ value: Transaction, in caseID: Int64, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &transactions)
        transactions.add(value.id, &identifiers)
        transactions.add(value.original, &identifiers)
        transactions.add(value.line, &identifiers)
        transactions.add(value.bundle, &identifiers)
        transactions.add(value.product, &identifiers)
        transactions.add(value.purchasedAt.milliseconds)
        transactions.add(value.expiresAt?.milliseconds)
        transactions.add(value.signedAt?.milliseconds)
        transactions.add(value.token)
        transactions.add(value.price?.thousandths)
        transactions.add(value.price?.currency)
        transactions.add(Int64(value.quantity))
        transactions.add((value.type?.rawValue).map(Int64.init))
        transactions.add(Int64(value.environment.rawValue))
        transactions.add(Int64(value.ownership.rawValue))
        transactions.add(value.isUpgraded ? 1 : 0)
        transactions.add(value.storefront, &identifiers)
        let revocation = value.revocation
        transactions.add(revocation?.at.milliseconds)
        transactions.add((revocation?.type.rawValue).map(Int64.init))
        transactions.add(revocation?.reason.map(Int64.init))
        transactions.add(revocation?.percentage.map(Int64.init))
        transactions.add(Int64(value.proof.rawValue))
        transactions.add(Int64(value.failure.rawValue))
        transactions.add(value.isFromReceipt ? 1 : 0)
        count(transactions.last)
    }

    public mutating func add(_ value: Receipt, in caseID: Int64, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &receipts)
        receipts.add(value.givenID, &identifiers)
        receipts.add(value.content)
        receipts.add(value.account, &identifiers)
        receipts.add(value.order, &identifiers)
        receipts.add(value.transaction, &identifiers)
        receipts.add(value.product, &identifiers)
        receipts.add(value.device, &identifiers)
        receipts.add(value.receivedAt.milliseconds)
        receipts.add(value.verifyStatus.map(Int64.init))
        receipts.add(value.isRetryable.map { $0 ? 1 : 0 })
        receipts.add(Int64(value.proof.rawValue))
        count(receipts.last)
    }
}

/// Writes evidence into the ledger.
public struct EvidenceWriter: ~Copyable {
    private let ledger: Ledger
    private var orders: RowInserter
    private var credits: RowInserter
    private var transactions: RowInserter
    private var receipts: RowInserter
    private var keys: [CaseKey] = []
    private let segmentKeys = SegmentKeys()
    /// Keys that are sorted and packed while rows are written.
    private var segment: BackgroundTask<[SegmentBlock], Never>?
    private let threads: Int
    /// How many keys are sorted at once: 64 MiB, as much again while they are, and as much for the next ones.
    private static let keysMax = 1 << 22

    /// - Parameter cases: how many there will be.
    public init(_ ledger: Ledger, cases: Int = 0, threads: Int = 1) throws {
        let columns = EvidenceRows.columns
        let orders = try RowInserter(ledger, .orders, columns: columns.orders)
        let credits = try RowInserter(ledger, .credits, columns: columns.credits)
        let transactions = try RowInserter(ledger, .transactions, columns: columns.transactions)
        let receipts = try RowInserter(ledger, .receipts, columns: columns.receipts)
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
        try orders.write(rows.orders)
        try credits.write(rows.credits)
        try transactions.write(rows.transactions)
        try receipts.write(rows.receipts)
        try ledger.addSums(rows.sums)
        keys += rows.keys
        if keys.count >= Self.keysMax { try beginSegment() }
    }

    /// Writes what look-ups find the cases by.
    public mutating func finish() throws {
        try beginSegment()
        try endSegment()
        // Once, and not as they come: of a first load of ten million there are fifteen.
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
