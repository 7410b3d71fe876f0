import Intake
import Testing

@testable import Domain
@testable import Ledger
@testable import Reconcile

/// Which days nobody could look at. RULES §3 "Coverage".
@Suite struct CoverageTests {
    private func feed(_ kind: FeedKind, required: Bool, path: String = "in/{date}.csv") -> Feed {
        Feed(kind: kind, path: path, name: "\(kind)", required: required)
    }

    private func spots(
        _ feeds: [Feed], _ arrivals: [String: Set<BusinessDate>], refusals: [BlindSpot] = [], through: Int
    ) -> [String] {
        CoverageReport(feeds: feeds, arrivals: arrivals, refusals: refusals, through: day(through))
            .blindSpots.map { "\($0.feed) \($0.date.suffix(2))" }
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
        #expect(report.coverage.holes == [.credits: [day(0)]] && report.blindSpots.count == 1)
    }

    @Test func whatWasRefusedStaysBlindUntilItsDayComes() {
        let refusal = BlindSpot(feed: "credits", date: day(0).text, why: "credits.csv is refused: torn")
        let feeds = [feed(.credits, required: false)]
        #expect(spots(feeds, [:], refusals: [refusal, refusal], through: 3) == ["credits 10"])
        #expect(spots(feeds, ["credits": [day(1)]], refusals: [refusal], through: 3) == ["credits 10"])
        #expect(spots(feeds, ["credits": [day(0)]], refusals: [refusal], through: 3) == [])
    }

    /// Its file tells all that there is whenever it comes.
    @Test func aRefusedFileWithoutADateIsMendedByAnyLaterOne() {
        let refusal = BlindSpot(feed: "products", date: day(0).text, why: "products.csv is refused: torn")
        let feeds = [feed(.products, required: false, path: "products.csv")]
        #expect(spots(feeds, [:], refusals: [refusal], through: 3) == ["products 10"])
        #expect(spots(feeds, ["products": [day(2)]], refusals: [refusal], through: 3) == [])
    }

    @Test func aRefusalIsCarriedFromNightToNight() throws {
        var player = try NightPlayer(policy: Policy())
        for index in player.configuration.feeds.indices { player.configuration.feeds[index].path = "in/{date}.csv" }
        let refusal = BlindSpot(feed: "credits", date: day(0).text, why: "credits.csv is refused: torn")
        try player.play([], arrivals: [(.orders, day(0))], refusals: [refusal], at: moment(0))
        let second = try player.play([], at: moment(1))
        #expect(second.report.blindSpots == [refusal] && second.horizon.coverage.holes == [.credits: [day(0)]])
        let third = try player.play([], arrivals: [(.credits, day(0))], at: moment(2))
        #expect(third.report.blindSpots == [])
    }
}
