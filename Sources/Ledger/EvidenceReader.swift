package import Domain
internal import SQLite

/// Evidence that the ledger remembers, with the number of the case that each copy was last sorted into.
package struct Recalled: Sendable {
    package var evidence = Evidence()
    package var orderCases: [Int64] = []
    /// Whether each order was the copy that counted.
    package var orderWasStanding: [Bool] = []
    package var creditCases: [Int64] = []
    package var transactionCases: [Int64] = []
    package var receiptCases: [Int64] = []
    package init() {}

    package mutating func append(_ other: Recalled) {
        evidence.append(other.evidence)
        orderCases += other.orderCases
        orderWasStanding += other.orderWasStanding
        creditCases += other.creditCases
        transactionCases += other.transactionCases
        receiptCases += other.receiptCases
    }

    package var isEmpty: Bool {
        orderCases.isEmpty && creditCases.isEmpty && transactionCases.isEmpty && receiptCases.isEmpty
    }
}

extension Ledger {
    /// All copies of all evidence of these cases, in ascending order of case.
    package func recall(cases: Set<Int64>) throws -> Recalled {
        var recalled = Recalled()
        for kind in RecalledTable.allCases {
            var statement = try connection.prepare(
                "SELECT * FROM " + kind.rawValue + " WHERE id >= ?1 AND id < ?2 ORDER BY id")
            for number in cases.sorted() {
                statement.bind(1, number << 24)
                statement.bind(2, (number + 1) << 24)
                while try statement.step() { recalled.add(kind, statement) }
            }
        }
        return recalled
    }

    /// All evidence there is.
    package func recallEverything() throws -> Recalled {
        var recalled = Recalled()
        for kind in RecalledTable.allCases {
            var statement = try connection.prepare("SELECT * FROM " + kind.rawValue + " ORDER BY id")
            while try statement.step() { recalled.add(kind, statement) }
        }
        return recalled
    }

    /// Forgets the evidence of these cases, to be written anew.
    package func clear(_ cases: Set<Int64>) throws {
        for table in RecalledTable.allCases.map(\.rawValue) {
            var statement = try connection.prepare("DELETE FROM " + table + " WHERE id >= ?1 AND id < ?2")
            for number in cases.sorted() {
                statement.bind(1, number << 24)
                statement.bind(2, (number + 1) << 24)
                try statement.run()
            }
        }
    }
}

enum RecalledTable: String, CaseIterable {
    case orders = "backend_order"
    case credits = "backend_credit"
    case transactions = "apple_transaction"
    case receipts = "client_receipt"
}

extension Recalled {
    mutating func add(_ kind: RecalledTable, _ row: borrowing Statement) {
        let caseFile = row.integer(0) >> 24
        switch kind {
        case .orders:
            evidence.orders.append(Order(row))
            orderCases.append(caseFile)
            orderWasStanding.append(row.integer(1) == 1)
        case .credits:
            evidence.credits.append(Credit(row))
            creditCases.append(caseFile)
        case .transactions:
            evidence.transactions.append(Transaction(row))
            transactionCases.append(caseFile)
        case .receipts:
            evidence.receipts.append(Receipt(row))
            receiptCases.append(caseFile)
        }
    }
}

extension Statement {
    func identifier(_ column: Int32) -> Identifier? {
        isNull(column) ? nil : withText(column) { Identifier(bytes: $0) }
    }

    func instant(_ column: Int32) -> Instant? { optionalInteger(column).map(Instant.init(milliseconds:)) }

    func token(_ column: Int32) -> Token? { isNull(column) ? nil : withText(column) { Token(bytes: $0) } }

    func int32(_ column: Int32) -> Int32? { optionalInteger(column).map(Int32.init) }

    func currency(_ column: Int32) -> Currency? { optionalText(column).flatMap { Currency($0) } }

    var source: Provenance {
        Provenance(
            delivery: Int32(integer(2)), line: Int32(integer(3)), fileDate: BusinessDate(day: Int32(integer(4))))
    }
}

extension Order {
    init(_ row: borrowing Statement) {
        self.init(
            id: row.identifier(5)!, account: row.identifier(6)!, product: row.identifier(7)!,
            status: OrderStatus(name: row.text(14))!, createdAt: row.instant(15)!, source: row.source)
        quantity = row.int32(8)!
        if let currency = row.currency(10) { amount = Money(minor: row.integer(9), currency: currency) }
        token = row.token(11)
        transaction = row.identifier(12)
        bundle = row.identifier(13)
        updatedAt = row.instant(16)
    }
}

extension Credit {
    init(_ row: borrowing Statement) {
        self.init(
            id: row.identifier(5)!, account: row.identifier(8)!, kind: row.text(11) == "reversal" ? .reversal : .credit,
            origin: row.text(12) == "desk" ? .desk : .auto, creditedAt: row.instant(13)!, source: row.source)
        order = row.identifier(6)
        transaction = row.identifier(7)
        product = row.identifier(9)
        quantity = row.int32(10)
    }
}

extension Transaction {
    init(_ row: borrowing Statement) {
        self.init(
            id: row.identifier(5)!, product: row.identifier(9)!, purchasedAt: row.instant(10)!,
            environment: AppEnvironment(rawValue: UInt8(row.integer(18)))!,
            proof: Proof(rawValue: UInt8(row.integer(26)))!,
            source: row.source)
        original = row.identifier(6)
        line = row.identifier(7)
        bundle = row.identifier(8)
        expiresAt = row.instant(11)
        signedAt = row.instant(12)
        token = row.token(13)
        if let currency = row.currency(15) { price = Price(thousandths: row.integer(14), currency: currency) }
        quantity = row.int32(16)!
        type = row.optionalInteger(17).flatMap { ProductType(rawValue: UInt8($0)) }
        ownership = Ownership(rawValue: UInt8(row.integer(19)))!
        isUpgraded = row.integer(20) == 1
        storefront = row.identifier(21)
        if let at = row.instant(22) {
            revocation = Revocation(
                at: at, type: RevocationType(rawValue: UInt8(row.integer(23)))!, reason: row.int32(24),
                percentage: row.int32(25))
        }
        failure = ProofFailure(rawValue: UInt8(row.integer(27)))!
        isFromReceipt = row.integer(28) == 1
    }
}

extension Receipt {
    init(_ row: borrowing Statement) {
        self.init(
            id: row.identifier(5), content: Digest256(bytes: row.blob(6)), account: row.identifier(7)!,
            receivedAt: row.instant(12)!, source: row.source)
        order = row.identifier(8)
        transaction = row.identifier(9)
        product = row.identifier(10)
        device = row.identifier(11)
        verifyStatus = row.int32(13)
        isRetryable = row.optionalInteger(14).map { $0 == 1 }
        proof = ReceiptProof(rawValue: UInt8(row.integer(15)))!
    }
}
