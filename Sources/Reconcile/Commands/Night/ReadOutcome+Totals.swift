internal import Console
internal import Domain
internal import Intake

extension ReadOutcome {
    /// What reading a delivered file comes to. A file that contradicts its sender's totals is refused.
    init(_ file: FoundFile, of feed: Feed, delivery: DeliveryID, _ settings: IntakeSettings) throws {
        self = try Intake.read(file, feed: feed, delivery: delivery, settings: settings)
        guard case .read(let contents) = self, StatedTotals.exist(beside: file) else { return }
        do {
            guard let difference = try StatedTotals(beside: file).difference(from: contents, of: file) else { return }
            self = .refused(Refusal(difference + "; deliver both again"))
        } catch {
            self = .refused(Refusal("\(file.name).totals \(error.text); deliver both again"))
        }
    }
}
