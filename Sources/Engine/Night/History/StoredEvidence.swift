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
    /// Puts orders and credits that a version after `last` took into another case back into the case of what their own rows
    /// name, with the credits of such an order. Returns these cases.
    mutating func moveBack(since last: DeliveryID) -> Set<CaseID> {
        let newOrders = Set(orders.values.lazy.filter { $0.source.delivery > last }.map(\.id))
        let newCredits = Set(credits.values.lazy.filter { $0.source.delivery > last }.map(\.id))
        let olderOrders = orders.values.indices.filter {
            orders.values[$0].source.delivery <= last && newOrders.contains(orders.values[$0].id)
        }
        let olderCredits = credits.values.indices.filter {
            credits.values[$0].source.delivery <= last && newCredits.contains(credits.values[$0].id)
        }
        if olderOrders.isEmpty, olderCredits.isEmpty { return [] }
        let purchases = Dictionary(zip(transactions.values.map(\.id), transactions.cases)) { first, _ in first }
        var moved: [Identifier: (from: CaseID, to: CaseID)] = [:]
        var homes = Set<CaseID>()
        for place in olderOrders {
            let (order, from) = (orders.values[place], orders.cases[place])
            guard let home = order.transaction.flatMap({ purchases[$0] }), home != from else { continue }
            orders.move(place, to: home)
            moved[order.id] = (from, home)
            homes.insert(home)
        }
        let orderCases = Dictionary(zip(orders.values.map(\.id), orders.cases)) { first, _ in first }
        for place in olderCredits {
            let credit = credits.values[place]
            let home = credit.transaction.flatMap { purchases[$0] } ?? credit.order.flatMap { orderCases[$0] }
            guard let home, home != credits.cases[place] else { continue }
            credits.move(place, to: home)
            homes.insert(home)
        }
        for (place, credit) in credits.values.enumerated() where !moved.isEmpty && !newCredits.contains(credit.id) {
            guard let move = credit.order.flatMap({ moved[$0] }), move.from == credits.cases[place] else { continue }
            credits.move(place, to: move.to)
        }
        return homes
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
