internal import Foundation
internal import Ledger

/// Checks that the published reports are complete, unchanged and this ledger's.
extension Check {
    /// Checks the reports of each business date's last run. If the reports of an earlier date were removed, that is no
    /// problem.
    ///
    /// `check` reads the ledger as it was when it began, but a night may publish meanwhile. If something seems wrong,
    /// the runs are therefore read again, until two looks agree. If something still seems wrong while another run is in
    /// progress, the reports are not judged.
    mutating func checkReports(_ runs: [RunRecord]) throws {
        var (runs, found) = (runs, reportFindings(runs))
        while found.contains(where: { $0.problem != nil }) {
            let holder = RunLock.holder(of: configuration.ledger)
            let now = try Ledger.reading(path: configuration.ledger).runs()
            if now.map(\.publication) != runs.map(\.publication) {
                (runs, found) = (now, reportFindings(now))
            } else if let holder {
                return findings.note("reports: not checked, because another run is in progress: \(holder)")
            } else if reportFindings(now) == found {
                break
            } else {
                found = reportFindings(now)
            }
        }
        for finding in found { findings.add(finding) }
    }

    private func reportFindings(_ runs: [RunRecord]) -> [CheckLine] {
        var found = CheckLines()
        guard let last = runs.last else { return [] }
        let lastOfDate = Dictionary(runs.map { ($0.businessDate, $0) }) { $1 }
        for (date, run) in lastOfDate.ordered() where run.folder != nil {
            let isThere = exists(configuration.output + "/" + date.text)
            if date < last.businessDate, !isThere { continue }
            let remedy = "To rebuild them, run 'reconcile nightly --date \(date) --as-of \(run.asOf.text)'."
            found.note("reports of \(date)", all: problems(of: run), remedy: remedy)
        }
        let latest = configuration.output + "/latest"
        if last.folder != nil, (try? FileManager.default.destinationOfSymbolicLink(atPath: latest)) == nil {
            found.note(
                "the link latest",
                "it is missing. To set it, run 'reconcile nightly --date \(last.businessDate) --as-of \(last.asOf.text)'."
            )
        }
        found.add(age(of: last, among: runs))
        return found.all
    }

    private func problems(of run: RunRecord) -> [String] {
        guard let folder = run.folder, let digest = run.folderDigest else { return [] }
        let link = configuration.output + "/" + run.businessDate.text
        var problems: [String] = []
        if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != folder {
            problems.append("the link \(run.businessDate) does not point to them")
        }
        return problems + publishedProblems(configuration.output + "/" + folder, digest: digest)
    }

    /// Finds closed months whose signed files were changed or removed, and signed files whose seal this ledger lacks.
    mutating func checkMonths(_ seals: [MonthSeal]) {
        for seal in seals {
            let what = "files of the closed month \(seal.period)"
            let link = configuration.output + "/" + seal.period
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
                findings.doubt(what, "they are not in \(configuration.output). Run 'reconcile monthly \(seal.period)'.")
                continue
            }
            findings.note(
                what, all: publishedProblems(configuration.output + "/" + target, digest: seal.folderDigest),
                remedy: "Remove \(link) and run 'reconcile monthly \(seal.period)'.")
        }
        for month in PublishedMonth.unknown(to: seals, in: configuration.output) {
            findings.note(
                "files of the closed month \(month.period)",
                "their seal is not in this ledger: an older ledger is in its place. "
                    + PublishedMonth.remedy(month.period, in: configuration.output))
        }
    }

    /// Finds reports of a run that the ledger does not know: an older ledger was put in its place.
    private func age(of last: RunRecord, among runs: [RunRecord]) -> CheckLine? {
        let what = "ledger and reports belong together"
        let output = configuration.output
        let lost =
            PublishedRun.unknown(to: runs, in: output, since: last.businessDate)
            ?? PublishedRun.unknown(to: runs, in: output)
        guard let lost else {
            return PublishedRun(folder: output + "/latest") == nil ? nil : CheckLine(what: what, problem: nil)
        }
        if let restoration = try? Ledger.reading(path: configuration.ledger).restoration(since: last.id) {
            return CheckLine(
                what: what,
                doubt:
                    "the ledger was restored by \(restoration.by) as of \(last.businessDate), and the reports are of "
                    + "run \(lost.run.run). Run 'reconcile nightly': it reads what was delivered since.")
        }
        if !PublishedRun.isUnknown(lost.date, after: last, in: output) {
            return CheckLine(
                what: what,
                doubt:
                    "\(output)/\(lost.date) holds the reports of run \(lost.run.run), from before the ledger was restored or "
                    + "begun again. A later night has read the files. Move these reports elsewhere.")
        }
        return CheckLine(
            what: what,
            problem:
                "the reports are of run \(lost.run.run), which is not in this ledger: an older ledger is in its place. "
                + "Put the newer ledger back with 'reconcile restore', or run the later nights again.")
    }
}

extension RunRecord {
    /// What publishing a run changes.
    fileprivate var publication: [String?] { [id.description, folder, folderDigest] }
}
