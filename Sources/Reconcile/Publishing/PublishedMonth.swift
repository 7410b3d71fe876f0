internal import Engine
internal import Foundation

/// A month that was published, as its `month.json` says.
struct PublishedMonth: Decodable {
    struct Closing: Decodable {
        var by: String
        var seal: String
    }
    var period: String
    /// Nil while it is provisional.
    var closing: Closing?

    /// The published months that were closed in a ledger later than this one: their seals are not among `seals`.
    static func unknown(to seals: [MonthSeal], in output: String) -> [PublishedMonth] {
        let known = Set(seals.map(\.digest))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
        return names.filter { Period(calendarMonth: $0) != nil }.sorted().compactMap { name in
            PublishedMonth(publishedAt: output + "/" + name + "/month.json")
        }.filter { month in month.closing.map { !known.contains($0.seal) } ?? false }
    }

    /// What to do about such a month, as a sentence.
    static func remedy(_ period: String, in output: String) -> String {
        "Put the newer ledger back. If it is lost, keep the signed files under another name "
            + "('mv \(output)/\(period) \(output)/\(period)-signed') and close the month again."
    }
}
