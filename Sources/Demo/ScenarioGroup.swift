/// Scenarios of one kind.
struct ScenarioGroup {
    /// Makes a scenario happen in the world and returns its description.
    typealias Builder = @Sendable (inout SampleWorld) -> Scenario

    var title: String
    var scenarios: [Builder]

    /// In the order of the page.
    static let all = [
        lostOrders, moreLostOrders, creditedTwice, refunds, otherValues, forgeries, unprovenCredits, orphanReceipts,
        outOfScope, closed, waiting, matched,
    ]
}
