/// The first rows of a file as texts, read before anything is known about its columns: what `init --from` learns from.
///
/// A path of a JSON row is a column; lists are left out, and only their paths are kept.
public struct TableSample: Sendable {
    public struct Column: Sendable {
        public var name: String
        /// One for each row; nil for no value.
        public var values: [String?]

        public init(name: String, values: [String?]) {
            self.name = name
            self.values = values
        }
    }

    public private(set) var columns: [Column] = []
    public private(set) var rows = 0
    public private(set) var format: FileFormat
    public let encoding: TextEncoding
    /// The byte between fields; nil for JSON.
    public private(set) var delimiter: UInt8?
    public private(set) var hasHeader = true
    /// The number of lines before the header, and of those between it and the rows.
    public private(set) var skipped = (lines: 0, afterHeader: 0)
    /// The fields of a last row that has fewer fields than the others.
    public private(set) var footer: [String]?
    /// How many records a night counts before the footer, rows or not, and the first that is not a row.
    public private(set) var beforeFooter: (count: Int, stray: String?) = (0, nil)
    /// The paths within lists of the first JSON value, such as `items[].id`.
    public private(set) var lists: [String] = []
    /// How many of the first rows have unbalanced quotes.
    public private(set) var broken = 0
    /// Whether the first line begins with a signed record of Apple's.
    public private(set) var isSigned = false

    private static let hivesDelimiter: UInt8 = 0x01
    /// How much of a file is read.
    private static let bytesMax = 16 << 20

    /// Reads at most `rows` rows.
    ///
    /// - Returns: the table, or nil and the reason if the file does not contain a table.
    public static func read(_ path: String, rows: Int) throws(IntakeError) -> (table: TableSample?, reason: String) {
        try reading(path, refused: { (nil, $0) }) { (try TableSample(path, rows: rows), "") }
    }

    private init(_ path: String, rows: Int) throws {
        let (encoding, content) = try Self.text(of: path)
        self.encoding = encoding
        let isWhole = content.count < Self.bytesMax
        let bytes = content.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(content.dropFirst(3)) : content
        let start = bytes.firstIndex { $0 != 0x0A && $0 != 0x0D } ?? bytes.count
        guard start < bytes.count else { throw FileDefect.empty(nil) }
        var line = Array(bytes[start...].prefix { $0 != Framing.lineFeed })
        isSigned = Self.isSigned(line)
        let file = FoundFile(feed: 0, path: path, name: path, fileDate: BusinessDate(day: 0), isDated: false)
        var begin = start
        if DelimiterSearch.named(by: line) != nil {
            begin = min(bytes.count, start + line.count + 1)
            line = Array(bytes[begin...].prefix { $0 != Framing.lineFeed })
        }
        let named = FileFormat(
            of: file, Feed(kind: .orders, path: path, name: path), firstLine: line + [Framing.lineFeed])
        // Hive's own text format: no other one has such a byte.
        let isHives = line.contains(Self.hivesDelimiter)
        let isEscaped = isHives || named == .tsv && bytes[begin...].withUnsafeBytes(Self.isEscaped)
        format = isEscaped ? .text : named
        try bytes.withUnsafeBytes { all in
            let text = all.part(begin, all.count)
            if format == .text {
                let framing = isHives ? Framing(delimiter: Self.hivesDelimiter, isEscaped: true) : Framing(.text)
                try readFields(text, framing, count: rows, isWhole: isWhole)
            } else if let own = Framing(format).delimiter {
                try readFields(text, Framing(delimiter: Self.delimiter(of: text, own)), count: rows, isWhole: isWhole)
            } else {
                readObjects(text, rows)
            }
        }
        // A night also counts the empty lines above a title.
        if skipped.lines > 0 { skipped.lines += bytes[..<start].count { $0 == Framing.lineFeed } }
    }

    /// Whether a file with tabs is in the text format: it has a stray quote, or none and an escape.
    private static func isEscaped(_ text: UnsafeRawBufferPointer) -> Bool {
        let framing = Framing(.tsv)
        var start = 0
        while start < text.count, let record = framing.record(text, from: start, isLast: true) {
            if record.isBroken { return true }
            start = record.end
        }
        let escape = UInt8(ascii: "\\")
        return !text.contains(Framing.quote)
            && zip(text, text.dropFirst()).contains { $0 == escape && "nt\\".utf8.contains($1) }
    }

    private static func isSigned(_ line: [UInt8]) -> Bool {
        line.starts(with: "eyJ".utf8) && line.count { $0 == UInt8(ascii: ".") } == 2
    }

