internal import Base
internal import Console
internal import Domain
internal import Foundation
internal import Ledger

extension Nightly {
    /// Makes sure that the reports in the output folder are this ledger's. Two ledgers that share a folder would
    /// replace each other's reports every night.
    ///
    /// Reports of a run that this ledger has not reached may be its own: an older ledger may have been restored.
    /// - Throws: `Failure` with `configuration` if another ledger published the reports that this night would replace.
    func requireOwnReports(of ledger: Ledger) throws {
        guard let last = try ledger.lastRun() else { return }
        for label in ["latest", moment.businessDate.text] {
            guard let published = PublishedRun(folder: configuration.output + "/" + label),
                published.run <= last.id, try ledger.run(id: published.run)?.link != published.chain
            else { continue }
            throw Failure(
                .configuration,
                "\(quoted(configuration.output)) contains reports of another ledger: \(label) is its run \(published.run)",
                remedy: "Name another output folder: two configurations must not share one. Nothing was changed.")
        }
    }
}
