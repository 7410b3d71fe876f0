/// Something that went wrong, or looks as if it had, as the page of scenarios describes it in both languages.
struct Scenario: Sendable {
    var english: String
    var chinese: String
    /// The verdict that the last night must reach.
    var verdict: Verdict
    var cause: Cause
    /// What the customer service desk does, in both languages.
    var desk: String
    /// Makes it happen in the world, and returns the identifier to look up.
    var happen: @Sendable (inout SampleWorld) -> Identifier?

    init(
        _ english: String, chinese: String, verdict: Verdict, _ cause: Cause = .none, desk: String = noAction,
        happen: @escaping @Sendable (inout SampleWorld) -> Identifier?
    ) {
        self.english = english
        self.chinese = chinese
        self.verdict = verdict
        self.cause = cause
        self.desk = desk
        self.happen = happen
    }

    /// A scenario of one purchase by a new account.
    ///
    /// - Parameters:
    ///   - id: the identifier to look up.
    ///   - rows: changes the purchase, and returns those of its rows that are delivered.
    init(
        _ english: String, chinese: String, verdict: Verdict, _ cause: Cause = .none, desk: String = noAction,
        selling product: SampleProduct, quantity: Int32 = 1, in market: Market? = nil, daysAgo: Int,
        hours: Range<Int> = 8..<22, id: @escaping @Sendable (Sale) -> Identifier? = { $0.transaction.id },
        rows: @escaping @Sendable (inout Sale, inout SampleWorld) -> [any SampleRow]
    ) {
        self.init(english, chinese: chinese, verdict: verdict, cause, desk: desk) { world in
            var sale = world.sale(product, quantity: quantity, in: market, daysAgo: daysAgo, hours: hours)
            for row in rows(&sale, &world) { world.deliver(row) }
            return id(sale)
        }
    }

    /// Whether the app lost the order. All these phones have its newest version: what they have in common.
    var beginsInTheApp: Bool {
        [.noOrder, .noReceipt, .closedOrder, .receiptUnverified, .receiptRejected, .crossedOrder].contains(cause)
            && verdict == .paidNotCredited
    }

    /// The retry manifest contains an entry. If the desk credited as well, the customer would be credited twice.
    static let repairJob = "The repair job credits it; by hand only without an entry. 由补单程序处理，无条目才手工补。"
    static let noAction = "Nothing. 无需处理。"
}

struct ScenarioGroup {
    var title: String
    var scenarios: [Scenario]

    /// In the order of the page.
    static let all = [
        lostOrders, moreLostOrders, creditedTwice, refunds, otherValues, forgeries, unprovenCredits, orphanReceipts,
        outOfScope, closed, waiting, matched,
    ]
}