    /// The beginning of the file in UTF-8, and the encoding in which it is text.
    private static func text(of path: String) throws -> (TextEncoding, [UInt8]) {
        let stored = try beginning(of: path, .utf8)
        if isText(stored) {
            if let defect = FileDefect.foreign(stored, .utf8) { throw defect }
            return (.utf8, stored)
        }
        for encoding in [TextEncoding.utf16, .gbk, .gb18030] where encoding == .utf16 || isChinese(stored) {
            if let content = try? beginning(of: path, encoding), isText(content) { return (encoding, content) }
        }
        throw FileDefect.foreign(stored, .utf8)
            ?? FileDefect(
                "it is neither UTF-8, UTF-16 nor GBK; export it as UTF-8, and columns of bytes or bits as text: HEX(id), paid + 0"
            )
    }

    private static func beginning(of path: String, _ encoding: TextEncoding) throws -> [UInt8] {
        var source = try ByteSource(path, encoding: encoding)
        var content = [UInt8](repeating: 0, count: bytesMax)
        let count = try content.withUnsafeMutableBytes { try source.fill($0) }
        content.removeLast(bytesMax - count)
        // What was cut within a line is of no use.
        if count == bytesMax, let end = content.lastIndex(of: Framing.lineFeed) {
            content.removeLast(count - end - 1)
        }
        return content
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { $0.isPlain || UTF8Check.firstFault(in: $0) == nil } && !bytes.contains(0)
    }

    /// Whether nearly all bytes that are not ASCII are pairs of GB 2312, as in Chinese text in GBK; other encodings differ.
    private static func isChinese(_ bytes: [UInt8]) -> Bool {
        var (pairs, known, index) = (0, 0, 0)
        while index + 1 < bytes.count {
            guard bytes[index] >= 0x80 else {
                index += 1
                continue
            }
            pairs += 1
            let isKnown = (0xA1...0xA9 ~= bytes[index] || 0xB0...0xF7 ~= bytes[index]) && bytes[index + 1] >= 0xA1
            if isKnown { known += 1 }
            index += 2
        }
        return pairs > 0 && known * 10 >= pairs * 9
    }

    /// The delimiter that divides most of the first lines into the same number of fields, and into the most.
    private static func delimiter(of text: UnsafeRawBufferPointer, _ own: UInt8) -> UInt8 {
        var best = (delimiter: own, score: 0)
        for candidate in [own] + DelimiterSearch.candidates.filter({ $0 != own }) {
            let widths = records(text, Framing(delimiter: candidate), count: 50).rows.map(\.fields.count)
            let usual = Self.usual(widths)
            let score = widths.count { $0 == usual } * 10 >= widths.count * 7 ? usual : 1
            if score > best.score { best = (candidate, score) }
        }
        return best.delimiter
    }

    private static func usual(_ widths: [Int]) -> Int {
        let counts = widths.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    }

    private typealias Row = (line: Int, fields: [String], isTypes: Bool)

    /// The first records that are not empty, each with the number of its line, from 0, and how many have unbalanced quotes.
    private static func records(_ text: UnsafeRawBufferPointer, _ framing: Framing, count: Int)
        -> (rows: [Row], broken: Int)
    {
        let feed = Feed(kind: .orders, path: "", name: "")
        var reader = RowReader(feed, RowPlan(feed))
        var found: [Row] = []
        var (start, line, broken) = (0, 0, 0)
        while found.count < count, start < text.count, let record = framing.record(text, from: start, isLast: true) {
            let row = text.part(start, record.end).withoutLineEnding
            if !row.isEmpty, !record.isBroken {
                found.append((line, reader.names(row, framing), Header.isTypes(row, framing)))
            }
            if record.isBroken { broken += 1 }
            start = record.end
            line += record.lines
        }
        return (found, broken)
    }

    /// The records of a CSV text that are not empty, each with the number of its first line, from 1. Nil if the quotes of one
    /// are unbalanced.
    public static func records(of text: String, delimiter: UInt8) -> [(line: Int, fields: [String])]? {
        let (rows, broken) = Array(text.utf8).withUnsafeBytes {
            records($0, Framing(delimiter: delimiter), count: .max)
        }
        return broken > 0 ? nil : rows.map { ($0.line + 1, $0.fields) }
    }

