extension FileFormat {
    /// The format as configured; otherwise by the extension (before `.gz`); otherwise by the first line of the content.
    ///
    /// Apple's formats are always JSON.
    init(of file: FoundFile, _ feed: Feed, firstLine: [UInt8]) {
        let named = Self(named: file.path)
        if let format = feed.format {
            self = format
        } else if feed.kind == .transactions || feed.kind == .orderLookups {
            self = named != .jsonl && Self.isDocument(firstLine) ? .json : .jsonl
        } else {
            self = named ?? Self(firstLine)
        }
    }

    /// By the extension; nil if it is not known.
    private init?(named path: String) {
        var name = path.lowercased()[...]
        if name.hasSuffix(".gz") { name = name.dropLast(3) }
        switch name.split(separator: "/").last?.split(separator: ".").last {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "jsonl", "ndjson": self = .jsonl
        default: return nil
        }
    }

    /// By the content: JSON begins with a brace or a bracket, TSV has a tab in its first line.
    private init(_ firstLine: [UInt8]) {
        if Self.isDocument(firstLine) {
            self = .json
        } else if firstLine.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            self = .jsonl
        } else {
            self = firstLine.contains(UInt8(ascii: "\t")) ? .tsv : .csv
        }
    }

    /// Whether a JSON value begins in the first line that does not end there.
    private static func isDocument(_ firstLine: [UInt8]) -> Bool {
        switch firstLine.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "["): true
        case UInt8(ascii: "{"): firstLine.withUnsafeBytes(\.isUnfinishedJSON)
        default: false
        }
    }
}

/// How a file is divided: its format, its delimiter and its header.
struct FileLayout: Sendable {
    let framing: Framing
    /// The header of a CSV or TSV file; nil for JSON.
    let header: Header?
    /// The number of the line at which rows begin.
    let firstLine: Int

    /// Reads the beginning of the file up to its header. Throws `FileDefect` if the file must be refused.
    init(_ reader: inout BlockReader, of file: FoundFile, feed: Feed, plan: RowPlan) throws {
        if feed.skipped.lines > 0 { try reader.dropLines(feed.skipped.lines) }
        var line = try reader.peekLine()
        guard !reader.isEmpty else { throw FileDefect.empty(feed.kind) }
        if feed.encoding == .utf8, let defect = FileDefect.foreign(reader.beginning, .utf8) { throw defect }
        let format = FileFormat(of: file, feed, firstLine: line)
        guard let own = Framing(format).delimiter else {
            framing = Framing(format)
            header = nil
            firstLine = reader.line
            reader.framing = framing
            return
        }
        var rows = RowReader(feed, plan)
        var delimiter = feed.delimiter
        if let named = DelimiterSearch.named(by: line) {
            delimiter = delimiter ?? named
            reader.dropLine()
            line = try reader.peekLine()
        }
        let search = DelimiterSearch(plan: plan, header: feed.header)
        if format == .text { delimiter = delimiter ?? own }
        let framing = Framing(
            delimiter: delimiter ?? search.delimiter(in: line, own: own, &rows), isEscaped: format == .text)
        self.framing = framing
        reader.framing = framing
        if let names = feed.header {
            header = try Header(names, plan)
            firstLine = reader.line
            return
        }
        guard let record = try reader.takeHeader() else { throw FileDefect.empty(feed.kind) }
        if let defect = FileDefect.unusableHeader(record, feed) { throw defect }
        header = try Header(record.withUnsafeBytes { rows.names($0, framing) }, plan)
        for _ in 0..<feed.skipped.afterHeader {
            guard try reader.takeHeader() != nil else {
                throw FileDefect(
                    "it ends before the lines that skipAfterHeader counts; deliver the complete file again")
            }
        }
        firstLine = reader.line
    }
}

extension FileDefect {
    /// A header that is not text in lines.
    fileprivate static func unusableHeader(_ header: [UInt8], _ feed: Feed) -> FileDefect? {
        if header.contains(UInt8(ascii: "\r")), !header.contains(Framing.quote) {
            return FileDefect("its lines end in CR alone; export it with LF or CR LF at the end of each line")
        }
        guard String(validating: header, as: UTF8.self) == nil else { return nil }
        return FileDefect(
            feed.encoding == .utf8
                ? "its header is not UTF-8; if it is a Chinese export of Excel, set encoding: \"gbk\" in the feed"
                : "its header is not \(feed.encoding.rawValue); correct the feed's encoding")
    }
}

/// How the delimiter of a CSV or TSV file is found.
struct DelimiterSearch {
    let plan: RowPlan
    /// The column names of the configuration, if the file has no header line.
    let header: [String]?

    /// Tried in this order after the format's own.
    static let candidates = [",", "\t", ";", "|"].map { UInt8(ascii: $0) }

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
