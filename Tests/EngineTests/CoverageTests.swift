import Domain
import Foundation
import Testing

@testable import Engine

/// Which days are coverage gaps. See docs/spec/rules.md#coverage.
@Suite struct CoverageTests {
    private func feed(_ kind: FeedKind, required: Bool, isDated: Bool = true, name: String? = nil) -> FeedRecord {
        FeedRecord(name: name ?? "\(kind)", kind: kind, isRequired: required, isDated: isDated)
    }

    private func spots(
        _ feeds: [FeedRecord], _ arrivals: [String: Set<BusinessDate>], refusals: [CoverageGap] = [], through: Int
    ) -> [String] {
        CoverageReport(feeds: feeds, arrivals: arrivals, refusals: refusals, through: day(through))
            .coverageGaps.map { "\($0.feed) \($0.date.text.suffix(2))" }
    }

    @Test(arguments: [
        #"{"code":"refused","feed":"f"}"#, #"{"code":"refused","feed":"f","file":"a.csv"}"#,
        #"{"code":"missing","feed":"f","file":"a.csv","text":"t"}"#, #"{"code":"missing","feed":"f","text":"t"}"#,
    ])
    func aReasonWhoseMembersDoNotFitTogetherIsRefused(_ json: String) throws {
        let whole = CoverageGap.Reason.refused(file: "a.csv", feed: "f", text: "t")
        for reason in [whole, .missing(feed: "f")] {
            #expect(try JSONDecoder().decode(CoverageGap.Reason.self, from: JSONEncoder().encode(reason)) == reason)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CoverageGap.Reason.self, from: Data(json.utf8))
        }
    }

