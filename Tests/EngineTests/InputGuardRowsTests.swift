import Domain
import Testing

@testable import Engine
@testable import Reference

private let date = ScenarioWorld.date

/// Rows of required feeds beside those of earlier deliveries.
extension InputGuardTests {
    /// Rows of the days before, the last one being today's.
    @Test(arguments: [
        ([100, 120, 90, 33], true),
        ([100, 120, 90, 34], false),
        ([100, 33], false),  // one delivery does not show what is usual
        ([74, 90, 480, 500, 510, 490, 500, 95], false),  // after a promotion
        ([100, 20, 100, 90, 29], true),  // one cut file excuses no other
        ([51, 51, 34, 17, 17, 51, 51, 8], false),  // chance, after days of rest
        ([51, 51, 34, 17, 17, 51, 51, 4], true), ([51, 51, 34, 9, 9, 51, 51, 0], true),
        ([100, 0], true),
        ([9, 9, 0], false), ([10, 10, 1], false),  // a small feed
        ([10, 10, 0], true), ([10, 0, 10, 0], false), ([20], false),
    ])
    func aRequiredFeedIsHeldWhereItHasFarFewerRowsThanUsual(rows: [Int], isHeld: Bool) throws {
        let record = FeedRecord(name: "credits", kind: .credits, isRequired: true, isDated: true)
        let feed = ExpectedFeed(record) { _ in true }
        var (delivered, head) = (Delivered(), HistoryHead())
        for (index, count) in rows.enumerated() {
            let day = date.advanced(by: index + 1 - rows.count)
            delivered.deliveries.append(Delivery(DeliveryID(Int32(index) + 1), .credits, day, rows: count))
            if day != date { head.arrivals["credits", default: []].insert(day) }
        }
        delivered.arrivals = [Arrival(feed: "credits", date: date, file: "")]
        let found = try findings(Findings(), delivered, head: head, feeds: [feed])
        #expect(found.map(\.kind) == (isHeld ? [.rows] : []) && found.allSatisfy { $0.count == rows.last })
        var optional = feed
        optional.record.isRequired = false
        #expect(try findings(Findings(), delivered, head: head, feeds: [optional]) == [])
        // The finding stays until the missing rows arrive.
        (head.guarded, delivered.arrivals) = (found, [])
        head.arrivals["credits", default: []].insert(date)
        #expect(try findings(Findings(), delivered, head: head, feeds: [feed]) == found)
    }

    /// Rows of the days before, the last one being today's, and how many of today's purchases have no credit.
    @Test(arguments: [
        ([2, 1, 3, 0], 1, 2, true),
        ([2, 1, 3, 0], 0, 2, false),  // nothing is missed
        ([2, 1, 3, 0], 1, 3, false),  // other rows have the rest
        ([2, 0, 3, 0], 1, 2, false),  // a shop with days without sales
        ([2, 0], 1, 2, false),  // one day does not show it
        ([2, 1, 3, 1], 1, 2, false), ([29, 29, 0], 1, 1, true),
    ])
    func aSmallFeedThatAlwaysHasRowsIsHeldWhereItHasNone(
        rows: [Int], uncredited: Int, proven: Int, isHeld: Bool
    ) throws {
        let feed = ExpectedFeed(FeedRecord(name: "c", kind: .credits, isRequired: true, isDated: true)) { _ in true }
        var (delivered, head) = (Delivered(), HistoryHead())
        for (index, count) in rows.enumerated() {
            let day = date.advanced(by: index + 1 - rows.count)
            delivered.deliveries.append(Delivery(DeliveryID(Int32(index) + 1), .credits, day, rows: count))
            if day != date { head.arrivals["c", default: []].insert(day) }
        }
        delivered.arrivals = [Arrival(feed: "c", date: date, file: "")]
        let night = counts(DateCounts(uncredited: uncredited, proven: proven))
        let found = try findings(night, delivered, head: head, feeds: [feed])
        #expect(found.map(\.kind) == (isHeld ? [.rows] : []))
        (head.guarded, delivered.arrivals) = (found, [])
        head.arrivals["c"]?.insert(date)
        #expect(try findings(night, delivered, head: head, feeds: [feed]) == found)
    }

