internal import Digest
internal import Domain
internal import Foundation
internal import Glibc
internal import Intake
internal import Ledger
internal import Reports

/// `reconcile check`: whether set-up, ledger and reports are sound, each in a line that says what to do where not.
struct Check {
    private let configuration: Configuration
    private let surroundings: Surroundings
    private var lines: [(what: String, problem: String?)] = []

    static func run(_ invocation: Invocation, _ surroundings: Surroundings) throws -> ExitCode {
        var check = Check(configuration: try .load(for: invocation, in: surroundings), surroundings: surroundings)
        try check.checkAll()
        for line in check.lines {
            try surroundings.output.writeLine(
                (line.problem == nil ? "ok     " : "WRONG  ") + line.what
                    + (line.problem.map { ": " + display($0) } ?? ""))
        }
        return check.lines.allSatisfy { $0.problem == nil } ? .done : .no
    }

    private init(configuration: Configuration, surroundings: Surroundings) {
        self.configuration = configuration
        self.surroundings = surroundings
        lines = [("configuration \(configuration.file)", nil)]
    }

    private mutating func note(_ what: String, _ problem: String?) { lines.append((what, problem)) }

    private mutating func note(_ what: String, _ problems: [String]) {
        if problems.isEmpty { note(what, nil as String?) }
        for problem in problems { note(what, problem) }
    }

    private mutating func checkAll() throws {
        try checkFeeds()
        _ = try configuration.rootCertificates()
        _ = try Texts(language: configuration.language, folder: configuration.templates)
        checkPermissions(of: configuration.ledger)
        checkPermissions(of: configuration.output)
        guard FileManager.default.fileExists(atPath: configuration.ledger) else {
            lines.append(("ledger \(configuration.ledger): none yet, the first night makes it", nil))
            return
        }
        checkSpace()
        let ledger = try Ledger.reading(path: configuration.ledger)
        note("ledger's file", try ledger.integrityProblems().map { $0 + ". Restore a backup." })
        guard let last = try ledger.lastRun() else { return }
        note("conservation", try ledger.conservationProblems().map { $0 + ". Restore a backup." })
        try checkVerdicts(ledger, last)
        checkReports(of: last)
    }

    private mutating func checkFeeds() throws {
        let today = configuration.policy.zone.date(of: surroundings.clock())
        let found = try findFiles(of: configuration.feeds, base: configuration.folder, through: today)
        for (index, feed) in configuration.feeds.enumerated() {
            let files = found.filter { $0.feed == index }
            let isMissing = feed.required && files.isEmpty
            let latest = files.last.map { ", the latest of \($0.fileDate)" } ?? ""
            note(
                "feed \(feed.name): \(files.count) files\(latest)",
                isMissing ? "no file matches this required feed. Check its path, or have it delivered." : nil)
        }
    }

    /// Who can read what holds customers' purchases.
    private mutating func checkPermissions(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let forbidden: mode_t = configuration.group == nil ? 0o077 : 0o027
        let isOpen = status.st_mode & forbidden != 0
        note("permissions of \(path)", isOpen ? "others may use it. Run: chmod o-rwx,g-w \(path)" : nil)
    }

    private mutating func checkSpace() {
        var disk = statvfs()
        var file = stat()
        guard statvfs(configuration.ledger, &disk) == 0, stat(configuration.ledger, &file) == 0 else { return }
        let free = Int(disk.f_bavail) * Int(disk.f_frsize)
        let isTight = free < 2 * Int(file.st_size)
        note(
            "disk space",
            isTight ? "\(free >> 20) MiB are free, less than twice the ledger. Make room before a night needs it." : nil
        )
    }

    /// Judges everything again with the last night's horizon, and compares.
    private mutating func checkVerdicts(_ ledger: Ledger, _ last: RunRecord) throws {
        let products = try ledger.products()
        guard configuration.policyText + policyText(of: products) == last.policy else {
            lines.append(("verdicts: not compared, the policy has changed since the last night", nil))
            return
        }
        let recorded = try ledger.recordedVerdicts()
        let judged = try Night.verdicts(
            ledger: ledger, configuration: configuration, products: products, run: last,
            threads: ProcessInfo.processInfo.activeProcessorCount, clock: StageClock(log: surroundings.log))
        let wrong = recorded.symmetricDifference(judged).map(\.subject.text)
        note(
            "verdicts of \(recorded.count) subjects",
            wrong.min().map { "\($0) and \(wrong.count - 1) more are not what the evidence says. Restore a backup." })
    }

    private mutating func checkReports(of run: RunRecord) {
        guard let folder = run.folder, let digest = run.folderDigest else { return }
        let path = configuration.output + "/" + folder
        let remedy = "Run the night again with --date \(run.businessDate) and --as-of \(run.asOf): it is rebuilt."
        guard let sums = FileManager.default.contents(atPath: path + "/SHA256SUMS") else {
            return note("reports of \(run.businessDate)", "\(path) is not whole. " + remedy)
        }
        var problems: [String] = []
        if sums.withUnsafeBytes({ SHA256.digest(of: $0) }).hex != digest {
            problems.append("SHA256SUMS was changed. " + remedy)
        }
        for line in String(decoding: sums, as: UTF8.self).split(separator: "\n") {
            let name = String(line.dropFirst(66))
            let content = FileManager.default.contents(atPath: path + "/" + name)
            let found = content.map { $0.withUnsafeBytes { SHA256.digest(of: $0) }.hex }
            if found != String(line.prefix(64)) { problems.append("\(name) was changed or is missing. " + remedy) }
        }
        let link = try? FileManager.default.destinationOfSymbolicLink(
            atPath: configuration.output + "/" + run.businessDate.text)
        if link != folder { problems.append("the link \(run.businessDate) does not point to them. " + remedy) }
        note("reports of \(run.businessDate)", problems)
    }
}