    private mutating func readFields(
        _ text: UnsafeRawBufferPointer, _ framing: Framing, count: Int, isWhole: Bool
    ) throws {
        delimiter = framing.delimiter
        var records: [Row]
        (records, broken) = Self.records(text, framing, count: count + 1)
        let usual = Self.usual(records.map(\.fields.count))
        let titles = records.prefix(10).prefix { $0.fields.count != usual }.count
        records.removeFirst(titles)
        guard let first = records.first else { throw broken > 0 ? FileDefect.headerQuotes : FileDefect.empty(nil) }
        skipped.lines = titles > 0 ? first.line : 0
        hasHeader = !first.fields.contains { Self.isFigure($0) } && first.fields.contains { !$0.isEmpty }
        let names = hasHeader ? first.fields : first.fields.indices.map { "column\($0 + 1)" }
        if hasHeader { records.removeFirst() }
        if hasHeader, records.first?.isTypes == true {
            skipped.afterHeader = 1
            records.removeFirst()
        }
        if isWhole, records.count < count, let last = records.last, last.fields.count < usual {
            footer = last.fields
            records.removeLast()
        }
        let stray = records.first { $0.fields.count != usual }?.fields.first
        beforeFooter = (records.count + broken, stray)
        records.removeAll { $0.fields.count != usual }
        columns = names.enumerated().map { place, name in
            Column(name: name, values: records.map { Self.value($0.fields[place]) })
        }
        rows = records.count
    }

    /// Whether a field is no column's name: a number, a time, or a long text without blanks that has figures.
    private static func isFigure(_ field: String) -> Bool {
        let figures = field.utf8.count { 0x30...0x39 ~= $0 }
        let isNumber = figures > 0 && field.utf8.allSatisfy { 0x30...0x39 ~= $0 || "+-.:/, TZ".utf8.contains($0) }
        return isNumber || figures > 4 || field == "\\N"
    }

    private static func value(_ field: String) -> String? {
        var field = field
        while field.utf8.last == 0x09 { field.removeLast() }
        return ["", "null", "NULL", "\\N"].contains(field) || field.hasPrefix("0000-00-00") ? nil : field
    }

    private mutating func readObjects(_ text: UnsafeRawBufferPointer, _ count: Int) {
        let framing = Framing(format)
        var start = 0
        while rows < count, start < text.count, let record = framing.record(text, from: start, isLast: true) {
            var row: [(name: String, value: String?)] = []
            let whole = text.part(start, record.end)
            let object = framing.isDocument ? whole.withoutSeparators : whole.withoutLineEnding
            if (try? Self.flatten(object, "", into: &row)) != nil {
                if rows == 0 { lists = row.map(\.name).filter { $0.contains("[].") } }
                add(row.filter { !$0.name.contains("[].") })
            }
            start = record.end
        }
    }

    private static func flatten(
        _ object: UnsafeRawBufferPointer, _ path: String, into row: inout [(name: String, value: String?)]
    ) throws {
        try JSONReader.forEachMember(of: object) { key, value in
            let name = path + key.string
            switch value {
            case .string(let text): row.append((name, Self.value(text.string)))
            case .number(let digits): row.append((name, String(decoding: digits, as: UTF8.self)))
            case .bool(let flag): row.append((name, String(flag)))
            case .null: row.append((name, nil))
            case .object(let inner): try flatten(inner, name + ".", into: &row)
            case .array(let list):
                var isFirst = true
                try JSONReader.forEachElement(of: list) { element in
                    if isFirst, case .object(let inner) = element { try? flatten(inner, name + "[].", into: &row) }
                    isFirst = false
                }
            }
        }
    }

    private mutating func add(_ row: [(name: String, value: String?)]) {
        for (name, value) in row {
            let place = columns.firstIndex { $0.name == name } ?? columns.count
            if place == columns.count { columns.append(Column(name: name, values: Array(repeating: nil, count: rows))) }
            if columns[place].values.count == rows { columns[place].values.append(value) }
        }
        rows += 1
        for place in columns.indices where columns[place].values.count < rows { columns[place].values.append(nil) }
    }

    /// Appends the rows of another file of the same feed.
    public mutating func append(_ other: TableSample) {
        for column in other.columns where !columns.contains(where: { $0.name == column.name }) {
            columns.append(Column(name: column.name, values: Array(repeating: nil, count: rows)))
        }
        for place in columns.indices {
            let more = other.columns.first { $0.name == columns[place].name }?.values
            columns[place].values += more ?? Array(repeating: nil, count: other.rows)
        }
        rows += other.rows
        if footer == nil { (footer, beforeFooter) = (other.footer, other.beforeFooter) }
        broken += other.broken
        if format == .tsv, other.format == .text { format = .text }
    }

    /// Takes the last row out, as the footer.
    public mutating func takeFooter() {
        footer = columns.map { $0.values.last.flatMap { $0 } ?? "" }
        for place in columns.indices { columns[place].values.removeLast() }
        rows -= 1
        beforeFooter.count -= 1
    }
}
