import Domain
import Engine
import Foundation
import Ledger
import Testing

@testable import Reconcile
@testable import Reference

/// The same nights twice: by `nightly`, and in stages.
struct Twins {
    let alone: NightFolder
    let staged: StagedNights
    /// What is compared, for messages.
    let name: String

    /// - Parameter folder: makes a folder in which nothing was delivered yet.
    init(_ name: String, parts: Int, folder: () throws -> NightFolder) throws {
        self.name = name
        alone = try folder()
        staged = StagedNights(try folder(), parts: parts)
    }

    /// The same to both.
    func both(_ body: (NightFolder) throws -> Void) rethrows {
        try body(alone)
        try body(staged.night)
    }

    /// Runs a night both ways, and compares what is published and what the register keeps.
    /// - Returns: the exit code.
    @discardableResult
    func play(_ moment: RunTime) throws -> Int32 {
        let first = try alone.night(moment)
        let second = try staged.run(moment)
        #expect(first.code == second.code, "\(name), \(moment.businessDate)\n\(first.errors)\n\(second.errors)")
        #expect(first.output == second.output, "\(name), \(moment.businessDate)")
        try compareReports(moment.businessDate.text)
        for table in Self.tables {
            let rows = try [alone, staged.night].map { try Self.rows(of: table, in: $0) }
            if rows[0] != rows[1] {
                Issue.record("\(name), \(moment.businessDate): \(table) differs\n\(difference(rows[0], rows[1]))")
            }
        }
        return first.code.rawValue
    }

    private func compareReports(_ date: String) throws {
        let (left, right) = try (alone.reports(date), staged.night.reports(date))
        #expect(Set(left.keys) == Set(right.keys), "\(name), \(date)")
        for file in left.keys.sorted() where left[file] != right[file] {
            let texts = [left, right].map { String(decoding: $0[file] ?? Data(), as: UTF8.self) }
            let lines = texts.map { $0.split(separator: "\n").map(String.init) }
            Issue.record("\(name): \(date)/\(file) differs\n\(difference(lines[0], lines[1]))")
        }
    }

    private func difference(_ left: [String], _ right: [String]) -> String {
        func others(_ lines: [String], _ than: [String]) -> String {
            Set(lines).subtracting(than).sorted().prefix(5).map { "\($0.prefix(300))" }.joined(separator: "\n")
        }
        return "nightly: \(others(left, right))\nstages: \(others(right, left))"
    }

    /// What the register keeps.
    private static let tables = [
        "exception", "exception_event", "exception_row", "retry_entry", "refund_line", "tally", "purchase_tally",
    ]

    /// The rows of a table, without the numbers of cases, which are the ledger's own.
    private static func rows(of table: String, in folder: NightFolder) throws -> [String] {
        let ledger = try Connection(path: folder.folder.path + "/ledger.sqlite", mode: .readOnly)
        var columns = try ledger.prepare("SELECT name FROM pragma_table_info('\(table)') WHERE name <> 'case_file'")
        var names: [String] = []
        while try columns.step() { names.append(columns.text(0)) }
        var row = try ledger.prepare("SELECT json_array(\(names.joined(separator: ","))) FROM \(table)")
        var rows: [String] = []
        while try row.step() { rows.append(row.text(0)) }
        return rows.sorted()
    }
}
