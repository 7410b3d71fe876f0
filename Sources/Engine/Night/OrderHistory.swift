internal import Matching

extension Order {
    /// When its goods were given at the latest, as far as its versions tell: the first version that says `credited`, or one
    /// that does not say when it was updated, was credited by the end of its file's date. `updated_at` may not have moved.
    /// If an earlier delivery already covered that date, the file was exported again, and the time is unknown.
    func creditedAt(after history: OrderHistory, in zone: Zone) -> Instant {
        let isKnown = history.firstCredited.map { $0 < source.fileDate } ?? false
        if let updatedAt, isKnown { return updatedAt }
        let isExportedAgain = history.open.contains { $0 < source.delivery && $1 >= source.fileDate }
        return isExportedAgain
            ? Instant(milliseconds: .max) : max(updatedAt ?? createdAt, zone.end(of: source.fileDate))
    }
}

/// What the superseded versions of an order tell of when its goods were given. An order may have any number of them.
struct OrderHistory {
    /// The file date of the first one that says `credited`.
    var firstCredited: BusinessDate?
    /// The deliveries that have one which does not, each with its file's date.
    var open: [DeliveryID: BusinessDate] = [:]

    init(_ versions: [Order]) {
        for source in versions.lazy.filter({ $0.status != .credited }).map(\.source) {
            open[source.delivery] = source.fileDate
        }
        firstCredited = versions.lazy.filter { $0.status == .credited }.map(\.source.fileDate).min()
    }
}

extension Order {
    /// It names another account or transaction. Or it says that goods were given, and `current` no longer says so, or says it
    /// of the account with which a guest signed up; then they must not be those of the case's only credit. They are not where
    /// product or quantity differ, the credit came on a later date, or it was taken back before.
    func saysMore(
        than current: Order, beside sole: (credit: Credit, takenBackAt: Instant?)?, in zone: Zone
    ) -> Bool {
        if transaction != nil && transaction != current.transaction { return true }
        if account != current.account, !isSameRow(as: current, in: zone) { return true }
        let isSame = account == current.account
        guard status == .credited, !isSame || current.status != .credited else { return false }
        guard isSame || current.status == .credited, let sole, product == current.product,
            quantity == current.quantity
        else { return true }
        let end = zone.end(of: source.fileDate)
        return end < sole.credit.creditedAt || sole.takenBackAt.map { $0 < end } == true
    }

    /// At most the account differs: a guest who signed up took the order over, say.
    func isSameRow(as other: Order, in zone: Zone) -> Bool {
        zone.isTimeOfDay(createdAt) && createdAt == other.createdAt && product == other.product
            && quantity == other.quantity && amount == other.amount
    }
}

extension Order {
    /// Where it changed hands: each of its accounts claims the payments that carry a token of its versions. A guest who signed up may
    /// have the goods under either account.
    func tokenClaims(besides versions: [Order]) -> [StrayCredit] {
        let accounts = Set(versions.map(\.account)).union([account]).ordered()
        let tokens = accounts.count == 1 ? [] : Set((versions + [self]).compactMap(\.token?.text)).ordered()
        return tokens.flatMap { token in
            accounts.map {
                StrayCredit(
                    id: id, account: $0, transaction: Identifier(token), givenAt: createdAt, isUnplaced: false,
                    kind: .notAccepted)
            }
        }
    }
}

extension StrayCredit {
    /// A token is found as it stands: every lost payment asks for its own.
    var tokenKeys: [SuggestionKey] {
        guard kind == .notAccepted, let transaction, Token(transaction.text) != nil else { return [] }
        return [.transaction(spelling: transaction.text)]
    }
}

extension Zone {
    /// The instant is more than a date: no day begins with it.
    func isTimeOfDay(_ instant: Instant) -> Bool { start(of: date(of: instant)) != instant }
}

extension CaseSet {
    /// The only credit of a case with one payment and one order, and when goods were first taken back.
    func soleCredit(in number: Int) -> (credit: Credit, takenBackAt: Instant?)? {
        guard groups.transactions[number].count == 1, groups.orders[number].count == 1,
            groups.receipts[number].count <= 1
        else { return nil }
        let rows = groups.credits[number].map { credits[Int($0)] }
        let given = rows.filter { $0.kind == .credit }
        return given.count == 1
            ? (given[0], rows.lazy.filter { $0.kind == .reversal }.map(\.creditedAt).min()) : nil
    }
}
