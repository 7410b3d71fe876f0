/// The subjects of a case: each of its purchases, and what no record proves to be one. See docs/spec/rules.md#subjects.
///
/// In this order: the purchases are formed, orders are linked to them, credits are attributed, and then each purchase
/// becomes a subject with its orders, receipts and credits. Evidence that names a transaction without proof becomes a
/// subject for each such id. Orders and receipts left over are shown with the earliest purchase. A case without a
/// purchase is one subject.
///
/// - Parameter owner: the account that a token belongs to, where tokens are per account.
public func subjects(
    of file: Case, policy: Policy, horizon: Horizon, owner: (Token) -> TokenOwner
) -> [Subject] {
    var isDisputed =
        file.transactions.contains { $0.marks.contains(.disagrees) }
        || file.orders.contains { $0.marks.contains(.disagrees) }
    if var plain = plainSubject(of: file, policy: policy, owner: owner) {
        plain.isDisputed = isDisputed
        return [plain]
    }
    let purchases = purchases(of: file, policy: policy)
    isDisputed = isDisputed || purchases.shareLine(in: file, policy: policy)
    let links = OrderLinks(file: file, purchases: purchases, policy: policy, owner: owner)
    let credits = creditsWithImplicit(
        of: file, purchases: purchases, links: links, horizon: horizon, zone: policy.zone)
    let attribution = Attribution(credits, file: file, purchases: purchases, links: links, policy: policy)
    let names = CaseNames(file)
    if purchases.isEmpty { return [wholeCase(file, names: names, attribution: attribution)] }

    let unlinked = links.unlinked(among: names.orders.unnamed, of: file)
    var subjects = purchases.indices.map { number in
        var subject = Subject(purchases[number], in: file, names)
        subject.isDisputed = isDisputed
        // Without an order that names the purchase, those decide that name no transaction and are linked to this
        // purchase or to none. An order that is linked to other purchases is theirs.
        if subject.orders.isEmpty { subject.orders = links.all[number].filter { file.orders[$0].transaction == nil } }
        if subject.orders.isEmpty || file.orders[subject.orders[0]].transaction == nil {
            subject.orders = unlinked.isEmpty ? subject.orders : (subject.orders + unlinked).sorted()
        }
        let leading = file.transactions[purchases[number].leading]
        subject.take(attribution.position(ofPlace: number, quantity: leading.quantity), in: file, names)
        subject.isLinkedToOrder = links.isLinked[number]
        subject.restsOnReceipt = links.restsOnReceipt[number]
        subject.receiptLinkedOrders = links.contestable[number]
        subject.showOrders(linked: links.all[number], links: links)
        let paid = subject.orders.isEmpty ? links.sharingToken[number] : subject.orders
        let isOrderUsed =
            subject.position.left.isEmpty && !paid.isEmpty
            && paid.allSatisfy { attribution.isGiven(file.orders[$0].id, besides: number) }
        subject.isPaidTwice = isOrderUsed && !leading.isLaterPeriod(in: policy)
        var linked = links.authoritative[number]
        if isOrderUsed, subject.orders.isEmpty {
            linked += paid
            subject.isLinkedToOrder = true
            subject.otherOrders = (subject.otherOrders + paid).sortedUnique()
        }
        subject.owner = subject.owner(in: file, linkedOrders: linked, policy: policy, owner: owner)
        subject.isCrossed =
            !isOrderUsed
            && subject.namesOnlyTakenOrders(in: file) { links.isTaken($0, from: number, policy: policy) }
        return subject
    }
    subjects += unprovenSubjects(of: file, names, links: links, attribution: attribution)
    adoptLeftovers(of: file, into: &subjects)
    return subjects
}

extension Subject {
    /// The subject of a purchase, without its credits.
    fileprivate init(_ purchase: Purchase, in file: Case, _ names: CaseNames) {
        let leading = file.transactions[purchase.leading]
        self.init(key: SubjectKey(.transaction, leading.id), backing: purchase.isForged ? .invalid : .purchase)
        transactions = purchase.transactions
        self.leading = purchase.leading
        lineMates = purchase.lineMates(in: file)
        revocation = purchase.revocation(in: file)
        refund = revocation?.refund(ofQuantity: leading.quantity) ?? .none
        // A record of a restore's original that proves nothing is shown with the restore.
        if purchase.names.count > purchase.transactions.count || purchase.transactions.count > 1 {
            let own = Set(purchase.transactions)
            transactions += purchase.names.flatMap { names.transactions[$0] }.filter { !own.contains($0) }.sorted()
        }
        orders = names.orders.mine(purchase.names)
        receipts = names.receipts.mineElseUnnamed(purchase.names)
    }

    /// The subject of a transaction id that no record proves.
    ///
    /// - Parameter record: the position of a record of that id, which proves nothing; nil if absent.
    fileprivate init(unproven name: Identifier, record: Int?, in file: Case, _ names: CaseNames) {
        if let record, file.transactions[record].proof == .invalid {
            self.init(Purchase(forged: record, of: file), in: file, names)
        } else {
            self.init(key: SubjectKey(.transaction, name), backing: record == nil ? .unproven : .unverifiable)
            transactions = record.map { [$0] } ?? []
        }
    }

