internal import Engine
internal import Intake

/// What `take` says about a delivered file: the object of a line `taken`.
struct ClusterTaken: Codable {
    var number: Int32
    /// What reading it came to. As JSON, it is without the evidence, which has lines of its own.
    var outcome: ReadOutcome
    /// The lines of its evidence.
    var evidence: ClusterSum
    /// The file has orders, and any of them carries a token.
    var hasOrders: Bool
    var hasTokens: Bool

    init(_ outcome: ReadOutcome, number: DeliveryID, _ orders: [Order], lines: WireSum) {
        self.number = number.rawValue
        self.outcome = outcome
        evidence = ClusterSum(delivery: number.rawValue, lines: lines.lines, sum: lines.sum)
        hasOrders = !orders.isEmpty
        hasTokens = orders.contains { $0.token != nil }
    }
}
