import Domain
import Testing

@testable import Engine
@testable import Reference

private let date = ScenarioWorld.date

/// Which figures of tonight's input hold the night. See docs/spec/rules.md#guard.
@Suite struct InputGuardTests {
    private func findings(
        _ findings: Engine.Findings = Findings(), _ delivered: Delivered = Delivered(),
        head: HistoryHead = HistoryHead(),
        feeds: [ExpectedFeed] = [], in history: MemoryHistory = MemoryHistory(), loaded: Set<CaseID> = [],
        known: [ExceptionRecord] = [], unknownRun: RunID? = nil, lostHandOuts: Int = 0, on night: BusinessDate = date
    ) throws -> [GuardFinding] {
        var settings = NightSettings(policy: ScenarioWorld.policy, feeds: feeds)
        settings.unknownRun = unknownRun.map { (date, $0) }
        if lostHandOuts > 0 { settings.lostHandOuts = (date, lostHandOuts, 9) }
        return try InputGuard(settings: settings, history: history, head: head, known: known).findings(
            findings, loaded: loaded, deliveries: delivered.deliveries, arrivals: delivered.arrivals, on: night
        ).findings
    }

    private func counts(_ counts: DateCounts) -> Engine.Findings {
        var found = Findings()
        found.dates[date] = counts
        return found
    }

    @Test(arguments: [
        (10, 20, false),  // half
        (11, 20, true),
        (11, 19, false),  // too few purchases
        (40, 100, false),
    ])
    func aDateIsHeldWhereMoreThanHalfOfItsPurchasesHaveNoCredit(uncredited: Int, proven: Int, isHeld: Bool) throws {
        let found = try findings(counts(DateCounts(uncredited: uncredited, proven: proven)))
        let expected = GuardFinding(kind: .uncredited, feed: .credits, date: date, count: uncredited, total: proven)
        #expect(found == (isHeld ? [expected] : []))
    }

    /// Each of the days before had 100 purchases.
    @Test(arguments: [
        (37, 91, 2, 3, true),  // half of the credits are missing
        (10, 99, 2, 7, true),
        (9, 50, 0, 7, false),  // lost orders of an ordinary day
        (10, 100, 0, 7, false),  // a tenth
        (40, 100, 8, 7, false),  // five times the usual share
        (41, 100, 8, 7, true),
        (37, 91, 2, 2, false),  // too few days
    ])
    func aDateIsHeldWhereFarMoreThanUsualHaveNoCredit(
        uncredited: Int, proven: Int, usuallyLost: Int, days: Int, isHeld: Bool
    ) throws {
        let history = history(days: days, lost: usuallyLost)
        let found = try findings(counts(DateCounts(uncredited: uncredited, proven: proven)), in: history)
        #expect(found.map(\.kind) == (isHeld ? [.uncredited] : []))
    }

    /// So many days of 100 purchases each, before today.
    private func history(days: Int, lost: Int) -> MemoryHistory {
        let history = MemoryHistory()
        for day in 0..<days {
            for (fulfilment, count) in [(Fulfilment.later, lost), (.withinHour, 100 - lost), (.waiting, 9)] {
                let outcome = PurchaseOutcome(date.advanced(by: -1 - day), fulfilment)
                for _ in 0..<count { history.knownPurchases.add(outcome, nil) }
            }
        }
        return history
    }

    /// Many refunds or lost orders of one customer do not show that a file is wrong.
    @Test(arguments: [Verdict.refundedNotReversed, .paidNotCredited], [1, 3, 4])
    func onePurchaseOfAnAccountCounts(verdict: Verdict, ofTheLast: Int) throws {
        var night = counts(
            verdict == .paidNotCredited
                ? DateCounts(uncredited: 12, proven: 99) : DateCounts(refundedNotReversed: 12, proven: 99))
        night.observations = (1...12).map { number in
            let subject = SubjectKey(.transaction, Identifier("T\(number)"))
            let judgement = Judgement(
                subject: subject, verdict: verdict, anchor: ScenarioWorld.policy.zone.start(of: date))
            var facts = ExceptionFacts(verdict: verdict, cause: .none, severity: .high, eventAt: judgement.anchor)
            facts.accounts = ["a\(max(number, ofTheLast))"]
            facts.eventAt = judgement.anchor + .days(2)
            var seen = Observation(caseID: 1, judgement: judgement, facts: facts, aliases: [], news: [])
            seen.purchasedAt = judgement.anchor
            return seen
        }
        #expect(try findings(night, in: history(days: 7, lost: 0)).count == (ofTheLast < 4 ? 1 : 0))
    }