    @Test func aRequiredFeedOwesEveryDayFromTheFirstThatAnyDelivered() {
        let feeds = [feed(.orders, required: true), feed(.credits, required: true), feed(.receipts, required: false)]
        let arrivals: [String: Set<BusinessDate>] = ["orders": [day(1), day(2)], "receipts": [day(0)]]
        #expect(
            spots(feeds, arrivals, through: 2) == ["credits 10", "orders 10", "credits 11", "credits 12"])
    }

    @Test func twoFeedsOfAKindOweADayEach() {
        var second = feed(.credits, required: true)
        second.name = "desk"
        let report = CoverageReport(
            feeds: [feed(.credits, required: true), second], arrivals: ["credits": [day(0)], "desk": []], refusals: [],
            through: day(0))
        #expect(
            report.coverage.gaps == [.credits: [day(0)]]
                && report.coverageGaps.map(\.reason) == [.missing(feed: "desk")])
    }

    private func refusal(_ feed: FeedKind = .credits, _ path: String = "credits", _ file: String = "b") -> CoverageGap {
        CoverageGap(feed: feed, date: day(0), reason: .refused(file: file, feed: path, text: "torn"))
    }

    private func current(
        tonight: [CoverageGap] = [], known: [CoverageGap] = [], accepted: Set<FeedDay> = [], feeds: [FeedRecord] = [],
        _ arrivals: Arrival...
    ) -> [CoverageGap] {
        [CoverageGap](refusedTonight: tonight, known: known, arrivals: arrivals, feeds: feeds, accepted: accepted)
    }

    @Test func whatARenamedFeedLackedStaysAGap() {
        let gap = CoverageGap(feed: .credits, date: day(0), reason: .missing(feed: "credits"))
        let desk = feed(.credits, required: true, name: "desk")
        #expect(current(known: [gap], feeds: [desk]) == [gap])
        #expect(current(known: [gap], feeds: [feed(.credits, required: false), desk]) == [], "its days say it")
        #expect(current(known: [gap], accepted: [FeedDay(feed: "credits", date: day(0))], feeds: [desk]) == [])
        let list = CoverageGap(feed: .products, date: day(0), reason: .missing(feed: "prices"))
        #expect(current(known: [list], feeds: [desk]) == [], "no evidence is lost")
    }

    @Test func whatTheConfigurationHasLostIsStillExpected() {
        var head = HistoryHead()
        let desk = feed(.credits, required: true, name: "desk")
        let credits = feed(.credits, required: true)
        let receipts = feed(.receipts, required: false)
        head.feeds = [credits, desk, receipts]
        #expect(head.feedsLost(by: [credits, desk]) == [], "receipts were never required")
        #expect(head.feedsLost(by: [credits]) == [desk])
        #expect(head.feedsLost(by: [credits, feed(.credits, required: true, name: "new")]) == [], "it has a new name")
        #expect(head.feedsLost(by: [feed(.credits, required: true, name: "both")]) == [credits, desk])
        #expect(head.feedsLost(by: [credits, feed(.credits, required: false, name: "desk")]) == [])
        head.feeds = [feed(.credits, required: false)]
        #expect(head.feedsLost(by: [receipts]) == head.feeds, "no machine gives goods without credits")
    }

    /// The old feed had no file on the last night.
    @Test(arguments: [true, false]) func whatAReplacedCreditsFeedLackedStaysUnseen(isRequired: Bool) {
        var head = HistoryHead()
        head.lastRun = RunRecord(
            id: 1, businessDate: day(2), asOf: .absent, horizon: .absent, policy: "", version: "")
        head.feeds = [feed(.credits, required: false)]
        head.arrivals = ["orders": [day(0), day(1), day(2)], "credits": [day(0), day(1)]]
        let new = feed(.credits, required: isRequired, name: "new")
        let feeds = [new].resolved(after: head, on: day(3))
        #expect(feeds.map(\.name) == ["new", "credits"] && feeds[1].until == day(2))
        func unseen(_ feeds: [FeedRecord]) -> [FeedDay] {
            CoverageReport(
                feeds: feeds, arrivals: head.arrivals.merging(["new": [day(3), day(4)]]) { $1 }, refusals: [],
                through: day(4)
            ).creditsUnseen
        }
        #expect(unseen(feeds) == [FeedDay(feed: "credits", date: day(2))])
        // It stays so in later nights, until its file is there or it is the new feed's name.
        head.feeds = feeds
        head.lastRun?.businessDate = day(4)
        #expect([new].resolved(after: head, on: day(5)).map(\.until) == [nil, day(2)])
        let named = [feed(.credits, required: isRequired)].resolved(after: head, on: day(5)).filter {
            $0.name == "credits"
        }
        #expect(named.map(\.since) == [day(5), nil] && named.map(\.until) == [nil, day(2)])
        head.arrivals["credits"]?.insert(day(2))
        #expect([new].resolved(after: head, on: day(5)).map(\.name) == ["new"])
    }

    @Test func whatWasRefusedIsABlindSpot() {
        let feeds = [feed(.credits, required: false)]
        #expect(spots(feeds, [:], refusals: [refusal(), refusal()], through: 3) == ["credits 10"])
    }

    @Test func aRefusedFileCountsUntilItIsAcceptedUnderItsName() {
        let old = refusal()
        func file(_ name: String, of feed: String = "credits") -> Arrival {
            Arrival(feed: feed, date: day(0), file: name)
        }
        #expect(current(known: [old]) == [old])
        #expect(current(known: [old], file("a")) == [old], "another part of the same day")
        #expect(current(known: [old], file("b", of: "desk")) == [old], "another feed says nothing about it")
        #expect(current(known: [old], file("b")) == [])
        #expect(current(known: [old], file("b.gz")) == [])
        #expect(current(tonight: [old], file("a")) == [old])
        #expect(current(tonight: [old], known: [old]) == [old], "it is listed once")
    }

    @Test func anAcceptedGapDoesNotCountUntilItIsReopened() {
        func decision(_ isAccepted: Bool) -> GapDecision {
            GapDecision(feed: "credits", date: day(0), isAccepted: isAccepted, by: "Li", at: 0, note: "-")
        }
        let days = [decision(true)].acceptedDays
        #expect(current(tonight: [refusal()], known: [refusal()], accepted: days) == [])
        let feeds = [feed(.orders, required: true), feed(.credits, required: true)]
        let arrivals: [String: Set<BusinessDate>] = ["orders": [day(0), day(1)]]
        func gaps(_ decisions: [GapDecision]) -> [BusinessDate] {
            CoverageReport(
                feeds: feeds, arrivals: arrivals, refusals: [], accepted: decisions.acceptedDays, through: day(1)
            ).coverage.gaps[.credits] ?? []
        }
        #expect(gaps([decision(true)]) == [day(1)])
        #expect(gaps([decision(true), decision(false)]) == [day(0), day(1)])
        #expect(gaps([decision(false), decision(true)]) == [day(1)])
    }

    /// Its file contains all rows, whenever it arrives.
    @Test func aFileWithoutADateMendsAllDaysBeforeIt() {
        let feeds = [feed(.products, required: true, isDated: false)]
        #expect(spots(feeds, ["products": [day(0)]], through: 2) == ["products 11", "products 12"])
        #expect(spots(feeds, ["products": [day(0), day(2)]], through: 2) == [])
    }

    @Test func aFeedIsExpectedSinceTheNightThatFirstKnewIt() {
        var head = HistoryHead()
        let old = feed(.orders, required: true)
        #expect(
            [old].resolved(after: head, on: day(3))[0].since == nil, "the first night expects it from the beginning")
        head.lastRun = RunRecord(
            id: 1, businessDate: day(2), asOf: Instant(milliseconds: 0), horizon: Instant(milliseconds: 0), policy: "",
            version: "")
        head.feeds = [old, feed(.receipts, required: false)]
        let feeds = [
            old, feed(.credits, required: true), feed(.receipts, required: true),
            FeedRecord(name: "set", kind: .transactions, isRequired: true, isDated: true, since: day(1)),
        ].resolved(after: head, on: day(3))
        #expect(feeds.map(\.since) == [nil, day(3), day(3), day(1)])
        let arrivals: [String: Set<BusinessDate>] = ["orders": [day(0), day(1), day(2), day(3), day(4)]]
        #expect(
            spots(feeds, arrivals, through: 4) == [
                "transactions 11", "transactions 12", "credits 13", "receipts 13", "transactions 13", "credits 14",
                "receipts 14", "transactions 14",
            ])
    }

    @Test func daysWithoutCreditsAreKnownWhereNoCreditsFeedIsRequired() {
        func unseen(_ feeds: [FeedRecord], _ days: Set<BusinessDate>) -> [BusinessDate] {
            CoverageReport(
                feeds: feeds, arrivals: ["orders": [day(0)], "credits": days], refusals: [], through: day(1)
            ).coverage.creditsUnseen
        }
        let (orders, credits) = (feed(.orders, required: true), feed(.credits, required: false))
        #expect(unseen([orders, credits], [day(1)]) == [day(0)])
        #expect(unseen([orders, credits], [day(0), day(1)]) == [])
        #expect(unseen([orders], []) == [], "orders say themselves what was credited")
        #expect(unseen([orders, feed(.credits, required: true)], []) == [], "those days are blind")
    }
}

private func day(_ number: Int) -> BusinessDate { BusinessDate("2025-11-10")!.advanced(by: number) }
