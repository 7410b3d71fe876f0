internal import Domain

/// Where a credit or reversal belongs.
enum Place: Hashable {
    /// To the purchase with that index in the case.
    case purchase(Int)
    /// To the subject of an unproven transaction.
    case unproven(Identifier)
    /// To a case without a purchase, as a whole.
    case whole
}

/// A credit or reversal, and what became of it.
struct Entry {
    var credit: Credit
    /// It is not a row: the status `credited` of an order implies it.
    var isImplicit = false
    var place: Place?
    /// A credit: a reversal cancelled it. A reversal: it cancelled a credit.
    var isProblemFree = false
}

/// The credits and reversals of a case, each attributed to its place. See docs/spec/rules.md#credit-attribution.
struct Attribution {
    let file: Case
    let purchases: [Purchase]
    /// The indices of the purchases that each order is linked to.
    let tied: [Identifier: Set<Int>]
    let night: Night
    var credits: [Entry]
    var reversals: [Entry]

    init(_ file: Case, purchases: [Purchase], ties: OrderTies, night: Night) {
        self.file = file
        self.purchases = purchases
        tied = ties.all
        self.night = night
        let rows = file.credits.map { Entry(credit: $0) }
        let all = rows + implicitCredits(of: file, ties: ties, night: night)
        let inTime = all.sorted { ($0.credit.creditedAt, $0.credit.id) < ($1.credit.creditedAt, $1.credit.id) }
        credits = inTime.filter { $0.credit.kind == .credit }
        reversals = inTime.filter { $0.credit.kind == .reversal }
        placeCredits()
        placeReversals()
    }

    /// A credit belongs to the purchase that its transaction id names; else to the one its order is linked to (the
    /// earliest uncredited one that it can have been given for; failing that, the earliest uncredited); else to the
    /// case's earliest uncredited purchase; else to its earliest.
    private mutating func placeCredits() {
        for index in credits.indices { credits[index].place = namedPlace(credits[index].credit) }
        for index in credits.indices where credits[index].place == nil {
            if let positions = positionsTied(to: credits[index].credit) {
                let fitting = positions.filter { isFit($0, for: credits[index].credit) && !isCredited($0) }
                credits[index].place = fitting.first.map(Place.purchase) ?? earliestUncredited(of: positions)
            }
        }
        for index in credits.indices where credits[index].place == nil {
            credits[index].place =
                placeOfFurtherPiece(credits[index].credit)
                ?? placeOfUnprovenOrder(credits[index].credit) ?? earliestUncredited(of: Array(purchases.indices))
        }
    }

    /// A reversal cancels one credit of the same account: in the place it names, else of the purchases that its order
    /// is linked to, else of any purchase of the case.
    private mutating func placeReversals() {
        for index in reversals.indices {
            guard let place = namedPlace(reversals[index].credit) else { continue }
            settle(index, among: [place], otherwise: place)
        }
        for index in reversals.indices where reversals[index].place == nil {
            guard let positions = positionsTied(to: reversals[index].credit) else { continue }
            settle(index, among: positions.map(Place.purchase), otherwise: .purchase(positions[0]))
        }
        for index in reversals.indices where reversals[index].place == nil {
            if let place = placeOfUnprovenOrder(reversals[index].credit) {
                // "First of refunded purchases, then of the word's own subject."
                let named = (tied[reversals[index].credit.order!] ?? []).map(Place.purchase)
                let refunded = (tied[reversals[index].credit.order!] ?? []).filter { purchases[$0].revocation != nil }
                for places in [refunded.map(Place.purchase), [place], named] where !reversals[index].isProblemFree {
                    settle(index, among: places, otherwise: place, isExact: true)
                }
            } else {
                let all = Array(purchases.indices)
                settle(index, among: all.map(Place.purchase), otherwise: earliestUncredited(of: all))
            }
        }
    }

    /// A credit of the same order, else any; of several, one of the same product, and of these the latest.
    private mutating func settle(_ reversal: Int, among places: [Place], otherwise: Place, isExact: Bool = false) {
        let row = reversals[reversal].credit
        func isSame(_ credit: Int) -> Bool {
            row.product == nil || credits[credit].credit.product == nil || credits[credit].credit.product == row.product
        }
        let open = credits.indices.filter {
            places.contains(credits[$0].place!) && !credits[$0].isProblemFree
                && credits[$0].credit.account == row.account && (!isExact || isSame($0))
        }
        let ofSameOrder = open.filter { row.order != nil && credits[$0].credit.order == row.order }
        guard let chosen = ofSameOrder.last(where: isSame) ?? ofSameOrder.last ?? open.last(where: isSame) ?? open.last
        else {
            reversals[reversal].place = otherwise
            return
        }
        credits[chosen].isProblemFree = true
        reversals[reversal].isProblemFree = true
        reversals[reversal].place = credits[chosen].place
        if reversals[reversal].credit.quantity == nil {
            reversals[reversal].credit.quantity = credits[chosen].credit.quantity
        }
    }

