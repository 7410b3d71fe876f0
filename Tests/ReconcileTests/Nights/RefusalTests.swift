import Domain
import Testing

@testable import Engine
@testable import Reconcile

@Suite struct RefusalTests {
    @Test func aRefusalIsCarriedFromNightToNight() throws {
        var player = try NightPlayer(policy: Policy())
        let refusal = CoverageGap(
            feed: .credits, date: day(0), reason: .refused(file: "credits.csv", feed: "credits", text: "torn"))
        try player.play([], arrivals: [(.orders, day(0))], refusals: [refusal], at: moment(0))
        let second = try player.play([], at: moment(1))
        #expect(second.report.coverageGaps == [refusal] && second.basis.horizon.coverage.gaps == [.credits: [day(0)]])
        let third = try player.play([], arrivals: [(.credits, day(0))], at: moment(2))
        #expect(third.report.coverageGaps == [])
    }
}
