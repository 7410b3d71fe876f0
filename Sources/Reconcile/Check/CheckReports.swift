internal import Digest
internal import Domain
internal import Foundation
internal import Ledger

/// Published reports: whole, unchanged, and those of the ledger.
extension Check {
    /// Of every business date the last run's. A date before the latest one whose reports were removed is no problem.
    mutating func checkReports(_ runs: [RunRecord]) throws {
        guard let last = runs.last else { return }
        let lastOfDate = Dictionary(runs.map { ($0.businessDate, $0) }) { $1 }
        for (date, run) in lastOfDate.sorted(by: { $0.key < $1.key }) where run.folder != nil {
            let isThere = exists(configuration.output + "/" + date.text)
            if date < last.businessDate, !isThere { continue }
            let remedy = "Run 'reconcile nightly' with --date \(date) --as-of \(run.asOf.text): they are rebuilt."
            findings.note("reports of \(date)", all: problems(of: run), remedy: remedy)
        }
        checkAge(of: last)
    }

    private func problems(of run: RunRecord) -> [String] {
        guard let folder = run.folder, let digest = run.folderDigest else { return [] }
        let path = configuration.output + "/" + folder
        let link = configuration.output + "/" + run.businessDate.text
        var problems: [String] = []
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != folder {
            problems.append("the link \(run.businessDate) does not point to them")
        }
        guard let sums = FileManager.default.contents(atPath: path + "/SHA256SUMS") else {
            return problems + ["\(path) is not whole"]
        }
        if sums.withUnsafeBytes({ SHA256.digest(of: $0) }).hex != digest { problems.append("SHA256SUMS was changed") }
        var known: Set<String> = ["SHA256SUMS", "metrics.prom"]
        for line in String(decoding: sums, as: UTF8.self).split(separator: "\n") {
            let name = String(line.dropFirst(66))
            known.insert(name)
            let content = try? Data(contentsOf: URL(fileURLWithPath: path + "/" + name), options: .alwaysMapped)
            let found = content.map { $0.withUnsafeBytes { SHA256.digest(of: $0) }.hex }
            if found != String(line.prefix(64)) { problems.append("\(name) was changed or is missing") }
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        problems += names.filter { !known.contains($0) }.sorted().map { "\($0) is no report of ours" }
        return problems
    }

    /// Reports of a later run than the ledger knows: somebody put an older ledger in its place.
    private mutating func checkAge(of last: RunRecord) {
        struct Summary: Decodable {
            var run: Int64
            var chain: String?
        }
        let path = configuration.output + "/latest/summary.json"
        guard let content = FileManager.default.contents(atPath: path),
            let summary = try? JSONDecoder().decode(Summary.self, from: content)
        else { return }
        let isOlder = summary.run > last.id || summary.run == last.id && summary.chain != last.link
        findings.note(
            "ledger and the latest reports are of one chain",
            isOlder
                ? "the reports are of run \(summary.run), which this ledger does not know: an older one is in its place. "
                    + "Put the newer one back, or run the nights since again." : nil)
    }
}
