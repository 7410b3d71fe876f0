public import Domain

/// The subjects of a case: each purchase, and what is left that nobody has proven. RULES §§2–3.
public func subjects(
    of file: CaseFile, policy: Policy, horizon: Horizon, owner: (Token) -> TokenOwner
) -> [Subject] {
    if let plain = plainSubject(of: file, policy: policy, owner: owner) { return [plain] }
    let purchases = purchases(of: file, policy: policy)
    let ties = OrderTies(file: file, purchases: purchases, policy: policy)
    let credits = creditsWithImplicit(of: file, horizon: horizon, zone: policy.zone)
    let attribution = Attribution(credits, file: file, ties: ties)
    let names = CaseNames(file)
    if purchases.isEmpty { return [wholeCase(file, names, attribution)] }

    var subjects = purchases.indices.map { number in
        var subject = Subject(purchases[number], in: file, names)
        let quantity = file.transactions[purchases[number].leading].quantity
        subject.take(attribution.position(ofPlace: number, quantity: quantity), file, names)
        subject.isTiedToOrder = ties.isTied[number]
        subject.showOrders(tied: ties.all[number], ties: ties)
        subject.owner = subject.owner(in: file, tiedOrders: ties.firm[number], policy: policy, owner: owner)
        return subject
    }
    subjects += unprovenSubjects(of: file, names, ties: ties, attribution: attribution)
    adoptLeftovers(of: file, into: &subjects)
    return subjects
}

extension Subject {
    fileprivate init(_ purchase: Purchase, in file: CaseFile, _ names: CaseNames) {
        let leading = file.transactions[purchase.leading]
        self.init(key: SubjectKey(.transaction, leading.id), backing: purchase.isForged ? .invalid : .purchase)
        transactions = purchase.transactions
        self.leading = purchase.leading
        lineMates = purchase.lineMates(in: file)
        revocation = purchase.revocation(in: file)
        refund = revocation?.refund(ofQuantity: leading.quantity) ?? .none
        // A record of a restore's original that proves nothing is shown with it.
        let others = purchase.names.flatMap { names.transactions[$0] }.filter { !purchase.transactions.contains($0) }
        transactions += others.sorted()
        orders = names.orders.mineElseUnnamed(purchase.names)
        receipts = names.receipts.mineElseUnnamed(purchase.names)
    }

    /// `record`: the one of that id that proves nothing, where there is one.
    fileprivate init(unproven name: Identifier, record: Int?, in file: CaseFile, _ names: CaseNames) {
        if let record, file.transactions[record].proof == .invalid {
            self.init(Purchase(forged: record, of: file), in: file, names)
        } else {
            self.init(key: SubjectKey(.transaction, name), backing: record == nil ? .unproven : .unverifiable)
            transactions = record.map { [$0] } ?? []
        }
    }

    /// Settles the subject's credits, and with them which order decides.
    fileprivate mutating func take(_ position: CreditPosition, _ file: CaseFile, _ names: CaseNames) {
        self.position = position
        let rows = position.credits.filter { !$0.isImplicit } + position.reversals
        credits = rows.flatMap { names.credits[$0.id] }.sorted()
        decide(in: file)
    }

    /// Which order decides: the one that a credit left names, else the latest created.
    mutating func decide(in file: CaseFile) {
        if orders.count < 2 {
            decidingOrder = orders.first
            return
        }
        var left = SmallMap()
        for credit in creditsLeft { if let order = credit.order { left.insert(order, 0) } }
        let named = orders.filter { left[file.orders[$0].id] != nil }
        decidingOrder = (named.isEmpty ? orders : named).max { file.orders[$0].isEarlier(than: file.orders[$1]) }
    }

    /// Shows the orders that are tied to it or that its credits name, where they do not decide anyway.
    fileprivate mutating func showOrders(tied: [Int], ties: OrderTies) {
        let named = (position.credits + position.reversals).compactMap { $0.order.flatMap { ties.orderPositions[$0] } }
        let shown = tied + named
        if shown.isEmpty || shown == orders { return }
        let own = Set(orders)
        otherOrders = shown.filter { !own.contains($0) }.sortedUnique()
    }
}

/// In a case that has a purchase, what names a transaction nobody has proven: a subject a transaction.
private func unprovenSubjects(
    of file: CaseFile, _ names: CaseNames, ties: OrderTies, attribution: Attribution
) -> [Subject] {
    let named = attribution.unprovenNames + names.orders.names + names.receipts.names + names.transactions.names
    let unproven = Set(named.filter { ties.purchaseOfTransaction[$0] == nil })
    return unproven.sorted().map { name in
        var subject = Subject(unproven: name, record: names.transactions[name].first, in: file, names)
        subject.orders = names.orders[name]
        subject.receipts = names.receipts[name]
        let quantity = subject.leading.map { file.transactions[$0].quantity }
        subject.take(attribution.position(ofUnproven: name, quantity: quantity), file, names)
        return subject
    }
}

/// "A case without any purchase is one subject."
private func wholeCase(_ file: CaseFile, _ names: CaseNames, _ attribution: Attribution) -> Subject {
    let isUnverifiable = !file.transactions.isEmpty
    var subject = Subject(key: keyWithoutPurchase(file), backing: isUnverifiable ? .unverifiable : .unproven)
    subject.transactions = Array(file.transactions.indices)
    subject.orders = Array(file.orders.indices)
    subject.receipts = Array(file.receipts.indices)
    subject.take(attribution.position(ofPlace: 0, quantity: nil), file, names)
    return subject
}

/// The earliest order, else the transaction claimed by the earliest receipt or credit (at the same instant the
/// receipt's), else the receipt, else the credit; a record that proves nothing, all alone, stands under its own id.
private func keyWithoutPurchase(_ file: CaseFile) -> SubjectKey {
    if let order = earliestOrder(of: Array(file.orders.indices), in: file) { return SubjectKey(.order, order.id) }
    let receipt = file.receipts.filter { $0.transaction != nil }.min { $0.isEarlier(than: $1) }
    let credit = file.credits.filter { $0.transaction != nil }.min { $0.isEarlier(than: $1) }
    switch (receipt, credit) {
    case (let receipt?, let credit?):
        let isReceipt = receipt.receivedAt <= credit.creditedAt
        return SubjectKey(.transaction, isReceipt ? receipt.transaction! : credit.transaction!)
    case (let receipt?, nil): return SubjectKey(.transaction, receipt.transaction!)
    case (nil, let credit?): return SubjectKey(.transaction, credit.transaction!)
    case (nil, nil): break
    }
    if let receipt = file.receipts.min(by: { $0.isEarlier(than: $1) }) {
        return SubjectKey(.receipt, receipt.givenID ?? Identifier(receipt.content.hex))
    }
    if let credit = file.credits.min(by: { $0.isEarlier(than: $1) }) { return SubjectKey(.credit, credit.id) }
    return SubjectKey(.transaction, file.transactions[0].id)
}

/// Orders and receipts that name no transaction and are no subject's are shown with the earliest purchase.
private func adoptLeftovers(of file: CaseFile, into subjects: inout [Subject]) {
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