    /// New rows of one server's file on the days before, the last one being today's. Another server's file has a thousand.
    @Test(arguments: [
        ([50, 48, 52, 0], true), ([10, 10, 12, 0], true),
        ([9, 9, 12, 0], false), ([50, 48, 52, 1], false),  // chance
        ([50, 0, 52, 0], false),  // a server with quiet days
        ([50, 52, 0], false),  // two days do not show what is usual
    ])
    func oneOfSeveralFilesIsHeldWhereItBringsNothingNew(new: [Int], isHeld: Bool) throws {
        let record = FeedRecord(name: "c", kind: .credits, isRequired: true, isDated: true)
        let feed = ExpectedFeed(record, part: { $0.replacing($1.text, with: "{date}") }) { _ in true }
        var (delivered, head) = (Delivered(), HistoryHead())
        for (index, count) in new.enumerated() {
            let day = date.advanced(by: index + 1 - new.count)
            for (server, count) in [("s1", 1000), ("s2", count)] {
                let number = DeliveryID(Int32(delivered.deliveries.count) + 1)
                var file = Delivery(number, .credits, day, rows: max(count, 50))
                (file.name, file.accepted) = ("c-\(day.text)-\(server).csv", count)
                delivered.deliveries.append(file)
            }
            if day != date { head.arrivals["c", default: []].insert(day) }
        }
        delivered.arrivals = [Arrival(feed: "c", date: date, file: "")]
        let found = try findings(Findings(), delivered, head: head, feeds: [feed])
        #expect(found.map(\.kind) == (isHeld ? [.parts] : []))
        #expect(found.allSatisfy { $0.count == 1 && $0.total == 2 })
        // It stays until the rows come, or a person releases it.
        (head.guarded, delivered.arrivals) = (found, [])
        head.arrivals["c"]?.insert(date)
        #expect(try findings(Findings(), delivered, head: head, feeds: [feed]) == found)
    }

    /// New rows of transactions of the days before, the last one being today's, and those of orders today, which are
    /// usually a hundred. Every file has a hundred rows.
    @Test(arguments: [
        ([100, 96, 104, 52], 100, true),  // a half
        ([100, 96, 104, 0], 100, true),  // a copy of another date's file
        ([100, 96, 104, 74], 100, false),  // by chance
        ([400, 400, 400, 310], 100, false),  // more than three quarters
        ([400, 400, 400, 290], 100, true),
        ([100, 96, 104, 52], 60, false),  // a quiet day
        ([96, 104, 52], 100, false),  // two days do not show what is usual
        ([9, 9, 9, 0], 100, false), ([10, 10, 10, 1], 100, false),  // a small feed
        ([10, 10, 10, 0], 100, true),
    ])
    func aRequiredFeedIsHeldWhereItBringsFarFewerNewRowsThanAnother(new: [Int], orders: Int, isHeld: Bool) throws {
        var (feeds, delivered, head) = overlapping(new, orders: orders)
        let found = try findings(Findings(), delivered, head: head, feeds: feeds)
        #expect(found.map(\.kind) == (isHeld ? [.newRows] : []) && found.allSatisfy { $0.feed == .transactions })
        // The next night looks again, although nothing came.
        head.guarded = found
        for feed in feeds { head.arrivals[feed.record.name]?.insert(date) }
        delivered.arrivals = []
        #expect(try findings(Findings(), delivered, head: head, feeds: feeds) == found)
    }

