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
        try load(OrderColumn.self, of: numbers, into: &prior, &sums)
        try load(CreditColumn.self, of: numbers, into: &prior, &sums)
        try load(TransactionColumn.self, of: numbers, into: &prior, &sums)
        try load(ReceiptColumn.self, of: numbers, into: &prior, &sums)
        try prove(Array(zip(numbers, sums)), prior)
        return prior
    }

    private func load<Column: EvidenceColumn>(
        _: Column.Type, of cases: [CaseID], into prior: inout StoredEvidence, _ sums: inout [UInt64]
    ) throws {
        var row = try TableReader<Column>(self, "WHERE id >= ?1 AND id < ?2 ORDER BY id")
        for (index, number) in cases.enumerated() {
            row.statement.bind(rowsOf: number)
            while try row.step() {
                sums[index] &+= row.hash.value
                try Column.add(row, to: &prior)
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
    case orders = "backend_order"
    case credits = "backend_credit"
    case transactions = "apple_transaction"
    case receipts = "client_receipt"
}

/// The columns that every table of evidence begins with, and how its rows are read.
protocol EvidenceColumn: SummedColumn, SourceColumn {
    /// The case × 2^24 + the row's number in the case.
    static var id: Self { get }
    /// 1 for the current version, 0 for a superseded one.
    static var standing: Self { get }

    /// Reads one row.
    static func add(_ row: borrowing TableReader<Self>, to prior: inout StoredEvidence) throws(LedgerError)
}

extension TableReader where Column: EvidenceColumn {
    @inline(__always)
    var caseID: CaseID { CaseID(ofRow: integer(.id)) }

    @inline(__always)
    var isCurrent: Bool { integer(.standing) == 1 }
}

extension OrderColumn {
    static func add(_ row: borrowing TableReader<Self>, to prior: inout StoredEvidence) throws(LedgerError) {
        prior.evidence.orders.append(try Order(row))
        prior.orderCases.append(row.caseID)
        prior.orderWasCurrent.append(row.isCurrent)
    }
}

extension CreditColumn {
    static func add(_ row: borrowing TableReader<Self>, to prior: inout StoredEvidence) throws(LedgerError) {
        prior.evidence.credits.append(try Credit(row))
        prior.creditCases.append(row.caseID)
    }
}

extension TransactionColumn {
    static func add(_ row: borrowing TableReader<Self>, to prior: inout StoredEvidence) throws(LedgerError) {
        prior.evidence.transactions.append(try Transaction(row))
        prior.transactionCases.append(row.caseID)
        prior.transactionWasCurrent.append(row.isCurrent)
    }
}

extension ReceiptColumn {
    static func add(_ row: borrowing TableReader<Self>, to prior: inout StoredEvidence) throws(LedgerError) {
        prior.evidence.receipts.append(try Receipt(row))
        prior.receiptCases.append(row.caseID)
    }
}

extension Order {
    init(_ row: borrowing TableReader<OrderColumn>) throws(LedgerError) {
        self.init(
            id: try row.requiredIdentifier(.orderID), account: try row.requiredIdentifier(.accountID),
            product: try row.requiredIdentifier(.productID),
            status: try row.whole(OrderStatus(name: row.text(.status))), createdAt: try row.requiredInstant(.createdAt),
            source: try row.source())
        quantity = try row.requiredQuantity(.quantity)
        amount = try row.money(.amount, .currency)
        token = row.token(.appAccountToken)
        transaction = row.identifier(.transactionID)
        bundle = row.identifier(.bundleID)
        updatedAt = try row.instant(.updatedAt)
    }
}

extension Credit {
    init(_ row: borrowing TableReader<CreditColumn>) throws(LedgerError) {
        self.init(
            id: try row.requiredIdentifier(.creditID), account: try row.requiredIdentifier(.accountID),
            kind: row.text(.kind) == "reversal" ? .reversal : .credit,
            origin: row.text(.origin) == "desk" ? .desk : .auto, creditedAt: try row.requiredInstant(.creditedAt),
            source: try row.source())
        order = row.identifier(.orderID)
        transaction = row.identifier(.transactionID)
        product = row.identifier(.productID)
        quantity = try row.quantity(.quantity)
    }
}

extension Transaction {
    init(_ row: borrowing TableReader<TransactionColumn>) throws(LedgerError) {
        self.init(
            id: try row.requiredIdentifier(.transactionID), product: try row.requiredIdentifier(.productID),
            purchasedAt: try row.requiredInstant(.purchasedAt),
            environment: try row.requiredWord(.environment),
            proof: try row.requiredWord(.proof),
            source: try row.source())
        original = row.identifier(.originalTransactionID)
        line = row.identifier(.webOrderLineItemID)
        bundle = row.identifier(.bundleID)
        expiresAt = try row.instant(.expiresAt)
        signedAt = try row.instant(.signedAt)
        token = row.token(.appAccountToken)
        if let currency = row.currency(.currency) {
            price = Price(thousandths: try row.amount(.price), currency: currency)
        }
        quantity = try row.requiredQuantity(.quantity)
        type = try row.word(.type)
        ownership = try row.requiredWord(.ownership)
        isUpgraded = row.integer(.isUpgraded) == 1
        storefront = row.identifier(.storefront)
        if let at = try row.instant(.revokedAt) {
            revocation = Revocation(
                at: at, type: try row.requiredWord(.revocationType), reason: try row.int32(.revocationReason),
                percentage: try row.int32(.revocationPercentage))
        }
        failure = try row.requiredWord(.failure)
        isFromReceipt = row.integer(.isFromReceipt) == 1
    }
}

extension Receipt {
    init(_ row: borrowing TableReader<ReceiptColumn>) throws(LedgerError) {
        self.init(
            id: row.identifier(.receiptID), content: try row.requiredDigest(.content),
            account: try row.requiredIdentifier(.accountID),
            receivedAt: try row.requiredInstant(.receivedAt), source: try row.source())
        order = row.identifier(.orderID)
        transaction = row.identifier(.transactionID)
        product = row.identifier(.productID)
        device = row.identifier(.deviceID)
        verifyStatus = try row.int32(.verifyStatus)
        isRetryable = row.optionalInteger(.verifyRetryable).map { $0 == 1 }
        proof = try row.requiredWord(.proof)
    }
}
