import Base
import Domain
import Engine
import Foundation
import Testing

@testable import Console
@testable import Reconcile

/// Nights in stages, in this process: what an engine does, with any number of parts, and with its faults.
struct StagedNights {
    /// What an engine could do wrong between `basis` and `publish`.
    enum Fault: String, CaseIterable {
        case partTwice, partLost, rowLost, rowAltered, rowsScattered, ownKeyNotTied, lastTieLost, ownersLeftOut
        case ownersCutShort
        case findingLost, findingTwice, exitIgnored, endIgnored, evidenceOfANightLost, entriesLost
        case otherProgram, otherPlan, basisOnce
    }

    /// A night whose files were taken.
    struct Taken {
        /// Where tonight's evidence lies.
        var folder: String
        var entries: [Substring]
        /// The first basis.
        var basis: String
    }

    let night: NightFolder
    let parts: Int
    var fault: Fault?
    private var path: String { night.folder.path }
    private static let pairsEnd = Int64(bitPattern: 0x5EC0_4C11_E0E4_D001)

    init(_ night: NightFolder, parts: Int) {
        self.night = night
        self.parts = parts
    }

    /// The stage's exit code, where it is neither 0 nor 3.
    struct Ended: Error {
        var code: ExitCode
        var errors: String
    }

    /// Runs a night. Returns the outcome of the last stage that ran.
    func run(_ moment: RunTime) throws -> NightFolder.Outcome {
        do {
            if let taken = try take(moment) { return try judge(taken) }
            return try last(["publish", "--plan", "stages/plan.json"], "")
        } catch let ended as Ended {
            return NightFolder.Outcome(code: ended.code, output: "", errors: ended.errors)
        }
    }

    /// Runs the stages up to the first `basis`. Nil if the night is published already.
    func take(_ moment: RunTime) throws -> Taken? {
        try FileManager.default.createDirectory(atPath: path + "/stages", withIntermediateDirectories: true)
        try write(
            stage([
                "plan", "--config", "reconcile.json", "--as-of", moment.asOf.text, "--date", moment.businessDate.text,
            ]),
            "plan.json")
        let plan = try content(ClusterPlan.self, "plan.json")
        if plan.isDone { return nil }
        let digest = try digest("plan.json")
        let folder = "\(plan.date)-" + digest.prefix(8)
        try FileManager.default.createDirectory(
            atPath: path + "/evidence/" + folder, withIntermediateDirectories: true)
        var taken: [Substring] = []
        for file in plan.files {
            let lines = try lines(of: stage(["take", "--plan", "stages/plan.json", "--delivery", "\(file.number)"]))
            taken += lines.filter { kind($0) == "taken" }
            let rows = lines.filter { kind($0) != "taken" }.map { $0 + "\n" }.joined()
            try night.folder.write(rows, to: "evidence/\(folder)/\(file.number)")
        }
        let entries = try lines(of: stage(["take", "--plan", "stages/plan.json", "--entries"]))
        let basis = try stage(["basis", "--plan", "stages/plan.json"], stream(taken + entries, "evidence", digest))
        return Taken(folder: folder, entries: entries, basis: basis)
    }

    /// Runs the stages after the first `basis`.
    func judge(_ taken: Taken) throws -> NightFolder.Outcome {
        var basis = taken.basis
        if fault == .otherProgram { basis.replace("\"program\":\"", with: "\"program\":\"0") }
        do {
            var (found, keys) = try judge(taken, basis)
            let again = try stage(["basis", "--basis", "stages/basis.json"], found)
            if again != basis, fault != .basisOnce { (found, keys) = try judge(taken, again) }
            return try last(
                ["publish", "--basis", "stages/basis.json", "--evidence", taken.folder, "--keys=\(keys)"], found)
        } catch let ended as Ended {
            return NightFolder.Outcome(code: ended.code, output: "", errors: ended.errors)
        }
    }

    /// Ties and judges everything. Returns the stream of findings, and what `tie` counted.
    private func judge(_ taken: Taken, _ text: String) throws -> (String, String) {
        try write(text, "basis.json")
        let basis = try content(ClusterBasis.self, "basis.json")
        let mark = try digest("basis.json")
        var files = basis.plan.folders.flatMap { night in
            night.deliveries.map { path + "/evidence/\(night.folder)/\($0.delivery)" }
        }
        if fault == .evidenceOfANightLost { files = [] }
        files += basis.deliveries.map { path + "/evidence/\(taken.folder)/\($0)" }
        var rows = try files.flatMap { try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n") }
        rows += fault == .entriesLost ? [] : taken.entries
        let (bundles, keys) = try tie(rows, basis)
        if fault == .rowLost { rows.remove(at: rows.count / 2) }
        if fault == .rowAltered { rows[rows.count / 2].replace("\"l\":", with: "\"l\":1") }
        var streams = Array(repeating: [Substring](), count: parts)
        var wanted: [Substring: Set<Int>] = [:]
        for (index, row) in rows.enumerated() {
            let columns = row.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
            let keys = columns[2].split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            let bundle = bundles[Int64(keys[0].split(separator: ",")[0])!] ?? 0
            let part = fault == .rowsScattered ? index % parts : Int(UInt64(bitPattern: bundle) % UInt64(parts))
            streams[part].append(row)
            if keys.count > 1 { wanted[";" + keys[1], default: []].insert(part) }
        }
        if basis.plan.needsOwners, fault != .ownersLeftOut {
            var carriers = rows.filter { kind($0) == "order" || $0.contains(";") }
            if fault == .ownersCutShort { carriers.removeAll { kind($0) == "order" && $0.contains(";") } }
            let owners = try lines(
                of: stage(["owners", "--basis", "stages/basis.json"], stream(carriers, "evidence", mark)))
            for line in owners {
                let key = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)[2]
                for part in wanted[key] ?? [] { streams[part].append(line) }
            }
        }
        var found: [Substring] = []
        for (part, lines) in streams.enumerated() where !lines.isEmpty {
            let isFirst = part == streams.firstIndex { !$0.isEmpty }
            var text = stream(lines, "evidence", fault == .otherPlan && isFirst ? String(mark.reversed()) : mark)
            if fault == .exitIgnored, isFirst { text = String(text.dropLast(10)) }
            var findings: [Substring] = []
            do {
                findings = try self.lines(of: stage(["judge", "--basis", "stages/basis.json"], text))
            } catch { if fault != .exitIgnored { throw error } }
            if fault == .endIgnored, isFirst { findings.removeLast() }
            if fault == .partLost, isFirst { continue }
            found += findings
            if fault == .partTwice, isFirst { found += findings }
        }
        if fault == .findingLost { found.removeFirst() }
        if fault == .findingTwice { found.append(found[0]) }
        return (stream(found, "findings", mark), keys)
    }

