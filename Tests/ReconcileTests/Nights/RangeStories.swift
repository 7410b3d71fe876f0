internal import Domain
internal import Intake
import Testing

@testable import Engine
@testable import Ledger
@testable import Reconcile
@testable import Reference

/// Cases that a night must move from a range to tonight's cases, because they have to be matched with others after all:
/// docs/spec/rules.md#recall. Each story is played twice; the other time everything is loaded.
@Suite struct RangeStories {
    private func file(_ kind: FeedKind, _ fill: (inout Evidence) -> Void) -> WorldFile {
        var rows = Evidence()
        fill(&rows)
        return WorldFile(kind: kind, fileDate: day(0), evidence: rows)
    }

    private func purchase(_ id: Identifier, original: Identifier? = nil, product: Identifier = "coins") -> Transaction {
        var transaction = Transaction(id: id, product: product, purchasedAt: noon(0))
        transaction.original = original
        return transaction
    }

    private func credit(_ id: Identifier, to account: Identifier, _ transaction: Identifier) -> Credit {
        var credit = Credit(id: id, account: account, creditedAt: noon(0))
        credit.transaction = transaction
        return credit
    }

    private func verdict(_ player: RangeTwins, of subject: Identifier = "transaction:1") throws -> String? {
        try subjects(of: player.ledger)[subject].map { $0.verdict + "/" + $0.cause }
    }

    /// Two players whose subjects are all out of scope until `historyFrom` is withdrawn.
    private func twins(
        _ files: [WorldFile], products: [Product] = [], _ change: (inout Policy) -> Void = { _ in }
    ) throws -> RangeTwins {
        var policy = Policy()
        policy.historyFrom = day(1)
        change(&policy)
        var twins = try RangeTwins(policy)
        try twins.play(files, products: products, at: moment(1))
        return twins
    }

    @Test func aPurchaseInARangeLearnsWhoseTheOrderIs() throws {
        var receipt = Receipt(id: "R1", content: Digest256(words: (1, 0, 0, 0)), account: "a", receivedAt: noon(0))
        (receipt.transaction, receipt.order, receipt.verifyStatus) = ("1", "O2", 0)
        var order = Order(id: "O2", account: "b", product: "coins", status: .failed, createdAt: noon(0))
        order.transaction = "2"
        var player = try twins([
            file(.transactions) { $0.transactions = [purchase("1"), purchase("2")] },
            file(.orders) { $0.orders = [order] }, file(.credits) { $0.credits = [credit("C1", to: "b", "2")] },
            file(.receipts) { $0.receipts = [receipt] },
        ])
        player.policy.historyFrom = nil
        try player.play([], at: moment(2))
        #expect(try verdict(player) == "paid_not_credited/crossed_order")
        #expect(!player.ranges.nights.last!.records.isRebuilt)
    }

    /// The product turns out to be bought once and restored, so two purchases become one.
    @Test func aRestoreInARangeMeetsItsOriginal() throws {
        var product = Product(id: "sword")
        product.type = .consumable
        let purchases = [purchase("1", product: "sword"), purchase("2", original: "1", product: "sword")]
        var player = try twins(
            [
                file(.transactions) { $0.transactions = purchases },
                file(.credits) { $0.credits = [credit("C1", to: "a", "1"), credit("C2", to: "a", "2")] },
            ], products: [product])
        let before = try subjects(of: player.ledger).count
        #expect(before == 2)
        product.type = .nonConsumable
        product.source.fileDate = day(2)
        player.policy.historyFrom = nil
        try player.play([], products: [product], at: moment(2))
        #expect(try subjects(of: player.ledger).count == 1)
        #expect(!player.ranges.nights.last!.records.isRebuilt)
    }

    /// The desk gave the goods by an order's number. The pair is found, parts when the window no longer holds it, and
    /// is found again.
    @Test func theDesksOrderIsFoundInARange() throws {
        let order = Order(id: "O1", account: "a", product: "coins", status: .failed, createdAt: noon(0))
        var given = Credit(id: "C1", account: "a", creditedAt: noon(1))
        (given.order, given.origin) = ("O1", .desk)
        var receipt = Receipt(id: "R1", content: Digest256(words: (1, 0, 0, 0)), account: "a", receivedAt: noon(0))
        (receipt.transaction, receipt.verifyStatus) = ("1", 0)
        var bought = purchase("1")
        bought.purchasedAt = noon(0) + .minutes(1)
        var player = try twins([
            file(.transactions) { $0.transactions = [bought] }, file(.orders) { $0.orders = [order] },
            file(.credits) { $0.credits = [given] }, file(.receipts) { $0.receipts = [receipt] },
        ]) { $0.suggestionWindow = Milliseconds(1000) }
        #expect(try player.ledger.facts().deskOrders == [:] && player.ledger.openCases().isEmpty)
        player.policy.suggestionWindow = .hours(1)
        player.policy.historyFrom = nil
        try player.play([], at: moment(2))
        let facts = try player.ledger.facts().deskOrders
        #expect(facts == ["O1": "1"])
        let matched = try verdict(player)
        player.policy.suggestionWindow = Milliseconds(1000)
        try player.play([], at: moment(3))
        #expect(try player.ledger.facts().deskOrders == [:] && verdict(player) != matched)
        player.policy.suggestionWindow = .hours(1)
        try player.play([], at: moment(4))
        #expect(try player.ledger.facts().deskOrders == ["O1": "1"] && verdict(player) == matched)
        // A night that does not look at the pair's case keeps the pair on record.
        try player.play([], at: moment(5))
        #expect(try player.ledger.facts().deskOrders == ["O1": "1"] && verdict(player) == matched)
        #expect(player.ranges.nights.allSatisfy { !$0.records.isRebuilt })
    }

    /// An exception was resolved, and its case lies in a range when it comes back.
    @Test func aResolvedExceptionComesBackFromARange() throws {
        var policy = Policy()
        var player = try RangeTwins(policy)
        try player.play([file(.transactions) { $0.transactions = [purchase("1")] }], at: moment(1))
        let first = try player.ledger.unresolvedExceptions().map(\.id)
        policy.historyFrom = day(1)
        player.policy = policy
        try player.play([], at: moment(2))
        #expect(try first.count == 1 && player.ledger.unresolvedExceptions().isEmpty)
        player.policy.historyFrom = nil
        try player.play([], at: moment(3))
        let last = try player.ledger.unresolvedExceptions()
        #expect(last.map(\.id) == first && last.map(\.state) == [.reopened])
    }
}

/// The same nights with small ranges, and with everything loaded.
private struct RangeTwins {
    var ranges: NightPlayer
    private var whole: NightPlayer

    init(_ policy: Policy) throws {
        (ranges, whole) = (try NightPlayer(policy: policy), try NightPlayer(policy: policy))
        (ranges.recall, whole.recall) = (.ranges(1), .everything)
    }

    var ledger: Ledger { ranges.ledger }
    var policy: Policy {
        get { ranges.configuration.policy }
        set { (ranges.configuration.policy, whole.configuration.policy) = (newValue, newValue) }
    }

    mutating func play(_ files: [WorldFile], products: [Product] = [], at moment: RunTime) throws {
        try ranges.play(files, products: products, at: moment)
        try whole.play(files, products: products, at: moment)
        #expect(try ranges.ledger.differences(from: whole.ledger) == [])
        #expect(ranges.nights.last!.report == whole.nights.last!.report)
    }
}
