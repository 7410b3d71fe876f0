import Domain
import Testing

@testable import Engine
@testable import Reference

private let date = ScenarioWorld.date

/// Which figures of tonight's input hold the night. See docs/spec/rules.md#guard.
@Suite struct InputGuardTests {
    func findings(
        _ findings: Engine.Findings = Findings(), _ delivered: Delivered = Delivered(),
        head: HistoryHead = HistoryHead(), feeds: [ExpectedFeed] = [], in history: MemoryHistory = MemoryHistory(),
        loaded: Set<CaseID> = [], known: [ExceptionRecord] = [], unknownRun: RunID? = nil, lostHandOuts: Int = 0,
        statusOnlyChange: Int = 0, on night: BusinessDate = date, from first: BusinessDate? = nil
    ) throws -> [GuardFinding] {
        var settings = NightSettings(policy: ScenarioWorld.policy, feeds: feeds)
        settings.policy.historyFrom = first
        settings.unknownRun = unknownRun.map { (date, $0) }
        if lostHandOuts > 0 { settings.lostHandOuts = (date, lostHandOuts, 9) }
        let inputGuard = InputGuard(
            settings: settings, history: history, head: head, demands: findings.observations.demands,
            purchases: findings.purchases, known: known, statusOnlyChange: statusOnlyChange)
        return try inputGuard.findings(
            findings, loaded: loaded, deliveries: delivered.deliveries, arrivals: delivered.arrivals, on: night
        ).findings
    }

