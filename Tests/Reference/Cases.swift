internal import Domain

/// What links evidence. Two pieces with a common `Tie` belong to one case. See docs/spec/rules.md#links.
enum Tie: Hashable {
    case order(Identifier), transaction(Identifier), line(Identifier), token(Token)
    /// One period of a subscription: line item, product and original id, and with them the second of its end or of its
    /// purchase, or that Apple signed it.
    case period(Identifier, Identifier, Identifier?, String)
    /// A transaction without any record, as claimed by one account.
    case claim(Identifier, by: Identifier)
    /// An order under whose id the desk gave a purchase's goods.
    case desk(Identifier)
}

/// The connected components of `items`: two items are connected if they share a tie, or if both are connected with a
/// third.
func components<Item>(_ items: [Item], ties: (Item) -> Set<Tie>) -> [[Item]] {
    var groups: [(items: [Item], ties: Set<Tie>)] = []
    for item in items {
        var merged = (items: [item], ties: ties(item))
        let touched = groups.filter { !$0.ties.isDisjoint(with: merged.ties) }
        groups.removeAll { !$0.ties.isDisjoint(with: merged.ties) }
        for group in touched {
            merged.items += group.items
            merged.ties.formUnion(group.ties)
        }
        groups.append(merged)
    }
    return groups.map(\.items)
}

private enum Piece {
    case order(Order), credit(Credit), transaction(Transaction), receipt(Receipt)
}

/// All cases of the evidence.
///
/// - Parameter deskOrders: for each order under whose id the desk gave the goods, the transaction that they were for.
func cases(of file: Case, night: Night, deskOrders: [Identifier: Identifier]) -> [Case] {
    let pieces: [Piece] =
        file.orders.map { .order($0) } + file.credits.map { .credit($0) }
        + file.transactions.map { .transaction($0) } + file.receipts.map { .receipt($0) }
    let links = Links(file, night)
    return components(pieces) { piece in
        var ties = links.ties(of: piece)
        if case .order(let order) = piece, deskOrders[order.id] != nil { ties.insert(.desk(order.id)) }
        if case .transaction(let transaction) = piece {
            ties.formUnion(deskOrders.filter { $0.value == transaction.id }.map { .desk($0.key) })
        }
        return ties
    }.map { pieces in
        var file = Case()
        for piece in pieces {
            switch piece {
            case .order(let order): file.orders.append(order)
            case .credit(let credit): file.credits.append(credit)
            case .transaction(let transaction): file.transactions.append(transaction)
            case .receipt(let receipt): file.receipts.append(receipt)
            }
        }
        return file
    }
}

/// All evidence, and what each piece names. See docs/spec/rules.md#links, sentence by sentence.
struct Links {
    let file: Case
    let night: Night
    /// For each known transaction id, all ids of the same purchase.
    private var purchases: [Identifier: Set<Identifier>] = [:]

    init(_ file: Case, _ night: Night) {
        self.file = file
        self.night = night
        for transaction in file.transactions { purchases[transaction.id] = [transaction.id] }
        for group in components(file.transactions.filter(\.isProven), ties: { $0.eventTies(night.policy) }) {
            let originals = group.compactMap { $0.original(restoredUnder: night.policy) }
            let names = Set(group.map(\.id) + originals)
            for name in names { purchases[name] = names }
        }
    }

    /// A transaction id without proof links only evidence of one account.
    private func tie(_ transaction: Identifier, by account: Identifier) -> Tie {
        purchases[transaction] == nil ? .claim(transaction, by: account) : .transaction(transaction)
    }

    fileprivate func ties(of piece: Piece) -> Set<Tie> {
        switch piece {
        case .order(let order):
            // "An order is linked by the token of each of its versions."
            let tokens = night.carriers.filter { $0.value.contains(order.id) && isShared($0.key) }.keys
            return Set([.order(order.id), order.transaction.map { tie($0, by: order.account) }].compactMap { $0 })
                .union(tokens.map(Tie.token))
        case .credit(let credit):
            return Set(
                [credit.order.map(Tie.order), credit.transaction.map { tie($0, by: credit.account) }].compactMap { $0 })
        case .receipt(let receipt): return place(of: receipt).union(isTying(receipt) ? bothNames(of: receipt) : [])
        case .transaction(let transaction):
            let token = transaction.isProven ? transaction.token.flatMap { isShared($0) ? Tie.token($0) : nil } : nil
            // "Where proven copies of a transaction disagree, each of them links."
            let copies = [transaction] + (night.versions[transaction.id] ?? [])
            let lines = copies.compactMap { $0.periodLine(night.policy) }
            let ties = copies.flatMap { $0.eventTies(night.policy) } + lines.map(Tie.line)
            return Set(ties).union([token].compactMap { $0 })
        }
    }