    /// Takes over the subject's credits, and determines with them which order decides.
    fileprivate mutating func take(_ position: CreditPosition, in file: Case, _ names: CaseNames) {
        self.position = position
        let rows = position.credits.filter { !$0.isImplicit } + position.reversals
        credits = rows.flatMap { names.credits[$0.id] }.sorted()
        decide(in: file)
    }

    /// Determines which order decides: one that a credit left names, else any of them; of several the one created last.
    mutating func decide(in file: Case) {
        if orders.count < 2 {
            decidingOrder = orders.first
            return
        }
        var left = SmallMap()
        for credit in creditsLeft { if let order = credit.order { left.insert(order, 0) } }
        let named = orders.filter { left[file.orders[$0].id] != nil }
        decidingOrder = (named.isEmpty ? orders : named).max { file.orders[$0].isEarlier(than: file.orders[$1]) }
    }

    /// Shows the orders that are linked to the subject or named by its credits, and that do not count for the verdict
    /// anyway.
    fileprivate mutating func showOrders(linked: [Int], links: OrderLinks) {
        let named = (position.credits + position.reversals).compactMap { $0.order.flatMap { links.orderPositions[$0] } }
        let shown = linked + named
        if shown.isEmpty || shown == orders { return }
        let own = Set(orders)
        otherOrders = shown.filter { !own.contains($0) }.sortedUnique()
    }
}

/// In a case with a purchase, the evidence that names transactions without proof, or words: one subject for each.
private func unprovenSubjects(
    of file: Case, _ names: CaseNames, links: OrderLinks, attribution: Attribution
) -> [Subject] {
    let named = attribution.unprovenNames + names.orders.names + names.receipts.names + names.transactions.names
    let unproven = Set(named.filter { links.purchaseOfTransaction[$0] == nil })
    return unproven.sorted().map { name in
        var subject = Subject(unproven: name, record: names.transactions[name].first, in: file, names)
        subject.orders = names.orders[name]
        subject.receipts = names.receipts[name]
        let quantity = subject.leading.map { file.transactions[$0].quantity }
        subject.take(attribution.position(ofUnproven: name, quantity: quantity), in: file, names)
        if subject.backing == .unproven {
            subject.key = key(
                orders: subject.orders.map { file.orders[$0] }, receipts: subject.receipts.map { file.receipts[$0] },
                credits: subject.credits.map { file.credits[$0] })!
        }
        return subject
    }
}

/// The single subject of a case without a purchase.
private func wholeCase(_ file: Case, names: CaseNames, attribution: Attribution) -> Subject {
    let isUnverifiable = !file.transactions.isEmpty
    var subject = Subject(key: keyWithoutPurchase(file), backing: isUnverifiable ? .unverifiable : .unproven)
    subject.transactions = Array(file.transactions.indices)
    subject.orders = Array(file.orders.indices)
    subject.receipts = Array(file.receipts.indices)
    subject.take(attribution.position(ofPlace: 0, quantity: nil), in: file, names)
    return subject
}

/// The key of a case without a purchase: its earliest order; else a record that proves nothing; else its earliest
/// receipt; else its earliest credit.
///
/// It is never a transaction that the evidence only names: evidence of several accounts, in several cases, may name the
/// same.
private func keyWithoutPurchase(_ file: Case) -> SubjectKey {
    if !file.transactions.isEmpty, file.orders.isEmpty { return SubjectKey(.transaction, file.transactions[0].id) }
    return key(orders: file.orders, receipts: file.receipts, credits: file.credits)!
}

/// The key of the earliest order, else receipt, else credit; nil if absent.
private func key(orders: [Order], receipts: [Receipt], credits: [Credit]) -> SubjectKey? {
    if let order = orders.min(by: { $0.isEarlier(than: $1) }) { return SubjectKey(.order, order.id) }
    if let receipt = receipts.min(by: { $0.isEarlier(than: $1) }) {
        return SubjectKey(receipt)
    }
    return credits.min { $0.isEarlier(than: $1) }.map { SubjectKey(.credit, $0.id) }
}

/// Orders and receipts that name no transaction and belong to no subject are shown with the earliest purchase.
private func adoptLeftovers(of file: Case, into subjects: inout [Subject]) {
    let isWhole = subjects[0].orders.count == file.orders.count && subjects[0].receipts.count == file.receipts.count
    if isWhole { return }
    let orders = Set(subjects.flatMap { $0.orders + $0.otherOrders })
    if orders.count < file.orders.count {
        subjects[0].otherOrders += file.orders.indices.filter { !orders.contains($0) }
        subjects[0].otherOrders.sort()
    }
    let receipts = Set(subjects.flatMap(\.receipts))
    if receipts.count < file.receipts.count {
        subjects[0].otherReceipts = file.receipts.indices.filter { !receipts.contains($0) }
    }
}
