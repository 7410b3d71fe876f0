import Domain
import Matching
import Reference
import Rules
import Testing

@testable import Engine

/// The subjects of a world, with their movements.
private struct Moved {
    var subject: Subject
    var judgement: Judgement
    var file: Case
    var legs: Legs
}

private func moved(_ world: World) -> [Moved] {
    let book = CaseSet(world.evidence, policy: world.policy)
    var file = Case()
    var all: [Moved] = []
    for number in 0..<book.count {
        book.load(number, into: &file)
        for subject in subjects(of: file, policy: world.policy, horizon: world.horizon, owner: { _ in .unknown }) {
            let judgement = judge(
                Facts(subject: subject, file: file, policy: world.policy, horizon: world.horizon))
            let legs = Legs(subject, judgement, in: file, superseded: [], policy: world.policy)
            all.append(Moved(subject: subject, judgement: judgement, file: file, legs: legs))
        }
    }
    return all
}

private func sum(_ legs: [Leg]) -> [Currency: Int64] {
    legs.reduce(into: [:]) { sums, leg in
        guard let value = leg.value else { return }
        let isUp = [.purchase, .refundReversal, .reversal].contains(leg.kind)
        sums[value.currency, default: 0] += isUp ? value.minor : -value.minor
    }
}

/// Months in the world's time zone: every month with movements.
private func months(_ moved: Moved, _ policy: Policy) -> (number: (Instant) -> Int, all: Set<Int>) {
    let calendar = Period(calendarMonth: "2025-11")!
    let number = { (instant: Instant) in calendar.number(of: policy.zone.date(of: instant)) }
    let legs = moved.legs.all + moved.legs.partialRefunds
    return (number, Set(legs.map { number($0.at) }))
}

