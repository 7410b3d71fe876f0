internal import Domain

/// The ids of small worlds. They are few, so that they collide; two accounts and two orders differ only in their bytes.
enum WorldIDs {
    static let accounts: [Identifier] = ["a", "a", "b", "b", "\u{E9}", "e\u{301}"]
    static let orders: [Identifier] = ["ORD1001", "ORD1001", "ORD1002", "ORD1003", "Or\u{E9}", "Ore\u{301}"]
    static let transactions: [Identifier] = [
        "2000000000000001", "2000000000000001", "2000000000000002", "2000000000000003", "370000000000004",
    ]
    static let none: [Identifier] = ["0", "null", ""]
    static let lines: [Identifier] = ["L1", "L2", "0"]
    static let products: [Identifier] = ["coins", "coins", "coins", "gems", "sword", "month", "season", "mystery"]
    static let tokens = [Token(high: 1, low: 1), Token(high: 2, low: 2)]
    static let quantities: [Int32] = [1, 1, 1, 2, 3]
}

extension WorldGenerator {
    mutating func order() -> Order {
        var order = Order(
            id: random.pick(WorldIDs.orders), account: account(),
            product: product(), status: random.pick(OrderStatus.allCases + [.paid, .credited]),
            createdAt: moment())
        order.transaction = named(WorldIDs.transactions, oneIn: 2)
        order.quantity = random.pick(WorldIDs.quantities)
        if !random.oneIn(3) { order.amount = price()?.money }
        order.token = token()
        if random.oneIn(2) { order.updatedAt = moment() }
        return order
    }

    mutating func credit() -> Credit {
        var credit = Credit(
            id: random.pick(["C1", "C2", "C3", "C4", "C5"]), account: account(),
            kind: random.oneIn(3) ? .reversal : .credit, origin: random.oneIn(4) ? .desk : .auto, creditedAt: moment())
        credit.order = named(WorldIDs.orders, oneIn: 2)
        credit.transaction = named(WorldIDs.transactions, oneIn: 2)
        if credit.order == nil && credit.transaction == nil { credit.order = random.pick(WorldIDs.orders) }
        if random.oneIn(3) { credit.product = product() }
        if random.oneIn(2) { credit.quantity = random.pick(WorldIDs.quantities) }
        return credit
    }

    mutating func transaction() -> Transaction {
        let proof = random.pick(
            [.verified, .verified, .verified, .vouched, .vouched, .unverifiable, .invalid] as [Proof])
        let environments: [AppEnvironment] = Array(repeating: policy.environment, count: 8) + AppEnvironment.allCases
        var transaction = Transaction(
            id: random.pick(WorldIDs.transactions), product: product(), purchasedAt: moment(),
            environment: random.pick(environments), proof: proof)
        if proof == .invalid { transaction.failure = random.pick([.badSignature, .untrustedChain, .wrongBundle]) }
        transaction.original = random.oneIn(2) ? transaction.id : named(WorldIDs.transactions, oneIn: 2)
        if random.oneIn(5) { transaction.line = random.pick(WorldIDs.lines) }
        if random.oneIn(5) { transaction.type = random.pick(ProductType.allCases) }
        if random.oneIn(6) { transaction.expiresAt = moment() }
        transaction.token = token()
        if random.oneIn(2) { transaction.signedAt = moment() }
        if random.oneIn(4) { transaction.revocation = revocation() }
        if random.oneIn(9) { transaction.ownership = random.pick(Ownership.allCases) }
        transaction.quantity = random.pick(WorldIDs.quantities)
        transaction.isFromReceipt = proof == .verified && random.oneIn(4)
        if !transaction.isFromReceipt { transaction.price = price() }
        return transaction
    }

    mutating func receipt() -> Receipt {
        var receipt = Receipt(
            id: random.oneIn(3) ? nil : random.pick(["R1", "R2", "R3"]), content: .absent,
            account: account(), receivedAt: moment())
        receipt.order = named(WorldIDs.orders, oneIn: 2)
        receipt.transaction = isNarrow ? random.pick(WorldIDs.transactions) : named(WorldIDs.transactions, oneIn: 3)
        if random.oneIn(2) { receipt.product = product() }
        receipt.verifyStatus = random.pick([nil, 0, 0, 0, 21003, 21006, 21010, 21000, 21004, 21005, 21007, 21150])
        receipt.isRetryable = random.pick([nil, true, false])
        receipt.proof = random.pick([.unchecked, .unchecked, .unchecked] + ReceiptProof.allCases)
        receipt.content = standInDigest(of: receipt.canonicalBytes)
        return receipt
    }

    mutating func revocation() -> Revocation {
        let type = random.pick(RevocationType.allCases)
        let percentage: Int32? = random.pick([nil, 0, 33_333, 33_334, 50_000, 50_000, 66_666, 66_667, 100_000])
        return Revocation(at: moment(), type: type, percentage: percentage)
    }

    /// Mostly the list's price. KWD has three decimals and JPY none.
    mutating func price() -> Price? {
        random.pick([
            nil, Price(thousandths: 6000, currency: "CNY"), Price(thousandths: 6000, currency: "CNY"),
            Price(thousandths: 6000, currency: "CNY"), Price(thousandths: 12_000, currency: "CNY"),
            Price(thousandths: 120_000, currency: "JPY"), Price(thousandths: 1500, currency: "KWD"),
            Price(thousandths: 0, currency: "CNY"), Price(thousandths: 10_010, currency: "CNY"),
        ])
    }

    private mutating func account() -> Identifier { isNarrow ? "a" : random.pick(WorldIDs.accounts) }

    private mutating func product() -> Identifier { isNarrow ? "coins" : random.pick(WorldIDs.products) }

    private mutating func token() -> Token? {
        if isNarrow { return WorldIDs.tokens[0] }
        return random.oneIn(2) ? random.pick(WorldIDs.tokens) : nil
    }

    /// One of the ids, or nil, or a text that names nothing.
    private mutating func named(_ ids: [Identifier], oneIn count: Int) -> Identifier? {
        if !random.oneIn(isNarrow ? 1 : count) { return random.pick(ids) }
        return random.oneIn(4) ? random.pick(WorldIDs.none) : nil
    }
}
