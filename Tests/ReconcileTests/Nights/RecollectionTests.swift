internal import Domain
internal import Intake
import Testing

@testable import Ledger
@testable import Reconcile
@testable import Reference

/// Subjects whose verdict changes although no new evidence names them: docs/spec/rules.md#recall.
@Suite struct RecollectionTests {
    private func rows(_ number: Int, _ fill: (inout Evidence) -> Void) -> [WorldFile] {
        var rows = Evidence()
        fill(&rows)
        let kind: FeedKind =
            !rows.orders.isEmpty ? .orders : !rows.credits.isEmpty ? .credits : .transactions
        return [WorldFile(kind: kind, fileDate: day(number), evidence: rows)]
    }

    /// An order for transaction 1 whose status says that it was credited at that instant.
    private func creditedOrder(at instant: Instant) -> Order {
        var order = Order(id: "O1", account: "a", product: "coins", status: .credited, createdAt: noon(0))
        order.transaction = "1"
        order.updatedAt = instant
        return order
    }

    private func purchase(revokedAt: Instant? = nil) -> Transaction {
        var transaction = Transaction(id: "1", product: "coins", purchasedAt: noon(0))
        transaction.revocation = revokedAt.map { Revocation(at: $0) }
        return transaction
    }

    private func verdict(_ player: NightPlayer, of subject: Identifier = "transaction:1") throws -> String? {
        try subjects(of: player.ledger)[subject].map { $0.verdict + "/" + $0.cause }
    }

    /// The orders were exported after midnight, and the credits of that day never arrived.
    @Test func aWordForACreditFallsWithTheDayThatLacksItsCredits() throws {
        var player = try NightPlayer(policy: Policy(), required: [.credits])
        let orders = rows(0) { $0.orders = [creditedOrder(at: noon(1))] }
        let transactions = rows(0) { $0.transactions = [purchase()] }
        try player.play(orders + transactions, arrivals: [(.credits, day(0))], at: moment(0))
        #expect(try verdict(player) == "matched/")
        try player.play([], arrivals: [(.orders, day(1))], at: moment(1))
        #expect(try verdict(player) == "undetermined/feed_missing")
        try player.play([], arrivals: [(.credits, day(1))], at: moment(2))
        #expect(try verdict(player) == "matched/")
    }

    /// It was refunded, and its implicit credit does not count: closed, until the day's credits arrive.
    @Test func aClosedRefundOpensWhenTheDaysCreditsCome() throws {
        var player = try NightPlayer(policy: Policy(), required: [.credits])
        let orders = rows(0) { $0.orders = [creditedOrder(at: noon(1))] }
        let transactions = rows(0) { $0.transactions = [purchase(revokedAt: noon(0))] }
        try player.play(orders + transactions, arrivals: [(.credits, day(0))], at: moment(0))
        try player.play([], arrivals: [(.orders, day(1))], at: moment(1))
        #expect(try verdict(player) == "closed/refunded")
        try player.play([], arrivals: [(.credits, day(1)), (.credits, day(2))], at: moment(2))
        #expect(try verdict(player) == "refunded_not_reversed/credited_after_refund")
    }

    /// The order that the receipt names becomes another purchase's, and is free again: no new evidence names the lost
    /// purchase.
    @Test func aLostPurchaseLearnsWhoseTheOrderIs() throws {
        var player = try NightPlayer(policy: Policy())
        var receipt = Receipt(id: "R1", content: Digest256(words: (1, 0, 0, 0)), account: "a", receivedAt: noon(0))
        (receipt.transaction, receipt.order, receipt.verifyStatus) = ("1", "O2", 0)
        var claims = Evidence()
        claims.receipts = [receipt]
        let receipts = [WorldFile(kind: .receipts, fileDate: day(0), evidence: claims)]
        try player.play(receipts + rows(0) { $0.transactions = [purchase()] }, at: moment(0))
        #expect(try verdict(player) == "paid_not_credited/no_order")
        var order = Order(id: "O2", account: "b", product: "coins", status: .failed, createdAt: noon(0))
        order.transaction = "2"
        try player.play(rows(1) { $0.orders = [order] }, at: moment(1))
        #expect(try verdict(player) == "paid_not_credited/no_order")
        var other = purchase()
        other.id = "2"
        var credit = Credit(id: "C1", account: "b", creditedAt: noon(2))
        credit.transaction = "2"
        try player.play(
            rows(2) { $0.transactions = [other] } + rows(2) { $0.credits = [credit] }, at: moment(2))
        #expect(try verdict(player) == "paid_not_credited/crossed_order")
        #expect(try player.ledger.facts().takenOrders == ["O2"])
        // Nothing new: the other purchase is matched, and its case is looked at for this one only.
        try player.play([], at: moment(3))
        #expect(try verdict(player) == "paid_not_credited/crossed_order")
        #expect(player.nights.last!.transitions.filter(\.isNews).isEmpty)
        order.transaction = "3"
        order.updatedAt = noon(4)
        try player.play(rows(4) { $0.orders = [order] }, at: moment(4))
        #expect(try verdict(player) == "paid_not_credited/no_order")
        #expect(try player.ledger.facts().takenOrders == [])
    }

