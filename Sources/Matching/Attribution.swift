/// Decides which purchase each credit and reversal of a case belongs to, and which credits the reversals cancel.
/// See docs/spec/rules.md#credit-attribution.
///
/// Purchases are numbered earliest first, and credits are taken by time, then id. Each stage handles all credits before
/// the next stage begins, so that a credit with a weak reason never takes a purchase from one with a strong reason:
///
/// - A credit that names a transaction belongs to that purchase. If no record proves the transaction, it belongs to a
///   place of its own for that id and never to another purchase.
/// - A credit whose order is linked to purchases belongs to the earliest uncredited one that it can have been given
///   for, else to the earliest uncredited one.
/// - A credit whose order names an unproven transaction belongs to the place of that id, and one whose order is a *word*
///   (see `OrderLinks.isWord`) to a place of its own for that word. Any other credit belongs to the case's earliest
///   uncredited purchase, else to the earliest.
///
/// Reversals follow in the same stages. A reversal cancels an open credit among the purchases of its stage and then
/// belongs where that credit belongs.
///
/// A *place* is the number of a purchase, or the number of purchases plus the number of an unproven id or word.
struct Attribution {
    /// A credit or reversal, and what became of it.
    private struct Entry {
        var credit: Credit
        /// Nil until it has one.
        var place: Int?
        /// For a credit: a reversal cancelled it. For a reversal: it cancelled a credit.
        var isOffset = false
    }

    private let file: Case
    private let links: OrderLinks
    /// By purchase.
    private let fitness: [Fitness]
    private let purchaseCount: Int
    private let comparesQuantity: Bool
    /// For each order, how far the search among its purchases has come: the number of purchases at the start of the
    /// list that no further credit can have been given for, and the number that are credited. See `likeliest`.
    private var passed: [Identifier: (unfit: Int, credited: Int)] = [:]
    /// By time, then id.
    private var credits: [Entry]
    /// By time, then id.
    private var reversals: [Entry]
    /// By purchase: the account of its credits so far, and the pieces that lack. See `placeOfFurtherPiece`.
    private var lacking: [Int: (account: Identifier, pieces: Int64)] = [:]
    /// By purchase: a credit belongs to it, cancelled or not.
    private var isCredited: [Bool]
    /// All purchases before this one are credited.
    private var firstUncredited = 0
    /// Positions in `credits` by place, once every credit has one.
    private var creditsOfPlace: [[Int]] = []
    private var reversalsOfPlace: [[Int]] = []
    /// Transaction ids without a proven record that credits or their orders name, and words. Their places follow those of
    /// the purchases.
    private(set) var unprovenNames: [Identifier] = []
    private var unprovenPlaces = SmallMap()
    /// For each order that a credit left names, the first and the last proven purchase that such a credit counts for.
    private var givenFor: [Identifier: ClosedRange<Int>] = [:]

    /// - Parameter all: the case's credits, including implicit ones, by time, then id.
    init(_ all: [Credit], file: Case, purchases: [Purchase], links: OrderLinks, policy: Policy) {
        self.file = file
        self.links = links
        fitness = purchases.map { Fitness($0, in: file, policy: policy) }
        purchaseCount = purchases.count
        comparesQuantity = policy.compare.contains(.quantity)
        credits = all.filter { $0.kind == .credit }.map { Entry(credit: $0) }
        reversals = all.filter { $0.kind == .reversal }.map { Entry(credit: $0) }
        isCredited = Array(repeating: false, count: purchaseCount)
        placeCredits()
        if !reversals.isEmpty { placeReversals() }
        creditsOfPlace = byPlace(credits)
        reversalsOfPlace = byPlace(reversals)
        // Where a reversal by a word took back a purchase's credit, nothing stands at the word's own place.
        if !reversals.isEmpty {
            unprovenNames = unprovenNames.filter { name in
                let place = unprovenPlaces[name]!
                return !creditsOfPlace[place].isEmpty || !reversalsOfPlace[place].isEmpty
            }
        }
        if purchaseCount < 2 { return }
        for entry in credits where !entry.isOffset {
            guard let order = entry.credit.order, let place = entry.place, place < purchaseCount,
                fitness[place].isOfEnvironment, !purchases[place].isForged
            else { continue }
            let known = givenFor[order] ?? place...place
            givenFor[order] = min(known.lowerBound, place)...max(known.upperBound, place)
        }
    }

    /// Whether a credit left counts by the order's number for another proven purchase than this one.
    func isGiven(_ order: Identifier, besides purchase: Int) -> Bool {
        givenFor[order].map { $0 != purchase...purchase } ?? false
    }

