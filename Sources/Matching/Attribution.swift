internal import Domain

/// Which purchase each credit and reversal of a case belongs to. RULES §2.
///
/// A credit belongs to the purchase that its transaction names, else to one that its order is tied to, else
/// to the case's earliest uncredited one, else its earliest. One that names a transaction nobody has proven
/// is never given to another purchase.
struct Attribution {
    private let purchases: [Purchase]
    private let ties: OrderTies
    private let quantities: [Int32]
    /// The credits of each purchase, by time, then id.
    private(set) var credits: [[Credit]]
    /// Credits that name a transaction nobody has proven.
    private(set) var unproven: [Credit] = []
    private var creditCounts: [Int]

    /// `credits` are all of the case, implicit ones among them, by time, then id.
    init(_ credits: [Credit], file: CaseFile, purchases: [Purchase], ties: OrderTies) {
        self.purchases = purchases
        self.ties = ties
        quantities = purchases.map { file.transactions[$0.leading].quantity }
        self.credits = Array(repeating: [], count: purchases.count)
        creditCounts = Array(repeating: 0, count: purchases.count)
        distribute(credits)
    }

    private mutating func distribute(_ all: [Credit]) {
        var free: [Credit] = []
        for credit in all {
            guard let id = credit.transaction else {
                free.append(credit)
                continue
            }
            if let number = ties.purchaseOfTransaction[id] { give(credit, to: number) } else { unproven.append(credit) }
        }
        if free.isEmpty { return }
        for credit in free where credit.kind == .credit { give(credit, to: home(of: credit)) }
        for reversal in free where reversal.kind == .reversal { give(reversal, to: home(ofReversal: reversal)) }
        for number in credits.indices { credits[number].sort { $0.isEarlier(than: $1) } }
    }

    private mutating func give(_ credit: Credit, to number: Int) {
        credits[number].append(credit)
        if credit.kind == .credit { creditCounts[number] += 1 }
    }

    private func tied(_ credit: Credit) -> [Int] {
        guard let order = credit.order, let position = ties.orderPositions[order] else { return [] }
        return ties.purchasesOfOrder[position]
    }

    private func home(of credit: Credit) -> Int {
        if purchases.count == 1 { return 0 }
        let tied = tied(credit)
        let isUncredited = { (number: Int) in creditCounts[number] == 0 }
        return tied.first(where: isUncredited) ?? tied.first ?? purchases.indices.first(where: isUncredited) ?? 0
    }

    /// Where the credit that it cancels lies: one of the same account, first of the same order, else the latest.
    private func home(ofReversal reversal: Credit) -> Int {
        if purchases.count == 1 { return 0 }
        let tied = tied(reversal)
        let numbers = tied.isEmpty ? Array(purchases.indices) : tied
        var best: (number: Int, credit: Credit)?
        for number in numbers {
            let inTime = credits[number].sorted { $0.isEarlier(than: $1) }
            let open = position(of: inTime, quantity: quantities[number]).left
            guard let candidate = reversal.cancels(among: open).map({ open[$0] }) else { continue }
            if best.map({ reversal.prefers(candidate, to: $0.credit) }) ?? true { best = (number, candidate) }
        }
        return best?.number ?? numbers.first { creditCounts[$0] == 0 } ?? numbers[0]
    }
}

extension Credit {
    /// By time, then id.
    func isEarlier(than other: Credit) -> Bool {
        creditedAt == other.creditedAt ? id < other.id : creditedAt < other.creditedAt
    }

    /// Which of `open` this reversal cancels: one of the same account, first of the same order, else the latest.
    func cancels(among open: [Credit]) -> Int? {
        var best: Int?
        for position in open.indices where open[position].account == account {
            if best.map({ prefers(open[position], to: open[$0]) }) ?? true { best = position }
        }
        return best
    }

    /// Whether this reversal rather cancels `candidate` than `other`, both of its account.
    func prefers(_ candidate: Credit, to other: Credit) -> Bool {
        let isOfOrder = order != nil && candidate.order == order
        let otherIsOfOrder = order != nil && other.order == order
        return isOfOrder == otherIsOfOrder ? other.isEarlier(than: candidate) : isOfOrder
    }
}

/// What is left of a subject's credits (by time, then id) after its reversals have cancelled theirs.
/// `quantity`: the purchase's, nil where there is none.
func position(of credits: [Credit], quantity: Int32?) -> CreditPosition {
    var position = CreditPosition()
    let whole = Int64(quantity ?? 1)
    for credit in credits where credit.kind == .credit {
        position.left.append(credit)
        position.creditsBefore += 1
        position.quantityCredited += credit.quantity.map(Int64.init) ?? whole
    }
    for reversal in credits where reversal.kind == .reversal {
        position.reversals.append(reversal)
        position.quantityReversed += reversal.quantity.map(Int64.init) ?? whole
        if let cancelled = reversal.cancels(among: position.left) {
            position.left.remove(at: cancelled)
        } else {
            position.surplusReversals += 1
        }
    }
    let sum = position.left.reduce(0) { $0 + ($1.quantity.map(Int64.init) ?? whole) }
    position.countsAsOne = quantity != nil && position.left.count > 1 && sum == whole
    return position
}

/// The case's credits by time, then id, with the implicit credit of each order whose status is `credited` and
/// that no credit row names. RULES §1; none for a date whose credits feed is missing.
func creditsWithImplicit(of file: CaseFile, horizon: Horizon, zone: Zone) -> [Credit] {
    var credits = file.credits
    for order in file.orders where order.status == .credited {
        let isNamed = file.credits.contains {
            $0.order == order.id || $0.order == nil && $0.transaction != nil && $0.transaction == order.transaction
        }
        let at = order.updatedAt ?? order.createdAt
        let date = zone.date(of: at)
        if isNamed || horizon.coverage.hasHole(.credits, from: date, through: date) { continue }
        var credit = Credit(
            id: Identifier("order:" + order.id.text), account: order.account, creditedAt: at, source: order.source)
        credit.isImplicit = true
        credit.order = order.id
        credit.transaction = order.transaction
        credit.quantity = order.quantity
        credit.product = order.product
        credits.append(credit)
    }
    if credits.count > 1 { credits.sort { $0.isEarlier(than: $1) } }
    return credits
}
