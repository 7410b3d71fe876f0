internal import Base
internal import Console
internal import Domain
internal import Engine
internal import Foundation
internal import Intake
internal import Ledger
internal import Settings

/// What reading a delivered file came to, without its evidence: its figures, or why it is refused.
struct TakenFile: Sendable {
    /// Nil for a file that is refused.
    var contents: FileFigures?
    /// Why it is refused. Nil for a file that was read.
    var refusal: String?
    /// The rejected rows, as far as they are listed.
    var rejects: [Reject]
}

extension TakenFile {
    init(_ refusal: Refusal) { self.init(refusal: refusal.reason, rejects: refusal.rejects) }

    /// Reads a file.
    /// - Parameter evidence: becomes what the file contains.
    init(
        _ file: FoundFile, of feed: Feed, delivery: DeliveryID, _ settings: IntakeSettings,
        into evidence: inout Evidence
    ) throws {
        switch try read(file, feed: feed, delivery: delivery, settings: settings) {
        case .refused(let refusal): self.init(refusal)
        case .read(let contents):
            if let reason = Self.contradiction(of: contents.figures, file) {
                self.init(Refusal(reason))
                return
            }
            self.init(contents: contents.figures, rejects: contents.rejects)
            evidence = contents.evidence
        }
    }

    /// How a file differs from its sender's totals, and what to do. Nil if they agree or are absent.
    private static func contradiction(of contents: FileFigures, _ file: FoundFile) -> String? {
        guard StatedTotals.exist(beside: file) else { return nil }
        do {
            return try StatedTotals(beside: file).difference(from: contents, of: file).map {
                $0 + "; deliver both again"
            }
        } catch {
            return "\(file.name).totals \(error.text); deliver both again"
        }
    }
}