    /// A token links an order to a transaction only where tokens are per order. A token that more than `tokenFanOut`
    /// orders carry links nothing.
    private func isShared(_ token: Token) -> Bool {
        night.policy.tokenUse == .order
            && (1...night.policy.tokenFanOut).contains(night.carriers[token, default: []].count)
    }

    /// A receipt belongs to the case of the transaction it claims if that is proven (READINGS 30), else of the order it
    /// names if that is its own account's, else it stands alone.
    private func place(of receipt: Receipt) -> Set<Tie> {
        if let transaction = receipt.transaction, purchases[transaction] != nil { return [.transaction(transaction)] }
        if let order = receipt.order, account(of: order) == receipt.account { return [.order(order)] }
        return receipt.transaction.map { [.claim($0, by: receipt.account)] } ?? []
    }

    private func bothNames(of receipt: Receipt) -> Set<Tie> {
        [.order(receipt.order!), tie(receipt.transaction!, by: receipt.account)]
    }

    /// The account of the order's row. Without a row, the account of all its credits. READINGS 31.
    private func account(of order: Identifier) -> Identifier? {
        if let row = file.orders.first(where: { $0.id == order }) { return row.account }
        let accounts = Set(file.credits.filter { $0.order == order }.map(\.account))
        return accounts.count == 1 ? accounts.first : nil
    }

    /// Whether the receipt links its order to its transaction.
    func isTying(_ receipt: Receipt) -> Bool {
        guard let order = receipt.order, let transaction = receipt.transaction else { return false }
        let own = account(of: order) == receipt.account
        let namesNoOther = named(by: order).isSubset(of: [purchase(transaction, by: receipt.account)])
        let others = orders(naming: purchase(transaction, by: receipt.account)).subtracting([order])
        let owners = tokenAccounts(of: transaction)
        if !own || !namesNoOther || !others.isEmpty || owners.map({ $0 != receipt.account }) == true { return false }
        let isClaimed = file.receipts.contains { other in
            other.vouchesForItsClaim && other.account != receipt.account
                && other.transaction.map { purchase($0, by: other.account) }
                    == purchase(
                        transaction, by: receipt.account)
        }
        // READINGS 32: if the token shows the owner, no other account's receipt can contradict it.
        if isClaimed && owners == nil { return false }
        if receipt.vouchesForItsClaim { return true }
        return isOnlyWord(receipt) && (owners == receipt.account || !movesCredit(order))
    }

    /// A credit that names no transaction would follow the order to whatever purchase the receipt claims. Where tokens
    /// are in use, a receipt that was not accepted does not do that.
    private func movesCredit(_ order: Identifier) -> Bool {
        night.policy.tokenUse != .none && night.tokensInUse
            && (file.credits.contains { $0.order == order && $0.transaction == nil }
                || file.orders.contains { $0.id == order && $0.status == .credited })
    }

    /// A receipt that was not accepted links its order and its transaction only if no other receipt of the account
    /// names either of them with something else. READINGS 33: and only if there is a record of the transaction.
    private func isOnlyWord(_ receipt: Receipt) -> Bool {
        guard purchases[receipt.transaction!] != nil else { return false }
        let wanted = purchase(receipt.transaction!, by: receipt.account)
        return file.receipts.allSatisfy { other in
            guard other.account == receipt.account, let order = other.order, let transaction = other.transaction else {
                return true
            }
            let named = purchase(transaction, by: other.account)
            return (order == receipt.order) == (named == wanted)
        }
    }

    /// A purchase by all its ids, or an unproven transaction by its id and the account that claims it.
    private struct Named: Hashable {
        var names: Set<Identifier>
        var account: Identifier?
    }

