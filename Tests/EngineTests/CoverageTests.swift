import Domain
import ReportData
import Testing

@testable import Engine

/// Which days are coverage gaps. See docs/spec/rules.md#coverage.
@Suite struct CoverageTests {
    private func feed(_ kind: FeedKind, required: Bool, isDated: Bool = true) -> ExpectedFeed {
        ExpectedFeed(kind: kind, name: "\(kind)", isRequired: required, isDated: isDated)
    }

    private func spots(
        _ feeds: [ExpectedFeed], _ arrivals: [String: Set<BusinessDate>], refusals: [CoverageGap] = [], through: Int
    ) -> [String] {
        CoverageReport(feeds: feeds, arrivals: arrivals, refusals: refusals, through: day(through))
            .coverageGaps.map { "\($0.feed) \($0.date.text.suffix(2))" }
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
        _ feeds: [ExpectedFeed], tonight: [CoverageGap] = [], known: [CoverageGap] = [], settled: [CoverageGap] = [],
        _ arrivals: (String, BusinessDate)...
    ) -> [CoverageGap] {
        Refusals(
            tonight: tonight, known: known, settled: settled,
            arrivals: arrivals.map { (feed: $0.0, date: $0.1) }, feeds: feeds
        ).current
    }

    @Test func whatWasRefusedIsABlindSpot() {
        let feeds = [feed(.credits, required: false)]
        #expect(spots(feeds, [:], refusals: [refusal(), refusal()], through: 3) == ["credits 10"])
    }

    @Test func whatWasRefusedStaysBlindUntilItsFeedsDayComes() {
        var desk = feed(.credits, required: false)
        desk.name = "desk"
        let feeds = [feed(.credits, required: false), desk]
        let old = refusal()
        #expect(current(feeds, known: [old]) == [old])
        #expect(current(feeds, known: [old], ("credits", day(1))) == [old])
        #expect(current(feeds, known: [old], ("desk", day(0))) == [old], "another feed tells nothing of it")
        #expect(current(feeds, known: [old], ("credits", day(0))) == [])
        #expect(current(feeds, tonight: [old], ("credits", day(0))) == [old], "another part of the same day")
        #expect(current([desk], known: [old], ("desk", day(0))) == [], "its feed is no longer configured")
    }

    @Test func aRefusedFileThatLiesThereStaysMended() {
        let feeds = [feed(.credits, required: false)]
        let old = refusal()
        let second = Refusals(
            tonight: [old], known: [old], settled: [], arrivals: [(feed: "credits", date: day(0))], feeds: feeds)
        #expect(second.current == [] && second.settled == [old])
        let third = Refusals(tonight: [old], known: [], settled: second.settled, arrivals: [], feeds: feeds)
        #expect(third.current == [] && third.settled == [old])
        let fourth = Refusals(tonight: [], known: [], settled: third.settled, arrivals: [], feeds: feeds)
        #expect(fourth.current == [] && fourth.settled == [])
    }

    /// Its file contains all rows, whenever it arrives.
    @Test func aFileWithoutADateMendsAllDaysBeforeIt() {
        let feeds = [feed(.products, required: true, isDated: false)]
        let old = refusal(.products, "products")
        #expect(current(feeds, known: [old]) == [old])
        #expect(current(feeds, known: [old], ("products", day(2))) == [])
        #expect(spots(feeds, ["products": [day(0)]], through: 2) == ["products 11", "products 12"])
        #expect(spots(feeds, ["products": [day(0), day(2)]], through: 2) == [])
    }

    @Test func daysWithoutCreditsAreKnownWhereNoCreditsFeedIsRequired() {
        func unseen(_ feeds: [ExpectedFeed], _ days: Set<BusinessDate>) -> [BusinessDate] {
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
