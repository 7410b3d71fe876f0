/// Counts the purchases of judged cases into tables. See docs/spec/why.md#tables.
struct PurchaseCounter {
    private let zone: Zone
    private let products: ProductList
    private let dates: ClosedRange<BusinessDate>?
    private var keys = NumberedValues<TableKey>()
    /// In the order of `keys`.
    private var tables: [PurchaseRows] = []

    /// - Parameter dates: all others are left out.
    init(_ basis: Basis, dates: ClosedRange<BusinessDate>? = nil) {
        zone = basis.policy.zone
        products = basis.policy.products
        self.dates = dates
    }

    /// Counts a purchase whose case matches cleanly.
    mutating func add(
        _ purchase: Transaction, _ order: Order, _ credit: Credit, outcome: PurchaseOutcome?, amount: Money,
        labels: LabelSet, of caseID: CaseID
    ) {
        guard let outcome else { return }
        let fate = PurchaseFate(outcome.fulfilment, delay: credit.delay(since: purchase.purchasedAt))
        var counted = counted(purchase, fate, cause: .none, amount: amount, labels: labels)
        counted.transactionEnd = IdentifierEnd(CollectionOfOne(purchase.id))
        counted.orderEnd = IdentifierEnd(CollectionOfOne(order.id))
        add(counted, on: outcome.date, of: caseID)
    }

    /// Counts a subject if it is a purchase that the lost-order rate counts, or an orphan receipt.
    mutating func add(
        _ subject: Subject, _ judgement: Judgement, outcome: PurchaseOutcome?, in evidence: Case, of caseID: CaseID
    ) {
        let labels = subject.labels(in: evidence)
        if let outcome, let purchase = subject.leading.map({ evidence.transactions[$0] }) {
            let fate = PurchaseFate(
                outcome.fulfilment, isCreditedTwice: judgement.verdict == .creditedTwice,
                delay: subject.position.credits.first?.delay(since: purchase.purchasedAt))
            var counted = counted(purchase, fate, cause: judgement.cause, amount: judgement.amount, labels: labels)
            let members = judgement.members
            counted.transactionEnd = IdentifierEnd(members.transactions.map { evidence.transactions[$0].id })
            counted.orderEnd = IdentifierEnd(members.orders.map { evidence.orders[$0].id })
            add(counted, on: outcome.date, of: caseID)
        } else if judgement.verdict == .orphanReceipt,
            let receipt = subject.receipts.first.map({ evidence.receipts[$0] })
        {
            var orphan = CountedPurchase(fate: PurchaseFate(nil), amount: judgement.amount)
            orphan.product = receipt.product ?? .absent
            orphan.cause = CountedPurchase.causes[judgement.cause]!
            orphan.hour = zone.hour(of: receipt.receivedAt)
            orphan.labels = labels
            add(orphan, on: zone.date(of: receipt.receivedAt), of: caseID)
        }
    }

    private func counted(
        _ purchase: Transaction, _ fate: PurchaseFate, cause: Cause, amount: Money?, labels: LabelSet
    ) -> CountedPurchase {
        var counted = CountedPurchase(fate: fate, amount: amount)
        counted.product = purchase.product
        let type = products.type(of: purchase)
        counted.productType = type.map { CountedPurchase.types[Int($0.rawValue)] } ?? .absent
        counted.storefront = purchase.storefront ?? .absent
        counted.app = purchase.bundle ?? .absent
        if cause != .none { counted.cause = CountedPurchase.causes[cause]! }
        counted.hour = zone.hour(of: purchase.purchasedAt)
        counted.labels = labels
        return counted
    }

    private mutating func add(_ purchase: CountedPurchase, on date: BusinessDate, of caseID: CaseID) {
        guard dates?.contains(date) ?? true else { return }
        let place = keys.number(of: TableKey(date, of: caseID))
        if place == tables.count { tables.append(PurchaseRows()) }
        tables[place].add(purchase, of: caseID)
    }

    /// Removes and returns the tables, each as the piece of a whole.
    mutating func take() -> TablePieces {
        defer { (keys, tables) = (NumberedValues(), []) }
        return TablePieces(
            tables: Dictionary(uniqueKeysWithValues: zip(keys.values, tables.map { [.counted($0)] })))
    }
}

extension Credit {
    /// The bucket of the time from the payment to the goods.
    fileprivate func delay(since purchasedAt: Instant) -> Int {
        DelayHistogram.bucket(of: Milliseconds(creditedAt.milliseconds &- purchasedAt.milliseconds))
    }
}

extension CountedPurchase {
    fileprivate static let causes = Dictionary(
        uniqueKeysWithValues: Cause.allCases.map { ($0, Identifier($0.rawValue)) })
    fileprivate static let types = ProductType.allCases.map { Identifier($0.name) }
}
