package import Domain

/// Which purchase each credit and reversal of a case belongs to, and which credits reversals cancel. RULES §2.
///
/// A credit belongs to the purchase that its transaction names, else to one that its order is tied to (the earliest
/// uncredited first), else to the case's earliest uncredited one, else its earliest. One that names a transaction nobody
/// has proven, or whose order does, is never given to another purchase. Each of these stages is over all credits before
/// the next begins; reversals come last, in the same stages.
struct Attribution {
    private struct Entry {
        var credit: Credit
        var place: Int?
        /// Of a credit: cancelled. Of a reversal: it cancelled one.
        var isSettled = false
    }

    private let file: CaseFile
    private let ties: OrderTies
    private let purchaseCount: Int
    private var credits: [Entry]
    private var reversals: [Entry]
    private var isCredited: [Bool]
    /// Ids that nobody has proven, named by credits; their places follow the purchases'.
    private(set) var unprovenNames: [Identifier] = []
    private var unprovenPlaces = SmallMap()

    /// `all`: the case's credits, implicit ones among them, by time, then id.
    init(_ all: [Credit], file: CaseFile, ties: OrderTies) {
        self.file = file
        self.ties = ties
        purchaseCount = ties.firm.count
        credits = all.filter { $0.kind == .credit }.map { Entry(credit: $0) }
        reversals = all.filter { $0.kind == .reversal }.map { Entry(credit: $0) }
        isCredited = Array(repeating: false, count: purchaseCount)
        placeCredits()
        if !reversals.isEmpty { placeReversals() }
    }

    /// What became of the credits and reversals of a place, in order of time.
    func position(ofPlace place: Int, quantity: Int32?) -> CreditPosition {
        var position = CreditPosition()
        for entry in credits where entry.place == place { position.credits.append(entry.credit) }
        if reversals.isEmpty {
            position.left = position.credits
        } else {
            for entry in credits where entry.place == place && !entry.isSettled { position.left.append(entry.credit) }
            for entry in reversals where entry.place == place {
                position.reversals.append(entry.credit)
                if !entry.isSettled { position.surplusReversals.append(entry.credit) }
            }
        }
        guard let quantity, position.left.count > 1 else { return position }
        let sum = position.left.reduce(Int64(0)) { $0 + Int64($1.quantity ?? quantity) }
        position.countsAsOne = sum == Int64(quantity)
        return position
    }

    func position(ofUnproven name: Identifier, quantity: Int32?) -> CreditPosition {
        unprovenPlaces[name].map { position(ofPlace: $0, quantity: quantity) } ?? CreditPosition()
    }

    private mutating func placeCredits() {
        for index in credits.indices { place(index, at: namedPlace(credits[index].credit)) }
        for index in credits.indices where credits[index].place == nil {
            let tied = tiedPlaces(credits[index].credit)
            if !tied.isEmpty { place(index, at: earliestUncredited(of: tied)) }
        }
        for index in credits.indices where credits[index].place == nil {
            let unproven = placeOfUnprovenOrder(credits[index].credit)
            place(index, at: unproven ?? earliestUncredited(of: Array(0..<purchaseCount)))
        }
    }

    private mutating func place(_ index: Int, at place: Int?) {
        credits[index].place = place
        if let place, place < purchaseCount { isCredited[place] = true }
    }

    private mutating func placeReversals() {
        for index in reversals.indices {
            if let place = namedPlace(reversals[index].credit) { settle(index, among: [place], otherwise: place) }
        }
        for index in reversals.indices where reversals[index].place == nil {
            let tied = tiedPlaces(reversals[index].credit)
            if let first = tied.first { settle(index, among: tied, otherwise: first) }
        }
        for index in reversals.indices where reversals[index].place == nil {
            if let place = placeOfUnprovenOrder(reversals[index].credit) {
                settle(index, among: [place], otherwise: place)
            } else {
                let all = Array(0..<purchaseCount)
                settle(index, among: all, otherwise: earliestUncredited(of: all))
            }
        }
    }

