internal import Domain
internal import Foundation

/// Which run wrote the reports of a folder, as their `summary.json` says.
struct PublishedRun: Decodable {
    var run: RunID
    /// The run's link in the ledger's chain. Nil in reports of earlier versions.
    var chain: String?

    /// Nil if the folder has no readable `summary.json`.
    init?(folder: String) {
        guard let content = FileManager.default.contents(atPath: folder + "/summary.json"),
            let read = try? JSONDecoder().decode(Self.self, from: content)
        else { return nil }
        self = read
    }
}