    func counts(_ counts: DateCounts) -> Engine.Findings {
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

    /// A small shop. Each of the 7 days before had as many purchases as today, so many of them lost.
    @Test(arguments: [
        (9, 9, 0, true), (5, 9, 0, true), (4, 9, 0, false), (3, 3, 0, true), (2, 2, 0, false),
        (8, 19, 0, true), (7, 19, 0, false), (9, 27, 0, true), (9, 28, 0, false),
        (4, 9, 1, false),  // less than five times the usual share
        (3, 3, 1, true), (9, 9, 1, true),  // one in twelve at most is usual
    ])
    func aSmallDateIsHeldWhereChanceHardlyGivesIt(uncredited: Int, proven: Int, lost: Int, isHeld: Bool) throws {
        let before = history(days: 7, lost: lost, of: proven)
        for days in [7, 2] {
            let shop = days == 7 ? before : history(days: 2, lost: lost, of: proven)
            let found = try findings(counts(DateCounts(uncredited: uncredited, proven: proven)), in: shop)
            let expected = GuardFinding(kind: .uncredited, feed: .credits, date: date, count: uncredited, total: proven)
            #expect(found == (isHeld && days == 7 ? [expected] : []))
        }
        guard isHeld else { return }
        // What is on record counts.
        for _ in 0..<100 { before.knownPurchases.add(PurchaseOutcome(date, .withinHour), nil) }
        #expect(try findings(counts(DateCounts(uncredited: uncredited, proven: proven)), in: before) == [])
    }

    /// Dates of the first night with so few purchases each that none of them alone would show it. In the next night, all of
    /// this is usual.
    @Test(arguments: [(20, 1, 1, true), (19, 1, 1, false), (20, 1, 2, false), (7, 2, 3, true), (25, 9, 9, true)])
    func theDatesOfTheFirstNightCountTogether(dates: Int, faults: Int, proven: Int, isHeld: Bool) throws {
        let parts = [
            DateCounts(uncredited: faults, proven: proven), DateCounts(valueMismatch: faults, proven: proven),
            DateCounts(creditedToWrongAccount: faults, proven: proven),
        ]
        for part in parts {
            var night = Findings()
            for day in 0..<dates { night.dates[date.advanced(by: -day)] = part }
            let found = try findings(night)
            #expect(found.count == (isHeld ? dates : 0))
            guard isHeld else { continue }
            var head = HistoryHead()
            head.guarded = found
            head.lastRun = RunRecord(
                id: 1, businessDate: date, asOf: ScenarioWorld.horizon.instant,
                horizon: ScenarioWorld.horizon.instant, policy: "", version: "")
            let later = history(days: 40, lost: 9, of: 9)
            let next = date.advanced(by: 1)
            #expect(try findings(night, head: head, in: later, on: next) == found)
            #expect(try findings(counts(DateCounts(proven: 9)), head: head, in: later, on: next) == [])
            head.releasedFindings = found
            #expect(try findings(night, head: head, in: later, on: next) == [])
        }
    }

    /// So many days of purchases, usually 100 each, before today.
    func history(days: Int, lost: Int, of daily: Int = 100) -> MemoryHistory {
        let history = MemoryHistory()
        for day in 0..<days {
            for (fulfilment, count) in [(Fulfilment.later, lost), (.withinHour, daily - lost), (.waiting, 9)] {
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
        (9, 9, 0, 7, true), (3, 9, 0, 7, false),  // a few
        (9, 9, 0, 2, false),  // a few, and the usual share is unknown
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

    /// Goods that wait for their payment although Apple's records of the date came tonight. Each of the days before had 100
    /// purchases, and `late` of the last one's were paid only tonight.
    @Test(arguments: [
        (30, 0, 7, true), (9, 0, 7, false),
        (30, 30, 7, false),  // Apple's records always come late
        (30, 0, 2, false),  // too few days
    ])
    func aDateIsHeldWhereAPartOfApplesRecordsIsMissing(waiting: Int, late: Int, days: Int, isHeld: Bool) throws {
        let history = history(days: days, lost: 0)
        let key = VerdictKey(verdict: .waiting, cause: .waitsCreditedNotPaid, currency: .absent)
        history.known.entries[key] = CountAndAmount(count: late, minor: 0)
        let feed = ExpectedFeed(FeedRecord(name: "a", kind: .transactions, isRequired: true, isDated: true)) { _ in true
        }
        var (head, delivered) = (HistoryHead(), Delivered())
        delivered.arrivals = [Arrival(feed: "a", date: date, file: "")]
        let night = counts(DateCounts(awaitingPayment: waiting, proven: 100 - waiting))
        // On the first night, the records may begin later than the credits.
        #expect(try findings(night, delivered, head: head, feeds: [feed], in: history) == [])
        head.lastRun = RunRecord(
            id: 1, businessDate: date.advanced(by: -1), asOf: ScenarioWorld.horizon.instant,
            horizon: ScenarioWorld.horizon.instant, policy: "", version: "")
        let found = try findings(night, delivered, head: head, feeds: [feed], in: history)
        let expected = GuardFinding(kind: .creditedNotPaid, feed: .credits, date: date, count: waiting, total: 100)
        #expect(found == (isHeld ? [expected] : []))
        // Before the records come, nothing is in doubt.
        #expect(try findings(night, head: head, feeds: [feed], in: history) == [])
        // The next night looks again, and the missing part alone ends it.
        (head.guarded, head.arrivals["a"]) = (found, [date.advanced(by: -1), date])
        #expect(try findings(night, head: head, feeds: [feed], in: history) == found)
        #expect(try findings(counts(DateCounts(proven: 100)), head: head, feeds: [feed], in: history) == [])
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
        ([4, 4, 4, 4, 4], 25, true),
        ([4, 4, 4, 4, 4], 26, false),  // less than four fifths
        ([4, 4, 4, 4, 3], 19, false),  // too few purchases
        ([60], 60, false), ([5, 5, 5, 5], 20, false),  // of too few customers
    ])
    func aDateIsHeldWhereMostOfItsOrdersAreOffByTheSameTime(counts: [Int], proven: Int, isHeld: Bool) throws {
        let noon = ScenarioWorld.horizon.instant
        let shift = try #require(ClockShift(of: noon + .hours(8), against: noon))
        var found = self.counts(DateCounts(proven: proven))
        for (number, count) in counts.enumerated() {
            let account = Identifier("a\(number)")
            found.clockShifts[ShiftedDate(feed: .orders, date: date, shift: shift, account: account)] = count
        }
        #expect(try findings(found).map(\.detail) == (isHeld ? [.shift(shift)] : []))
    }

    @Test func noTimeZoneIsMoreThan26HoursOff() {
        let noon = ScenarioWorld.horizon.instant
        #expect(ClockShift(of: noon + .hours(26), against: noon)?.halfHours == 52)
        #expect(ClockShift(of: noon + .minutes(-26 * 60), against: noon)?.halfHours == -52)
        #expect(ClockShift(of: noon + .minutes(26 * 60 + 30), against: noon) == nil)
        #expect(ClockShift(of: noon + .hours(-957), against: noon) == nil)
    }

    @Test func sharedIDsHoldEveryNightUntilAPersonReleasesThem() throws {
        let finding = GuardFinding(kind: .collisions, feed: .credits, date: date, count: 3, total: 10)
        var head = HistoryHead()
        head.guarded = [finding]
        #expect(try findings(head: head) == [finding])
        head.releasedFindings = [finding]
        #expect(try findings(head: head) == [])
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
        history.nightMarks = before.map { NightMarks(flags: $0 > 0 ? ["status_only": $0] : [:], guarded: []) }
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

    /// A finding about nine purchases, of which some have their credits now, or to which others came.
    @Test(arguments: [(-9, nil), (-8, 1), (0, 9), (2, 11)] as [(Int, Int?)])
    func ordersThatSayCreditedAreHeldUntilTheirCreditsHaveCome(change: Int, count: Int?) throws {
        let finding = GuardFinding(kind: .statusOnly, feed: .orders, date: date, count: 9, total: 90)
        var head = HistoryHead()
        head.guarded = [finding]
        let found = try findings(head: head, statusOnlyChange: change, on: date.advanced(by: 1))
        #expect(found.map(\.count) == (count.map { [$0] } ?? []))
    }

    /// A night that had such purchases, and was held for them or for missing credits.
    @Test(arguments: [
        (GuardFinding.Kind.statusOnly, FeedKind.orders, false, 9, true), (.statusOnly, .orders, true, 9, false),
        (.statusOnly, .orders, true, 0, true),  // all have their credits since
        (.newRows, .credits, false, 9, true), (.newRows, .credits, true, 9, true), (.rows, .orders, false, 0, false),
    ])
    func anAccidentDoesNotMakeOrdersUsualThatSayCredited(
        kind: GuardFinding.Kind, feed: FeedKind, isReleased: Bool, left: Int, isHeld: Bool
    ) throws {
        let accident = GuardFinding(kind: kind, feed: feed, date: date.advanced(by: -2), count: 9, total: 90)
        let history = MemoryHistory()
        history.nightMarks = [
            NightMarks(flags: [:], guarded: []), NightMarks(flags: ["status_only": 9], guarded: [accident]),
            NightMarks(flags: [:], guarded: []),
        ]
        var (head, night) = (HistoryHead(), Findings())
        head.statusOnly = left
        if isReleased { head.releasedFindings = [accident] }
        night.flags = [.statusOnly: 1]
        let credits = ExpectedFeed(FeedRecord(name: "c", kind: .credits, isRequired: true, isDated: true)) { _ in true }
        let found = try findings(night, head: head, feeds: [credits], in: history)
        #expect(found.map(\.kind) == (isHeld ? [.statusOnly] : []))
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
