public import Domain
public import Engine
internal import SQLite

extension Ledger {
    /// All versions of all evidence of these cases, in ascending order of case number.
    /// - Throws: `LedgerError.damaged` if it is not what was written.
    public func load(cases: Set<CaseID>) throws -> StoredEvidence {
        var prior = StoredEvidence()
        let numbers = cases.sorted()
        var sums = [UInt64](repeating: 0, count: numbers.count)
        if let impossible = numbers.first(where: { !CaseID.possible.contains($0) }) {
            throw LedgerError.damaged("case \(impossible) cannot exist")
        }
        let unpacker = try Unpacker(self)
        try load(PackedTransactionColumn.self, of: numbers, unpacker, into: &prior, &sums)
        try load(PackedOrderColumn.self, of: numbers, unpacker, into: &prior, &sums)
        try load(PackedCreditColumn.self, of: numbers, unpacker, into: &prior, &sums)
        try load(PackedReceiptColumn.self, of: numbers, unpacker, into: &prior, &sums)
        try prove(Array(zip(numbers, sums)), prior)
        return prior
    }

    private func load<Column: EvidenceColumn>(
        _: Column.Type, of cases: [CaseID], _ unpacker: Unpacker, into prior: inout StoredEvidence,
        _ sums: inout [UInt64]
    ) throws {
        var row = try TableReader<Column>(self, "WHERE id >= ?1 AND id < ?2 ORDER BY id")
        for (index, number) in cases.enumerated() {
            row.statement.bind(rowsOf: number)
            while try row.step() {
                sums[index] &+= row.hash.value
                try Column.read(row, unpacker, into: &prior, isWanted: true)
            }
        }
    }

    /// Deletes the evidence of these cases, which is then written again.
    public func clear(_ cases: Set<CaseID>) throws {
        for table in EvidenceTable.allCases {
            let condition = "WHERE id >= ?1 AND id < ?2"
            var old = try connection.prepare(SummedTable(table).select + condition)
            var statement = try connection.prepare("DELETE FROM " + table.rawValue + " " + condition)
            for number in cases.sorted() {
                old.bind(rowsOf: number)
                try remove(&old, from: SummedTable(table))
                statement.bind(rowsOf: number)
                try statement.run()
            }
        }
    }
}

/// The tables of evidence.
enum EvidenceTable: String, CaseIterable {
    case orders = "packed_order"
    case credits = "packed_credit"
    case transactions = "packed_transaction"
    case receipts = "packed_receipt"
}

/// The columns that every packed table of evidence begins with, and how its rows are read.
protocol EvidenceColumn: SummedColumn {
    /// The case × 2^24 + the row's number in the case.
    static var id: Self { get }
    /// 1 for the current version, 0 for a superseded one.
    static var standing: Self { get }
    static var delivery: Self { get }
    static var line: Self { get }

    /// Reads one row.
    /// - Parameter isWanted: whether it belongs to the evidence asked for. Other rows are read only for what following
    ///   rows leave out.
    static func read(
        _ row: borrowing TableReader<Self>, _ unpacker: Unpacker, into prior: inout StoredEvidence, isWanted: Bool)
        throws
}

extension TableReader where Column: EvidenceColumn {
    @inline(__always)
    var caseID: CaseID { CaseID(ofRow: integer(.id)) }

    @inline(__always)
    var isCurrent: Bool { integer(.standing) == 1 }

    /// Whether it is the first row of its case.
    @inline(__always)
    var isFirst: Bool { integer(.id) == caseID.row(0) }
}

extension PackedTransactionColumn {
    static func read(
        _ row: borrowing TableReader<Self>, _ unpacker: Unpacker, into prior: inout StoredEvidence, isWanted: Bool
    ) throws {
        guard isWanted || row.isFirst else { return }
        let transaction = try Transaction(row, unpacker)
        if row.isFirst { unpacker.noteFirst(transaction: transaction, of: row.caseID) }
        guard isWanted else { return }
        prior.evidence.transactions.append(transaction)
        prior.transactionCases.append(row.caseID)
        prior.transactionWasCurrent.append(row.isCurrent)
    }
}

extension PackedOrderColumn {
    static func read(
        _ row: borrowing TableReader<Self>, _ unpacker: Unpacker, into prior: inout StoredEvidence, isWanted: Bool
    ) throws {
        guard isWanted || row.isFirst else { return }
        let order = try Order(row, unpacker)
        if row.isFirst { unpacker.noteFirst(order: order, of: row.caseID) }
        guard isWanted else { return }
        prior.evidence.orders.append(order)
        prior.orderCases.append(row.caseID)
        prior.orderWasCurrent.append(row.isCurrent)
    }
}

extension PackedCreditColumn {
    static func read(
        _ row: borrowing TableReader<Self>, _ unpacker: Unpacker, into prior: inout StoredEvidence, isWanted: Bool
    ) throws {
        guard isWanted else { return }
        prior.evidence.credits.append(try Credit(row, unpacker))
        prior.creditCases.append(row.caseID)
    }
}

