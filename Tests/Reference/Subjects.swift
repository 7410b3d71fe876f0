internal import Domain

/// What gets exactly one verdict, and everything that decides about it. See docs/spec/rules.md#subjects.
struct Subject {
    var key: SubjectKey
    var purchase: Purchase?
    /// The orders that decide: of a purchase, those that name it, else those of the case that name no purchase.
    var orders: [Order] = []
    /// Further orders to show with it: those linked to it, and those that its credits name.
    var otherOrders: [Order] = []
    /// Records without proof: of a subject that is no purchase, or of the original of a proven restore. READINGS 8.
    var unprovenTransactions: [Transaction] = []
    var receipts: [Receipt] = []
    /// Receipts that belong to no other subject. They decide nothing.
    var otherReceipts: [Receipt] = []
    /// In order of time.
    var credits: [Entry] = []
    var reversals: [Entry] = []
    /// Ids of the orders that are linked to the purchase by more than a receipt that was not accepted.
    var tiedOrders: Set<Identifier> = []
    /// Ids of the orders that only a receipt that was not accepted links.
    var receiptLinkedOrders: Set<Identifier> = []
    var owner: Identifier?
    /// By the number of each of its orders, a credit that no reversal cancelled counts for another proven purchase.
    var sharesOrders = false
    var isPaidTwice = false

    var transactions: [Transaction] { (purchase?.transactions ?? []) + unprovenTransactions }

    /// The credits that no reversal cancelled. After a partial refund that says what quantity is owed, reversals cancel
    /// quantities and not rows: then all credits. READINGS 14.
    var creditsLeft: [Entry] {
        purchase?.partial?.expected != nil ? credits : credits.filter { !$0.isProblemFree }
    }

