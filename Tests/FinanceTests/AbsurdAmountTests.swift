import Domain
import Matching
import Reference
import Rules
import Testing

@testable import Engine

/// Amounts at the limits of their type do not stop a month, and its figures still add up.
@Suite struct AbsurdAmountTests {
    private let month = Period(calendarMonth: "2025-11")!
    private let at = Instant(milliseconds: 1_763_000_000_000)
    private var windows: [Range<Instant>] { [month.span(in: Policy().zone)] }

    /// Purchases at the greatest price there can be: not credited, credited twice, refunded but credited, and credited
    /// a month later.
    private func sales(_ count: Int) -> [Case] {
        (0..<count).map { index in
            var transaction = Transaction(id: Identifier("200000000000\(index)"), product: "coins", purchasedAt: at)
            transaction.price = Price(thousandths: .max, currency: "KWD")
            if index % 4 == 2 { transaction.revocation = Revocation(at: at + Milliseconds(1000)) }
            let credits = [0, 2, 1, 1][index % 4]
            let given = (0..<credits).map { number in
                let late: Int64 = index % 4 == 3 ? 30 * 86_400_000 : 60_000
                var credit = Credit(
                    id: Identifier("C\(index)-\(number)"), account: "a", creditedAt: at + Milliseconds(late))
                credit.transaction = transaction.id
                return credit
            }
            return Case(credits: given, transactions: [transaction])
        }
    }

    private func tally(_ cases: [Case]) -> (tally: MonthTally, changes: ClosedChanges) {
        var policy = Policy()
        policy.tokenUse = .none
        let horizon = Horizon(instant: month.span(in: policy.zone).upperBound, businessDate: month.last)
        var tally = MonthTally(MonthScope(month, policy: policy, windows: windows, days: month.first...month.last))
        var changes = ClosedChanges()
        for file in cases {
            for subject in subjects(of: file, policy: policy, horizon: horizon, owner: { _ in .unknown }) {
                let judgement = judge(Facts(subject: subject, file: file, policy: policy, horizon: horizon))
                tally.add(subject, judgement, in: file, orders: [], superseded: [])
                let legs = Legs(subject, judgement, in: file, superseded: [], policy: policy)
                let place = SalesPlace(of: subject, judgement, in: file)
                for times in [1, -1] as [Int64] {
                    changes.add(
                        legs, of: subject, judgement, at: place, within: windows[0], number: 0, times: times)
                }
            }
        }
        return (tally, changes)
    }

    @Test func aMonthOfThemAddsUp() throws {
        var (sum, changes) = tally(sales(40))
        sum.merge(tally(sales(40)).tally)
        let line = try #require(sum.money.first)
        #expect(sum.money.count == 1 && line.currency == "KWD" && line.problem == nil && !sum.differences.isEmpty)
        #expect(line.movements.purchases == Int64(truncatingIfNeeded: Int128(Int64.max) * 80))
        #expect(changes.lines(months: ["2025-11"], bySettings: ClosedChanges()) { _ in nil }.isEmpty)
    }

    @Test func theBridgeAddsUp() throws {
        let days = tally(sales(40)).tally.days
        let rows = [appleRow("coins", 1, price: "1.000", share: "0.7", total: "0.7", "KWD", "KW")]
        let report = try AppleReport(appleReport(rows, totals: appleTotals(rows)))
        let months = try #require(AppleMonths([report], collectDays: 40))
        let lines = BridgeMaker(
            months, month: month, days: days, known: ["coins"]
        ).bridge.lines
        #expect(lines.contains { $0.ledger.minor < 0 || $0.ledger.units > 1 })
        for line in lines { #expect(line.ledger - line.apple == line.explained + line.unexplained) }
    }
}
