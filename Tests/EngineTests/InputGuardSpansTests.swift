import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reference

private let date = ScenarioWorld.date
private let zone = ScenarioWorld.policy.zone

/// Spans of hours over midnight and after a release, and how findings are stored. See docs/spec/rules.md#guard.
extension InputGuardTests {
    /// Of a shop that sells ten an hour, so many lack their goods at these hours, counted from the midnight of the last date.
    @Test(
        arguments: [
            ([-1: 4, 0: 3], 23..<25), ([-2: 6, 1: 5], 22..<26), ([-1: 4], nil), ([0: 3], nil), ([-1: 2, 0: 2], nil),
        ] as [([Int: Int], Range<Int>?)])
    func aSpanOfHoursMayEndOnTheNextDate(lost: [Int: Int], hours: Range<Int>?) throws {
        let night = lost.ordered { $0.key < $1.key }.flatMap { Array(repeating: Int64($0.key), count: $0.value) }
        let sold = (-24..<24).map { hour in
            Sold(date.advanced(by: hour < 0 ? -1 : 0), (hour + 24) % 24, "coins", lost: lost[hour] ?? 0, of: 10)
        }
        var head = HistoryHead()
        let before = history(days: 7, lost: 1)
        let found = try together(unserved(night, of: "coins"), sold, head, in: before)
        #expect(found.map(\.hours) == (hours.map { [$0] } ?? []))
        guard let finding = found.first, hours == 23..<25 else { return }
        #expect((finding.date, finding.since, finding.count) == (date.advanced(by: -1), nil, 7))
        #expect((finding.total, finding.times) == (20, ["23:00", "01:00"]))
        let concerned = [-26, -25, 0, 1, 3, 23].filter {
            finding.mayConcern("coins", paidAt: zone.start(of: date) + .hours($0), in: zone)
        }
        #expect(concerned == [0, 1])
        head.releasedFindings = found
        #expect(try together(unserved(night, of: "coins"), sold, head, in: before) == [])
        // What was released up to midnight says nothing of what followed.
        head.releasedFindings[0].detail = .hours(22..<24)
        #expect(try together(unserved(night, of: "coins"), sold, head, in: before) == found)
    }

    @Test func aFewOfEachMidnightAreHeld() throws {
        let sold = (0..<7).flatMap { day in
            (0..<24).map { hour in
                Sold(date.advanced(by: -day), hour, "coins", lost: day < 3 && [0, 23].contains(hour) ? 1 : 0, of: 2)
            }
        }
        let night = unserved([23, 0, -1, -24, -25, -48], of: "coins")
        let found = try together(night, sold, in: history(days: 7, lost: 1))
        #expect(found.map(\.hours) == [23..<25])
        #expect((found[0].since, found[0].date) == (date.advanced(by: -2), date))
        let concerned = (0..<24).filter {
            found[0].mayConcern(nil, paidAt: zone.start(of: date) + .hours(Int64($0)), in: zone)
        }
        #expect(concerned == [0, 1, 22, 23])
    }

    /// Three weeks ago, 9 of 70 lacked their goods at 23:00. Since then so many of ten of a date did, but on the last three dates three.
    @Test(arguments: [(0, true), (1, false)])
    func whatWasReleasedIsNewAfterItHasStopped(lost: Int, isHeld: Bool) throws {
        let sold = (0..<18).map { day in
            Sold(date.advanced(by: -day), 23, "coins", lost: day < 3 ? 3 : lost, of: 10)
        }
        let others = (0..<7).flatMap { day in
            (0..<23).map { Sold(date.advanced(by: -day), $0, "coins", lost: 0, of: 10) }
        }
        let night = unserved([23, 23, 23, -1, -1, -1, -25, -25, -25], of: "coins")
        let (before, released) = (history(days: 7, lost: 1), date.advanced(by: -18))
        var head = HistoryHead()
        head.releasedFindings = [
            GuardFinding(
                kind: .lostTogether, feed: .credits, date: released, count: 9, total: 70, detail: .hours(23..<24),
                since: released.advanced(by: -2))
        ]
        let found = try together(night, sold + others, head, in: before)
        #expect(found.map(\.detail) == (isHeld ? [.hours(23..<24)] : []))
        #expect(found.allSatisfy { $0.since == date.advanced(by: -2) && $0.count == 9 })
        head.releasedFindings[0].detail = .product("coins")
        #expect(try together(night, sold + others, head, in: before).map(\.detail) == [.hours(23..<24)])
    }

    /// A person released the end of a date. An hour before it lacks its goods, too.
    @Test(arguments: [(14, true), (22, false)])
    func theEndOfADateSaysNothingOfItsOtherHours(hour: Int64, isHeld: Bool) throws {
        let (feed, delivered, before) = credits(end: 21, usual: 24, days: 7)
        var head = before
        head.lastRun = RunRecord(
            id: 1, businessDate: date, asOf: ScenarioWorld.horizon.instant, horizon: ScenarioWorld.horizon.instant,
            policy: "", version: "")
        let night = unserved([22, 22, 23] + Array(repeating: hour, count: 9))
        let found = try findings(night, delivered, head: head, feeds: [feed], in: history(days: 7, lost: 1))
        #expect(found.map(\.kind) == (isHeld ? [.lostTogether, .endsEarly] : [.endsEarly]))
        head.releasedFindings = found.filter { $0.kind == .endsEarly }
        let left = try findings(night, delivered, head: head, feeds: [feed], in: history(days: 7, lost: 1))
        #expect(left.map(\.hours) == (isHeld ? [14..<15] : []))
    }

    /// Ledgers of all versions have findings in this form.
    @Test(
        arguments: [
            (#""kind":"lost_together","ends":["07:00","09:00"]"#, .hours(7..<9)),
            (#""kind":"lost_together","ends":["20:00","24:00"]"#, .hours(20..<24)),
            (#""kind":"lost_together","ends":["23:00","01:00"]"#, .hours(23..<25)),
            (#""kind":"lost_together","product":"pack""#, .product("pack")), (#""kind":"lost_together""#, .ends),
            (#""kind":"ends_early","ends":["20:22","12-01 00:30"]"#, .silence(1222..<1470)),
            (#""kind":"ends_early","ends":["11-29 23:30","20:00"]"#, .silence(-30..<1200)),
            (#""kind":"clock","halfHours":-16"#, .shift(ClockShift(halfHours: -16))), (#""kind":"rows""#, nil),
        ] as [(String, GuardFinding.Detail?)])
    func findingsAreStoredAsBefore(members: String, detail: GuardFinding.Detail?) throws {
        let text = #"{\#(members),"feed":"credits","date":"2025-11-30","count":2,"total":9,"usual":[1,1]}"#
        let finding = try JSONDecoder().decode(GuardFinding.self, from: Data(text.utf8))
        #expect(finding.detail == detail)
        let stored = try JSONSerialization.jsonObject(with: JSONEncoder().encode(finding)) as? NSDictionary
        #expect(try stored == JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }
}
