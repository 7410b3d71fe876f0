import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reference

private let date = ScenarioWorld.date
private let zone = ScenarioWorld.policy.zone

/// Files of credits that end hours earlier than usual. See docs/spec/rules.md#guard.
extension InputGuardTests {
    /// The hour of the last credit, that of so many dates before, and the hours of purchases that lack goods.
    @Test(
        arguments: [
            (20, 24, 7, [21, 22, 23], true), (20, 24, 7, [21, 22], false),  // so few are chance
            (23, 24, 7, [23, 23, 23], false), (22, 23, 7, [22, 22, 22], false),  // an hour
            (20, 24, 6, [21, 22, 23], false),  // too few dates to know what is usual
            (20, 24, 7, [19, 22, 23], false),  // a credit came later
            (20, 24, 7, [22, 23, 25], false),  // tomorrow's
            (24, 28, 7, [25, 26, 27], false), (20, 28, 7, [21, 22, 23], true),  // the command runs in the night
            (-2, 24, 7, [-1, 1, 2], false), (-2, 24, 7, [1, 2, 3], true),  // the database stands still
            (20, 23, 7, [22, 23, 23], false),  // these are after the usual end
        ] as [(Int64, Int64, Int, [Int64], Bool)])
    func creditsThatEndHoursEarlierThanUsualAreHeld(
        end: Int64, usual: Int64, days: Int, lacking: [Int64], isHeld: Bool
    ) throws {
        let (feed, delivered, before) = credits(end: end, usual: usual, days: days)
        var head = before
        let night = unserved(lacking)
        let found = try findings(night, delivered, head: head, feeds: [feed], in: history(days: days, lost: 0))
        #expect(found.map(\.kind) == (isHeld ? [.endsEarly] : []) && found.allSatisfy { $0.count == 3 })
        guard isHeld else { return }
        // It stays until a person releases it,
        (head.guarded, head.arrivals["c"]) = (found, [date])
        var silent = delivered
        silent.arrivals = []
        #expect(try findings(night, silent, head: head, feeds: [feed]) == found)
        head.releasedFindings = found
        #expect(try findings(night, silent, head: head, feeds: [feed]) == [])
        // or until the whole file comes.
        head.releasedFindings = []
        var whole = delivered
        whole.deliveries.append(try #require(delivered.deliveries.last))
        whole.deliveries[days + 1].totals.lastEvent = zone.start(of: date) + .hours(usual)
        #expect(try findings(night, whole, head: head, feeds: [feed]) == [])
        // A file of the next date may bring the rest. Else it begins with the date.
        for (begin, count) in [(end - 1, 0), (end + 1, 0), (25, 1)] {
            var next = try #require(delivered.deliveries.last)
            next.fileDate = date.advanced(by: 1)
            next.totals.firstEvent = zone.start(of: date) + .hours(begin)
            var later = delivered
            later.deliveries.append(next)
            #expect(try findings(night, later, head: head, feeds: [feed]).count == count)
        }
    }

    @Test func theFindingSaysWhenTheCreditsEnd() throws {
        let (feed, delivered, head) = credits(end: 20, usual: 27, days: 7)
        let found = try findings(unserved([21, 22, 23]), delivered, head: head, feeds: [feed])
        #expect(found.map(\.detail) == [.silence(20 * 60..<27 * 60)])
        #expect(found.map(\.times) == [["20:00", "11-19 03:00"]])
        let stored = try JSONEncoder().encode(found)
        #expect(String(decoding: stored, as: UTF8.self).contains(#""ends":["20:00","11-19 03:00"]"#))
        #expect(try JSONDecoder().decode([GuardFinding].self, from: stored) == found)
    }

    /// Each night is like that of the test above, but for one thing.
    @Test func otherCreditsAreNotHeldForTheirEnd() throws {
        let (feed, delivered, head) = credits(end: 20, usual: 24, days: 7)
        func found(
            _ night: Engine.Findings, _ delivered: Delivered = delivered, head: HistoryHead = head,
            feed: ExpectedFeed = feed
        ) throws -> [GuardFinding.Kind] {
            try findings(night, delivered, head: head, feeds: [feed], in: history(days: 7, lost: 0)).map(\.kind)
        }
        let night = unserved([21, 22, 23])
        #expect(try found(night) == [.endsEarly])
        var other = night
        for index in 0..<3 { other.observations[index].retry?.account = "one customer" }
        #expect(try found(other) == [])
        other = night
        other.observations[0].retry = nil  // no machine gives these goods
        #expect(try found(other) == [])
        other = night
        other.observations[0].cause = .creditedShort  // there is a credit
        #expect(try found(other) == [])
        var optional = feed
        optional.record.isRequired = false
        #expect(try found(night, feed: optional) == [])
        var desk = delivered
        for index in desk.deliveries.indices { desk.deliveries[index].accepted = 30 }
        #expect(try found(night, desk) == [])
        // Two servers have a feed each, or the desk has one: its list may end at any hour.
        for (rows, mainEnd, sideEnd, isHeld) in [
            (40, 20, 24, true), (30, 20, 24, true), (40, 24, 20, true), (30, 24, 20, false),
        ] as [(Int, Int64, Int64, Bool)] {
            var two = delivered
            two.deliveries[7].totals.lastEvent = zone.start(of: date) + .hours(mainEnd)
            for file in delivered.deliveries {
                var other = file
                (other.name, other.accepted) = ("other", rows)
                let isTonights = file.fileDate == date
                other.totals.lastEvent = zone.start(of: file.fileDate) + .hours(isTonights ? sideEnd : 24)
                two.deliveries.append(other)
            }
            let main = ExpectedFeed(feed.record) { $0 != "other" }
            let side = ExpectedFeed(FeedRecord(name: "o", kind: .credits, isRequired: false, isDated: true)) {
                $0 == "other"
            }
            let found = try findings(night, two, head: head, feeds: [main, side], in: history(days: 7, lost: 0))
            #expect(found.map(\.path) == (isHeld ? [mainEnd < sideEnd ? "c" : "o"] : []), "\(rows) \(sideEnd)")
        }
        // What a person has released, or must look at anyway, is said once.
        var released = head
        released.releasedFindings = [
            GuardFinding(kind: .newRows, feed: .credits, path: "c", date: date, count: 1, total: 2)
        ]
        #expect(try found(night, head: released) == [])
        other.observations = night.observations
        other.dates[date] = DateCounts(uncredited: 60, proven: 100)
        #expect(try found(other) == [.uncredited])
    }

    /// A quarter of an hour is enough where six customers lack their goods.
    @Test(arguments: [(40, 6, true), (40, 5, false), (50, 6, false)])
    func whatManyCustomersLackEndsEarlyBefore(minute: Int64, customers: Int, isHeld: Bool) throws {
        let (feed, files, head) = credits(end: 23, usual: 24, days: 7)
        var (delivered, night) = (files, unserved(Array(repeating: 23, count: customers)))
        delivered.deliveries[7].totals.lastEvent = zone.start(of: date) + .hours(23) + .minutes(minute)
        for index in night.observations.indices {
            night.observations[index].purchasedAt = zone.start(of: date) + .hours(23) + .minutes(55)
        }
        let found = try findings(night, delivered, head: head, feeds: [feed], in: history(days: 7, lost: 0))
        #expect(found.contains { $0.kind == .endsEarly } == isHeld)
    }

    /// The purchases of the evening waited, or too few of them lacked goods then.
    @Test func theDateBeforeIsLookedAtAgain() throws {
        let (feed, files, before) = credits(end: 20, usual: 24, days: 7)
        var (delivered, head) = (files, before)
        let tomorrow = date.advanced(by: 1)
        head.arrivals["c"]?.insert(date)
        var file = Delivery(9, .credits, tomorrow, rows: 100)
        (file.accepted, file.totals.lastEvent) = (100, zone.end(of: tomorrow))
        delivered.deliveries.append(file)
        delivered.arrivals = [Arrival(feed: "c", date: tomorrow, file: "")]
        let found = try findings(unserved([21, 22, 23]), delivered, head: head, feeds: [feed], on: tomorrow)
        #expect(found.map(\.date) == [date])
    }

    /// A day of 25 hours. The credits end an hour and a half earlier than usual, by the clock.
    @Test func theHoursAreThoseOfTheClock() throws {
        var policy = ScenarioWorld.policy
        policy.zone = Zone("America/New_York")!
        let day = BusinessDate("2025-11-02")!
        func at(_ date: BusinessDate, _ halfHours: Int64) -> Instant {
            policy.zone.instant(local: Int64(date.day) * 86_400_000 + halfHours * 1_800_000)
        }
        let (feed, files, _) = credits(end: 20, usual: 24, days: 7)
        var (delivered, night) = (files, unserved([21, 22, 23]))
        for index in 0...7 {
            let date = day.advanced(by: index - 7)
            delivered.deliveries[index].fileDate = date
            delivered.deliveries[index].totals.lastEvent = at(date, date == day ? 43 : 46)
        }
        for (index, time) in ([44, 44, 45] as [Int64]).enumerated() {
            night.observations[index].purchasedAt = at(day, time)
        }
        let inputGuard = InputGuard(
            settings: NightSettings(policy: policy, feeds: [feed]), history: MemoryHistory(), head: HistoryHead(),
            demands: night.observations.demands)
        let found = try inputGuard.findings(
            night, loaded: [], deliveries: delivered.deliveries,
            arrivals: [Arrival(feed: "c", date: day, file: "")], on: day)
        #expect(found.findings.map(\.times) == [["21:30", "23:00"]])
    }

    /// The database stood still on the date, of which so many of usually 100 rows came. The next file has so many new rows, begins so
    /// many hours after the date's begin, and repeats so many.
    @Test(
        arguments: [
            (9, 191, -30, 100, false), (9, 191, 25, 100, true),  // it begins later
            (9, 140, -30, 100, true), (9, 191, -30, 5, true),  // it does not have all
            (0, 200, -30, 1, false), (0, 200, -30, 0, true),
        ] as [(Int, Int, Int64, Int, Bool)])
    func rowsThatALaterFileBringsAreNotMissed(
        new: Int, next: Int, begin: Int64, repeated: Int, isHeld: Bool
    ) throws {
        let (feed, files, before) = credits(end: 24, usual: 24, days: 7)
        var (delivered, head) = (files, before)
        delivered.deliveries[7].accepted = new
        delivered.deliveries[7].totals.rows = 200
        head.guarded = try findings(Findings(), delivered, head: head, feeds: [feed])
        #expect(head.guarded.map(\.kind) == [.newRows])
        let tomorrow = date.advanced(by: 1)
        head.arrivals["c"]?.insert(date)
        var file = Delivery(9, .credits, tomorrow, rows: next + repeated)
        (file.accepted, file.duplicates) = (next, repeated)
        file.totals.firstEvent = zone.start(of: date) + .hours(begin)
        delivered.deliveries.append(file)
        delivered.arrivals = [Arrival(feed: "c", date: tomorrow, file: "")]
        let found = try findings(Findings(), delivered, head: head, feeds: [feed], on: tomorrow)
        #expect(found.map(\.date) == (isHeld ? [date] : []))
    }

    /// Purchases that lack their goods, by the hour of the date; each date has credits from 2:00 to 22:00. So many of a hundred lost
    /// orders are usual.
    @Test(
        arguments: [
            ([23, -1, -25], 1, true), ([1, -23, -47], 1, true), ([23, -1, -25, -49], 8, false), ([23, -1], 1, false),
            ([21, -3, -27], 1, false), ([23, -1, -23], 1, false),  // one of them is at the other end
            ([23, 23, 23, -1], 1, false), ([23, -1, -25, -49, -73], 8, true),
        ] as [([Int64], Int, Bool)])
    func whatIsPaidAtTheEndsOfEachDateIsHeld(lost: [Int64], usual: Int, isHeld: Bool) throws {
        var (feed, delivered, head) = credits(end: 22, usual: 22, days: 7)
        for index in delivered.deliveries.indices {
            let day = delivered.deliveries[index].fileDate
            delivered.deliveries[index].totals.firstEvent = zone.start(of: day) + .hours(2)
        }
        let (night, before) = (unserved(lost), history(days: 7, lost: usual))
        let found = try findings(night, delivered, head: head, feeds: [feed], in: before)
        #expect(found.map(\.detail) == (isHeld ? [.ends] : []))
        guard isHeld else { return }
        #expect((found[0].count, found[0].total, found[0].date) == (lost.count, 7, date))
        #expect(found[0].since == date.advanced(by: 1 - lost.count))
        #expect(found[0].mayConcern("coins", paidAt: zone.start(of: date), in: zone))
        // One customer's purchases are lost orders.
        for others in [[], [12]] as [[Int64]] {
            var one = unserved(lost + others)
            for index in lost.indices { one.observations[index].retry?.account = "a\(min(index, 1))" }
            #expect(try findings(one, delivered, head: head, feeds: [feed], in: before) == [])
        }
        // The desk's list may begin and end at any hour.
        let list = ExpectedFeed(FeedRecord(name: "c", kind: .credits, isRequired: false, isDated: true)) { _ in true }
        #expect(try findings(night, delivered, head: head, feeds: [list], in: before) == [])
        // Released, it is accepted for four weeks.
        head.releasedFindings = found
        #expect(try findings(night, delivered, head: head, feeds: [feed], in: before) == [])
        head.releasedFindings[0].date = date.advanced(by: -1)
        #expect(try findings(night, delivered, head: head, feeds: [feed], in: before) == [])
        head.releasedFindings[0].date = date.advanced(by: -28)
        #expect(try findings(night, delivered, head: head, feeds: [feed], in: before) == found)
    }

    /// A required feed of a hundred credits a day. The last one is so many hours after the date's begin.
    func credits(end: Int64, usual: Int64, days: Int) -> (ExpectedFeed, Delivered, HistoryHead) {
        let feed = ExpectedFeed(FeedRecord(name: "c", kind: .credits, isRequired: true, isDated: true)) { _ in true }
        var (delivered, head) = (Delivered(), HistoryHead())
        for index in 0...days {
            let day = date.advanced(by: index - days)
            var file = Delivery(DeliveryID(Int32(index) + 1), .credits, day, rows: 100)
            (file.accepted, file.totals.lastEvent) = (100, zone.start(of: day) + .hours(day == date ? end : usual))
            delivered.deliveries.append(file)
            if day != date { head.arrivals["c", default: []].insert(day) }
        }
        delivered.arrivals = [Arrival(feed: "c", date: date, file: "")]
        return (feed, delivered, head)
    }

    /// Purchases of several customers at these hours of the date, whose goods a machine would give.
    func unserved(_ hours: [Int64]) -> Engine.Findings {
        var night = Findings()
        night.observations = hours.enumerated().map { number, hour in
            let at = zone.start(of: date) + .hours(hour)
            let subject = SubjectKey(.transaction, Identifier("T\(number)"))
            let judgement = Judgement(subject: subject, verdict: .paidNotCredited, anchor: at)
            var seen = Observation(caseID: 1, judgement: judgement, facts: nil, aliases: [], news: [])
            seen.purchasedAt = at
            seen.retry = RetryFacts(action: .credit, environment: "", verdict: .paidNotCredited, cause: .noReceipt)
            seen.retry?.account = "a\(number)"
            return seen
        }
        return night
    }
}
