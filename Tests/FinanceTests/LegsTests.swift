import Domain
import Finance
import Matching
import Reference
import Rules
import Testing

/// A world's subjects with what they moved.
private struct Moved {
    var subject: Subject
    var judgement: Judgement
    var file: CaseFile
    var legs: Legs
}

private func moved(_ world: World) -> [Moved] {
    let book = CaseBook(world.evidence, policy: world.policy)
    var file = CaseFile()
    var all: [Moved] = []
    for number in 0..<book.count {
        book.load(number, into: &file)
        for subject in subjects(of: file, policy: world.policy, horizon: world.horizon, owner: { _ in .unknown }) {
            let judgement = judge(
                Facts(subject: subject, file: file, policy: world.policy, horizon: world.horizon))
            let legs = Legs(subject, judgement, in: file, policy: world.policy)
            all.append(Moved(subject: subject, judgement: judgement, file: file, legs: legs))
        }
    }
    return all
}

private func sum(_ legs: [Leg]) -> [Currency: Int64] {
    legs.reduce(into: [:]) { sums, leg in
        guard let value = leg.value else { return }
        let isUp = leg.kind == .purchase || leg.kind == .reversal
        sums[value.currency, default: 0] += isUp ? value.minor : -value.minor
    }
}

/// Months of the world's zone, and every month that anything moved in.
private func months(_ moved: Moved, _ policy: Policy) -> (number: (Instant) -> Int, all: Set<Int>) {
    let number = { (instant: Instant) in MonthCalendar.business.number(of: policy.zone.date(of: instant)) }
    let legs = moved.legs.all + (moved.legs.partialRefund.map { [$0] } ?? [])
    return (number, Set(legs.map { number($0.at) }))
}

@Suite struct LegsTests {
    @Test func whatIsMatchedOrClosedComesToNothing() {
        for seed in UInt64(0)..<4000 {
            let world = WorldGenerator.world(seed: seed)
            for moved in moved(world) where [.matched, .closed, .outOfScope].contains(moved.judgement.verdict) {
                let rest = sum(moved.legs.all).filter { $0.value != 0 }
                #expect(rest.isEmpty, "seed \(seed), \(moved.judgement.subject.text) \(moved.judgement.verdict)")
            }
        }
    }

    @Test func partsOfAMonthAddUpToItsDifferenceAndCutOffToNothing() {
        for seed in UInt64(0)..<4000 {
            let world = WorldGenerator.world(seed: seed)
            for moved in moved(world) {
                let (number, all) = months(moved, world.policy)
                var cutOff: [Currency: Int64] = [:]
                for month in all {
                    let parts = moved.legs.parts(ofMonth: month, verdict: moved.judgement.verdict, number: number)
                    let legs = moved.legs.all + (moved.legs.partialRefund.map { [$0] } ?? [])
                    let difference = sum(legs.filter { number($0.at) == month }).filter { $0.value != 0 }
                    let found = parts.reduce(into: [Currency: Int64]()) { $0[$1.currency, default: 0] += $1.minor }
                    #expect(found.filter { $0.value != 0 } == difference, "seed \(seed)")
                    for part in parts where part.reason == .cutOff { cutOff[part.currency, default: 0] += part.minor }
                }
                #expect(cutOff.allSatisfy { $0.value == 0 }, "seed \(seed), \(moved.judgement.subject.text)")
            }
        }
    }

    @Test func whatIsSettledAtOnceMovesWhatItsJudgementWould() {
        var settledCount = 0
        for seed in UInt64(0)..<3000 {
            let world = WorldGenerator.world(seed: seed)
            let month = Period(calendarMonth: world.horizon.businessDate.month)!
            let scope = MonthScope(month, calendar: .business, policy: world.policy)
            let book = CaseBook(world.evidence, policy: world.policy)
            let settled = Settled(policy: world.policy)
            var file = CaseFile()
            for number in 0..<book.count {
                guard let sole = book.sole(number),
                    let amount = settled.amount(
                        book.transactions[sole.transaction], book.orders[sole.order], book.credits[sole.credit],
                        sole.receipt.map { book.receipts[$0] }, owner: { _ in .unknown })
                else { continue }
                var fast = MonthTally(scope)
                let isAdded = fast.addSettled(
                    book.transactions[sole.transaction], creditedAt: book.credits[sole.credit].creditedAt,
                    amount: amount)
                book.load(number, into: &file)
                var slow = MonthTally(scope)
                for subject in subjects(
                    of: file, policy: world.policy, horizon: world.horizon, owner: { _ in .unknown })
                {
                    let facts = Facts(subject: subject, file: file, policy: world.policy, horizon: world.horizon)
                    slow.add(subject, judge(facts), in: file, superseded: [])
                }
                guard isAdded else { continue }
                settledCount += 1
                #expect(fast.sales == slow.sales && fast.products == slow.products, "seed \(seed)")
                #expect(slow.differences.isEmpty && slow.refunds.isEmpty, "seed \(seed)")
            }
        }
        #expect(settledCount > 20)
    }
}
