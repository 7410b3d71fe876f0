import Domain
import Foundation
import Ledger
import Reference
import Testing

/// A demo run in a folder of its own, and the files it wrote.
struct DemoRun {
    let folder = TestFolder()
    let ended: Ended

    init(_ options: String) throws { ended = try Program.shell("$R demo night " + options, in: folder.path) }

    func text(_ name: String) throws -> String { try folder.read("night/" + name) }

    /// Every file of a folder and its subfolders, by name, except those with wall-clock times. Links are followed.
    func files(_ name: String) throws -> [String: Data] {
        let base = URL(fileURLWithPath: folder.path + "/night/" + name).resolvingSymlinksInPath()
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: base.path)
        where !path.hasSuffix("metrics.prom") {
            files[path] = FileManager.default.contents(atPath: base.path + "/" + path)
        }
        return files
    }

    /// The summary of the night of a day in November 2025.
    func summary(_ day: Int) throws -> [String: Any] {
        let text = try text("out/2025-11-\(day)/summary.json")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// What feeds can lead to: every verdict with each of its causes, as `Verdict.ruling` writes them, but one. No
    /// record of a transactions feed is unverifiable.
    static let possibleRulings = Set(Verdict.allRulings).subtracting(["undetermined/unverifiable"])

    /// The verdicts and causes of all nights, as `Verdict.ruling` writes them.
    func rulings() throws -> Set<String> {
        var seen: Set<String> = []
        for day in 16...18 {
            let tallies = try #require(try summary(day)["verdicts"] as? [[String: Any]])
            for tally in tallies {
                let cause = tally["cause"] as? String ?? ""
                seen.insert("\(tally["verdict"] ?? "")" + (cause.isEmpty ? "" : "/" + cause))
            }
        }
        return seen
    }

    /// `verdict/cause` of every subject of the last night, by its key.
    func verdicts() throws -> [String: Set<String>] {
        let ledger = try Connection(path: folder.path + "/night/ledger.sqlite", mode: .readOnly)
        // The page of scenarios names the transaction that a receipt or credit claims. The subject's key is the
        // receipt's or credit's.
        var statement = try ledger.prepare(
            """
            SELECT key, verdict, cause FROM subject
            UNION SELECT coalesce(r.transaction_id, r.receipt_id), s.verdict, s.cause FROM subject s
                JOIN client_receipt r ON r.id >> 24 = s.id >> 24
                AND s.key = coalesce(r.account_id || '/' || r.receipt_id, lower(hex(r.content)))
            UNION SELECT c.transaction_id, s.verdict, s.cause FROM subject s JOIN backend_credit c
                ON c.id >> 24 = s.id >> 24 AND s.key = c.credit_id
            """)
        var verdicts: [String: Set<String>] = [:]
        while try statement.step() {
            verdicts[statement.text(0), default: []].insert(statement.text(1) + "/" + statement.text(2))
        }
        return verdicts
    }
}

/// Whether golden files are written instead of compared.
let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

/// Compares with a file of the repository byte by byte, or writes it.
func expectGolden(_ text: String, _ name: String) throws {
    let path = Program.repository + "/" + name
    if isRecording { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    let golden = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == golden, "\(name) differs: look at the difference, then record it with RECORD=1")
}
