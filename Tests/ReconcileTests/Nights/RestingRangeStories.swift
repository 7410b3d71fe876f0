internal import Domain
internal import ReportData
import Testing

@testable import Engine
@testable import Ledger
@testable import Reference

/// Cases that rest while a change of the settings makes a night judge every case: docs/spec/rules.md#resting. Each
/// story is played twice; the other time everything is loaded.
@Suite struct RestingRangeStories {
    /// A receipt that Apple's server has accepted.
    private func receipt(of transaction: Identifier) -> Receipt {
        var receipt = Receipt(id: "R1", content: Digest256(words: (1, 0, 0, 0)), account: "a", receivedAt: noon(0))
        (receipt.transaction, receipt.verifyStatus) = (transaction, 0)
        return receipt
    }

    /// Nights of one case, which rests after them.
    private func twins(_ policy: Policy = Policy(), _ fill: (inout Evidence) -> Void) throws -> RestingTwins {
        var twins = try RestingTwins(policy)
        try twins.play(0, fill)
        for night in 1...3 { try twins.play(night) }
        #expect(twins.rested > 0)
        return twins
    }

    /// Nothing says more about the case.
    @Test func aRestingCaseInARangeIsLeftAlone() throws {
        var twins = try twins { $0.transactions = [Transaction(id: "1", product: "coins", purchasedAt: noon(0))] }
        twins.policy.lateAfter = .days(9)
        try twins.play(4)
        let records = twins.resting.nights.last!.records
        #expect(records.judgesAll && records.judgedAgain.isEmpty && records.unjudged.count == 1)
    }

    /// Another order is known before, so this one says nothing new about the use of tokens.
    @Test func anOrderIsSuggestedForARestingPurchase() throws {
        var twins = try twins {
            $0.orders = [Order(id: "O9", account: "z", product: "gems", status: .failed, createdAt: noon(0))]
            $0.transactions = [Transaction(id: "1", product: "coins", purchasedAt: noon(0) + .minutes(1))]
            $0.receipts = [receipt(of: "1")]
        }
        let order = Order(id: "O1", account: "a", product: "coins", status: .failed, createdAt: noon(0))
        twins.policy.lateAfter = .days(9)
        try twins.play(4) { $0.orders = [order] }
        #expect(twins.flags(of: "1") == ["suggested_order"])
        twins.policy.suggestionWindow = Milliseconds(1)
        try twins.play(5)
        #expect(twins.flags(of: "1") == [])
    }

    /// The exception stays the same, but the app has a second bundle id, so its retry entry no longer names one.
    @Test func theDemandOfARestingCaseChanges() throws {
        var policy = Policy()
        policy.bundles = ["com.example.game"]
        var twins = try twins(policy) { $0.receipts = [receipt(of: "9")] }
        let first = try twins.resting.ledger.demandedRetryEntries().map(\.facts.bundle)
        twins.policy.bundles.insert("com.example.other")
        try twins.play(4)
        let second = try twins.resting.ledger.demandedRetryEntries().map(\.facts.bundle)
        #expect(first == ["com.example.game"] && second == [nil])
    }

    /// The exception stays the same, but its purchase counts for another date.
    @Test func aRestingPurchaseCountsForAnotherDate() throws {
        var twins = try twins {
            $0.transactions = [Transaction(id: "1", product: "coins", purchasedAt: noon(0) + .hours(11))]
        }
        let dates = { try twins.resting.ledger.purchases(since: day(0)).entries.keys.map(\.outcome.date) }
        #expect(try dates() == [day(0)])
        twins.policy.zone = Zone("Asia/Shanghai")!
        try twins.play(4)
        #expect(try dates() == [day(1)])
    }
}
