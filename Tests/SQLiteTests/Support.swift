import Foundation
import SQLite
import Testing

/// A folder for one test. It is deleted together with this value.
final class ScratchFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/test.sqlite" }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

    /// The file after `sql` has run.
    @discardableResult
    func database(_ sql: String = "") throws -> Connection {
        let connection = try Connection(path: file, mode: .readWrite)
        try connection.execute(sql)
        return connection
    }
}

/// A database in memory after `sql` has run.
func memory(_ sql: String = "") throws -> Connection {
    let connection = try Connection(path: ":memory:", mode: .readWrite)
    try connection.execute(sql)
    return connection
}

extension Connection {
    /// The error with which `sql` fails.
    func failure(_ sql: String, _ location: SourceLocation = #_sourceLocation) -> SQLiteError? {
        #expect(throws: SQLiteError.self, sourceLocation: location) { try self.execute(sql) }
    }
}