    private func byPlace(_ entries: [Entry]) -> [[Int]] {
        var places = Array(repeating: [Int](), count: max(1, purchaseCount + unprovenNames.count))
        for (index, entry) in entries.enumerated() { places[entry.place!].append(index) }
        return places
    }

    /// The credits and reversals of a place in order of time.
    ///
    /// - Parameter quantity: pieces bought, which decide whether several credits count as one. Nil: they never do.
    func position(ofPlace place: Int, quantity: Int32?) -> CreditPosition {
        var position = CreditPosition()
        for index in creditsOfPlace[place] {
            position.credits.append(credits[index].credit)
            if !credits[index].isOffset { position.left.append(credits[index].credit) }
        }
        for index in reversalsOfPlace[place] {
            position.reversals.append(reversals[index].credit)
            if !reversals[index].isOffset { position.surplusReversals.append(reversals[index].credit) }
        }
        if let quantity { position.settle(quantity: quantity, isCompared: comparesQuantity) }
        return position
    }

    /// The same for a transaction id without a proven record; empty where no credit names it.
    func position(ofUnproven name: Identifier, quantity: Int32?) -> CreditPosition {
        unprovenPlaces[name].map { position(ofPlace: $0, quantity: quantity) } ?? CreditPosition()
    }

    private mutating func placeCredits() {
        for index in credits.indices { place(index, at: namedPlace(credits[index].credit)) }
        for index in credits.indices where credits[index].place == nil {
            let linked = linkedPlaces(credits[index].credit)
            if !linked.isEmpty { place(index, at: likeliest(of: linked, for: credits[index].credit)) }
        }
        for index in credits.indices where credits[index].place == nil {
            let credit = credits[index].credit
            place(index, at: placeOfFurtherPiece(credit) ?? placeOfUnprovenOrder(credit) ?? earliestUncredited())
        }
    }

    private mutating func place(_ index: Int, at place: Int?) {
        credits[index].place = place
        guard let place, place < purchaseCount else { return }
        isCredited[place] = true
        if !lacking.isEmpty { lacking[place] = nil }
    }

    private mutating func placeReversals() {
        var open = OpenCredits(credits.map { ($0.credit, $0.place!) })
        for index in reversals.indices {
            if let place = namedPlace(reversals[index].credit) {
                offset(index, among: [place], otherwise: place, &open)
            }
        }
        for index in reversals.indices where reversals[index].place == nil {
            let linked = linkedPlaces(reversals[index].credit)
            if let first = linked.first { offset(index, among: linked, otherwise: first, &open) }
        }
        let all = Array(0..<purchaseCount)
        for index in reversals.indices where reversals[index].place == nil {
            if let place = placeOfUnprovenOrder(reversals[index].credit) {
                // A word is weak evidence. It never takes back goods of another product. Refunded purchases come first.
                let named = links.purchases(ofOrder: reversals[index].credit.$order)
                let refunded = named.filter { fitness[$0].isRefunded }
                for places in [refunded, [place], named] where reversals[index].place == nil {
                    offset(index, among: places, isExact: true, otherwise: nil, &open)
                }
                reversals[index].place = reversals[index].place ?? place
            } else {
                offset(index, among: all, otherwise: earliestUncredited(), &open)
            }
        }
    }

    /// Lets the reversal cancel an open credit of one of these places and puts it at that credit's place. A reversal
    /// that finds none is put at `otherwise`.
    private mutating func offset(
        _ index: Int, among places: [Int], isExact: Bool = false, otherwise: Int?, _ open: inout OpenCredits
    ) {
        guard let chosen = open.take(for: reversals[index].credit, among: places, isExact: isExact) else {
            reversals[index].place = otherwise
            return
        }
        reversals[index].place = credits[chosen].place
        reversals[index].isOffset = true
        // What a reversal does not say is its credit's: a row for one of three pieces takes back one.
        reversals[index].credit.quantity = reversals[index].credit.quantity ?? credits[chosen].credit.quantity
        credits[chosen].isOffset = true
    }

    /// The place of the transaction that the credit names; nil if it names none. A case without purchases is a
    /// single place.
    private mutating func namedPlace(_ credit: Credit) -> Int? {
        if purchaseCount == 0 { return 0 }
        guard let name = credit.transaction else { return nil }
        return links.purchaseOfTransaction[name] ?? unprovenPlace(name)
    }

    /// The purchases that the credit's order is linked to, earliest first.
    private func linkedPlaces(_ credit: Credit) -> [Int] {
        credit.order.map { links.isWord($0) ? [] : links.purchases(ofOrder: $0) } ?? []
    }

    /// The place of the unproven transaction that the credit's order names, or of its word; nil if it names none.
    private mutating func placeOfUnprovenOrder(_ credit: Credit) -> Int? {
        guard let id = credit.order else { return nil }
        if links.isWord(id) { return links.purchaseOfTransaction[id] ?? unprovenPlace(id) }
        return links.orderPositions[id].flatMap { file.orders[$0].transaction }.map { unprovenPlace($0) }
    }