    /// It was closed as a refusal that no purchase followed. On a day with a coverage gap, one may have.
    @Test func aRefusalIsNotKnownToBeRightWhileADayIsBlind() throws {
        var policy = Policy()
        policy.receiptTTL = .days(1)
        var player = try NightPlayer(policy: policy, required: [.transactions])
        var rows = Evidence()
        var receipt = Receipt(id: "R1", content: Digest256(words: (1, 0, 0, 0)), account: "a", receivedAt: noon(0))
        receipt.transaction = "1"
        receipt.verifyStatus = 21003
        rows.receipts = [receipt]
        let files = [WorldFile(kind: .receipts, fileDate: day(0), evidence: rows)]
        try player.play(files, arrivals: [0, 1, 2].map { (.transactions, day($0)) }, at: moment(2))
        #expect(try verdict(player, of: "receipt:a/R1") == "closed/receipt_rejected")
        try player.play([], at: moment(3))
        #expect(try verdict(player, of: "receipt:a/R1") == "undetermined/feed_missing")
        try player.play([], arrivals: [3, 4].map { (.transactions, day($0)) }, at: moment(4))
        #expect(try verdict(player, of: "receipt:a/R1") == "closed/receipt_rejected")
    }

    /// A file older than the first night makes the days between coverage gaps.
    @Test func anOlderFileMakesTheDaysBetweenBlind() throws {
        var policy = Policy()
        policy.historyFrom = day(0)
        var player = try NightPlayer(policy: policy, required: [.credits])
        let orders = rows(5) { $0.orders = [creditedOrder(at: noon(4))] }
        let transactions = rows(5) { $0.transactions = [purchase()] }
        try player.play(orders + transactions, arrivals: [(.credits, day(5))], at: moment(5))
        #expect(try verdict(player) == "matched/")
        try player.play([], arrivals: [(.orders, day(2)), (.credits, day(6))], at: moment(6))
        #expect(try verdict(player) == "undetermined/feed_missing")
        try player.play([], arrivals: [2, 3, 4, 7].map { (.credits, day($0)) }, at: moment(7))
        #expect(try verdict(player) == "matched/")
    }

    /// A token that an order of the account once carried stays the account's, whatever newer versions say, and in whatever order
    /// they come.
    @Test func aTokenStaysWithTheAccountWhoseOrderCarriedIt() throws {
        var player = try NightPlayer(policy: Policy())
        let (mine, other) = (Token(high: 1, low: 2), Token(high: 3, low: 5))
        var order = Order(id: "O1", account: "a", product: "gems", status: .paid, createdAt: noon(0))
        order.token = mine
        var credit = Credit(id: "C1", account: "b", creditedAt: noon(0))
        credit.transaction = "1"
        var transaction = purchase()
        transaction.token = mine
        let others = rows(0) { $0.credits = [credit] } + rows(0) { $0.transactions = [transaction] }
        try player.play(rows(0) { $0.orders = [order] } + others, at: moment(0))
        #expect(try verdict(player) == "credited_to_wrong_account/")
        // A credit to the right account closes the case, so that it is no longer judged every night.
        var reversal = Credit(id: "C2", account: "b", kind: .reversal, creditedAt: noon(1))
        reversal.transaction = "1"
        var second = Credit(id: "C3", account: "a", creditedAt: noon(1))
        second.transaction = "1"
        var backed = Order(id: "O2", account: "b", product: "coins", status: .paid, createdAt: noon(1))
        backed.transaction = "1"
        try player.play(
            rows(1) { $0.credits = [reversal, second] } + rows(1) { $0.orders = [backed] }, at: moment(1))
        #expect(try verdict(player) == "matched/")
        var moved = order
        moved.token = other
        moved.updatedAt = noon(2)
        var again = order
        again.quantity = 2
        try player.play(rows(2) { $0.orders = [moved, again] }, at: moment(2))
        #expect(try verdict(player) == "matched/")
    }

    /// Its case was merged into another one and split off again.
    @Test func anExceptionWhoseCaseWentElsewhereIsReopened() throws {
        var player = try NightPlayer(policy: Policy())
        var order = Order(id: "O1", account: "a", product: "coins", status: .paid, createdAt: noon(-20))
        order.transaction = "7"
        var other = order
        other.id = "O0"
        other.transaction = "8"
        try player.play(rows(0) { $0.orders = [other, order] }, at: moment(0))
        let id = try #require(player.ledger.unresolvedExceptions().first { $0.subject.id == "O1" }).id
        var merged = order
        merged.transaction = "8"
        merged.updatedAt = noon(0)
        try player.play(rows(1) { $0.orders = [merged] }, at: moment(1))
        #expect(try player.ledger.exception(id: id)?.state == .resolved)
        order.updatedAt = noon(1)
        try player.play(rows(2) { $0.orders = [order] }, at: moment(2))
        #expect(try player.ledger.history(ofException: id).last?.state == .reopened)
        #expect(try player.ledger.exception(id: id)?.firstSeen == day(0))
    }
}