    /// Each of the days before had 100 purchases, so many of them with the same verdict.
    @Test(arguments: [
        (10, 99, 2, 7, true),
        (9, 9, 0, 7, false),  // a few
        (10, 100, 0, 7, false),  // a tenth
        (10, 12, 0, 7, true),  // a small shop
        (40, 100, 8, 7, false),  // five times the usual share
        (41, 100, 8, 7, true),
        (90, 100, 60, 3, false),  // the shop is like that
        (50, 100, 0, 2, false),  // half, and the usual share is unknown
        (51, 100, 0, 0, true),
    ])
    func aDateIsHeldWhereFarMoreThanUsualHaveAVerdict(
        count: Int, proven: Int, usually: Int, days: Int, isHeld: Bool
    ) throws {
        let faults: [(Verdict, WritableKeyPath<DateCounts, Int>)] = [
            (.creditedTwice, \.creditedTwice), (.valueMismatch, \.valueMismatch), (.orderMissing, \.orderMissing),
            (.refundedNotReversed, \.refundedNotReversed), (.creditedNotPaid, \.creditedInTest),
            (.creditedToWrongAccount, \.creditedToWrongAccount),
            (.creditedNotPaid, \.creditedNotPaid),
        ]
        for (verdict, fault) in faults {
            var known: [ExceptionRecord] = []
            for day in 0..<days {
                let noon = ScenarioWorld.policy.zone.start(of: date.advanced(by: -1 - day)) + .hours(12)
                for state in [ExceptionState.open, .waived, .resolved] {
                    var record = ExceptionRecord.blank
                    record.facts = ExceptionFacts(verdict: verdict, cause: .none, severity: .high, eventAt: noon)
                    record.state = state
                    known += Array(repeating: record, count: state == .resolved ? 99 : usually / 2)
                }
            }
            // Credits without a payment are not counted as purchases.
            var suspects = DateCounts(proven: verdict == .creditedNotPaid ? proven - count : proven)
            suspects[keyPath: fault] = count
            let history = history(days: days, lost: 0)
            let found = try findings(counts(suspects), in: history, known: known)
            let kind = GuardFinding.Kind(rawValue: verdict.rawValue)
            #expect(found.map(\.kind) == (isHeld ? [kind] : []), "\(verdict)")
            guard isHeld else { continue }
            // In the next night, these are usual. The finding stays while the figures do.
            var head = HistoryHead()
            head.guarded = found
            known += Array(repeating: known.first ?? .blank, count: 1000)
            #expect(try findings(counts(suspects), head: head, in: history, known: known) == found)
            #expect(try findings(counts(DateCounts(proven: proven)), head: head, in: history, known: known) == [])
            head.releasedFindings = found
            #expect(try findings(counts(suspects), head: head, in: history, known: known) == [])
        }
    }

    @Test(arguments: [(4, 16, false), (5, 15, true), (5, 14, false)])
    func aDateIsHeldWhereMoreThanAFifthIsOfAnotherApp(foreign: Int, proven: Int, isHeld: Bool) throws {
        let found = try findings(counts(DateCounts(invalid: foreign, proven: proven, foreign: foreign)))
        #expect(found.map(\.kind) == (isHeld ? [.invalid] : []))
    }

    /// One client can send any number of another app's records; where most are another app's, no client does.
    @Test(arguments: [(10, 36, 1, false), (10, 36, 7, false), (10, 36, 8, true), (18, 36, 1, false), (19, 36, 1, true)])
    func anotherAppsRecordsOfOneAccountCountOnce(foreign: Int, all: Int, accounts: Int, isHeld: Bool) throws {
        var night = counts(DateCounts(invalid: foreign, proven: all - foreign, foreign: foreign))
        // Forged records are not counted.
        night.observations = (1...foreign + 9).map { number in
            let cause: Cause = number > foreign ? .badSignature : .wrongBundle
            let judgement = Judgement(
                subject: SubjectKey(.transaction, Identifier("T\(number)")), verdict: .invalidTransaction, cause: cause,
                anchor: ScenarioWorld.policy.zone.start(of: date))
            var facts = ExceptionFacts(
                verdict: .invalidTransaction, cause: cause, severity: .high, eventAt: judgement.anchor)
            if number < accounts { facts.accounts = ["a\(number)"] }
            return Observation(caseID: 1, judgement: judgement, facts: facts, aliases: [], news: [])
        }
        #expect(try findings(night).map(\.kind) == (isHeld ? [.invalid] : []))
    }

    /// Ten purchases are on record with their credits; tonight eleven others of the same day have none.
    @Test(arguments: [([], true), ([1], false)] as [(Set<CaseID>, Bool)])
    func purchasesOnRecordCountUnlessTonightsCasesContainThem(loaded: Set<CaseID>, isHeld: Bool) throws {
        let shop = SmallShop()
        try shop.night((1...10).map { "O\($0) T\($0); T\($0); C\($0) O\($0) T\($0)" }.joined(separator: "; "))
        let purchasedOn = ScenarioWorld.policy.zone.date(of: evidence("T1").transactions[0].purchasedAt)
        var found = Findings()
        found.dates[purchasedOn] = DateCounts(uncredited: 11, proven: 11)
        let held = try findings(found, in: shop.history, loaded: loaded.isEmpty ? [] : shop.history.all)
        #expect(held.map(\.total) == (isHeld ? [21] : []))
    }

