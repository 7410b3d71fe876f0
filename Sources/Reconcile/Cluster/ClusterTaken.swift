internal import Domain
internal import Foundation
internal import Intake
internal import Wire

/// What `take` says about a delivered file: the object of a line `taken`. The evidence has lines of its own.
struct ClusterTaken: Codable {
    struct Rejected: Codable {
        var line: Int
        var column: String?
        var reason: String
        var row: Data
    }

    var number: Int32
    /// Nil for a file that is refused. Without the signatures that were verified.
    var contents: FileFigures?
    /// Why it is refused.
    var refusal: String?
    var rejects: [Rejected]
    /// The lines of its evidence.
    var evidence: ClusterSum
    /// The file has orders, and any of them carries a token.
    var hasOrders: Bool
    var hasTokens: Bool

    init(_ taken: TakenFile, number: DeliveryID, _ evidence: Evidence, lines: WireSum) {
        self.number = number.rawValue
        contents = taken.contents
        contents?.verified = []
        refusal = taken.refusal
        rejects = taken.rejects.map { Rejected(line: $0.line, column: $0.column, reason: $0.reason, row: Data($0.row)) }
        self.evidence = ClusterSum(delivery: number.rawValue, lines: lines.lines, sum: lines.sum)
        hasOrders = !evidence.orders.isEmpty
        hasTokens = evidence.orders.contains { $0.token != nil }
    }

    /// The file as `Nightly` uses it.
    var file: TakenFile {
        TakenFile(
            contents: contents, refusal: refusal,
            rejects: rejects.map { Reject(line: $0.line, column: $0.column, reason: $0.reason, row: Array($0.row)) })
    }
}
