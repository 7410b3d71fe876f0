internal import Domain

/// Which purchase each credit and reversal of a case belongs to, and which credits reversals cancel. RULES §2.
///
/// A credit belongs to the purchase that its transaction names, else to one that its order is tied to (the earliest
/// uncredited that it can have been given for, else the earliest uncredited), else to the case's earliest uncredited one,
/// else its earliest. A credit that names an unproven transaction, or whose order does, is never given to another
/// purchase. Each of these stages is over all credits before the next begins; reversals come last, in the same stages.
struct Attribution {
    private struct Entry {
        var credit: Credit
        var place: Int?
        /// Of a credit: cancelled. Of a reversal: it cancelled one.
        var isSettled = false
    }

    private let file: Case
    private let links: OrderLinks
    private let fitness: [Fitness]
    private let purchaseCount: Int
    /// Of each order's purchases, how many at the start no further credit can have been given for, and are credited.
    private var passed: [Identifier: (unfit: Int, credited: Int)] = [:]
    private var credits: [Entry]
    private var reversals: [Entry]
    private var isCredited: [Bool]
    /// Purchases before it are credited.
    private var firstUncredited = 0
    /// Entries by place, once all have one.
    private var creditsOfPlace: [[Int]] = []
    private var reversalsOfPlace: [[Int]] = []
    /// Ids that nobody has proven, named by credits; their places follow the purchases'.
    private(set) var unprovenNames: [Identifier] = []
    private var unprovenPlaces = SmallMap()

    /// `all`: the case's credits, implicit ones among them, by time, then id.
    init(_ all: [Credit], file: Case, purchases: [Purchase], links: OrderLinks, policy: Policy) {
        self.file = file
        self.links = links
        fitness = purchases.map { Fitness($0, in: file, policy: policy) }
        purchaseCount = purchases.count
        credits = all.filter { $0.kind == .credit }.map { Entry(credit: $0) }
        reversals = all.filter { $0.kind == .reversal }.map { Entry(credit: $0) }
        isCredited = Array(repeating: false, count: purchaseCount)
        placeCredits()
        if !reversals.isEmpty { placeReversals() }
        creditsOfPlace = byPlace(credits)
        reversalsOfPlace = byPlace(reversals)
    }

    private func byPlace(_ entries: [Entry]) -> [[Int]] {
        var places = Array(repeating: [Int](), count: max(1, purchaseCount + unprovenNames.count))
        for (index, entry) in entries.enumerated() { places[entry.place!].append(index) }
        return places
    }

    /// What became of the credits and reversals of a place, in order of time.
    func position(ofPlace place: Int, quantity: Int32?) -> CreditPosition {
        var position = CreditPosition()
        for index in creditsOfPlace[place] {
            position.credits.append(credits[index].credit)
            if !credits[index].isSettled { position.left.append(credits[index].credit) }
        }
        for index in reversalsOfPlace[place] {
            position.reversals.append(reversals[index].credit)
            if !reversals[index].isSettled { position.surplusReversals.append(reversals[index].credit) }
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
            let linked = tiedPlaces(credits[index].credit)
            if !linked.isEmpty { place(index, at: likeliest(of: linked, for: credits[index].credit)) }
        }
        for index in credits.indices where credits[index].place == nil {
            let unproven = placeOfUnprovenOrder(credits[index].credit)
            place(index, at: unproven ?? earliestUncredited())
        }
    }

    private mutating func place(_ index: Int, at place: Int?) {
        credits[index].place = place
        if let place, place < purchaseCount { isCredited[place] = true }
    }

    private mutating func placeReversals() {
        var open = OpenCredits(credits.map { ($0.credit, $0.place!) })
        for index in reversals.indices {
            if let place = namedPlace(reversals[index].credit) { settle(index, among: [place], place, &open) }
        }
        for index in reversals.indices where reversals[index].place == nil {
            let linked = tiedPlaces(reversals[index].credit)
            if let first = linked.first { settle(index, among: linked, first, &open) }
        }
        let all = Array(0..<purchaseCount)
        for index in reversals.indices where reversals[index].place == nil {
            if let place = placeOfUnprovenOrder(reversals[index].credit) {
                settle(index, among: [place], place, &open)
            } else {
                settle(index, among: all, earliestUncredited(), &open)
            }
        }
    }

    /// A reversal belongs where the credit that it cancels does; one that cancels none, to `otherwise`.
    private mutating func settle(_ index: Int, among places: [Int], _ otherwise: Int, _ open: inout OpenCredits) {
        guard let chosen = open.take(for: reversals[index].credit, among: places) else {
            reversals[index].place = otherwise
            return
        }
        reversals[index].place = credits[chosen].place
        reversals[index].isSettled = true
        credits[chosen].isSettled = true
    }

    /// Nil where it names no transaction. A case without purchases is one place.
    private mutating func namedPlace(_ credit: Credit) -> Int? {
        if purchaseCount == 0 { return 0 }
        guard let name = credit.transaction else { return nil }
        return links.purchaseOfTransaction[name] ?? unprovenPlace(name)
    }

    private func tiedPlaces(_ credit: Credit) -> [Int] { credit.order.map(links.purchases(ofOrder:)) ?? [] }

    private mutating func placeOfUnprovenOrder(_ credit: Credit) -> Int? {
        guard let id = credit.order, let position = links.orderPositions[id],
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

    /// Of the purchases that the credit's order is tied to, earliest first.
    ///
    /// Credits come in order of time. A purchase that is credited, or refunded before one credit, is so for all later
    /// ones, and purchases not yet bought stand last: so no purchase is passed twice for one order.
    private mutating func likeliest(of places: [Int], for credit: Credit) -> Int {
        var (unfit, credited) = passed[credit.$order] ?? (0, 0)
        while unfit < places.count, isCredited[places[unfit]] || fitness[places[unfit]].isOver(at: credit.creditedAt) {
            unfit += 1
        }
        while credited < places.count, isCredited[places[credited]] { credited += 1 }
        passed[credit.$order] = (unfit, credited)
        if unfit < places.count, fitness[places[unfit]].purchasedAt <= credit.creditedAt + clockSkewTolerance {
            return places[unfit]
        }
        return places[credited < places.count ? credited : 0]
    }

    /// Of all purchases.
    private mutating func earliestUncredited() -> Int {
        while firstUncredited < purchaseCount, isCredited[firstUncredited] { firstUncredited += 1 }
        return firstUncredited < purchaseCount ? firstUncredited : 0
    }
}

/// For which credits a purchase can have been the reason.
private struct Fitness {
    let purchasedAt: Instant
    private let isOfEnvironment: Bool
    /// When it was refunded in full.
    private var refundedAt: Instant?

    init(_ purchase: Purchase, in file: Case, policy: Policy) {
        let leading = file.transactions[purchase.leading]
        purchasedAt = leading.purchasedAt
        isOfEnvironment = leading.environment == policy.environment
        if let revocation = purchase.revocation(in: file), revocation.refund(ofQuantity: leading.quantity) == .full {
            refundedAt = revocation.at
        }
    }

    /// Neither a credit of that instant nor a later one can have been given for it.
    func isOver(at instant: Instant) -> Bool { !isOfEnvironment || refundedAt.map { $0 < instant } ?? false }
}

extension Credit {
    /// By time, then id.
    func isEarlier(than other: Credit) -> Bool {
        creditedAt == other.creditedAt ? id < other.id : creditedAt < other.creditedAt
    }
}
