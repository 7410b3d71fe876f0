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
        _ files: [WorldFile], products: [Product] = [], required: Set<FeedKind> = [],
        _ change: (inout Policy) -> Void = { _ in }
    ) throws -> RangeTwins {
        var policy = Policy()
        policy.historyFrom = day(1)
        change(&policy)
        var twins = try RangeTwins(policy, required: required)
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
        #expect(try player.ledger.unresolvedExceptions().map(\.id) == first)
        #expect(try player.ledger.history(ofException: first[0]).last?.state == .reopened)
    }

    /// An exception of an order became one of its purchase, and was resolved. It comes back under its first id.
    @Test func aResolvedExceptionThatFollowedItsOrderComesBackFromARange() throws {
        var order = Order(id: "O1", account: "a", product: "coins", status: .paid, createdAt: noon(0))
        var given = Credit(id: "C1", account: "a", creditedAt: noon(0))
        given.order = "O1"
        var policy = Policy()
        policy.graceApple = .hours(1)
        var player = try RangeTwins(policy)
        try player.play(
            [file(.orders) { $0.orders = [order] }, file(.credits) { $0.credits = [given] }], at: moment(3))
        let first = try player.ledger.unresolvedExceptions()
        (order.transaction, order.updatedAt) = ("1", noon(1))
        var bought = purchase("1")
        bought.revocation = Revocation(at: noon(1), type: .refundFull)
        try player.play(
            [file(.orders) { $0.orders = [order] }, file(.transactions) { $0.transactions = [bought] }],
            at: moment(4))
        let second = try player.ledger.unresolvedExceptions()
        #expect(first.count == 1 && second.map(\.id) == first.map(\.id) && second[0].subject != first[0].subject)
        player.policy.historyFrom = day(1)
        try player.play([], at: moment(5))
        #expect(try player.ledger.unresolvedExceptions().isEmpty)
        player.policy.historyFrom = nil
        try player.play([], at: moment(6))
        #expect(try player.ledger.unresolvedExceptions().map(\.id) == first.map(\.id))
        #expect(try player.ledger.history(ofException: first[0].id).last?.state == .reopened)
    }
}

/// What the nights after need of cases in ranges.
extension RangeStories {
    /// A matched purchase is neither read back nor written again.
    @Test func aCaseInARangeThatStaysTheSameIsLeftAlone() throws {
        var order = Order(id: "O1", account: "a", product: "coins", status: .paid, createdAt: noon(0))
        order.transaction = "1"
        var given = credit("C1", to: "a", "1")
        given.order = "O1"
        var player = try RangeTwins(Policy())
        try player.play(
            [
                file(.transactions) { $0.transactions = [purchase("1")] }, file(.orders) { $0.orders = [order] },
                file(.credits) { $0.credits = [given] },
            ], at: moment(1))
        #expect(try verdict(player) == "matched/" && player.ledger.openCases().isEmpty)
        player.policy.lateAfter = .days(9)
        try player.play([], at: moment(2))
        let records = player.ranges.nights.last!.records
        #expect(records.judgesAll && records.judgedAgain.isEmpty && records.verdicts.all.isEmpty)
    }

    /// In another time zone, the order's goods were given on a day whose credits are missing. The verdict stays, but
    /// the file may still come.
    @Test func aCaseInARangeWaitsForTheCreditsOfAnotherDay() throws {
        let order = Order(
            id: "O1", account: "a", product: "coins", status: .credited, createdAt: noon(0) + .hours(11))
        var player = try twins(
            [file(.orders) { $0.orders = [order] }, file(.credits) { $0.credits = [credit("C1", to: "b", "2")] }],
            required: [.credits]
        ) { $0.historyFrom = day(5) }
        #expect(try player.ledger.openCases().isEmpty)
        player.policy.zone = Zone("Pacific/Auckland")!
        try player.play([], at: moment(2))
        #expect(try player.ledger.openCases().count == 1)
    }

    /// While no order is known, the token of a purchase says nothing about its owner. Then an order without a token
    /// comes.
    @Test func aPurchaseInARangeGetsAnOwnerAndMayBeSuggested() throws {
        var bought = purchase("1")
        bought.token = Token(high: 7, low: 1)
        var receipt = Receipt(id: "R1", content: Digest256(words: (1, 0, 0, 0)), account: "a", receivedAt: noon(0))
        (receipt.transaction, receipt.verifyStatus) = ("1", 0)
        var player = try twins([
            file(.transactions) { $0.transactions = [bought] }, file(.receipts) { $0.receipts = [receipt] },
        ]) { $0.historyFrom = day(5) }
        let other = Order(id: "O9", account: "z", product: "gems", status: .failed, createdAt: noon(0))
        try player.play([file(.orders) { $0.orders = [other] }], at: moment(2))
        let key = SuggestionKey.goods(account: "a", product: "coins")
        #expect(try player.ledger.cases(unlinkedUnder: [key]).count == 1)
    }

    /// A restore is open and loaded; the purchase that it restores is closed, and lies in a range.
    @Test func anOpenRestoreMeetsItsOriginalInARange() throws {
        var product = Product(id: "sword")
        product.type = .consumable
        var restore = purchase("2", original: "1", product: "sword")
        restore.purchasedAt = noon(1)
        var player = try twins(
            [file(.transactions) { $0.transactions = [restore, purchase("1", product: "sword")] }],
            products: [product])
        #expect(try subjects(of: player.ledger).count == 2 && player.ledger.openCases().count == 1)
        product.type = .nonConsumable
        product.source.fileDate = day(2)
        try player.play([], products: [product], at: moment(2))
        #expect(try subjects(of: player.ledger).count == 1)
        #expect(!player.ranges.nights.last!.records.isRebuilt)
    }
}

/// The same nights with small ranges, and with everything loaded.
private struct RangeTwins {
    var ranges: NightPlayer
    private var whole: NightPlayer

    init(_ policy: Policy, required: Set<FeedKind> = []) throws {
        ranges = try NightPlayer(policy: policy, required: required)
        whole = try NightPlayer(policy: policy, required: required)
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
