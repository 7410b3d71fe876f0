import Domain
import Testing

@testable import Engine

@Suite struct TallyTests {
    private static func verdict(worth minor: Int64) -> StoredVerdict {
        StoredVerdict(
            subject: SubjectKey(.order, "ORD1"), verdict: .matched, cause: .none, flags: [],
            amount: Money(minor: minor, currency: "CNY"), outcome: nil)
    }

    /// A ledger with such a row would be called damaged.
    @Test func aKeyWithoutSubjectsIsLeftOutWhateverItsSumIs() {
        var tally = SubjectTally()
        tally.add(CountAndAmount(count: 1, minor: 600), to: VerdictKey(Self.verdict(worth: 600)))
        tally.remove(Self.verdict(worth: 500))
        #expect(tally.entries.isEmpty)
    }

    /// A change of one day's purchases may be worth something although their number stays the same.
    @Test func aChangeWithoutACountIsKept() throws {
        let outcome = try #require(PurchaseOutcome(BusinessDate("2025-11-18")!, .waiting))
        var change = PurchaseTally()
        change.add(outcome, Money(minor: 600, currency: "CNY"))
        change.add(outcome, Money(minor: 500, currency: "CNY"), times: -1)
        #expect(change.entries == [PurchaseKey(outcome, "CNY"): CountAndAmount(count: 0, minor: 100)])
    }
}
