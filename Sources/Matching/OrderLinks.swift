/// Which orders of a case are linked to which of its purchases. See docs/spec/rules.md#order-links.
///
/// An order is linked in one of four ways, and an earlier way excludes the later ones: by the order's own transaction
/// id, by a credit that names both, by a per-order token, or by a receipt. A link holds for the order's id, so the
/// order's row may be missing. Orders are numbered as they appear, purchases by their position in `purchases`.
struct OrderLinks {
    /// Authoritative links: for each purchase, the positions of the orders that are linked by themselves, by a credit
    /// or by a token. Ascending.
    private(set) var authoritative: [[Int]]
    /// For each purchase, the positions of the orders that are linked in any way, ascending.
    private(set) var all: [[Int]]
    /// For each purchase: an order is linked to it by more than a receipt that was not accepted.
    private(set) var isLinked: [Bool]
    /// For each purchase: an order is linked to it by nothing but a receipt that was not accepted.
    private(set) var restsOnReceipt: [Bool]
    /// For each purchase, the positions of such orders, ascending.
    private(set) var contestable: [[Int]]
    /// For each purchase, the positions of the orders that carry its per-order token and name another transaction,
    /// by themselves or by a credit.
    private(set) var sharingToken: [[Int]]
    let purchaseOfTransaction: SmallMap
    let orderPositions: SmallMap
    /// By the order's number: its purchases, earliest first.
    private var purchasesOfOrder: [[Int]] = []
    private var orderNumbers = SmallMap()
    /// What orders, credits and tokens per order say about orders and purchases, by number.
    private var namings = Namings()
    /// By number: the purchase is proven.
    private let isProven: [Bool]

    /// `authoritative`: by the order itself, a credit or a token. `accepted`: by an accepted receipt. `contestable`: by
    /// a receipt that was not accepted.
    private enum Strength { case authoritative, accepted, contestable }

    init(file: Case, purchases: [Purchase], policy: Policy, owner: (Token) -> TokenOwner) {
        var named = SmallMap()
        for (number, purchase) in purchases.enumerated() {
            for name in purchase.names { named.insert(name, number) }
        }
        var positions = SmallMap()
        for (position, order) in file.orders.enumerated() { positions.insert(order.id, position) }
        purchaseOfTransaction = named
        isProven = purchases.map { !$0.isForged }
        orderPositions = positions
        authoritative = Array(repeating: [], count: purchases.count)
        all = authoritative
        isLinked = Array(repeating: false, count: purchases.count)
        restsOnReceipt = isLinked
        contestable = authoritative
        sharingToken = authoritative
        if purchases.isEmpty { return }

        for order in file.orders { number(of: order.id) }
        for credit in file.credits { if let order = credit.order { number(of: order) } }
        for order in file.orders {
            guard let transaction = order.transaction else { continue }
            link(order.id, to: transaction)
        }
        let isOrdersOwn = purchasesOfOrder.indices.map { namings.isNamed(order: Int32($0)) }
        for credit in file.credits {
            guard let order = credit.order else { continue }
            guard let transaction = credit.transaction else {
                namings.add(givenOrder: Int32(number(of: order)))
                continue
            }
            link(order, to: transaction, unless: isOrdersOwn)
        }
        for order in file.orders where order.status == .credited {
            namings.add(givenOrder: Int32(number(of: order.id)))
        }
        if policy.tokenUse == .order { linkTokens(of: file, purchases: purchases, policy) }
        linkReceipts(of: file, policy: policy, owner: owner)
        for number in purchases.indices {
            authoritative[number] = authoritative[number].sortedUnique()
            all[number] = all[number].sortedUnique()
            contestable[number] = contestable[number].sortedUnique()
        }
        for number in purchasesOfOrder.indices { purchasesOfOrder[number] = purchasesOfOrder[number].sortedUnique() }
    }

    /// The purchases that the order is linked to, earliest first.
    func purchases(ofOrder id: Identifier) -> [Int] { orderNumbers[id].map { purchasesOfOrder[$0] } ?? [] }

    /// Whether the order has no row, and a credit names it with a transaction. People write one word into many rows, so it
    /// ties no row that names it alone.
    func isWord(_ order: Identifier) -> Bool {
        orderPositions[order] == nil && orderNumbers[order].map { namings.isNamed(order: Int32($0)) } == true
    }

    /// The only purchase that the order at that position is linked to by more than a receipt; nil if there are none or several.
    func onlyPurchase(ofOrder position: Int, of file: Case) -> Int? {
        let all = purchases(ofOrder: file.orders[position].id)
        return all.count == 1 && authoritative[all[0]].contains(position) ? all[0] : nil
    }

    /// Whether the order belongs to a proven purchase other than the one with that number: by its own transaction id, by
    /// a credit, by a token, or because the desk gave that purchase's goods by the order's number. An order of another
    /// case belongs to a purchase of that case.
    func isTaken(_ order: Identifier, from purchase: Int, policy: Policy) -> Bool {
        guard let number = orderNumbers[order] else { return policy.facts.takenOrders.contains(order) }
        if namings.isTaken(order: Int32(number), from: Int32(purchase)) { return true }
        return policy.facts.deskOrders[order].flatMap { purchaseOfTransaction[$0] }.map { $0 != purchase } ?? false
    }

    /// The case's orders that name no transaction and are linked to no purchase, ascending.
    ///
    /// - Parameter unnamed: the positions of orders that name no transaction.
    func unlinked(among unnamed: [Int], of file: Case) -> [Int] {
        unnamed.filter { purchases(ofOrder: file.orders[$0].id).isEmpty }
    }

