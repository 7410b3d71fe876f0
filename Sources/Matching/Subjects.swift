package import Domain

/// The subjects of a case: each purchase, and what is left that nobody has proven. RULES §§2–3.
package func subjects(
    of file: CaseFile, policy: Policy, horizon: Horizon, owner: (Token) -> TokenOwner
) -> [Subject] {
    let purchases = purchases(of: file, policy: policy)
    let credits = creditsWithImplicit(of: file, horizon: horizon, zone: policy.zone)
    if purchases.isEmpty { return unpurchasedSubjects(of: file, credits: credits) }

    let ties = OrderTies(file: file, purchases: purchases, policy: policy)
    let attribution = Attribution(credits, file: file, purchases: purchases, ties: ties)
    var subjects: [Subject] = []
    for (number, purchase) in purchases.enumerated() {
        var subject = purchaseSubject(purchase, file: file, credits: attribution.credits[number])
        subject.isTiedToOrder = !ties.all[number].isEmpty
        subject.owner = subject.owner(in: file, tiedOrders: ties.firm[number], policy: policy, owner: owner)
        subjects.append(subject)
    }
    return subjects + unprovenSubjects(of: file, purchases: purchases, credits: attribution.unproven)
}

private func purchaseSubject(_ purchase: Purchase, file: CaseFile, credits: [Credit]) -> Subject {
    let leading = file.transactions[purchase.leading]
    var subject = Subject(key: SubjectKey(.transaction, leading.id), backing: .purchase)
    subject.transactions = purchase.transactions.sorted()
    subject.leading = purchase.leading
    subject.revocation = purchase.revocation
    let isMine = { (id: Identifier?) in
        id != nil && purchase.transactions.contains { file.transactions[$0].id == id }
    }
    subject.orders = mineElseUnnamed(file.orders, isMine: isMine, transaction: \.transaction)
    subject.receipts = mineElseUnnamed(file.receipts, isMine: isMine, transaction: \.transaction)
    subject.take(credits, quantity: leading.quantity, file: file)
    return subject
}

/// Those that name one of the subject's transactions, else those of the case that name none at all.
private func mineElseUnnamed<Element>(
    _ elements: [Element], isMine: (Identifier?) -> Bool, transaction: (Element) -> Identifier?
) -> [Int] {
    let mine = elements.indices.filter { isMine(transaction(elements[$0])) }
    return mine.isEmpty ? elements.indices.filter { transaction(elements[$0]) == nil } : mine
}

extension Subject {
    /// Settles the subject's credits, and with them which order decides.
    mutating func take(_ all: [Credit], quantity: Int32?, file: CaseFile) {
        position = Matching.position(of: all, quantity: quantity)
        credits = rows(of: all, in: file)
        decidingOrder = decidingOrder(in: file)
    }

    /// Positions of the credits that are rows of the ledger. Both lists hold each id once; the file's is sorted by id.
    private func rows(of all: [Credit], in file: CaseFile) -> [Int] {
        if all.count >= file.credits.count, all.lazy.filter({ !$0.isImplicit }).count == file.credits.count {
            return Array(file.credits.indices)
        }
        let ids = Set(all.map(\.id))
        return file.credits.indices.filter { ids.contains(file.credits[$0].id) }
    }

    /// The order that a credit left names, else the latest created of the subject's.
    private func decidingOrder(in file: CaseFile) -> Int? {
        for credit in position.left {
            if let id = credit.order, let order = file.orders.firstIndex(where: { $0.id == id }) { return order }
        }
        return orders.max { file.orders[$0].isEarlier(than: file.orders[$1]) }
    }
}

/// Subjects of a case without any purchase: one a transaction whose proof does not hold, and one for the rest.
private func unpurchasedSubjects(of file: CaseFile, credits: [Credit]) -> [Subject] {
    var rest = Leftovers(file: file, credits: credits)
    var subjects: [Subject] = []
    let invalid = file.transactions.indices.filter { file.transactions[$0].proof == .invalid }
    let earliestFirst = invalid.sorted { file.transactions[$0].isEarlier(than: file.transactions[$1]) }
    for (number, position) in earliestFirst.enumerated() {
        // What names no transaction at all goes with the earliest, as it would with a purchase.
        subjects.append(rest.takeSubject(of: position, backing: .invalid, withUnnamed: number == 0))
    }
    if let whole = rest.remainder(unverifiable: file.transactions.indices.first { file.transactions[$0].proof == .unverifiable }) {
        subjects.append(whole)
    }
    return subjects
}

