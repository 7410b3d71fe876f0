internal import Foundation
internal import Intake
internal import Ledger

/// The lines of a delivery's evidence, and the sum of their sums.
struct ClusterSum: Codable, Equatable {
    var delivery: Int32
    var lines: Int
    var sum: Int64

    var total: WireSum { WireSum(lines: lines, sum: sum) }
}

/// What a run records about its evidence: where it lies, and its sums.
struct ClusterEvidence: Codable {
    /// The folder's name below the lake's `evidence`.
    var folder: String
    var deliveries: [ClusterSum]
}

extension ClusterEvidence {
    /// - Throws: `LedgerError.damaged` for a text that this program does not write.
    init(text: String) throws {
        do {
            self = try JSONDecoder().value(of: text)
        } catch { throw LedgerError.damaged("a run records its evidence in an unknown form") }
    }

    var text: String { get throws { try JSONEncoder.exact.text(of: self) } }
}

/// What `take` says about a delivered file: the object of a line `taken`.
struct ClusterTaken: Codable {
    var number: Int32
    /// What reading it came to. As JSON, it is without the evidence, which has lines of its own.
    var outcome: ReadOutcome
    var evidence: ClusterSum
    /// The file has orders, and any of them carries a token.
    var hasOrders: Bool
    var hasTokens: Bool
    /// When the goods of the file were given.
    var goods: TimeSpans
    /// When the orders of the file were created.
    var orders: TimeSpans

    init(_ outcome: ReadOutcome, number: DeliveryID, _ rows: Evidence, lines: WireSum) {
        self.number = number.rawValue
        self.outcome = outcome
        evidence = ClusterSum(delivery: number.rawValue, lines: lines.lines, sum: lines.sum)
        hasOrders = !rows.orders.isEmpty
        hasTokens = rows.orders.contains { $0.token != nil }
        (goods, orders) = (rows.goods, rows.orderTimes)
    }
}