    /// The purchase of which the credit may be a further piece. Its order has no row, so the number may be a word: all its goods
    /// went to the credit's account, and pieces of what was bought lack.
    private mutating func placeOfFurtherPiece(_ credit: Credit) -> Int? {
        guard comparesQuantity, let order = credit.order, let more = credit.quantity, links.isWord(order) else {
            return nil
        }
        let named = links.purchases(ofOrder: order)
        guard named.count == 1, links.authoritative[named[0]].isEmpty, fitness[named[0]].allows(credit) else {
            return nil
        }
        if lacking[named[0]] == nil {
            let given = credits.filter { $0.place == named[0] }.map(\.credit)
            let account = Set(given.map(\.account)).count == 1 ? given[0].account : .absent
            let bought = fitness[named[0]].quantity
            lacking[named[0]] = (account, given.reduce(bought) { $0 - Int64($1.quantity ?? .max) })
        }
        let (account, pieces) = lacking[named[0]]!
        return account == credit.account && pieces >= more ? named[0] : nil
    }

    private mutating func unprovenPlace(_ name: Identifier) -> Int {
        if let place = unprovenPlaces[name] { return place }
        unprovenNames.append(name)
        let place = purchaseCount + unprovenNames.count - 1
        unprovenPlaces.insert(name, place)
        return place
    }

    /// Chooses among the purchases that the credit's order is linked to, given earliest first: the earliest uncredited
    /// one that the credit can have been given for, else the earliest uncredited, else the earliest.
    ///
    /// Credits arrive in order of time. A purchase that is credited, or was refunded before one credit, is unfit for
    /// all later credits of the order as well, and purchases not yet bought come last. So both searches go on where
    /// they stopped for the order's previous credit, and no purchase is looked at twice.
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

    /// The case's earliest uncredited purchase, else its earliest.
    private mutating func earliestUncredited() -> Int {
        while firstUncredited < purchaseCount, isCredited[firstUncredited] { firstUncredited += 1 }
        return firstUncredited < purchaseCount ? firstUncredited : 0
    }
}

/// Whether a purchase can have been the reason for a credit.
private struct Fitness {
    let purchasedAt: Instant
    /// The purchase is of the configured environment.
    let isOfEnvironment: Bool
    /// When it was refunded in full; nil if it was not.
    private var refundedAt: Instant?
    /// In full or in part.
    let isRefunded: Bool
    let quantity: Int64
    private let product: Identifier

    init(_ purchase: Purchase, in file: Case, policy: Policy) {
        let leading = file.transactions[purchase.leading]
        purchasedAt = leading.purchasedAt
        isOfEnvironment = leading.environment == policy.environment
        (quantity, product) = (Int64(leading.quantity), leading.product)
        let revocation = purchase.revocation(in: file)
        isRefunded = revocation != nil
        if let revocation, revocation.refund(ofQuantity: leading.quantity) == .full {
            refundedAt = revocation.at
        }
    }

    /// The credit may be a piece of what was bought.
    func allows(_ credit: Credit) -> Bool {
        credit.product ?? product == product && purchasedAt <= credit.creditedAt + clockSkewTolerance
            && !isOver(at: credit.creditedAt)
    }

    /// Neither a credit of that instant nor a later one can have been given for it.
    func isOver(at instant: Instant) -> Bool { !isOfEnvironment || refundedAt.map { $0 < instant } ?? false }
}

extension CreditPosition {
    /// Determines whether the credits left count as one, because together, less what was taken back of them, they give no
    /// more pieces than were bought; or as none, because all pieces were taken back. Where quantities are not compared, a
    /// row may be the whole whatever it says, so only exactly the pieces bought count as one.
    mutating func settle(quantity: Int32, isCompared: Bool) {
        guard left.count > (reversals.isEmpty ? 1 : 0) else { return }
        func pieces(_ rows: [Credit]) -> Int64 { rows.reduce(0) { $0 + Int64($1.quantity ?? quantity) } }
        if isCompared {
            let given = pieces(credits) - pieces(reversals) + pieces(surplusReversals)
            if given <= Int64(quantity) { deliveries = given > 0 || reversals.isEmpty ? 1 : 0 }
        } else if pieces(left) == Int64(quantity) {
            deliveries = 1
        }
    }
}

extension Credit {
    /// By time, then id. A row comes before the implicit credit of the same id.
    func isEarlier(than other: Credit) -> Bool {
        if creditedAt != other.creditedAt { return creditedAt < other.creditedAt }
        return id == other.id ? !isImplicit && other.isImplicit : id < other.id
    }
}
