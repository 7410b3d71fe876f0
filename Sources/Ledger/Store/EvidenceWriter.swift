public import Domain
internal import Parallel
internal import SQLite

/// The evidence of some cases, converted to rows of the ledger case by case. If cases are added in ascending order,
/// their rows go to the end of each table, where SQLite inserts fastest.
public struct EvidenceRows: Sendable {
    /// How many cases the rows are of.
    public let cases: Int
    fileprivate var orders: RowBatch<OrderColumn>
    fileprivate var credits: RowBatch<CreditColumn>
    fileprivate var transactions: RowBatch<TransactionColumn>
    fileprivate var receipts: RowBatch<ReceiptColumn>
    /// The keys by which look-ups find the cases.
    fileprivate var keys: [CaseKey] = []
    /// The sum of row hashes of each case, for `CaseSums`.
    fileprivate var sums: [(caseID: CaseID, sum: UInt64)] = []
    private var identifiers = IdentifierReader()
    /// The keys of the case that is being added.
    private var own: [Int64] = []
    private var caseID: CaseID = 0
    /// How many rows of one kind a case can have.
    public static let rowsMax = CaseID.rowsMax

    /// - Parameter cases: how many cases will be added.
    public init(cases: Int) {
        self.cases = cases
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
        row.add(.fileDate, Int64(source.fileDate.day))
    }

    private mutating func begin(_ next: CaseID) {
        if next == caseID { return }
        endCase()
        caseID = next
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

    /// Adds an order. `number` counts the orders of a case from 0.
    public mutating func add(_ value: Order, in caseID: CaseID, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &orders)
        orders.add(.orderID, value.id, &identifiers)
        orders.add(.accountID, value.account, &identifiers)
        orders.add(.productID, value.product, &identifiers)
        orders.add(.quantity, Int64(value.quantity))
        orders.add(.amount, value.amount?.minor)
        orders.add(.currency, value.amount?.currency)
        orders.add(.appAccountToken, value.token)
        orders.add(.transactionID, value.transaction, &identifiers)
        orders.add(.bundleID, value.bundle, &identifiers)
        orders.add(.status, word: value.status.word)
        orders.add(.createdAt, value.createdAt.milliseconds)
        orders.add(.updatedAt, value.updatedAt?.milliseconds)
        count(orders.last)
    }

    /// Adds a credit. `number` counts the credits of a case from 0.
    public mutating func add(_ value: Credit, in caseID: CaseID, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &credits)
        credits.add(.creditID, value.id, &identifiers)
        credits.add(.orderID, value.order, &identifiers)
        credits.add(.transactionID, value.transaction, &identifiers)
        credits.add(.accountID, value.account, &identifiers)
        credits.add(.productID, value.product, &identifiers)
        credits.add(.quantity, value.quantity.map(Int64.init))
        credits.add(.kind, word: value.kind.word)
        credits.add(.origin, word: value.origin.word)
        credits.add(.creditedAt, value.creditedAt.milliseconds)
        count(credits.last)
    }

    /// Adds a transaction. `number` counts the transactions of a case from 0.
    public mutating func add(_ value: Transaction, in caseID: CaseID, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &transactions)
        transactions.add(.transactionID, value.id, &identifiers)
        transactions.add(.originalTransactionID, value.original, &identifiers)
        transactions.add(.webOrderLineItemID, value.line, &identifiers)
        transactions.add(.bundleID, value.bundle, &identifiers)
        transactions.add(.productID, value.product, &identifiers)
        transactions.add(.purchasedAt, value.purchasedAt.milliseconds)
        transactions.add(.expiresAt, value.expiresAt?.milliseconds)
        transactions.add(.signedAt, value.signedAt?.milliseconds)
        transactions.add(.appAccountToken, value.token)
        transactions.add(.price, value.price?.thousandths)
        transactions.add(.currency, value.price?.currency)
        transactions.add(.quantity, Int64(value.quantity))
        transactions.add(.type, (value.type?.rawValue).map(Int64.init))
        transactions.add(.environment, Int64(value.environment.rawValue))
        transactions.add(.ownership, Int64(value.ownership.rawValue))
        transactions.add(.isUpgraded, value.isUpgraded ? 1 : 0)
        transactions.add(.storefront, value.storefront, &identifiers)
        let revocation = value.revocation
        transactions.add(.revokedAt, revocation?.at.milliseconds)
        transactions.add(.revocationType, (revocation?.type.rawValue).map(Int64.init))
        transactions.add(.revocationReason, revocation?.reason.map(Int64.init))
        transactions.add(.revocationPercentage, revocation?.percentage.map(Int64.init))
        transactions.add(.proof, Int64(value.proof.rawValue))
        transactions.add(.failure, Int64(value.failure.rawValue))
        transactions.add(.isFromReceipt, value.isFromReceipt ? 1 : 0)
        count(transactions.last)
    }

    /// Adds a receipt. `number` counts the receipts of a case from 0.
    public mutating func add(_ value: Receipt, in caseID: CaseID, number: Int, isCurrent: Bool) {
        begin(caseID)
        identifiers.forEachKey(of: value) { own.append($0) }
        Self.add(caseID, number, isCurrent, value.source, to: &receipts)
        receipts.add(.receiptID, value.givenID, &identifiers)
        receipts.add(.content, value.content)
        receipts.add(.accountID, value.account, &identifiers)
        receipts.add(.orderID, value.order, &identifiers)
        receipts.add(.transactionID, value.transaction, &identifiers)
        receipts.add(.productID, value.product, &identifiers)
        receipts.add(.deviceID, value.device, &identifiers)
        receipts.add(.receivedAt, value.receivedAt.milliseconds)
        receipts.add(.verifyStatus, value.verifyStatus.map(Int64.init))
        receipts.add(.verifyRetryable, value.isRetryable.map { $0 ? 1 : 0 })
        receipts.add(.proof, Int64(value.proof.rawValue))
        count(receipts.last)
    }
}

/// Writes evidence, and the keys that find it, into the ledger.
public struct EvidenceWriter: ~Copyable {
    private let ledger: Ledger
    private var orders: RowInserter<OrderColumn>
    private var credits: RowInserter<CreditColumn>
    private var transactions: RowInserter<TransactionColumn>
    private var receipts: RowInserter<ReceiptColumn>
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
        let orders = try RowInserter<OrderColumn>(ledger)
        let credits = try RowInserter<CreditColumn>(ledger)
        let transactions = try RowInserter<TransactionColumn>(ledger)
        let receipts = try RowInserter<ReceiptColumn>(ledger)
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
