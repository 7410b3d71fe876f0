import Foundation
import Testing

@testable internal import Reconcile

/// A folder of Tests/Recorded: what a release wrote. It is recorded for the newest release alone (`scripts/record-release`).
struct Release: Equatable, CustomTestStringConvertible {
    let name: String
    private static let folder = Program.repository + "/Tests/Recorded"
    static let this = Release(name: version.split(separator: ".").prefix(2).joined(separator: "."))
    static let all = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map(Release.init)

    var path: String { Self.folder + "/" + name }
    var testDescription: String { name }

    func text(_ file: String) throws -> String { try String(contentsOfFile: path + "/" + file, encoding: .utf8) }
}
