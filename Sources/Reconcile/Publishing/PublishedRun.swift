internal import Foundation
internal import Ledger

/// Which run wrote the reports of a folder, as their `summary.json` says.
struct PublishedRun: Decodable {
    var run: RunID
    /// The run's link in the ledger's chain.
    var chain: String
    /// The run's "now".
    var asOf: String

    private enum CodingKeys: String, CodingKey { case run, chain, asOf = "as_of" }

    /// Nil if the folder has no readable `summary.json`.
    init?(folder: String) { self.init(publishedAt: folder + "/summary.json") }

    /// The first published reports of a run that is not among `runs`, with their date: an older ledger is in
    /// the place of the one that published them. Nil if all are known.
    ///
    /// - Parameter first: reports of earlier dates are not read.
    static func unknown(
        to runs: [RunRecord], in output: String, since first: BusinessDate? = nil
    ) -> (run: PublishedRun, date: BusinessDate)? {
        let known = Dictionary(runs.map { ($0.id, $0.link) }) { first, _ in first }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
        for name in names.ordered() {
            guard let date = BusinessDate(name), first.map({ $0 <= date }) ?? true else { continue }
            guard let published = PublishedRun(folder: output + "/" + name) else { continue }
            if let link = known[published.run], published.chain == link { continue }
            return (published, date)
        }
        return nil
    }

    /// The run of published reports that are later than this ledger: an older ledger may be in the place of the one that
    /// published them. Nil if there is none.
    static func later(than ledger: Ledger, in output: String) throws -> (date: BusinessDate, run: RunID)? {
        let runs = try ledger.isEmpty ? [] : ledger.runs()
        guard let last = runs.last, let found = unknown(to: runs, in: output, since: last.businessDate),
            isUnknown(found.date, after: last, in: output)
        else { return nil }
        return (found.date, found.run.run)
    }

    /// Whether reports of that date, which the ledger does not know, were written after those of its last run. Others are
    /// from before it was restored or begun again.
    static func isUnknown(_ date: BusinessDate, after last: RunRecord, in output: String) -> Bool {
        func written(_ folder: String) -> Date? {
            let file = output + "/" + folder + "/summary.json"
            return try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        }
        guard let own = last.folder.flatMap(written), let other = written(date.text) else { return true }
        return other > own
    }
}

extension Decodable {
    /// The content of a published JSON file; nil if the file is missing or cannot be read.
    init?(publishedAt path: String) {
        guard let content = FileManager.default.contents(atPath: path),
            let read = try? JSONDecoder().decode(Self.self, from: content)
        else { return nil }
        self = read
    }
}

/// A month that was published, as its `month.json` says.
struct PublishedMonth: Decodable {
    struct Closing: Decodable {
        var by: String
        var seal: String
    }
    /// One of the files of Apple's that its bridge was made from.
    struct Report: Decodable {
        var digest: String
        var first: String
        var last: String
    }
    /// A line of its bridge's roll-forward.
    struct Rolled: Decodable {
        struct Sum: Decodable { var value: String }
        var last: String
        var currency: String
        var kind: String
        var reported: Sum
        var closing: Sum
        var unexplained: Sum

        private enum CodingKeys: String, CodingKey {
            case last, currency, reported, closing, unexplained
            case kind = "sales_or_return"
        }
    }
    var period: String
    /// Nil while it is provisional.
    var closing: Closing?
    private var reports: [Report]?
    private var rollForward: [Rolled]?

    private enum CodingKeys: String, CodingKey {
        case period, closing
        case reports = "apple_reports"
        case rollForward = "apple_roll_forward"
    }

    /// The published months that were closed in a ledger later than this one: their seals are not among `seals`.
    static func unknown(to seals: [MonthSeal], in output: String) -> [PublishedMonth] {
        let known = Set(seals.map(\.digest))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
        return names.filter { Period(calendarMonth: $0) != nil }.ordered().compactMap { name in
            PublishedMonth(publishedAt: output + "/" + name + "/month.json")
        }.filter { month in month.closing.map { !known.contains($0.seal) } ?? false }
    }

    /// Apple's periods for which a bridge that replaces this one has other files, each with what changed.
    func changes(in bridge: AppleBridge) -> [(first: BusinessDate, last: BusinessDate, amounts: String)] {
        let former = Dictionary(grouping: reports ?? []) { [$0.first, $0.last] }
        let files = Dictionary(grouping: bridge.files) { [$0.first.text, $0.last.text] }
        return files.values.map { $0[0] }.ordered { $0.first < $1.first }.compactMap { file in
            let period = [file.first.text, file.last.text]
            guard let own = former[period], Set(own.map(\.digest)) != Set((files[period] ?? []).map(\.digest)) else {
                return nil
            }
            let changes = bridge.rollForward.filter { $0.last == file.last }.compactMap { now in
                rollForward?.first {
                    $0.last == now.last.text && $0.currency == now.currency.text && $0.kind == now.kind.rawValue
                }?.change(to: now)
            }
            return (
                file.first, file.last, changes.isEmpty ? "The amounts are the same" : changes.joined(separator: "; ")
            )
        }
    }

    /// What to do about such a month, as a sentence.
    static func remedy(_ period: String, in output: String) -> String {
        "Put the newer ledger back. If it is lost, keep the signed files under another name "
            + "('mv \(output)/\(period) \(output)/\(period)-signed') and close the month again."
    }
}

extension PublishedMonth.Rolled {
    /// What another bridge has otherwise. Nil if there is nothing.
    fileprivate func change(to now: TransitLine) -> String? {
        let figures = [
            ("reported", reported, now.reported), ("in transit", closing, now.closing),
            ("unexplained", unexplained, now.unexplained),
        ].compactMap { words, then, sum in
            let value = decimal(sum.minor, exponent: now.currency.exponent)
            return then.value == value ? nil : "\(words) \(then.value) → \(value)"
        }
        if figures.isEmpty { return nil }
        return "\(currency) \(now.kind == .sales ? "sales" : "returns"): " + figures.joined(separator: ", ")
    }
}