    @Test(arguments: [
        (2, 10, false),  // fewer than three withhold single entries only
        (3, 10, true),
        (3, 600, false),  // half a per cent
        (3, 599, true),
        (20, 1_000_000, true),
    ])
    func aDateIsHeldWhereManyOfItsRowsShareAnID(count: Int, rows: Int, isHeld: Bool) throws {
        var found = Findings()
        found.contradictions[FeedDate(feed: .credits, date: date)] = count
        var delivered = Delivered()
        delivered.deliveries = [Delivery(1, .credits, date, rows: rows)]
        #expect(try findings(found, delivered).map(\.kind) == (isHeld ? [.collisions] : []))
    }

    @Test(arguments: [
        (20, 25, true),
        (20, 26, false),  // less than four fifths
        (19, 19, false),  // too few purchases
    ])
    func aDateIsHeldWhereMostOfItsOrdersAreOffByTheSameTime(count: Int, proven: Int, isHeld: Bool) throws {
        let noon = ScenarioWorld.horizon.instant
        let shift = try #require(ClockShift(of: noon + .hours(8), against: noon))
        var found = counts(DateCounts(proven: proven))
        found.clockShifts[ShiftedDate(feed: .orders, date: date, shift: shift)] = count
        #expect(try findings(found).map(\.halfHours) == (isHeld ? [16] : []))
    }

    @Test func sharedIDsHoldEveryNightUntilAPersonReleasesThem() throws {
        let finding = GuardFinding(kind: .collisions, feed: .credits, date: date, count: 3, total: 10)
        var head = HistoryHead()
        head.guarded = [finding]
        #expect(try findings(head: head) == [finding])
        head.releasedFindings = [finding]
        #expect(try findings(head: head) == [])
    }

    /// Rows of the days before, the last one being today's.
    @Test(arguments: [
        ([100, 120, 90, 33], true),
        ([100, 120, 90, 34], false),
        ([100, 33], false),  // one delivery does not show what is usual
        ([74, 90, 480, 500, 510, 490, 500, 95], false),  // after a promotion
        ([100, 20, 100, 90, 29], true),  // one cut file excuses no other
        ([100, 0], true),
        ([29, 29, 0], false),  // a small feed
        ([20], false),
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
        #expect(try findings(Findings(), delivered, head: head, feeds: [feed]).map(\.kind) == (isHeld ? [.rows] : []))
        var optional = feed
        optional.record.isRequired = false
        #expect(try findings(Findings(), delivered, head: head, feeds: [optional]) == [])
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
        ([29, 29, 29, 0], 100, false),  // a small feed
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

    /// Purchases that count as credited by their orders' status alone, tonight and in the nights before.
    @Test(arguments: [
        (1, [0, 0, 0], true, true), (1, [0, 0], true, false), (9, [0, 1, 0, 0], true, false),
        (0, [0, 0, 0], true, false), (1, [0, 0, 0], false, false),
    ])
    func ordersThatSayCreditedAsNeverBeforeHoldTheNight(
        tonight: Int, before: [Int], areCreditsRequired: Bool, isHeld: Bool
    ) throws {
        let history = MemoryHistory()
        history.nightFlags = before.map { $0 > 0 ? ["status_only": $0] : [:] }
        let feed = ExpectedFeed(
            FeedRecord(name: "c", kind: .credits, isRequired: areCreditsRequired, isDated: true)
        ) { _ in true }
        var night = Findings()
        night.judged = 90
        if tonight > 0 { night.flags = [.statusOnly: tonight] }
        let found = try findings(night, feeds: [feed], in: history)
        let expected = GuardFinding(kind: .statusOnly, feed: .orders, date: date, count: tonight, total: 90)
        #expect(found == (isHeld ? [expected] : []))
        // The rows arrive once, and what is lost stays hidden.
        var head = HistoryHead()
        head.guarded = found
        #expect(try findings(head: head, feeds: [feed], in: history, on: date.advanced(by: 1)) == found)
        head.releasedFindings = found
        #expect(try findings(head: head, feeds: [feed], in: history, on: date.advanced(by: 1)) == [])
    }

    @Test func lostHandOutsHoldTheNightUntilTheyAreBackOrAPersonReleasesIt() throws {
        var head = HistoryHead()
        let found = try findings(head: head, lostHandOuts: 2)
        #expect(found.map(\.kind) == [.handOuts] && found.map(\.count) == [2] && found.map(\.total) == [9])
        head.guarded = found
        #expect(try findings(head: head) == [])
        head.releasedFindings = found
        #expect(try findings(head: head, lostHandOuts: 2) == [])
    }

    @Test func anOlderLedgerHoldsEveryNightUntilAPersonReleasesIt() throws {
        var head = HistoryHead()
        let found = try findings(head: head, unknownRun: 7)
        #expect(found.map(\.kind) == [.olderLedger] && found.map(\.count) == [7])
        head.guarded = found
        #expect(try findings(head: head) == found)
        head.releasedFindings = found
        #expect(try findings(head: head, unknownRun: 7) == [])
    }
}

extension MemoryHistory {
    /// The numbers of all cases.
    fileprivate var all: Set<CaseID> { Set(verdicts.keys) }
}