    /// The file of the date before, or of two dates before, was made so many hours after that date's begin; the others 27 hours.
    @Test(arguments: [
        ([100, 96, 104, 200, 0], 51, false),  // a night was missed, and one file has both dates' rows
        ([100, 96, 104, 185, 15], 42, false),  // it was made up for in the evening
        ([100, 96, 104, 300, 0, 0], 75, false),  // two nights
        ([100, 96, 104, 110, 0], 51, true),  // and the database stands still since
        ([100, 96, 104, 200, 0], 27, true),  // a promotion, then another date's file
        ([100, 96, 104, 200, 0, 0], 51, true),  // it has the rows of one of them
    ])
    func rowsInALateFileOfADateBeforeAreNotMissed(new: [Int], hours: Int64, isHeld: Bool) throws {
        let (feeds, files, head) = overlapping(new, orders: 100)
        var delivered = files
        for index in files.deliveries.indices {
            let file = files.deliveries[index]
            let hours = file.accepted > 104 ? hours : 27
            delivered.deliveries[index].totals.lastEvent =
                ScenarioWorld.policy.zone.start(of: file.fileDate) + .hours(hours)
        }
        let found = try findings(Findings(), delivered, head: head, feeds: feeds)
        #expect(found.map(\.kind) == (isHeld ? [.newRows] : []))
    }

    /// Files of a hundred rows: of transactions with so many new ones a day, and of orders with a hundred and, today, `orders`.
    private func overlapping(_ new: [Int], orders: Int) -> ([ExpectedFeed], Delivered, HistoryHead) {
        let feeds = [FeedKind.transactions, .orders].map { kind in
            ExpectedFeed(FeedRecord(name: kind.rawValue, kind: kind, isRequired: true, isDated: true)) {
                $0 == kind.rawValue
            }
        }
        var (delivered, head) = (Delivered(), HistoryHead())
        for (index, count) in new.enumerated() {
            let day = date.advanced(by: index + 1 - new.count)
            for (feed, accepted) in zip(feeds, [count, day == date ? orders : 100]) {
                let number = DeliveryID(Int32(delivered.deliveries.count) + 1)
                var delivery = Delivery(number, feed.record.kind, day, rows: max(100, count))
                delivery.name = feed.record.name
                delivery.accepted = accepted
                delivered.deliveries.append(delivery)
                if day != date { head.arrivals[feed.record.name, default: []].insert(day) }
            }
        }
        delivered.arrivals = feeds.map { Arrival(feed: $0.record.name, date: date, file: "") }
        return (feeds, delivered, head)
    }

    /// Overlapping exports of a database that stands still: as many rows as usual, and hardly a new one in any feed.
    @Test(arguments: [([100, 96, 104, 0], 0, true), ([100, 96, 104, 33], 30, true), ([100, 96, 104, 40], 40, false)])
    func aNightThatBringsHardlyAnythingNewIsHeld(new: [Int], orders: Int, isHeld: Bool) throws {
        let (feeds, delivered, head) = overlapping(new, orders: orders)
        let found = try findings(Findings(), delivered, head: head, feeds: feeds)
        #expect(Set(found.map(\.kind)) == (isHeld ? [.newRows] : []) && found.count == (isHeld ? 2 : 0))
    }

