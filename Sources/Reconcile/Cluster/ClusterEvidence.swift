internal import Base
internal import Engine
internal import Foundation
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