/// In a case that has a purchase, what names a transaction nobody has proven: a subject a transaction.
private func unprovenSubjects(of file: CaseFile, purchases: [Purchase], credits: [Credit]) -> [Subject] {
    let proven = Set(purchases.flatMap(\.transactions).map { file.transactions[$0].id })
    var named = Set(file.orders.compactMap(\.transaction))
    named.formUnion(credits.compactMap(\.transaction))
    named.formUnion(file.receipts.compactMap(\.transaction))
    named.formUnion(file.transactions.map(\.id))
    var rest = Leftovers(file: file, credits: credits)
    return named.subtracting(proven).sorted().map { id in
        let position = file.transactions.firstIndex { $0.id == id }
        let backing: Backing =
            switch position.map({ file.transactions[$0].proof }) {
            case .invalid: .invalid
            case .unverifiable: .unverifiable
            default: .unproven
            }
        return rest.takeSubject(named: id, transaction: position, backing: backing, withUnnamed: false)
    }
}

/// Evidence of a case that no purchase has, handed out to subjects.
private struct Leftovers {
    let file: CaseFile
    var orders: [Int]
    var receipts: [Int]
    var credits: [Credit]

    init(file: CaseFile, credits: [Credit]) {
        self.file = file
        self.credits = credits
        orders = Array(file.orders.indices)
        receipts = Array(file.receipts.indices)
    }

    mutating func takeSubject(of transaction: Int, backing: Backing, withUnnamed: Bool) -> Subject {
        takeSubject(
            named: file.transactions[transaction].id, transaction: transaction, backing: backing,
            withUnnamed: withUnnamed)
    }

    /// Takes what names `id`, and where asked what names no transaction.
    mutating func takeSubject(
        named id: Identifier, transaction: Int?, backing: Backing, withUnnamed: Bool
    ) -> Subject {
        var subject = Subject(key: SubjectKey(.transaction, id), backing: backing)
        subject.transactions = transaction.map { [$0] } ?? []
        subject.leading = transaction
        let isTaken = { (named: Identifier?) in named == id || withUnnamed && named == nil }
        subject.orders = orders.filter { isTaken(file.orders[$0].transaction) }
        subject.receipts = receipts.filter { isTaken(file.receipts[$0].transaction) }
        let taken = credits.filter { isTaken($0.transaction) }
        orders.removeAll { isTaken(file.orders[$0].transaction) }
        receipts.removeAll { isTaken(file.receipts[$0].transaction) }
        credits.removeAll { isTaken($0.transaction) }
        subject.take(taken, quantity: transaction.map { file.transactions[$0].quantity }, file: file)
        return subject
    }

    /// One subject of all that is left, or nil where nothing is.
    mutating func remainder(unverifiable: Int?) -> Subject? {
        guard let key = remainderKey ?? unverifiable.map({ SubjectKey(.transaction, file.transactions[$0].id) }) else {
            return nil
        }
        var subject = Subject(key: key, backing: unverifiable == nil ? .unproven : .unverifiable)
        subject.transactions = file.transactions.indices.filter { file.transactions[$0].proof == .unverifiable }
        subject.leading = unverifiable
        subject.orders = orders
        subject.receipts = receipts
        subject.take(credits, quantity: nil, file: file)
        return subject
    }

    /// The earliest order, else the transaction claimed by the earliest receipt or credit, else the receipt, else the credit.
    private var remainderKey: SubjectKey? {
        if let order = earliestOrder(of: orders, in: file) { return SubjectKey(.order, order.id) }
        var claims: [(at: Instant, id: Identifier)] = []
        for receipt in receipts.map({ file.receipts[$0] }) {
            if let id = receipt.transaction { claims.append((receipt.receivedAt, id)) }
        }
        for credit in credits {
            if let id = credit.transaction { claims.append((credit.creditedAt, id)) }
        }
        if let claim = claims.min(by: { $0.at == $1.at ? $0.id < $1.id : $0.at < $1.at }) {
            return SubjectKey(.transaction, claim.id)
        }
        let receipt = receipts.map { file.receipts[$0] }.min { $0.isEarlier(than: $1) }
        if let receipt { return SubjectKey(.receipt, receipt.givenID ?? Identifier(receipt.content.hex)) }
        return credits.first.map { SubjectKey(.credit, $0.id) }
    }
}
