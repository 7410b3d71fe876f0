extension LinkGraph {
    /// A receipt that may link an order to a purchase, as nodes.
    private struct Candidate {
        /// Index among the current receipts.
        var index: Int
        var order: Int32
        var purchase: Int32
    }

    /// The node of each current receipt. Links the orders and purchases that receipts may link.
    ///
    /// A receipt is assigned to the transaction that it claims where a record of it is known; else to the order that it
    /// names where that order belongs to its own account; else to a node that no evidence of another account shares.
    ///
    /// - Parameters:
    ///   - contestable: called with the position of each receipt that links without having been accepted.
    ///   - taken: called with each order that a receipt names for a proven purchase of one case, and that belongs to a
    ///     proven purchase of another case.
    mutating func nodes(
        of receipts: [Receipt], _ current: [Int32], credits: [Credit], currentCredits: [Int32],
        creditNodes: [Int32], owner: (Token) -> TokenOwner, contestable: (Int) -> Void,
        taken: (Identifier) -> Void
    ) -> [Int32] {
        let named = named(by: receipts, current)
        uniteTokens()
        var nodes: [Int32] = []
        nodes.reserveCapacity(current.count)
        var candidates: [Candidate] = []
        for index in current.indices {
            let position = Int(current[index])
            let order = dangling.knownOrder(named.orders[index], receipts[position].$order)
            if let purchase = dangling.knownTransaction(named.transactions[index], receipts[position].$transaction) {
                nodes.append(purchase)
                guard let order, unions.root(of: Int(order)) != unions.root(of: Int(purchase)) else { continue }
                candidates.append(Candidate(index: index, order: order, purchase: purchase))
                continue
            }
            let receipt = receipts[position]
            let isClaiming = named.transactions[index] != LinkTargets.absent
            let own = order.flatMap { account(ofOrder: $0) == receipt.account ? $0 : nil }
            if isClaiming, own == nil || receipt.vouchesForItsClaim {
                let claim = Int32(dangling.claim(receipt.$transaction, by: receipt.account, in: &unions))
                nodes.append(own ?? claim)
                if let own { candidates.append(Candidate(index: index, order: own, purchase: claim)) }
            } else {
                nodes.append(own ?? Int32(unions.add()))
            }
        }
        if candidates.isEmpty { return nodes }
        let claims = claims(of: receipts, current, named, among: candidates, owner: owner)
        let namings = namings(
            among: candidates, credits: credits, currentCredits: currentCredits, creditNodes: creditNodes)
        let links = linkingReceipts(
            claims.all, namings: namings, policy: policy, accountOfOrder: account(ofOrder:))
        for (candidate, place) in zip(candidates, claims.places) {
            let position = Int(current[candidate.index])
            if links[place] {
                unions.unite(Int(candidate.order), Int(candidate.purchase))
                if !receipts[position].vouchesForItsClaim { contestable(position) }
            } else if isProven(candidate.purchase), isTaken(receipts[position].$order, from: candidate, by: namings) {
                taken(receipts[position].$order)
            }
        }
        return nodes
    }

    /// Whether the candidate's order belongs to a proven purchase. It is another one, because the order was not linked
    /// to the candidate's.
    private func isTaken(_ order: Identifier, from candidate: Candidate, by namings: Namings) -> Bool {
        namings.isTaken(order: candidate.order, from: purchase(candidate.purchase))
            || policy.facts.deskOrders[order] != nil
    }

    /// What all receipts say about the candidates' orders and purchases, and the place of each candidate's own
    /// statement in that list.
    private func claims(
        of receipts: [Receipt], _ current: [Int32], _ named: (orders: [Int32], transactions: [Int32]),
        among candidates: [Candidate], owner: (Token) -> TokenOwner
    ) -> (all: [ReceiptClaim], places: [Int]) {
        var wanted = [Bool](repeating: false, count: unions.parents.count)
        for candidate in candidates {
            wanted[Int(candidate.order)] = true
            wanted[Int(purchase(candidate.purchase))] = true
        }
        var all: [ReceiptClaim] = []
        var places: [Int] = []
        for index in current.indices {
            let position = Int(current[index])
            let order = dangling.knownOrder(named.orders[index], receipts[position].$order)
            let node = dangling.knownTransaction(named.transactions[index], receipts[position].$transaction)
            let isCandidate = places.count < candidates.count && candidates[places.count].index == index
            let isHeard = order.map { wanted[Int($0)] } ?? false || node.map { wanted[Int(purchase($0))] } ?? false
            guard isCandidate || isHeard else { continue }
            let receipt = receipts[position]
            var claim = ReceiptClaim(
                account: receipt.account, order: ReceiptClaim.absent, purchase: ReceiptClaim.absent,
                isAccepted: receipt.vouchesForItsClaim)
            if named.orders[index] != LinkTargets.absent { claim.order = order ?? ReceiptClaim.elsewhere }
            if let node {
                claim.purchase = purchase(node)
                claim.tokenOwner = tokenOwner(of: node, owner)
            } else if named.transactions[index] != LinkTargets.absent {
                let known = claim.isAccepted ? dangling.knownClaim(receipt.$transaction, by: receipt.account) : nil
                claim.purchase = known ?? ReceiptClaim.unproven
            }
            if isCandidate { places.append(all.count) }
            all.append(claim)
        }
        return (all, places)
    }

    /// What orders, credits and tokens per order say about the candidates' orders and purchases.
    ///
    /// Anything that names one of those was joined with it before, so only members of their components are examined.
    private mutating func namings(
        among candidates: [Candidate], credits: [Credit], currentCredits: [Int32], creditNodes: [Int32]
    ) -> Namings {
        var isWanted = [Bool](repeating: false, count: unions.parents.count)
        for candidate in candidates {
            isWanted[unions.root(of: Int(candidate.order))] = true
            isWanted[unions.root(of: Int(candidate.purchase))] = true
        }
        let orders = orderNodes.indices.filter { isWanted[unions.root(of: Int(orderNodes[$0]))] }
        let credited = creditNodes.indices.filter { isWanted[unions.root(of: Int(creditNodes[$0]))] }
        var namings = Namings()
        let (targets, rows) = (targets, orders.map { Int(orderCurrent[$0]) })
        let own = targets.transactions(rows.count, threads: threads) { targets.orders[rows[$0]].$transaction }
        for (number, node) in own.enumerated() where node != LinkTargets.absent {
            let order = targets.orders[rows[number]]
            let transaction = dangling.knownNode(node, order.$transaction, by: order.account)
            add(transaction, order: orderNodes[orders[number]], to: &namings)
        }
        for (index, row) in zip(orders, rows) where targets.orders[row].status == .credited {
            namings.add(givenOrder: orderNodes[index])
        }
        let chosen = credited.map { currentCredits[$0] }
        let named = named(by: credits, chosen)
        for index in chosen.indices {
            let credit = credits[Int(chosen[index])]
            guard let order = dangling.knownOrder(named.orders[index], credit.$order) else { continue }
            guard named.transactions[index] != LinkTargets.absent else {
                namings.add(givenOrder: order)
                continue
            }
            let transaction = dangling.knownNode(
                named.transactions[index], credit.$transaction, by: credit.account)
            add(transaction, order: order, to: &namings)
        }
        if policy.tokenUse == .order {
            addTokens(
                of: orders, transactionNodes.filter { isWanted[unions.root(of: Int($0))] }, to: &namings)
        }
        return namings
    }

    /// Adds what tokens per order say: each order with a token, for each transaction with the same token.
    private func addTokens(of orders: [Int], _ transactions: [Int32], to namings: inout Namings) {
        let crowded = Set(crowdedTokens).union(policy.facts.crowdedTokens)
        var carriers: [Token: [Int32]] = [:]
        for index in orders {
            guard let token = targets.orders[Int(orderCurrent[index])].token, !crowded.contains(token) else { continue }
            carriers[token, default: []].append(orderNodes[index])
        }
        for node in transactions {
            let transaction = transaction(atNode: node)
            guard transaction.linksBeyondItsID, let token = transaction.token else { continue }
            for order in carriers[token] ?? [] { add(node, order: order, to: &namings) }
        }
    }

    /// Adds that the order names the transaction of that node; nil if no record of it is known.
    private func add(_ transaction: Int32?, order: Int32, to namings: inout Namings) {
        namings.add(
            order: order, purchase: transaction.map(purchase) ?? ReceiptClaim.unproven,
            isProven: transaction.map(isProven) ?? false)
    }

    /// Whether a record proves the transaction of that node, or a restore proves it as its original.
    private func isProven(_ node: Int32) -> Bool {
        if purchases[node] != nil { return true }
        let records = targets.orders.count..<targets.orders.count + targets.transactions.count
        return records.contains(Int(node)) && transaction(atNode: node).linksBeyondItsID
    }

    /// The node that represents the transaction's purchase.
    private func purchase(_ node: Int32) -> Int32 { purchases[node] ?? node }

    /// The account of an order's current version; for an order without a row, the account of all its credits.
    private func account(ofOrder node: Int32) -> Identifier? {
        guard Int(node) < targets.orders.count else { return dangling.account(ofOrder: node) }
        return targets.orders[Int(currentOrderOfFirst[node] ?? node)].account
    }

    /// The current version of the transaction at that node.
    private func transaction(atNode node: Int32) -> Transaction {
        let first = node - Int32(targets.orders.count)
        return targets.transactions[Int(currentTransactionOfFirst[first] ?? first)]
    }

    /// The account that the transaction's token belongs to; unknown unless tokens are per account and the record is
    /// proven.
    private func tokenOwner(of node: Int32, _ owner: (Token) -> TokenOwner) -> TokenOwner {
        guard policy.tokenUse == .account, Int(node) < targets.orders.count + targets.transactions.count else {
            return .unknown
        }
        let transaction = transaction(atNode: node)
        guard transaction.linksBeyondItsID else { return .unknown }
        return transaction.token.map(owner) ?? .unknown
    }
}
