public import Domain
internal import Text

private enum OrderMember: Int, WireMember {
    case accountID, amount, appAccountToken, bundleID, createdAt, currency, d, f, l, orderID, productID, quantity
    case status, transactionID, updatedAt
}

private enum CreditMember: Int, WireMember {
    case accountID, creditID, creditedAt, d, f, kind, l, orderID, origin, productID, quantity, transactionID
}

private enum TransactionMember: Int, WireMember {
    case appAccountToken, bundleID, currency, d, environment, expiresAt, f, failure, isFromReceipt, isUpgraded, l, n
    case originalTransactionID, ownership, price, productID, proof, purchasedAt, quantity, revocationPercentage
    case revocationReason, revocationType, revokedAt, s, signedAt, storefront, transactionID, type, webOrderLineItemID
}

private enum ReceiptMember: Int, WireMember {
    case accountID, content, d, deviceID, f, l, orderID, productID, proof, receiptID, receivedAt, transactionID
    case verifyRetryable, verifyStatus
}

/// Reads lines of evidence. The evidence is complete once it is `sorted`.
public struct EvidenceLineReader {
    private var orders = Members<OrderMember>()
    private var credits = Members<CreditMember>()
    private var transactions = Members<TransactionMember>()
    private var receipts = Members<ReceiptMember>()
    private var cache = IdentifierCache()
    private var evidence = Evidence()
    /// The place of each transaction in its row.
    private var places: [Int32] = []
    /// The rows that hold several transactions. These may be in other cases.
    public private(set) var sharedRows: Set<Provenance> = []

    /// The delivery of the line read last.
    public private(set) var lastDelivery = DeliveryID.none

    public init() {}

    /// Reads a line. False if the line is of another kind than evidence.
    public mutating func read(_ line: WireLine) throws(WireError) -> Bool {
        if line.kind.isEqual(to: "order") {
            try orders.read(line)
            let order = try Order(orders, &cache)
            evidence.orders.append(order)
            lastDelivery = order.source.delivery
        } else if line.kind.isEqual(to: "transaction") {
            try transactions.read(line)
            let transaction = try Transaction(transactions, &cache)
            evidence.transactions.append(transaction)
            places.append(try transactions.number(.n, in: 1...Int64(Int32.max)) ?? 0)
            if try transactions.flag(.s) { sharedRows.insert(transaction.source) }
            lastDelivery = transaction.source.delivery
        } else if line.kind.isEqual(to: "credit") {
            try credits.read(line)
            let credit = try Credit(credits, &cache)
            evidence.credits.append(credit)
            lastDelivery = credit.source.delivery
        } else if line.kind.isEqual(to: "receipt") {
            try receipts.read(line)
            let receipt = try Receipt(receipts, &cache)
            evidence.receipts.append(receipt)
            lastDelivery = receipt.source.delivery
        } else {
            return false
        }
        return true
    }

    /// Removes and returns the evidence in the order in which it was delivered, whatever the order of its lines was.
    public mutating func takeSorted() -> Evidence {
        var sorted = evidence.take()
        sorted.orders.sort { $0.source.precedes($1.source) }
        sorted.credits.sort { $0.source.precedes($1.source) }
        sorted.receipts.sort { $0.source.precedes($1.source) }
        let transactions = sorted.transactions
        let positions = transactions.indices.sorted { left, right in
            let (first, second) = (transactions[left].source, transactions[right].source)
            if first.delivery == second.delivery, first.line == second.line { return places[left] < places[right] }
            return first.precedes(second)
        }
        sorted.transactions = positions.map { transactions[$0] }
        places = []
        return sorted
    }
}

extension Provenance {
    fileprivate func precedes(_ other: Provenance) -> Bool {
        delivery == other.delivery ? line < other.line : delivery < other.delivery
    }
}