@Suite struct LegsTests {
    /// Except where more was taken back than was ever given: a residual which finance must see. And except where other
    /// products or quantities were given and taken back, row by row, than were bought: a difference of value.
    @Test func whatIsMatchedOrClosedComesToNothing() {
        for seed in UInt64(0)..<1200 {
            let world = WorldGenerator.world(seed: seed)
            for moved in moved(world) where [.matched, .closed, .outOfScope].contains(moved.judgement.verdict) {
                let rest = sum(moved.legs.all).filter { $0.value != 0 }
                let isTakenBack = moved.judgement.verdict == .closed && !moved.subject.position.surplusReversals.isEmpty
                #expect(
                    rest.isEmpty || moved.legs.isMixed || isTakenBack && rest.allSatisfy { $0.value > 0 },
                    "seed \(seed), \(moved.judgement.subject.text) \(moved.judgement.verdict)")
            }
        }
    }

    @Test func partsOfAMonthAddUpToItsDifferenceAndCutOffToNothing() {
        for seed in UInt64(0)..<1200 {
            let world = WorldGenerator.world(seed: seed)
            for moved in moved(world) {
                let (number, all) = months(moved, world.policy)
                var cutOff: [Currency: Int64] = [:]
                for month in all {
                    let parts = moved.legs.parts(ofMonth: month, verdict: moved.judgement.verdict, number: number)
                    let legs = moved.legs.all + moved.legs.partialRefunds
                    let difference = sum(legs.filter { number($0.at) == month }).filter { $0.value != 0 }
                    let found = parts.reduce(into: [Currency: Int64]()) {
                        $0[$1.value.currency, default: 0] += $1.value.minor
                    }
                    #expect(found.filter { $0.value != 0 } == difference, "seed \(seed)")
                    for part in parts where part.reason == .cutOff {
                        cutOff[part.value.currency, default: 0] += part.value.minor
                    }
                }
                #expect(cutOff.allSatisfy { $0.value == 0 }, "seed \(seed), \(moved.judgement.subject.text)")
            }
        }
    }

    @Test func whatIsSettledAtOnceMovesWhatItsJudgementWould() {
        var settledCount = 0
        for seed in UInt64(0)..<400 {
            var random = SplitMix64(seed: seed)
            var policy = Policy()
            policy.zone = Zone(["UTC", "Asia/Shanghai", "America/New_York"][Int(seed % 3)])!
            let month = Period(calendarMonth: "2025-11")!
            let scope = MonthScope(month, policy: policy)
            let file = sale(at: month.span(in: policy.zone).lowerBound, &random)
            let settled = CleanMatch(policy: policy)
            let amount = settled.amount(
                file.transactions[0], order: file.orders[0], credit: file.credits[0], receipt: nil,
                owner: { _ in .unknown })
            var fast = MonthTally(scope)
            guard let amount,
                fast.addCleanMatch(
                    file.transactions[0], file.orders[0], creditedAt: file.credits[0].creditedAt, amount: amount)
            else { continue }
            settledCount += 1
            var slow = MonthTally(scope)
            let horizon = Horizon(instant: month.span(in: policy.zone).upperBound, businessDate: month.last)
            for subject in subjects(of: file, policy: policy, horizon: horizon, owner: { _ in .unknown }) {
                let facts = Facts(subject: subject, file: file, policy: policy, horizon: horizon)
                slow.add(subject, judge(facts), in: file, orders: [0], superseded: [])
            }
            #expect(fast.sales == slow.sales && fast.products == slow.products, "seed \(seed)")
            #expect(slow.differences.isEmpty && slow.refunds.isEmpty, "seed \(seed)")
        }
        #expect(settledCount > 200)
    }

    /// One of three pieces for 10,000.00 is refunded, and is worth a third, not 33.333 %. Where Apple states no whole number
    /// of pieces, the money is what Apple states, and no piece is refunded.
    @Test(arguments: [
        (3, 33_333, 333_333, 1), (3, 66_667, 666_667, 2), (3, 66_666, 666_667, 2), (7, 14_286, 142_857, 1),
        (2, 0, 0, 0), (3, 33_334, 333_340, 0), (3, 50_000, 500_000, 0),
    ])
    func aShareOfAWholeNumberOfPiecesIsWorthTheirShare(
        quantity: Int32, percentage: Int32, refunded: Int64, pieces: Int64
    ) throws {
        let at = Instant(milliseconds: 1_763_000_000_000)
        var transaction = Transaction(id: "T1", product: "coins", purchasedAt: at)
        transaction.price = Price(thousandths: 10_000_000, currency: "CNY")
        transaction.quantity = quantity
        transaction.revocation = Revocation(at: at, type: .refundProrated, percentage: percentage)
        let horizon = Horizon(instant: at + .days(3), businessDate: Policy().zone.date(of: at).advanced(by: 2))
        let file = Case(transactions: [transaction])
        let subject = try #require(
            subjects(of: file, policy: Policy(), horizon: horizon, owner: { _ in .unknown }).first)
        let judgement = judge(Facts(subject: subject, file: file, policy: Policy(), horizon: horizon))
        let legs = Legs(subject, judgement, in: file, superseded: [], policy: Policy())
        let leg = try #require((legs.all + legs.partialRefunds).first { $0.kind == .refund })
        #expect(leg.value == Money(minor: refunded, currency: "CNY") && leg.units == pieces)
        var tally = MonthTally(
            MonthScope(Period(calendarMonth: "2025-11")!, policy: Policy()))
        tally.add(subject, judgement, in: file, orders: [], superseded: [])
        #expect(tally.refunds.map(\.amount?.minor) == [refunded])
    }

    /// The price may not divide by the quantity: 0.05 for two pieces, of which one is refunded.
    @Test(arguments: [[(2, false), (1, true)], [(1, false)], [(1, false), (1, false), (1, true)]])
    func moneyAndGoodsOfThePiecesKeptBalance(_ rows: [(quantity: Int32, isTakenBack: Bool)]) throws {
        let at = Instant(milliseconds: 1_763_000_000_000)
        var transaction = Transaction(id: "T1", product: "coins", purchasedAt: at)
        transaction.price = Price(thousandths: 50, currency: "CNY")
        transaction.quantity = 2
        transaction.revocation = Revocation(at: at, type: .refundProrated, percentage: 50_000)
        let credits = rows.enumerated().map { number, row in
            var credit = Credit(
                id: Identifier("C\(number)"), account: "a", kind: row.isTakenBack ? .reversal : .credit,
                creditedAt: at + Milliseconds(Int64(number)))
            (credit.transaction, credit.quantity) = ("T1", row.quantity)
            return credit
        }
        let file = Case(credits: credits, transactions: [transaction])
        let horizon = Horizon(instant: at + .days(3), businessDate: Policy().zone.date(of: at).advanced(by: 2))
        let subject = try #require(
            subjects(of: file, policy: Policy(), horizon: horizon, owner: { _ in .unknown }).first)
        let judgement = judge(Facts(subject: subject, file: file, policy: Policy(), horizon: horizon))
        let legs = Legs(subject, judgement, in: file, superseded: [], policy: Policy())
        #expect([.orderMissing, .valueMismatch].contains(judgement.verdict) && sum(legs.all)["CNY"] == 0)
    }

    /// A row may have the id that an implicit credit has. It is reversed here, and counts as a row: the implicit credit
    /// counts by quantity.
    @Test func aRowWithTheIdOfAnImplicitCreditIsAnotherCredit() throws {
        let at = Instant(milliseconds: 1_763_000_000_000)
        var transaction = Transaction(id: "T1", product: "coins", purchasedAt: at)
        transaction.price = Price(thousandths: 3000, currency: "CNY")
        transaction.quantity = 3
        var order = Order(id: "O1", account: "a", product: "coins", status: .credited, createdAt: at)
        order.transaction = transaction.id
        order.quantity = 2
        func row(_ id: Identifier, _ kind: CreditKind, order: Identifier, _ quantity: Int32) -> Credit {
            var credit = Credit(id: id, account: "a", kind: kind, creditedAt: at + Milliseconds(1000))
            (credit.order, credit.transaction, credit.quantity) = (order, transaction.id, quantity)
            return credit
        }
        let file = Case(
            orders: [order],
            credits: [
                row("C1", .credit, order: "O2", 1), row("V1", .reversal, order: "O3", 2),
                row("order:O1", .credit, order: "O3", 2),
            ],
            transactions: [transaction])
        let policy = Policy()
        let horizon = Horizon(instant: at + Milliseconds(86_400_000), businessDate: policy.zone.date(of: at))
        let all = subjects(of: file, policy: policy, horizon: horizon, owner: { _ in .unknown })
        let subject = try #require(all.first)
        #expect(subject.position.credits.filter { $0.id == "order:O1" }.map(\.isImplicit) == [true, false])
        #expect(Set(subject.position.credits.map(\.key)).count == 3 && subject.position.deliveries == 1)
        let judgement = judge(Facts(subject: subject, file: file, policy: policy, horizon: horizon))
        let legs = Legs(subject, judgement, in: file, superseded: [], policy: policy)
        let credited = legs.all.filter { $0.kind == .credit }.compactMap { $0.value?.minor }
        #expect(credited.sorted() == [100, 200, 200])
    }

    /// A sale around `instant`, credited within the hour.
    private func sale(at instant: Instant, _ random: inout SplitMix64) -> Case {
        let hour: Int64 = 3_600_000
        let at = instant + Milliseconds(Int64.random(in: -3 * hour...3 * hour, using: &random))
        var transaction = Transaction(id: "2000000000000001", product: "coins", purchasedAt: at)
        transaction.price = Price(thousandths: Int64.random(in: 1...9, using: &random) * 1000, currency: "CNY")
        transaction.quantity = Int32.random(in: 1...3, using: &random)
        var order = Order(id: "ORD1001", account: "a", product: "coins", status: .paid, createdAt: at)
        order.transaction = transaction.id
        order.quantity = transaction.quantity
        var credit = Credit(
            id: "C1", account: "a", creditedAt: at + Milliseconds(Int64.random(in: 0...hour, using: &random)))
        credit.order = order.id
        credit.transaction = transaction.id
        return Case(orders: [order], credits: [credit], transactions: [transaction])
    }
}
