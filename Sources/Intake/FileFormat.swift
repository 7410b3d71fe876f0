internal import Domain

extension FileFormat {
    /// The format as configured; otherwise by the extension (before `.gz`); otherwise by the first bytes of the
    /// content.
    ///
    /// Apple's formats are always JSON Lines.
    init(of file: FoundFile, _ feed: Feed, content: [UInt8]) {
        if let format = feed.format {
            self = format
        } else if feed.kind == .transactions || feed.kind == .orderLookups {
            self = .jsonl
        } else {
            self = Self(named: file.path) ?? Self(content)
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

    /// By the content: JSON begins with a brace, TSV has a tab in its first line.
    private init(_ content: [UInt8]) {
        let firstLine = content.prefix { $0 != Framing.lineFeed }
        if content.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            self = .jsonl
        } else {
            self = firstLine.contains(UInt8(ascii: "\t")) ? .tsv : .csv
        }
    }
}

extension Header {
    /// Reads the header from the beginning of the file.
    init(_ reader: inout BlockReader, _ feed: Feed, _ framing: Framing) throws {
        guard let header = try reader.takeHeader() else { throw FileDefect.empty }
        var rows = RowReader(feed)
        let names = header.withUnsafeBytes { rows.names($0, framing) }
        try self.init(names, ColumnMap(feed))
    }
}
