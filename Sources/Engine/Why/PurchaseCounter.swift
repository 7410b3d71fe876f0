/// Counts the purchases of judged cases into tables. See docs/spec/why.md#tables.
struct PurchaseCounter {
    private let basis: Basis
    private var places: [TableKey: Int] = [:]
    private var tables: [DateTable] = []
    private var lastKey: TableKey?
    /// The table of the last purchase. Neighbouring cases are mostly of one date.
    private var last = 0

    init(_ basis: Basis) { self.basis = basis }

    /// Counts a purchase whose case matches cleanly.
    mutating func add(
        _ purchase: Transaction, credit: Credit, _ verdict: StoredVerdict, labels: LabelSet, of caseID: CaseID
    ) {
        guard let outcome = verdict.outcome else { return }
        let fate = PurchaseFate(
            outcome.fulfilment, delay: DelayHistogram.bucket(of: credit.createdAfter(purchase.purchasedAt)))
        add(counted(purchase, fate, verdict, labels), on: outcome.date, of: caseID)
    }

    /// Counts a subject if it is a purchase that the lost-order rate counts, or an orphan receipt.
    mutating func add(_ subject: Subject, _ verdict: StoredVerdict, in evidence: Case, of caseID: CaseID) {
        let labels = LabelSet.none
        if let outcome = verdict.outcome, let leading = subject.leading {
            let purchase = evidence.transactions[leading]
            let fate = PurchaseFate(
                outcome.fulfilment, isCreditedTwice: verdict.verdict == .creditedTwice,
                delay: subject.position.credits.first.map {
                    DelayHistogram.bucket(of: $0.createdAfter(purchase.purchasedAt))
                })
            add(counted(purchase, fate, verdict, labels), on: outcome.date, of: caseID)
        } else if verdict.verdict == .orphanReceipt, let receipt = subject.receipts.first.map({ evidence.receipts[$0] })
        {
            var orphan = CountedPurchase(PurchaseFate(nil), amount: verdict.amount)
            orphan.product = receipt.product ?? .absent
            orphan.cause = CountedPurchase.causes[verdict.cause]!
            orphan.hour = basis.policy.zone.hour(of: receipt.receivedAt)
            orphan.labels = labels
            add(orphan, on: basis.policy.zone.date(of: receipt.receivedAt), of: caseID)
        }
    }

    private func counted(
        _ purchase: Transaction, _ fate: PurchaseFate, _ verdict: StoredVerdict, _ labels: LabelSet
    ) -> CountedPurchase {
        var counted = CountedPurchase(fate, amount: verdict.amount)
        counted.product = purchase.product
        counted.productType =
            (purchase.type ?? basis.policy.products.type(of: purchase.product))
            .map { CountedPurchase.types[Int($0.rawValue)] } ?? .absent
        counted.storefront = purchase.storefront ?? .absent
        counted.app = purchase.bundle ?? .absent
        if verdict.cause != .none { counted.cause = CountedPurchase.causes[verdict.cause]! }
        counted.hour = basis.policy.zone.hour(of: purchase.purchasedAt)
        counted.labels = labels
        return counted
    }

    private mutating func add(_ purchase: CountedPurchase, on date: BusinessDate, of caseID: CaseID) {
        let key = TableKey(date, of: caseID)
        if lastKey != key {
            last = places[key] ?? tables.count
            if last == tables.count {
                places[key] = last
                tables.append(DateTable(of: date))
            }
            lastKey = key
        }
        tables[last].add(purchase, of: caseID)
    }

    /// The tables, each as the piece of a whole.
    var pieces: TablePieces {
        TablePieces(tables: places.mapValues { [EncodedTable(tables[$0])] })
    }
}

extension Credit {
    /// How long after the payment the goods came.
    fileprivate func createdAfter(_ purchasedAt: Instant) -> Milliseconds {
        Milliseconds(creditedAt.milliseconds &- purchasedAt.milliseconds)
    }
}

extension CountedPurchase {
    fileprivate static let causes = Dictionary(
        uniqueKeysWithValues: Cause.allCases.map { ($0, Identifier($0.rawValue)) })
    fileprivate static let types = ProductType.allCases.map { Identifier($0.name) }
}
