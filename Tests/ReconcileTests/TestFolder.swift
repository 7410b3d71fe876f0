import Foundation
import Glibc

/// A new folder for one test. It is deleted together with this value.
final class TestFolder: Sendable {
    let path: String

    init() {
        var template = Array((NSTemporaryDirectory() + "reconcile-test-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { preconditionFailure("no temporary folder") }
        path = String(cString: made)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func read(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }
}