    /// Where one order must decide: the one that a credit left names, else the one created last.
    var decidingOrder: Order? {
        let named = orders.filter { order in creditsLeft.contains { $0.credit.order == order.id } }
        return (named.isEmpty ? orders : named).max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// "All pieces bought are there, though rows would count as none." READINGS 46.
    func netCredits(_ policy: Policy) -> Int {
        let (net, rows) = (netRows(policy), (credits + reversals).map(\.credit))
        guard net <= 0, !reversals.isEmpty, let purchase, purchase.record.isProven, purchase.fullRevocation == nil,
            policy.compare.contains(.quantity), rows.allSatisfy({ $0.quantity != nil }),
            Set(rows.map(\.account) + [owner].compactMap { $0 }).count == 1,
            !policy.compare.contains(.product)
                || Set(rows.compactMap(\.product)).isSubset(of: [purchase.record.product])
        else { return net }
        return netQuantity() >= Int64(purchase.record.quantity) ? 1 : net
    }

    /// The number of credits left, less the reversals that cancelled none. READINGS 46.
    private func netRows(_ policy: Policy) -> Int {
        let left = credits.filter { !$0.isProblemFree }
        let idle = reversals.filter { !$0.isProblemFree }.count
        guard let record = purchase?.record, !left.isEmpty else { return left.count - idle }
        if !policy.compare.contains(.quantity) { return (isExactlyBought(left) ? 1 : left.count) - idle }
        var held: Int64 = 0
        for entry in credits { held += Int64(entry.credit.quantity ?? record.quantity) }
        for entry in reversals where entry.isProblemFree { held -= Int64(entry.credit.quantity ?? record.quantity) }
        if held <= 0, !reversals.isEmpty { return -idle }
        return (held <= Int64(record.quantity) ? 1 : left.count) - idle
    }

    /// Whether these credits add up to the quantity bought.
    func isExactlyBought(_ entries: [Entry]) -> Bool {
        guard let bought = purchase?.record.quantity, entries.count > 1 else { return false }
        return entries.map { Int64($0.credit.quantity ?? bought) }.reduce(0, +) == Int64(bought)
    }

    /// Credited less taken back, in pieces of the product.
    func netQuantity(where holds: (Entry) -> Bool = { _ in true }) -> Int64 {
        let quantity = purchase?.record.quantity ?? 1
        func sum(_ entries: [Entry]) -> Int64 {
            entries.filter(holds).reduce(0) { $0 + Int64($1.credit.quantity ?? quantity) }
        }
        return sum(credits) - sum(reversals)
    }
}

/// The subjects of one case.
func subjects(of file: Case, night: Night) -> [Subject] {
    let purchases = purchases(of: file, policy: night.policy)
    let ties = OrderTies(file: file, purchases: purchases, night: night)
    let attribution = Attribution(file, purchases: purchases, ties: ties, night: night)
    if purchases.isEmpty { return [wholeCase(file, attribution)] }
    var subjects = purchases.indices.map { subject(at: $0, ties: ties, attribution: attribution, night: night) }
    for name in unprovenNames(of: file, attribution) {
        subjects.append(subject(unproven: name, file: file, attribution: attribution))
    }
    adoptLeftovers(of: file, into: &subjects)
    return subjects
}

/// Each purchase is a subject, under its transaction id.
private func subject(at position: Int, ties: OrderTies, attribution: Attribution, night: Night) -> Subject {
    let purchase = ties.purchases[position]
    let file = ties.file
    var subject = Subject(key: SubjectKey(.transaction, purchase.record.id), purchase: purchase)
    subject.unprovenTransactions = file.transactions.filter { transaction in
        purchase.names.contains(transaction.id) && !purchase.transactions.contains { $0.id == transaction.id }
    }
    let naming = file.orders.filter { $0.transaction.map(purchase.names.contains) ?? false }
    // READINGS 35: an order that names no purchase and is linked to others belongs to those.
    let unnamed = file.orders.filter { order in
        let tied = ties.all[order.id] ?? []
        return order.transaction == nil && (tied.isEmpty || tied.contains(position))
    }
    subject.orders = naming.isEmpty ? unnamed : naming
    let claiming = file.receipts.filter { $0.transaction.map(purchase.names.contains) ?? false }
    subject.receipts = claiming.isEmpty ? file.receipts.filter { $0.transaction == nil } : claiming
    subject.credits = attribution.credits.filter { $0.place == .purchase(position) }
    subject.reversals = attribution.reversals.filter { $0.place == .purchase(position) }
    // READINGS 47: an order with the purchase's token that is linked to another payment.
    let sharing = subject.orders.isEmpty ? ties.orders(withTokenOf: position) : []
    let paid = subject.orders + sharing
    subject.sharesOrders =
        !paid.isEmpty && subject.credits.allSatisfy(\.isProblemFree)
        && paid.allSatisfy { order in
            attribution.credits.contains { entry in
                guard case .purchase(let other)? = entry.place, other != position, !entry.isProblemFree else {
                    return false
                }
                let record = ties.purchases[other].record
                return entry.credit.order == order.id && record.proof != .invalid
                    && record.environment == night.policy.environment
            }
        }
    let isRenewal = purchase.record.type(night.policy) == .autoRenewable
    subject.isPaidTwice =
        subject.sharesOrders && !(isRenewal && purchase.record.original.map { $0 != purchase.record.id } ?? false)
    subject.tiedOrders = Set(ties.withoutLeaning.filter { $0.value.contains(position) }.keys)
    subject.receiptLinkedOrders = Set(ties.all.filter { $0.value.contains(position) }.keys).subtracting(
        subject.tiedOrders)
    let tied = Set(ties.all.filter { $0.value.contains(position) }.keys)
    let named = Set((subject.credits + subject.reversals).compactMap(\.credit.order))
    subject.otherOrders = file.orders.filter { order in
        (tied.contains(order.id) || named.contains(order.id))
            && !subject.orders.contains { $0.id == order.id }
    }
    var ownTies = Set(ties.withoutReceipts.filter { $0.value.contains(position) }.keys)
    if subject.sharesOrders {
        subject.otherOrders += sharing.filter { order in !subject.otherOrders.contains { $0.id == order.id } }
        subject.tiedOrders.formUnion(sharing.map(\.id))
        ownTies.formUnion(sharing.map(\.id))
    }
    subject.owner = owner(
        of: purchase, orders: file.orders.filter { ownTies.contains($0.id) }, in: file, receipts: subject.receipts,
        night: night)
    return subject
}

/// In a case with a purchase, the receipts, credits and orders that name an unproven transaction are a subject of their
/// own: one for each such id.
private func subject(unproven name: Identifier, file: Case, attribution: Attribution) -> Subject {
    var subject = Subject(key: SubjectKey(.transaction, name))
    let records = file.transactions.filter { $0.id == name }
    if let forged = records.first(where: { $0.proof == .invalid }) {
        subject.purchase = Purchase(forged: forged)
    } else {
        subject.unprovenTransactions = records
    }
    subject.orders = file.orders.filter { $0.transaction == name }
    subject.receipts = file.receipts.filter { $0.transaction == name }
    subject.credits = attribution.credits.filter { $0.place == .unproven(name) }
    subject.reversals = attribution.reversals.filter { $0.place == .unproven(name) }
    if records.isEmpty {
        let rows = (subject.credits + subject.reversals).filter { !$0.isImplicit }.map(\.credit)
        subject.key = key(orders: subject.orders, receipts: subject.receipts, credits: rows)!
    }
    return subject
}

extension Purchase {
    fileprivate init(forged transaction: Transaction) {
        transactions = [transaction]
        names = [transaction.id]
    }
}

private func unprovenNames(of file: Case, _ attribution: Attribution) -> [Identifier] {
    let words = (attribution.credits + attribution.reversals).compactMap { entry -> Identifier? in
        if case .unproven(let name)? = entry.place { name } else { nil }
    }
    let named =
        file.orders.compactMap(\.transaction) + file.credits.compactMap(\.transaction)
        + file.receipts.compactMap(\.transaction) + file.transactions.map(\.id) + words
    return Set(named).filter { name in !attribution.purchases.contains { $0.names.contains(name) } }.sorted()
}

/// A case without any purchase is one subject.
private func wholeCase(_ file: Case, _ attribution: Attribution) -> Subject {
    Subject(
        key: keyWithoutPurchase(file), orders: file.orders, unprovenTransactions: file.transactions,
        receipts: file.receipts, credits: attribution.credits, reversals: attribution.reversals)
}

/// The key is its earliest order's id, else that of a record without proof, else its earliest receipt's, else its
/// earliest credit's. READINGS 36.
private func keyWithoutPurchase(_ file: Case) -> SubjectKey {
    let record = file.transactions.map(\.id).min().map { SubjectKey(.transaction, $0) }
    return key(orders: file.orders, receipts: [], credits: [])
        ?? record ?? key(orders: [], receipts: file.receipts, credits: file.credits)!
}

private func key(orders: [Order], receipts: [Receipt], credits: [Credit]) -> SubjectKey? {
    if let order = orders.min(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
        return SubjectKey(.order, order.id)
    }
    let earliest = receipts.min {
        ($0.receivedAt, Identifier($0.id), $0.account) < ($1.receivedAt, Identifier($1.id), $1.account)
    }
    if let earliest { return SubjectKey(earliest) }
    return credits.min { ($0.creditedAt, $0.id) < ($1.creditedAt, $1.id) }.map { SubjectKey(.credit, $0.id) }
}

/// Orders and receipts that name no transaction and belong to no subject are shown with the earliest purchase.
private func adoptLeftovers(of file: Case, into subjects: inout [Subject]) {
    let shown = Set(subjects.flatMap { ($0.orders + $0.otherOrders).map(\.id) })
    subjects[0].otherOrders += file.orders.filter { !shown.contains($0.id) }
    let claimed = Set(subjects.flatMap { $0.receipts.map(SubjectKey.init) })
    subjects[0].otherReceipts += file.receipts.filter { !claimed.contains(SubjectKey($0)) }
}