    /// The order's number; a new one where it has none.
    @discardableResult
    private mutating func number(of order: Identifier) -> Int {
        if let known = orderNumbers[order] { return known }
        orderNumbers.insert(order, purchasesOfOrder.count)
        purchasesOfOrder.append([])
        return purchasesOfOrder.count - 1
    }

    /// Links an order to the transaction that it names itself, or that a credit names for it.
    ///
    /// - Parameter isOrdersOwn: given for credits; by the order's number, whether the order itself names a transaction.
    ///   Then the credit does not link it.
    private mutating func link(
        _ order: Identifier, to transaction: Identifier, unless isOrdersOwn: [Bool] = []
    ) {
        let number = number(of: order)
        let purchase = purchaseOfTransaction[transaction]
        namings.add(
            order: Int32(number), purchase: purchase.map(Int32.init) ?? ReceiptClaim.unproven,
            isProven: purchase.map { isProven[$0] } ?? false)
        guard let purchase, isOrdersOwn.isEmpty || !isOrdersOwn[number] else { return }
        link(number, of: order, to: purchase, as: .authoritative)
    }

    private mutating func link(_ number: Int, of order: Identifier, to purchase: Int, as strength: Strength) {
        if strength == .contestable { restsOnReceipt[purchase] = true } else { isLinked[purchase] = true }
        if let position = orderPositions[order] {
            if strength == .authoritative { authoritative[purchase].append(position) }
            if strength == .contestable { contestable[purchase].append(position) }
            all[purchase].append(position)
        }
        purchasesOfOrder[number].append(purchase)
    }

    /// Links orders by per-order tokens, unless they are linked already or name a transaction.
    private mutating func linkTokens(of file: Case, purchases: [Purchase], _ policy: Policy) {
        var numbers: [Token: Set<Int>] = [:]
        for (number, purchase) in purchases.enumerated() where !purchase.isForged {
            for position in purchase.transactions {
                if let token = file.transactions[position].token { numbers[token, default: []].insert(number) }
            }
        }
        if numbers.isEmpty { return }
        for order in file.orders {
            guard let token = order.token, !policy.facts.crowdedTokens.contains(token) else { continue }
            let number = number(of: order.id)
            let isLinked = !purchasesOfOrder[number].isEmpty || order.transaction != nil
            for purchase in numbers[token] ?? [] {
                namings.add(order: Int32(number), purchase: Int32(purchase), isProven: true)
                if isLinked {
                    sharingToken[purchase].append(orderPositions[order.id]!)
                } else {
                    link(number, of: order.id, to: purchase, as: .authoritative)
                }
            }
        }
    }

    /// Links orders by receipts, as `linkingReceipts` allows.
    private mutating func linkReceipts(
        of file: Case, policy: Policy, owner: (Token) -> TokenOwner
    ) {
        let naming = file.receipts.indices.filter { file.receipts[$0].transaction != nil }
        guard naming.contains(where: { file.receipts[$0].order != nil }) else { return }
        let tokens = policy.tokenUse == .account ? file.tokenOwners(owner) : { _ in .unknown }
        let claims = naming.map { position in
            let receipt = file.receipts[position]
            var claim = ReceiptClaim(
                account: receipt.account, order: ReceiptClaim.absent, purchase: ReceiptClaim.unproven,
                isAccepted: receipt.vouchesForItsClaim)
            if let order = receipt.order {
                claim.order = orderNumbers[order].map(Int32.init) ?? ReceiptClaim.elsewhere
            }
            if let purchase = purchaseOfTransaction[receipt.$transaction] { claim.purchase = Int32(purchase) }
            claim.tokenOwner = tokens(receipt.$transaction)
            return claim
        }
        let accounts = accounts(of: file)
        let links = linkingReceipts(claims, namings: namings, policy: policy) { accounts[Int($0)] }
        // The accepted ones come first. What is linked already does not rest on one that was not.
        for isAccepted in [true, false] {
            for place in claims.indices where links[place] && claims[place].isAccepted == isAccepted {
                let (order, purchase) = (Int(claims[place].order), Int(claims[place].purchase))
                if !isAccepted, purchasesOfOrder[order].contains(purchase) { continue }
                link(
                    order, of: file.receipts[naming[place]].$order, to: purchase,
                    as: isAccepted ? .accepted : .contestable)
            }
        }
    }

    /// The account of each order by number: that of its row, else that of all its credits. `.absent` where those are of
    /// several accounts; nil if absent.
    private func accounts(of file: Case) -> [Identifier?] {
        var accounts = [Identifier?](repeating: nil, count: purchasesOfOrder.count)
        for credit in file.credits {
            guard let number = credit.order.flatMap({ orderNumbers[$0] }) else { continue }
            accounts[number] = (accounts[number] ?? credit.account) == credit.account ? credit.account : .absent
        }
        for order in file.orders { accounts[orderNumbers[order.id]!] = order.account }
        return accounts
    }
}

extension Case {
    /// The account that the token of a proven transaction belongs to, by transaction id.
    fileprivate func tokenOwners(_ owner: (Token) -> TokenOwner) -> (Identifier) -> TokenOwner {
        var positions = SmallMap()
        var owners: [TokenOwner] = []
        for transaction in transactions where transaction.proof >= .vouched {
            guard let token = transaction.token else { continue }
            positions.insert(transaction.id, owners.count)
            owners.append(owner(token))
        }
        return { positions[$0].map { owners[$0] } ?? .unknown }
    }
}

extension [Int] {
    /// Ascending, each number once.
    func sortedUnique() -> [Int] {
        if count < 2 { return self }
        var unique: [Int] = []
        for element in sorted() where unique.last != element { unique.append(element) }
        return unique
    }
}
