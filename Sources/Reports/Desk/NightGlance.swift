internal import Foundation

/// The last published night at a glance.
public struct NightGlance: Sendable, Equatable {
    public var businessDate: BusinessDate
    /// How many exceptions are new.
    public var new: Int
    /// How many exceptions are open: new ones, those carried over, and those opened again or changed.
    public var open: Int
    /// The days whose files are missing, in the order of the summary.
    public var missing: [Missing]

    /// A day of a feed without its file.
    public struct Missing: Sendable, Equatable, Decodable {
        var feed: String
        var date: String
    }

    /// Reads the figures from a night's `summary.json`. Nil if the bytes are not such a file.
    public init?(summary: [UInt8]) {
        guard let summary = try? JSONDecoder().decode(Summary.self, from: Data(summary)),
            let date = BusinessDate(summary.businessDate)
        else { return nil }
        let open = ExceptionState.allCases.filter(\.isOpen)
        businessDate = date
        missing = summary.gaps
        new = summary.exceptions[ExceptionState.new.rawValue] ?? 0
        self.open = open.reduce(0) { $0 + (summary.exceptions[$1.rawValue] ?? 0) }
    }
}

/// The members of `summary.json` that are needed here.
private struct Summary: Decodable {
    var businessDate: String
    var exceptions: [String: Int]
    var gaps: [NightGlance.Missing]

    enum CodingKeys: String, CodingKey {
        case businessDate = "business_date"
        case exceptions
        case gaps = "blind_spots"
    }
}
