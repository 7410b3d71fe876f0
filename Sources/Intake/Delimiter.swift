internal import Base

/// How the delimiter of a CSV or TSV file is found.
struct DelimiterSearch {
    let plan: RowPlan
    /// The column names of the configuration, if the file has no header line.
    let header: [String]?

    /// Tried in this order after the format's own.
    private static let candidates = [",", "\t", ";", "|"].map { UInt8(ascii: $0) }

    /// The delimiter with which `line`, the file's first, has the most columns of the feed or, without a header line, as
    /// many fields as the configuration names. `own`, the delimiter of the format, if none is better.
    func delimiter(in line: [UInt8], own: UInt8, _ reader: inout RowReader) -> UInt8 {
        func score(_ delimiter: UInt8) -> Int {
            let names = line.withUnsafeBytes { reader.names($0.withoutLineEnding, Framing(delimiter: delimiter)) }
            if let header { return names.count == header.count ? 1 : 0 }
            return names.count { plan.slot(of: $0) >= 0 }
        }
        var best = (delimiter: own, score: score(own))
        for candidate in Self.candidates where candidate != own {
            let score = score(candidate)
            if score > best.score { best = (candidate, score) }
        }
        return best.delimiter
    }

    /// The delimiter that Excel's line `sep=;` names; nil for any other line.
    static func named(by line: [UInt8]) -> UInt8? {
        let text = line.withUnsafeBytes { Array($0.withoutLineEnding) }.filter { $0 != Framing.quote }
        guard text.count == 5, String(decoding: text, as: UTF8.self).lowercased().hasPrefix("sep=") else { return nil }
        return text[4]
    }
}