    /// A reversal cancels one credit of the same account: first of the same order, else the latest.
    private mutating func settle(_ index: Int, among places: [Int], otherwise: Int) {
        let reversal = reversals[index].credit
        var chosen: Int?
        var isOfOrder = false
        for candidate in credits.indices where !credits[candidate].isSettled {
            let credit = credits[candidate].credit
            guard credit.account == reversal.account, places.contains(credits[candidate].place!) else { continue }
            let matches = reversal.order != nil && credit.order == reversal.order
            if matches || !isOfOrder { chosen = candidate }
            isOfOrder = isOfOrder || matches
        }
        reversals[index].place = chosen.map { credits[$0].place! } ?? otherwise
        guard let chosen else { return }
        credits[chosen].isSettled = true
        reversals[index].isSettled = true
    }

    /// Nil where it names no transaction. A case without purchases is one place.
    private mutating func namedPlace(_ credit: Credit) -> Int? {
        if purchaseCount == 0 { return 0 }
        guard let name = credit.transaction else { return nil }
        return ties.purchaseOfTransaction[name] ?? unprovenPlace(name)
    }

    private func tiedPlaces(_ credit: Credit) -> [Int] { credit.order.map(ties.purchases(ofOrder:)) ?? [] }

    private mutating func placeOfUnprovenOrder(_ credit: Credit) -> Int? {
        guard let id = credit.order, let position = ties.orderPositions[id],
            let name = file.orders[position].transaction
        else { return nil }
        return unprovenPlace(name)
    }

    private mutating func unprovenPlace(_ name: Identifier) -> Int {
        if let place = unprovenPlaces[name] { return place }
        unprovenNames.append(name)
        let place = purchaseCount + unprovenNames.count - 1
        unprovenPlaces.insert(name, place)
        return place
    }

    private func earliestUncredited(of places: [Int]) -> Int { places.first { !isCredited[$0] } ?? places[0] }
}

extension Credit {
    /// By time, then id.
    func isEarlier(than other: Credit) -> Bool {
        creditedAt == other.creditedAt ? id < other.id : creditedAt < other.creditedAt
    }
}

/// The case's credits by time, then id, with the implicit credit of each order whose status is `credited` and
/// that no credit row names. RULES §1; none for a date whose credits feed is missing.
func creditsWithImplicit(of file: CaseFile, horizon: Horizon, zone: Zone) -> [Credit] {
    var credits = file.credits
    for credit in file.impliedCredits where !horizon.isCreditless(zone.date(of: credit.creditedAt)) {
        credits.append(credit)
    }
    if credits.count > 1 { credits.sort { $0.isEarlier(than: $1) } }
    return credits
}

extension CaseFile {
    /// What orders whose status is `credited` stand for where no credit row names them.
    fileprivate var impliedCredits: [Credit] {
        guard orders.contains(where: { $0.status == .credited }) else { return [] }
        var named = SmallMap()
        var namedTransactions = SmallMap()
        for credit in credits where credit.kind == .credit {
            if let order = credit.order {
                named.insert(order, 0)
            } else if let transaction = credit.transaction {
                namedTransactions.insert(transaction, 0)
            }
        }
        return orders.compactMap { order in
            guard order.status == .credited, named[order.id] == nil,
                order.transaction.flatMap({ namedTransactions[$0] }) == nil
            else { return nil }
            return Credit(impliedBy: order)
        }
    }

    /// Whether an order's word for a credit is of a day whose credits file is missing or still to come. When that file
    /// comes, or does not, the word counts for something else, though no new evidence names the case.
    package func awaitsCredits(horizon: Horizon, zone: Zone) -> Bool {
        func isUnsettled(_ instant: Instant) -> Bool {
            let date = zone.date(of: instant)
            return date > horizon.businessDate || horizon.isCreditless(date)
        }
        return orders.contains { $0.status == .credited && isUnsettled($0.impliedCreditAt) }
            && impliedCredits.contains { isUnsettled($0.creditedAt) }
    }
}

extension Order {
    fileprivate var impliedCreditAt: Instant { updatedAt ?? createdAt }
}

extension Credit {
    fileprivate init(impliedBy order: Order) {
        self.init(
            id: Identifier("order:" + order.id.text), account: order.account,
            creditedAt: order.impliedCreditAt, source: order.source)
        isImplicit = true
        self.order = order.id
        transaction = order.transaction
        quantity = order.quantity
    }
}

extension Horizon {
    /// The day's credits feed is missing.
    fileprivate func isCreditless(_ date: BusinessDate) -> Bool {
        coverage.hasHole(.credits, from: date, through: date)
    }
}