    private func namedPlace(_ row: Credit) -> Place? {
        if purchases.isEmpty { return .whole }
        guard let name = row.transaction else { return nil }
        return purchases.firstIndex { $0.names.contains(name) }.map(Place.purchase) ?? .unproven(name)
    }

    /// Earliest first. Nil if its order is linked to none.
    private func positionsTied(to row: Credit) -> [Int]? {
        guard let order = row.order, !isWord(order), let positions = tied[order], !positions.isEmpty else { return nil }
        return positions.sorted()
    }

    /// "An order without a row, which a credit names with a transaction."
    private func isWord(_ order: Identifier) -> Bool {
        !file.orders.contains { $0.id == order }
            && file.credits.contains { $0.order == order && $0.transaction != nil }
    }

    /// A credit stays with its order if the order names a transaction without proof, and with its word. READINGS 11.
    private func placeOfUnprovenOrder(_ row: Credit) -> Place? {
        if let word = row.order, isWord(word) {
            return purchases.firstIndex { $0.names.contains(word) }.map(Place.purchase) ?? .unproven(word)
        }
        return file.orders.first { $0.id == row.order }?.transaction.map(Place.unproven)
    }

    /// "A further piece": no row tells of the purchase's order, and one number names no other purchase.
    private func placeOfFurtherPiece(_ row: Credit) -> Place? {
        guard night.policy.compare.contains(.quantity), let order = row.order, isWord(order), let more = row.quantity,
            let named = tied[order], named.count == 1, let index = named.first, isFit(index, for: row)
        else { return nil }
        let record = purchases[index].record
        let hasOrder = tied.contains { id, tied in tied.contains(index) && file.orders.contains { $0.id == id } }
        let given = credits.filter { $0.place == .purchase(index) }.map(\.credit)
        let pieces = given.reduce(0) { $0 + ($1.quantity ?? record.quantity) }
        guard !hasOrder, !given.isEmpty, given.allSatisfy({ $0.account == row.account }),
            row.product ?? record.product == record.product,
            pieces + more <= record.quantity
        else { return nil }
        return .purchase(index)
    }

    private func earliestUncredited(of positions: [Int]) -> Place {
        .purchase(positions.first { !isCredited($0) } ?? positions[0])
    }

    private func isCredited(_ position: Int) -> Bool { credits.contains { $0.place == .purchase(position) } }

    /// Whether the credit can have been given for the purchase: it is of the configured environment, bought no later
    /// than 5 minutes after the credit, and not refunded in full before it.
    private func isFit(_ position: Int, for row: Credit) -> Bool {
        let purchase = purchases[position]
        return purchase.record.environment == night.policy.environment
            && purchase.record.purchasedAt <= row.creditedAt + .minutes(5)
            && purchase.fullRevocation.map { $0.at < row.creditedAt } != true
    }
}

/// An order with the status `credited` that no `credit` row names (or, of its account and lacking an order id, its
/// transaction or an id of the only purchase to which itself, a credit or its token links it) stands for one implicit credit.
/// None is assumed for a date whose credits feed has a gap.
private func implicitCredits(of file: Case, ties: OrderTies, night: Night) -> [Entry] {
    let tied = ties.withoutReceipts
    return file.orders.filter { $0.status == .credited }.compactMap { order in
        let positions = tied[order.id] ?? []
        let ids = positions.count == 1 ? ties.purchases[positions.first!].names : []
        let isNamed = file.credits.contains { row in
            guard row.kind == .credit else { return false }
            if let named = row.order { return named == order.id }
            guard let transaction = row.transaction, row.account == order.account else { return false }
            return transaction == order.transaction || row.origin == .auto && ids.contains(transaction)
        }
        let at = order.updatedAt ?? order.createdAt
        let date = night.policy.zone.date(of: at)
        if isNamed || night.horizon.coverage.hasGap(.credits, from: date, through: date) { return nil }
        var credit = Credit(id: Identifier("order:" + order.id.text), account: order.account, creditedAt: at)
        credit.order = order.id
        credit.transaction = order.transaction
        credit.quantity = order.quantity
        return Entry(credit: credit, isImplicit: true)
    }
}