extension PackedReceiptColumn {
    static func read(
        _ row: borrowing TableReader<Self>, _ unpacker: Unpacker, into prior: inout StoredEvidence, isWanted: Bool
    ) throws {
        guard isWanted else { return }
        prior.evidence.receipts.append(try Receipt(row, unpacker))
        prior.receiptCases.append(row.caseID)
    }
}

extension Order {
    init(_ row: borrowing TableReader<PackedOrderColumn>, _ unpacker: Unpacker) throws {
        let source = try unpacker.source(row)
        let first = unpacker.firstTransaction(of: row.caseID)
        self.init(
            id: try unpacker.requiredIdentifier(row, .orderID),
            account: try unpacker.requiredIdentifier(row, .accountID),
            product: try unpacker.requiredIdentifier(row, .productID),
            status: try row.whole(OrderStatus(name: try unpacker.word(row, .status))),
            createdAt: try unpacker.requiredInstant(row, .createdAt), source: source)
        quantity = try row.requiredQuantity(.quantity)
        amount = try unpacker.money(row, .amount, .currency)
        token = try unpacker.token(row, .appAccountToken, same: first?.token)
        transaction = try unpacker.identifier(row, .transactionID, same: first?.id)
        bundle = try unpacker.identifier(row, .bundleID)
        updatedAt = try unpacker.instant(row, .updatedAt)
    }
}

extension Credit {
    init(_ row: borrowing TableReader<PackedCreditColumn>, _ unpacker: Unpacker) throws {
        let source = try unpacker.source(row)
        let first = unpacker.firstOrder(of: row.caseID)
        self.init(
            id: try unpacker.requiredIdentifier(row, .creditID),
            account: try unpacker.requiredIdentifier(row, .accountID, same: first?.account),
            kind: try unpacker.word(row, .kind) == "reversal" ? .reversal : .credit,
            origin: try unpacker.word(row, .origin) == "desk" ? .desk : .auto,
            creditedAt: try unpacker.requiredInstant(row, .creditedAt), source: source)
        order = try unpacker.identifier(row, .orderID, same: first?.id)
        transaction = try unpacker.identifier(
            row, .transactionID, same: unpacker.firstTransaction(of: row.caseID)?.id)
        product = try unpacker.identifier(row, .productID)
        quantity = try row.quantity(.quantity)
    }
}

extension Transaction {
    init(_ row: borrowing TableReader<PackedTransactionColumn>, _ unpacker: Unpacker) throws {
        let source = try unpacker.source(row)
        self.init(
            id: try unpacker.requiredIdentifier(row, .transactionID),
            product: try unpacker.requiredIdentifier(row, .productID),
            purchasedAt: try unpacker.requiredInstant(row, .purchasedAt),
            environment: try row.requiredWord(.environment),
            proof: try row.requiredWord(.proof),
            source: source)
        original = try unpacker.identifier(row, .originalTransactionID, same: id)
        line = try unpacker.identifier(row, .webOrderLineItemID)
        bundle = try unpacker.identifier(row, .bundleID)
        expiresAt = try unpacker.instant(row, .expiresAt)
        signedAt = try unpacker.instant(row, .signedAt)
        token = try unpacker.token(row, .appAccountToken)
        if let currency = try unpacker.currency(row, .currency) {
            price = Price(thousandths: try row.amount(.price), currency: currency)
        }
        quantity = try row.requiredQuantity(.quantity)
        type = try row.word(.type)
        ownership = try row.requiredWord(.ownership)
        isUpgraded = row.integer(.isUpgraded) == 1
        storefront = try unpacker.identifier(row, .storefront)
        if let at = try unpacker.instant(row, .revokedAt) {
            revocation = Revocation(
                at: at, type: try row.requiredWord(.revocationType), reason: try row.int32(.revocationReason),
                percentage: try row.int32(.revocationPercentage))
        }
        failure = try row.requiredWord(.failure)
        isFromReceipt = row.integer(.isFromReceipt) == 1
    }
}

extension Receipt {
    init(_ row: borrowing TableReader<PackedReceiptColumn>, _ unpacker: Unpacker) throws {
        let source = try unpacker.source(row)
        let first = unpacker.firstOrder(of: row.caseID)
        self.init(
            id: try unpacker.identifier(row, .receiptID), content: try row.requiredDigest(.content),
            account: try unpacker.requiredIdentifier(row, .accountID, same: first?.account),
            receivedAt: try unpacker.requiredInstant(row, .receivedAt), source: source)
        order = try unpacker.identifier(row, .orderID, same: first?.id)
        transaction = try unpacker.identifier(
            row, .transactionID, same: unpacker.firstTransaction(of: row.caseID)?.id)
        product = try unpacker.identifier(row, .productID)
        device = row.identifier(.deviceID)
        verifyStatus = try row.int32(.verifyStatus)
        isRetryable = row.optionalInteger(.verifyRetryable).map { $0 == 1 }
        proof = try row.requiredWord(.proof)
    }
}
