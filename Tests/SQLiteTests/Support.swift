import Foundation
import Ledger
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
    /// The first column of the first row as text; nil for null.
    func text(_ sql: String) throws -> String? {
        var statement = try prepare(sql)
        return try statement.step() ? statement.optionalText(0) : nil
    }

    /// The error with which `sql` fails.
    func failure(_ sql: String, _ location: SourceLocation = #_sourceLocation) -> SQLiteError? {
        #expect(throws: SQLiteError.self, sourceLocation: location) { try self.execute(sql) }
    }
}

/// Codes that the program does not tell apart from others. https://sqlite.org/rescode.html
extension ResultCode {
    static let tooBig = ResultCode(rawValue: 18)
    static let mismatch = ResultCode(rawValue: 20)
    static let busySnapshot = ResultCode(rawValue: 517)
    static let constraintNotNull = ResultCode(rawValue: 1299)
    static let constraintPrimaryKey = ResultCode(rawValue: 1555)
    static let constraintUnique = ResultCode(rawValue: 2067)
}