    private func purchase(_ transaction: Identifier, by account: Identifier) -> Named {
        purchases[transaction].map { Named(names: $0) } ?? Named(names: [transaction], account: account)
    }

    /// What an order is linked to by itself, by a credit or by its token.
    private func named(by order: Identifier) -> Set<Named> {
        var found = Set<Named>()
        for row in file.orders where row.id == order {
            if let transaction = row.transaction { found.insert(purchase(transaction, by: row.account)) }
            guard let token = row.token, isShared(token) else { continue }
            for carrier in file.transactions where carrier.isProven && carrier.token == token {
                found.insert(purchase(carrier.id, by: row.account))
            }
        }
        for credit in file.credits where credit.order == order {
            if let transaction = credit.transaction { found.insert(purchase(transaction, by: credit.account)) }
        }
        return found
    }

    /// The ids of each proven purchase that an order belongs to: by itself, by a credit, by its token, or because the desk
    /// gave the purchase's goods by the order's number.
    func holders(deskOrders: [Identifier: Identifier]) -> [Identifier: [Set<Identifier>]] {
        let proven = Set(file.transactions.filter(\.isProven).map(\.id))
        let ids = Set(file.orders.map(\.id) + file.credits.compactMap(\.order))
        return Dictionary(
            uniqueKeysWithValues: ids.map { id in
                let given = deskOrders[id].flatMap { purchases[$0] }
                let all = named(by: id).map(\.names) + [given].compactMap { $0 }
                return (id, all.filter { !$0.isDisjoint(with: proven) })
            })
    }

    private func orders(naming purchase: Named) -> Set<Identifier> {
        Set((file.orders.map(\.id) + file.credits.compactMap(\.order)).filter { named(by: $0).contains(purchase) })
    }

    /// The one account whose orders carry the transaction's token, where tokens are per account. Nil if absent.
    private func tokenAccounts(of transaction: Identifier) -> Identifier? {
        guard night.policy.tokenUse == .account,
            let record = file.transactions.first(where: { $0.id == transaction && $0.isProven }),
            let accounts = record.token.flatMap({ night.accounts[$0] }), accounts.count == 1
        else { return nil }
        return accounts.first
    }
}

extension Transaction {
    var isProven: Bool { proof >= .vouched }

    /// If the type is absent, the product list's; if that is absent too, an expiry date makes it a subscription.
    func type(_ policy: Policy) -> ProductType? {
        if let known = type ?? policy.products.type(of: product) { return known }
        return expiresAt == nil ? nil : .autoRenewable
    }

    /// "A row without type and expiry date whose original id differs."
    var hasOriginalsDate: Bool { type == nil && expiresAt == nil && original != nil && original != id }

    /// What makes two transactions one paid event: the id, the line item, and the original of a restore. An invalid or
    /// unverifiable transaction is linked by its own id only.
    func eventTies(_ policy: Policy) -> Set<Tie> {
        guard isProven else { return [.transaction(id)] }
        let restored = original(restoredUnder: policy)
        var signs = ["bought \(purchasedAt.milliseconds / 1000)"]
        if let expiresAt { signs.append("ends \(expiresAt.milliseconds / 1000)") }
        if proof == .verified, !isFromReceipt { signs.append("signed") }
        let periods = periodLine(policy).map { line in signs.map { Tie.period(line, product, original, $0) } } ?? []
        return Set([.transaction(id), restored.map(Tie.transaction)].compactMap { $0 } + periods)
    }

    /// The line item, unless the purchase is known to be no auto-renewable subscription.
    func periodLine(_ policy: Policy) -> Identifier? {
        guard isProven, [.autoRenewable, nil].contains(type(policy)) else { return nil }
        return line
    }

    /// The original id, if the type is Non-Consumable, or if it is unknown, the original id differs and there is no
    /// expiry date. Nil otherwise.
    func original(restoredUnder policy: Policy) -> Identifier? {
        switch type(policy) {
        case .nonConsumable: original
        case nil: original != id && expiresAt == nil ? original : nil
        case .consumable, .autoRenewable, .nonRenewing: nil
        }
    }
}
