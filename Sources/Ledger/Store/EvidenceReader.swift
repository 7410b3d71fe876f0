internal import Domain
public import Engine
internal import SQLite

extension Ledger {
    /// All copies of all evidence of these cases, in ascending order of case.
    /// - Throws: `LedgerError.damaged` where it is not what was written.
    public func load(cases: Set<Int64>) throws -> StoredEvidence {
        var prior = StoredEvidence()
        let numbers = cases.sorted()
        var sums = [UInt64](repeating: 0, count: numbers.count)
        if let stranger = numbers.first(where: { !CaseSums.numbers.contains($0) }) {
            throw LedgerError.damaged("case \(stranger) cannot exist")
        }
        for kind in EvidenceTable.allCases {
            var statement = try connection.prepare(
                "SELECT * FROM " + kind.rawValue + " WHERE id >= ?1 AND id < ?2 ORDER BY id")
            for (index, number) in numbers.enumerated() {
                statement.bind(1, number << 24)
                statement.bind(2, (number + 1) << 24)
                while try statement.step() {
                    sums[index] &+= RowHash(statement).value
                    try prior.add(kind, statement)
                }
            }
        }
        try prove(Array(zip(numbers, sums)), prior)
        return prior
    }

    /// Forgets the evidence of these cases, to be written anew.
    public func clear(_ cases: Set<Int64>) throws {
        for table in EvidenceTable.allCases {
            let condition = table.rawValue + " WHERE id >= ?1 AND id < ?2"
            var old = try connection.prepare("SELECT * FROM " + condition)
            var statement = try connection.prepare("DELETE FROM " + condition)
            for number in cases.sorted() {
                old.bind(1, number << 24)
                old.bind(2, (number + 1) << 24)
                try remove(&old, from: SummedTable(table))
                statement.bind(1, number << 24)
                statement.bind(2, (number + 1) << 24)
                try statement.run()
            }
        }
    }
}

enum EvidenceTable: String, CaseIterable {
    case orders = "backend_order"
    case credits = "backend_credit"
    case transactions = "apple_transaction"
    case receipts = "client_receipt"
}

extension StoredEvidence {
    mutating func add(_ kind: EvidenceTable, _ row: borrowing Statement) throws(LedgerError) {
        let caseID = row.integer(0) >> 24
        switch kind {
        case .orders:
            evidence.orders.append(try Order(row))
            orderCases.append(caseID)
            orderWasCurrent.append(row.integer(1) == 1)
        case .credits:
            evidence.credits.append(try Credit(row))
            creditCases.append(caseID)
        case .transactions:
            evidence.transactions.append(try Transaction(row))
            transactionCases.append(caseID)
            transactionWasCurrent.append(row.integer(1) == 1)
        case .receipts:
            evidence.receipts.append(try Receipt(row))
            receiptCases.append(caseID)
        }
    }
}

extension Order {
    init(_ row: borrowing Statement) throws(LedgerError) {
        self.init(
            id: try row.requiredIdentifier(5), account: try row.requiredIdentifier(6),
            product: try row.requiredIdentifier(7),
            status: try row.whole(OrderStatus(name: row.text(14))), createdAt: try row.requiredInstant(15),
            source: try row.source(from: 2))
        quantity = try row.requiredQuantity(8)
        amount = try row.money(9)
        token = row.token(11)
        transaction = row.identifier(12)
        bundle = row.identifier(13)
        updatedAt = try row.instant(16)
    }
}

extension Credit {
    init(_ row: borrowing Statement) throws(LedgerError) {
        self.init(
            id: try row.requiredIdentifier(5), account: try row.requiredIdentifier(8),
            kind: row.text(11) == "reversal" ? .reversal : .credit,
            origin: row.text(12) == "desk" ? .desk : .auto, creditedAt: try row.requiredInstant(13),
            source: try row.source(from: 2))
        order = row.identifier(6)
        transaction = row.identifier(7)
        product = row.identifier(9)
        quantity = try row.quantity(10)
    }
}

extension Transaction {
    init(_ row: borrowing Statement) throws(LedgerError) {
        self.init(
            id: try row.requiredIdentifier(5), product: try row.requiredIdentifier(9),
            purchasedAt: try row.requiredInstant(10),
            environment: try row.requiredWord(18),
            proof: try row.requiredWord(26),
            source: try row.source(from: 2))
        original = row.identifier(6)
        line = row.identifier(7)
        bundle = row.identifier(8)
        expiresAt = try row.instant(11)
        signedAt = try row.instant(12)
        token = row.token(13)
        if let currency = row.currency(15) { price = Price(thousandths: try row.amount(14), currency: currency) }
        quantity = try row.requiredQuantity(16)
        type = try row.word(17)
        ownership = try row.requiredWord(19)
        isUpgraded = row.integer(20) == 1
        storefront = row.identifier(21)
        if let at = try row.instant(22) {
            revocation = Revocation(
                at: at, type: try row.requiredWord(23), reason: try row.int32(24),
                percentage: try row.int32(25))
        }
        failure = try row.requiredWord(27)
        isFromReceipt = row.integer(28) == 1
    }
}

extension Receipt {
    init(_ row: borrowing Statement) throws(LedgerError) {
        self.init(
            id: row.identifier(5), content: try row.requiredDigest(6), account: try row.requiredIdentifier(7),
            receivedAt: try row.requiredInstant(12), source: try row.source(from: 2))
        order = row.identifier(8)
        transaction = row.identifier(9)
        product = row.identifier(10)
        device = row.identifier(11)
        verifyStatus = try row.int32(13)
        isRetryable = row.optionalInteger(14).map { $0 == 1 }
        proof = try row.requiredWord(15)
    }
}
