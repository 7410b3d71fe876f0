internal import Domain

/// Goods on record that may have been meant for a purchase of another case.
struct Stray {
    var account: Identifier
    var order: Identifier?
    var transaction: Identifier?
    var at: Instant
    var isUnplaced: Bool
    /// "It names neither an order nor a transaction on record."
    var isAlone = false
    /// "An order, or an accepted receipt of a known payment, names the account as it is."
    var isKnown = false
    /// Its cells, if the desk wrote it.
    var deskCells: [Identifier] = []
}

/// A purchase that looks uncredited, as other rows may name it.
struct Wanted {
    var owner: Identifier?
    var ids: Set<String>
    var transactions: Set<String>
    /// The original id of its subscription, or of what it restores.
    var original: String?
    /// The ids of all periods of its subscription on record.
    var periods: Set<String> = []
    /// The letters and digits of its tokens, and of those of its orders.
    var tokens: Set<String> = []
    /// Accounts whose receipts name the purchase.
    var claimants: Set<String> = []
    /// The orders that such receipts name.
    var claimedOrders: Set<String> = []
    /// The owner, and the other accounts on the records of the purchase.
    var accounts: Set<String> = []
    /// "Since the day before the purchase."
    var since: Instant
    private let zone: Zone

    init(_ subject: Subject, _ verdict: ReferenceVerdict, _ policy: Policy) {
        owner = verdict.owner
        let credited = (subject.credits + subject.reversals).compactMap(\.credit.order)
        ids = Set(
            (verdict.orders + verdict.transactions + credited + [verdict.suggestedOrder].compactMap { $0 }).map(plain)
        ).subtracting([""])
        transactions = Set(verdict.transactions.map(plain))
        let named = subject.purchase.flatMap { $0.record.original }.map(plain)
        zone = policy.zone
        since = zone.start(of: zone.date(of: verdict.anchor).advanced(by: -1))
        if let named, !transactions.contains(named) { original = named }
    }

    /// "A stray credit names one of the purchase's orders or transactions in any spelling"; or "since the day before
    /// the purchase, the owner has had unplaced goods of any product".
    func mayHaveBeenGiven(by stray: Stray) -> Bool {
        if [stray.order, stray.transaction].contains(where: { $0.map { ids.contains(plain($0)) } ?? false }) {
            return true
        }
        if stray.at >= since, stray.order.map({ claimedOrders.contains(plain($0)) }) == true { return true }
        let isOfPeriod = stray.transaction.map { plain($0) == original || periods.contains(plain($0)) } == true
        if isOfPeriod, stray.at >= since { return true }
        let isTheirs = owner.map(plain) == plain(stray.account) || claimants.contains(plain(stray.account))
        // "A spreadsheet leaves 15 digits of a number."
        let isRounded =
            stray.isAlone
            && (rounded(accounts(claiming: owner)).contains(plain(stray.account))
                || stray.order.map { rounded(ids).contains(plain($0)) } == true
                || stray.transaction.map { rounded(ids.union([original ?? ""])).contains(plain($0)) } == true)
        // "A person may write letters or signs around an id, or inside it."
        let isWrapped =
            stray.isAlone
            && (!stray.isKnown
                && !plain(stray.account).meantAccounts.isDisjoint(
                    with: spelled(accounts(claiming: owner)).union(tokens))
                || stray.order.map { !plain($0).meantOrders.isDisjoint(with: spelled(ids)) } == true)
        // "The payment in the cell of the order, an order in that of the transaction, or both in that of an unknown account."
        let payment = transactions.filter(\.isIdentifying)
        let own = ids.subtracting(transactions).filter(\.isIdentifying)
        // "A credit of the desk whose account no other record names is searched whole."
        let theirs = spelled(accounts(claiming: owner)).union(tokens).filter(\.isIdentifying)
        let isInDeskRow =
            stray.isAlone
            && (!stray.isKnown
                && stray.deskCells.contains { cell in
                    !plain(cell).meantAccounts.isDisjoint(with: payment.union(own).union(theirs))
                }
                // "Its id and its order may contain that of the payment or an order."
                || stray.deskCells.prefix(1).contains {
                    [plain($0), stray.order.map(plain) ?? ""].contains {
                        !$0.meantAccounts.isDisjoint(with: payment.union(spelled(own)))
                    }
                })
        let isExchanged =
            isInDeskRow
            || stray.isAlone
                && (stray.order.map { !plain($0).meantOrders.isDisjoint(with: payment) } == true
                    || stray.transaction.map { !plain($0).meantAccounts.isDisjoint(with: own) } == true
                    || !stray.isKnown && !plain(stray.account).meantAccounts.isDisjoint(with: payment.union(own)))
        return stray.isUnplaced && (isTheirs || isRounded || isWrapped || isExchanged) && stray.at >= since
    }

    private func accounts(claiming owner: Identifier?) -> Set<String> {
        claimants.union(owner.map { [plain($0)] } ?? [])
    }

    /// "Also without blanks and signs."
    private func spelled(_ ids: Set<String>) -> Set<String> {
        ids.union((ids.map(\.joinedParts) + ids.compactMap(\.onlyNumber)).filter(\.isIdentifying))
    }

    private func rounded(_ ids: Set<String>) -> Set<String> {
        Set(
            ids.filter { $0.count > 15 && $0.allSatisfy(\.isNumber) }.map {
                $0.prefix(15) + String(repeating: "0", count: $0.count - 15)
            })
    }

    func isClaimed(by receipt: Receipt) -> Bool {
        receipt.claims.map(plain).contains { named in
            transactions.contains(named)
                || (named == original || periods.contains(named))
                    && max(receipt.receivedAt, zone.end(of: receipt.source.fileDate)) >= since
        }
    }

    func isDue(_ row: UnusableRow, _ policy: Policy) -> Bool { policy.zone.end(of: row.fileDate) > since }

    /// "A rejected row of credits, orders or transactions mentions one of the purchase's orders or transactions"; or "a
    /// rejected row of credits or orders mentions the owner or cannot be searched."
    func isIn(_ row: UnusableRow, _ policy: Policy) -> Bool {
        guard isDue(row, policy), row.kind != .receipts else { return false }
        var words = row.words
        if row.kind == .credits { for word in row.words { words.formUnion(word.meantAccounts) } }
        if !words.isDisjoint(with: spelled(ids)) { return true }
        return row.kind != .transactions
            && (row.text.isEmpty || !words.isDisjoint(with: spelled(accounts).union(tokens)))
    }
}

extension UnusableRow {
    var words: Set<String> { Set(text.split(separator: ",").map { plain(Identifier(String($0))) }) }
}

/// Without letter case, leading zeros and surrounding blanks.
func plain(_ id: Identifier) -> String {
    String(id.text.lowercased().drop { $0 == " " || $0 == "0" })
}