extension Order {
    fileprivate init(_ row: Members<OrderMember>, _ cache: inout IdentifierCache) throws(WireError) {
        self.init(
            id: try row.whole(row.identifier(.orderID, &cache), .orderID),
            account: try row.whole(row.identifier(.accountID, &cache), .accountID),
            product: try row.whole(row.identifier(.productID, &cache), .productID),
            status: try row.whole(
                row.text(.status) { OrderStatus(name: String(decoding: $0, as: UTF8.self)) }, .status),
            createdAt: try row.whole(row.instant(.createdAt), .createdAt), source: try row.source(.d, .l, .f))
        quantity = try row.whole(row.quantity(.quantity), .quantity)
        if let currency = try row.currency(.currency) {
            amount = Money(minor: try row.whole(row.amount(.amount), .amount), currency: currency)
        }
        token = try row.token(.appAccountToken)
        transaction = try row.identifier(.transactionID, &cache)
        bundle = try row.identifier(.bundleID, &cache)
        updatedAt = try row.instant(.updatedAt)
    }
}

extension Credit {
    fileprivate init(_ row: Members<CreditMember>, _ cache: inout IdentifierCache) throws(WireError) {
        self.init(
            id: try row.whole(row.identifier(.creditID, &cache), .creditID),
            account: try row.whole(row.identifier(.accountID, &cache), .accountID),
            kind: try row.whole(
                row.text(.kind) { word in CreditKind.allCases.first { word.isEqual(to: $0.word) } }, .kind),
            origin: try row.whole(
                row.text(.origin) { word in CreditOrigin.allCases.first { word.isEqual(to: $0.word) } }, .origin),
            creditedAt: try row.whole(row.instant(.creditedAt), .creditedAt), source: try row.source(.d, .l, .f))
        order = try row.identifier(.orderID, &cache)
        transaction = try row.identifier(.transactionID, &cache)
        product = try row.identifier(.productID, &cache)
        quantity = try row.quantity(.quantity)
    }
}

extension Transaction {
    fileprivate init(_ row: Members<TransactionMember>, _ cache: inout IdentifierCache) throws(WireError) {
        self.init(
            id: try row.whole(row.identifier(.transactionID, &cache), .transactionID),
            product: try row.whole(row.identifier(.productID, &cache), .productID),
            purchasedAt: try row.whole(row.instant(.purchasedAt), .purchasedAt),
            environment: try row.whole(row.word(.environment), .environment),
            proof: try row.whole(row.word(.proof), .proof), source: try row.source(.d, .l, .f))
        original = try row.identifier(.originalTransactionID, &cache)
        line = try row.identifier(.webOrderLineItemID, &cache)
        bundle = try row.identifier(.bundleID, &cache)
        expiresAt = try row.instant(.expiresAt)
        signedAt = try row.instant(.signedAt)
        token = try row.token(.appAccountToken)
        if let currency = try row.currency(.currency) {
            price = Price(thousandths: try row.whole(row.amount(.price), .price), currency: currency)
        }
        quantity = try row.whole(row.quantity(.quantity), .quantity)
        type = try row.word(.type)
        ownership = try row.whole(row.word(.ownership), .ownership)
        isUpgraded = try row.flag(.isUpgraded)
        storefront = try row.identifier(.storefront, &cache)
        if let at = try row.instant(.revokedAt) {
            revocation = Revocation(
                at: at, type: try row.whole(row.word(.revocationType), .revocationType),
                reason: try row.number(.revocationReason, in: Int64(Int32.min)...Int64(Int32.max)),
                percentage: try row.number(.revocationPercentage, in: Int64(Int32.min)...Int64(Int32.max)))
        }
        failure = try row.word(.failure) ?? .none
        isFromReceipt = try row.flag(.isFromReceipt)
    }
}

extension Receipt {
    fileprivate init(_ row: Members<ReceiptMember>, _ cache: inout IdentifierCache) throws(WireError) {
        let content = try row.whole(
            row.text(.content) { Digest256(hex: String(decoding: $0, as: UTF8.self)) }, .content)
        self.init(
            id: try row.identifier(.receiptID, &cache), content: content,
            account: try row.whole(row.identifier(.accountID, &cache), .accountID),
            receivedAt: try row.whole(row.instant(.receivedAt), .receivedAt), source: try row.source(.d, .l, .f))
        order = try row.identifier(.orderID, &cache)
        transaction = try row.identifier(.transactionID, &cache)
        product = try row.identifier(.productID, &cache)
        device = try row.identifier(.deviceID, &cache)
        verifyStatus = try row.number(.verifyStatus, in: Int64(Int32.min)...Int64(Int32.max))
        isRetryable = try row.number(.verifyRetryable, in: 0...1).map { (value: Int64) in value == 1 }
        proof = try row.whole(row.word(.proof), .proof)
    }
}
