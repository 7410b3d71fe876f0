public import Matching

/// Evidence of earlier nights, with the case of each version.
public struct StoredEvidence: Sendable {
    public var orders = Rows<Order>()
    public var credits = Rows<Credit>()
    public var transactions = Rows<Transaction>()
    public var receipts = Rows<Receipt>()

    public init() {}

    /// All versions.
    public var evidence: Evidence {
        var evidence = Evidence()
        evidence.orders = orders.values
        evidence.credits = credits.values
        evidence.transactions = transactions.values
        evidence.receipts = receipts.values
        return evidence
    }

    /// The case of each version, as matching wants it.
    public var cases: StoredCases {
        StoredCases([orders.cases, transactions.cases, credits.cases, receipts.cases])
    }

    var caseIDs: Set<CaseID> { Set(cases.all.joined()) }

    public var isEmpty: Bool { cases.all.allSatisfy(\.isEmpty) }

    public mutating func append(_ other: StoredEvidence) {
        orders.append(other.orders)
        credits.append(other.credits)
        transactions.append(other.transactions)
        receipts.append(other.receipts)
    }

    func filtered(_ isWanted: (_ caseID: CaseID, _ source: Provenance) -> Bool) -> StoredEvidence {
        var found = StoredEvidence()
        found.orders = orders.filtered { isWanted($0, $1.source) }
        found.credits = credits.filtered { isWanted($0, $1.source) }
        found.transactions = transactions.filtered { isWanted($0, $1.source) }
        found.receipts = receipts.filtered { isWanted($0, $1.source) }
        return found
    }
}

extension StoredEvidence {
    /// The evidence of deliveries up to `last`. A later version may have taken an order or a credit into another case, with the
    /// credits of that order: they go back to the case of what their own rows name.
    func known(through last: DeliveryID) -> StoredEvidence {
        var known = filtered { _, source in source.delivery <= last }
        let later = filtered { _, source in source.delivery > last }
        let (newOrders, newCredits) = (Set(later.orders.values.map(\.id)), Set(later.credits.values.map(\.id)))
        if newOrders.isEmpty, newCredits.isEmpty { return known }
        let purchases = Dictionary(zip(known.transactions.values.map(\.id), known.transactions.cases)) { first, _ in
            first
        }
        var moved: [Identifier: (from: CaseID, to: CaseID)] = [:]
        for (place, order) in known.orders.values.enumerated() where newOrders.contains(order.id) {
            let from = known.orders.cases[place]
            guard let home = order.transaction.flatMap({ purchases[$0] }), home != from else { continue }
            known.orders.move(place, to: home)
            moved[order.id] = (from, home)
        }
        let orders = Dictionary(zip(known.orders.values.map(\.id), known.orders.cases)) { first, _ in first }
        for (place, credit) in known.credits.values.enumerated() {
            if newCredits.contains(credit.id) {
                let home = credit.transaction.flatMap { purchases[$0] } ?? credit.order.flatMap { orders[$0] }
                if let home { known.credits.move(place, to: home) }
            } else if let order = credit.order, let move = moved[order], move.from == known.credits.cases[place] {
                known.credits.move(place, to: move.to)
            }
        }
        return known
    }
}

/// Versions of one kind of evidence. Each array holds one element for each version.
public struct Rows<Element: Sendable>: Sendable {
    public private(set) var values: [Element] = []
    /// The case of each version.
    public private(set) var cases: [CaseID] = []
    /// Whether each was the current version when it was stored. That may change with the configured environment.
    public private(set) var wasCurrent: [Bool] = []

    public init() {}

    public mutating func append(_ value: Element, of caseID: CaseID, isCurrent: Bool) {
        values.append(value)
        cases.append(caseID)
        wasCurrent.append(isCurrent)
    }

    fileprivate mutating func move(_ place: Int, to caseID: CaseID) { cases[place] = caseID }

    fileprivate mutating func append(_ other: Rows) {
        values += other.values
        cases += other.cases
        wasCurrent += other.wasCurrent
    }

    fileprivate func filtered(_ isWanted: (CaseID, Element) -> Bool) -> Rows {
        var found = Rows()
        for place in values.indices where isWanted(cases[place], values[place]) {
            found.append(values[place], of: cases[place], isCurrent: wasCurrent[place])
        }
        return found
    }
}