    /// Apple's records came. Each of the days before had 100 purchases.
    @Test(arguments: [(3, 0, true, true), (3, 1, true, false), (2, 0, true, false), (3, 0, false, false)])
    func aNightWithoutAPurchaseOfItsDateIsHeld(days: Int, proven: Int, isDelivered: Bool, isHeld: Bool) throws {
        let record = FeedRecord(name: "apple", kind: .transactions, isRequired: true, isDated: true)
        var delivered = Delivered()
        if isDelivered { delivered.arrivals = [Arrival(feed: "apple", date: date, file: "")] }
        let found = try findings(
            counts(DateCounts(proven: proven)), delivered, feeds: [ExpectedFeed(record) { _ in true }],
            in: history(days: days, lost: 0))
        #expect(found.map(\.kind) == (isHeld ? [.noPurchases] : []) && found.allSatisfy { $0.usual == [109, 109] })
        // The next night looks again at that date.
        var head = HistoryHead()
        head.guarded = found
        head.arrivals["apple"] = [date]
        let (next, feed) = (date.advanced(by: 1), ExpectedFeed(record) { _ in true })
        for (later, expected) in [(Findings(), found), (counts(DateCounts(proven: 1)), [])] {
            #expect(
                try findings(later, head: head, feeds: [feed], in: history(days: days, lost: 0), on: next) == expected)
        }
    }

    /// Files of the days before, the last one being today's: an export in parts lacks one.
    @Test(
        arguments: [
            ([3, 3, 2], [3, 3]), ([3, 3, 3], nil), ([3, 2], nil),  // one day does not show what is usual
            ([3, 4, 2], nil),  // no fixed number
        ] as [([Int], [Int]?)])
    func aRequiredFeedIsHeldWhereAPartIsMissing(files: [Int], usual: [Int]?) throws {
        let feed = ExpectedFeed(FeedRecord(name: "credits", kind: .credits, isRequired: true, isDated: true)) { _ in
            true
        }
        var (delivered, head) = (Delivered(), HistoryHead())
        for (index, count) in files.enumerated() {
            let day = date.advanced(by: index + 1 - files.count)
            // The first file comes twice, corrected.
            for part in [1] + Array(1...count) {
                let number = DeliveryID(Int32(delivered.deliveries.count) + 1)
                var delivery = Delivery(number, .credits, day, rows: 5)
                delivery.name = "credits-\(day)-\(part)"
                delivered.deliveries.append(delivery)
            }
            if day != date { head.arrivals["credits", default: []].insert(day) }
        }
        delivered.arrivals = [Arrival(feed: "credits", date: date, file: "")]
        let found = try findings(Findings(), delivered, head: head, feeds: [feed])
        #expect(found.map(\.kind) == (usual == nil ? [] : [.parts]) && found.first?.usual == usual)
        head.guarded = found
        head.arrivals["credits"]?.insert(date)
        delivered.arrivals = []
        #expect(try findings(Findings(), delivered, head: head, feeds: [feed]) == found)
    }

    /// Of a hundred usual rows, fewer come again than a person accepted, or about as many.
    @Test(arguments: [
        (40, 30, 7, false, false), (40, 27, 7, false, false), (40, 26, 7, false, true), (30, 30, 92, false, true),
        (9, 9, 7, false, true),  // next to nothing: a database that stands still
        (40, 30, 7, true, true),  // another feed is complete
    ])
    func aQuietDayThatAPersonAcceptedIsNotHeldAgain(
        accepted: Int, rows: Int, daysAgo: Int, isOtherComplete: Bool, isHeld: Bool
    ) throws {
        for kind in [GuardFinding.Kind.rows, .newRows] {
            let orders = isOtherComplete ? 100 : rows
            let (feeds, files, arrivals) = overlapping([100, 96, 104, 100, 96, 104, rows], orders: orders)
            var (delivered, head) = (files, arrivals)
            if kind == .rows {
                for index in delivered.deliveries.indices {
                    delivered.deliveries[index].totals.rows = delivered.deliveries[index].accepted
                }
            }
            for feed in [FeedKind.transactions, .orders] {
                var finding = GuardFinding(
                    kind: kind, feed: feed, date: date.advanced(by: -daysAgo), count: accepted, total: 100)
                finding.path = feed.rawValue
                head.releasedFindings.append(finding)
            }
            let found = try findings(Findings(), delivered, head: head, feeds: feeds)
            #expect(found.contains { $0.feed == .transactions } == isHeld, "\(kind): \(found)")
        }
    }

    /// A file without a date in its name, with 72 rows in the delivery before. Its first and last row are so many hours later
    /// than those of that delivery.
    @Test(
        arguments: [
            (70, 70, 0, 0, true), (71, 71, 0, 9, true), (72, 72, 0, 9, false), (0, 0, nil, nil, true),
            (60, 50, 5, 9, false),  // what is old fell out
            (60, 50, 5, -1, true),  // and the end is missing
            (60, 5, 5, 9, false), (60, 5, 0, 9, true),
        ] as [(Int, Int, Int64?, Int64?, Bool)])
    func aFileThatRepeatsItsRowsMayNotShrink(rows: Int, known: Int, first: Int64?, last: Int64?, isHeld: Bool) throws {
        let feed = ExpectedFeed(FeedRecord(name: "t", kind: .transactions, isRequired: true, isDated: false)) { _ in
            true
        }
        let start = ScenarioWorld.policy.zone.start(of: date)
        func file(_ rows: Int, _ known: Int, _ first: Int64?, _ last: Int64?, on date: BusinessDate) -> Delivery {
            var file = Delivery(1, .transactions, date, rows: rows)
            (file.name, file.duplicates) = ("t", known)
            (file.totals.firstEvent, file.totals.lastEvent) = (
                first.map { start + .hours($0) }, last.map { start + .hours(24 + $0) }
            )
            return file
        }
        let history = MemoryHistory()
        history.deliveries = [file(72, 60, 0, 0, on: date.advanced(by: -1))]
        var delivered = Delivered()
        delivered.deliveries = [file(rows, known, first, last, on: date)]
        let found = try findings(Findings(), delivered, feeds: [feed], in: history)
        let expected = GuardFinding(
            kind: .rows, feed: .transactions, path: "t", date: date, count: rows, total: 72, usual: [72, 72])
        #expect(found == (isHeld ? [expected] : []))
        guard isHeld else { return }
        // It stays until the file has as many rows as before: more than the cut one is not enough.
        var head = HistoryHead()
        (head.guarded, history.deliveries) = (found, history.deliveries + delivered.deliveries)
        let next = date.advanced(by: 1)
        #expect(try findings(head: head, feeds: [feed], in: history, on: next) == found)
        for (rows, isHeld) in [(71, true), (80, false)] {
            delivered.deliveries = [file(rows, 60, 0, 9, on: next)]
            let later = try findings(Findings(), delivered, head: head, feeds: [feed], in: history, on: next)
            #expect(later.map(\.total) == (isHeld ? [72] : []))
        }
    }

    /// There are some at every midnight.
    @Test(arguments: [(1, 1, false), (2, 1, true)])
    func ordersWhoseCreditMayComeTomorrowHoldNoNight(tonight: Int, awaited: Int, isHeld: Bool) throws {
        let history = MemoryHistory()
        history.nightMarks = Array(repeating: NightMarks(flags: [:], guarded: []), count: 3)
        let feed = ExpectedFeed(FeedRecord(name: "c", kind: .credits, isRequired: true, isDated: true)) { _ in true }
        var night = Findings()
        (night.flags, night.statusOnlyAwaited) = ([.statusOnly: tonight], awaited)
        #expect(try findings(night, feeds: [feed], in: history).map(\.count) == (isHeld ? [1] : []))
    }

    /// Apple's records of a date that end at this hour, where those of the dates before ended at 22 h, and so many of usually 100
    /// are new.
    @Test(arguments: [(18, 60, 7, true), (19, 60, 7, false), (18, 90, 7, false), (18, 60, 6, false)])
    func exportsThatWereMadeTooEarlyAreHeld(hour: Int64, new: Int, days: Int, isHeld: Bool) throws {
        let (feeds, files, head) = overlapping(Array(repeating: 100, count: days) + [new], orders: new)
        var delivered = files
        for index in files.deliveries.indices {
            let day = files.deliveries[index].fileDate
            let end = ScenarioWorld.policy.zone.start(of: day) + .hours(day == date ? hour : 22)
            delivered.deliveries[index].totals.lastEvent = end
        }
        let found = try findings(Findings(), delivered, head: head, feeds: feeds)
        #expect(found.map(\.kind) == (isHeld ? [.newRows] : []))
    }
}
