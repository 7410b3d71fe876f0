internal import Domain

/// Beginnings that random rows hardly ever make: what some rules need must be there at once. Each piece may be left out
/// or changed, so that what nearly applies is there as well.
extension WorldGenerator {
    /// Rows of one shape, in any order of kinds. Instants are about ten days before the horizon, when all graces of a
    /// purchase have passed.
    mutating func shape() -> [(FeedKind, Evidence)] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: crossedOrder()
        case 1: partialRefund()
        case 2: refutedReceipt()
        default: restore()
        }
    }

    /// A purchase that never ends, restored under another id, and credits for both.
    private mutating func restore() -> [(FeedKind, Evidence)] {
        var original = proven("2000000000000001")
        original.product = "sword"
        original.type = random.oneIn(4) ? nil : .nonConsumable
        var restored = original
        restored.id = "2000000000000002"
        restored.original = original.id
        restored.purchasedAt = original.purchasedAt + .days(2)
        var rows: [(FeedKind, Evidence)] = []
        for (id, transaction) in [("C1", original), ("C2", restored)] {
            rows.append((.transactions, Evidence()))
            rows[rows.count - 1].1.transactions = [transaction]
            if random.oneIn(4) { continue }
            var credit = Credit(id: Identifier(id), account: "a", creditedAt: transaction.purchasedAt)
            credit.transaction = transaction.id
            rows.append((.credits, Evidence()))
            rows[rows.count - 1].1.credits = [credit]
        }
        return rows
    }

    private var tenDaysAgo: Instant { horizon.instant + .days(-10) }

    /// Two purchases; a receipt names the one's order for the other.
    private mutating func crossedOrder() -> [(FeedKind, Evidence)] {
        let ids = Array(Set(WorldIDs.transactions)).sorted().shuffled(using: &random)
        var (mine, other) = (proven(ids[0]), proven(ids[1]))
        if random.oneIn(8) { other.proof = .unverifiable }
        if random.oneIn(8) { mine.isFromReceipt = true }
        if random.oneIn(8) { mine.line = "L1" }
        var order = Order(
            id: random.pick(WorldIDs.orders), account: "a", product: "coins", status: random.pick([.paid, .pending]),
            createdAt: tenDaysAgo)
        let isByCredit = random.oneIn(3)
        if !isByCredit, !random.oneIn(8) { order.transaction = other.id }
        if random.oneIn(4) { order.token = WorldIDs.tokens[0] }
        if random.oneIn(4) { (mine.token, other.token) = (random.pick([nil, WorldIDs.tokens[1]]), WorldIDs.tokens[0]) }
        // The desk gave the other purchase's goods by the order's number; or the order names a transaction without proof
        // and carries the token of the purchase that it is reported for.
        let isByDesk = !isByCredit && random.oneIn(4)
        if isByDesk { (order.transaction, order.token, other.token) = (nil, WorldIDs.tokens[0], WorldIDs.tokens[0]) }
        if !isByDesk, random.oneIn(3) {
            (order.transaction, order.token, mine.token) = (ids[2], WorldIDs.tokens[0], WorldIDs.tokens[0])
        }
        var rows: [(FeedKind, Evidence)] = [(.transactions, Evidence()), (.transactions, Evidence())]
        rows[0].1.transactions = [mine]
        rows[1].1.transactions = [other]
        if !random.oneIn(8) {
            rows.append((.orders, Evidence()))
            rows[rows.count - 1].1.orders = [order]
        }
        if isByCredit || isByDesk || random.oneIn(2) {
            var credit = Credit(
                id: "C1", account: "a", kind: random.oneIn(8) ? .reversal : .credit,
                origin: isByDesk || random.oneIn(4) ? .desk : .auto, creditedAt: tenDaysAgo)
            credit.order = order.id
            if isByCredit { credit.transaction = other.id }
            rows.append((.credits, Evidence()))
            rows[rows.count - 1].1.credits = [credit]
        }
        for number in 0..<Int.random(in: 1...2, using: &random) {
            var receipt = claim(Identifier("R\(number + 1)"), of: mine.id)
            if isByDesk { receipt.account = "b" }
            receipt.order = random.oneIn(4) ? random.pick(WorldIDs.orders) : order.id
            rows.append((.receipts, Evidence()))
            rows[rows.count - 1].1.receipts = [finished(receipt)]
        }
        return rows
    }

    /// Three pieces, or another small number, of which some or all were refunded and some taken back.
    private mutating func partialRefund() -> [(FeedKind, Evidence)] {
        var transaction = proven(random.pick(WorldIDs.transactions))
        transaction.quantity = random.pick([2, 3, 3, 3, 7])
        let shares: [Int32] = [14_286, 28_571, 33_332, 33_333, 33_333, 33_334, 50_000, 66_666, 66_667, 99_999, 100_000]
        transaction.revocation = Revocation(
            at: tenDaysAgo + .days(2), type: random.pick([.refundProrated, .unnamed]),
            percentage: random.pick(shares))
        var rows: [(FeedKind, Evidence)] = [(.transactions, Evidence())]
        rows[0].1.transactions = [transaction]
        for (id, kind) in [("C1", CreditKind.credit), ("C2", .reversal), ("C3", .credit)] where !random.oneIn(3) {
            var credit = Credit(id: Identifier(id), account: "a", kind: kind, creditedAt: tenDaysAgo)
            credit.transaction = transaction.id
            let whole = kind == .reversal ? 1 : transaction.quantity
            credit.quantity = random.oneIn(3) ? random.pick(WorldIDs.quantities) : whole
            rows.append((.credits, Evidence()))
            rows[rows.count - 1].1.credits = [credit]
        }
        return rows
    }

    /// Goods given for a transaction that no record proves, and a receipt whose data may deny it.
    private mutating func refutedReceipt() -> [(FeedKind, Evidence)] {
        var credit = Credit(id: "C1", account: "a", creditedAt: random.oneIn(4) ? moment() : tenDaysAgo)
        credit.transaction = random.pick(WorldIDs.transactions)
        if random.oneIn(3) { credit.order = random.pick(WorldIDs.orders) }
        var rows: [(FeedKind, Evidence)] = [(.credits, Evidence())]
        rows[0].1.credits = [credit]
        for number in 0..<Int.random(in: 1...2, using: &random) {
            var receipt = claim(Identifier("R\(number + 1)"), of: credit.transaction!)
            receipt.product = random.pick([nil, "coins", "sword"])
            receipt.proof = random.pick([.lacksClaim, .lacksClaim, .forged, .unchecked] as [ReceiptProof])
            if receipt.proof != .forged, receipt.product == nil {
                receipt.setFurther(WorldIDs.transactions.filter { $0 != receipt.transaction }.suffix(2))
            }
            rows.append((.receipts, Evidence()))
            rows[rows.count - 1].1.receipts = [finished(receipt)]
        }
        return rows
    }

    private func proven(_ id: Identifier) -> Transaction {
        var transaction = Transaction(
            id: id, product: "coins", purchasedAt: tenDaysAgo, environment: policy.environment)
        transaction.price = Price(thousandths: 6000, currency: "CNY")
        return transaction
    }

    private mutating func claim(_ id: Identifier, of transaction: Identifier) -> Receipt {
        var receipt = Receipt(
            id: id, content: .absent, account: random.oneIn(6) ? "b" : "a", receivedAt: tenDaysAgo)
        receipt.transaction = transaction
        receipt.verifyStatus = random.oneIn(3) ? random.pick([nil, 21003, 21005]) : 0
        return receipt
    }

    private func finished(_ receipt: Receipt) -> Receipt {
        var receipt = receipt
        receipt.content = standInDigest(of: receipt.canonicalBytes)
        return receipt
    }
}