    private func tie(_ rows: [Substring], _ basis: ClusterBasis) throws -> (bundles: [Int64: Int64], keys: String) {
        var pairs: [(Int64, Int64)] = []
        for row in rows {
            let columns = row.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
            let parts = columns[2].split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            var keys = parts[0].split(separator: ",").map { Int64($0)! }
            if fault == .ownKeyNotTied, keys.count > 2 { keys.removeFirst() }
            if parts.count > 1, basis.plan.tiesTokens, !basis.plan.crowdedKeys.contains(Int64(parts[1])!) {
                keys.append(Int64(parts[1])!)
            }
            pairs += keys.count == 1 ? [(keys[0], keys[0])] : keys.dropFirst().map { (keys[0], $0) }
            // Every pair is known to its end, but one does not connect.
            if fault == .lastTieLost, keys.count > 1 {
                let other = pairs.removeLast().1
                pairs += [(other, other), (keys[0], keys[0])]
            }
        }
        pairs += basis.ties.map { ($0[0], $0[1]) }
        pairs.append((Self.pairsEnd, Int64(pairs.count)))
        let bytes = pairs.withUnsafeBytes { Data($0) }
        let output = try stageBytes(["tie"], bytes)
        let numbers = stride(from: 0, to: output.count, by: 8).map { start in
            output.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Int64.self) }
        }
        let count = numbers.count / 2 - 2
        #expect(numbers[2 * count] == Self.pairsEnd && numbers[2 * count + 1] == Int64(count))
        let bundles = Dictionary(uniqueKeysWithValues: (0..<count).map { (numbers[2 * $0], numbers[2 * $0 + 1]) })
        return (bundles, "\(count),\(numbers[2 * count + 2])")
    }
}

/// Streams and files of the stages.
extension StagedNights {
    private func kind(_ line: Substring) -> Substring { line.split(separator: "\t", maxSplits: 2)[1] }

    private func lines(of stream: String) -> [Substring] {
        Array(stream.split(separator: "\n").dropFirst().dropLast())
    }

    private func stream(_ lines: [Substring], _ stage: String, _ digest: String) -> String {
        let sum = lines.reduce(Int64(0)) { $0 &+ Int64($1.split(separator: "\t", maxSplits: 1)[0])! }
        return "reconcile-wire 5 \(stage) \(digest)\n" + lines.map { $0 + "\n" }.joined()
            + "end\t\(lines.count)\t\(sum)\n"
    }

    private func read(_ name: String) throws -> String { try night.folder.read("stages/" + name) }

    private func write(_ text: String, _ name: String) throws { try night.folder.write(text, to: "stages/" + name) }

    private func content<Content: Decodable>(_ type: Content.Type, _ name: String) throws -> Content {
        try JSONDecoder().decode(type, from: Data(read(name).utf8))
    }

    private func digest(_ name: String) throws -> String { SHA256.digest(of: try read(name)).hex }

    private func stage(_ words: [String], _ input: String = "") throws -> String {
        String(decoding: try stageBytes(words, Data(input.utf8)), as: UTF8.self)
    }

    private func stageBytes(_ words: [String], _ input: Data) throws -> Data {
        let outcome = try call(words, input)
        guard outcome.code == .done else { throw Ended(code: outcome.code, errors: outcome.errors) }
        return try Data(contentsOf: URL(fileURLWithPath: path + "/stages/output"))
    }

    private func last(_ words: [String], _ input: String) throws -> NightFolder.Outcome {
        var outcome = try call(words, Data(input.utf8))
        outcome.output = try read("output")
        return outcome
    }

    private func call(_ words: [String], _ input: Data) throws -> NightFolder.Outcome {
        try input.write(to: URL(fileURLWithPath: path + "/stages/input"))
        let source = open(path + "/stages/input", O_RDONLY | O_CLOEXEC)
        let targets = ["output", "errors"].map {
            open(path + "/stages/" + $0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        defer { for descriptor in targets + [source] { close(descriptor) } }
        let clock: @Sendable () -> Instant = { Instant(milliseconds: 0) }
        var context = CommandContext(
            variables: [:], folder: path, clock: clock, memory: { nil }, input: source,
            output: Output(descriptor: targets[0]), log: Log(descriptor: targets[1], clock: clock))
        let code = Main.run(["cluster"] + words, in: &context)
        let errors = try read("errors")
        noteEnd("cluster " + words.joined(separator: " "), code.rawValue, errors)
        return NightFolder.Outcome(code: code, output: "", errors: errors)
    }
}
