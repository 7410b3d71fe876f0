/// Content that is not what the feed expects, named for what it is.
extension FileDefect {
    /// - Parameter content: the beginning of the file.
    /// - Returns: nil if nothing speaks against text in that encoding.
    static func foreign(_ content: some Collection<UInt8>, _ encoding: TextEncoding) -> FileDefect? {
        let bytes = Array(content.prefix(4096))
        if let kind = signatures.first(where: { bytes.starts(with: $0.bytes) }) {
            let isWorkbook = kind.bytes == zip && String(decoding: bytes, as: UTF8.self).contains("[Content_Types].xml")
            return FileDefect(
                isWorkbook
                    ? "it is an Excel workbook (XLSX), not text; save it as “CSV UTF-8”, or convert it: "
                        + "in2csv -I FILE.xlsx > FILE.csv"
                    : kind.text)
        }
        let hasMark = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        if encoding != .utf16, hasMark || isWide(bytes) {
            return FileDefect(
                "it is UTF-16, as Excel saves “Unicode Text”; set encoding: \"utf-16\" in the feed, or export UTF-8")
        }
        if encoding == .utf16, !hasMark, bytes.count > 1, !isWide(bytes), !bytes.contains(0) {
            return FileDefect("it is not UTF-16, although the feed's encoding is; correct the encoding, or the export")
        }
        if encoding != .utf8, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return FileDefect("it is UTF-8, although the feed's encoding is \(encoding.rawValue); remove the encoding")
        }
        return page(bytes)
    }

    /// How much of a line is looked at.
    private static let lineMax = 256

    private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    private static let signatures: [(bytes: [UInt8], text: String)] = [
        (zip, "it is a ZIP archive; unpack it, or compress it with gzip instead"),
        (
            Array("PAR1".utf8),
            "it is Parquet; convert it: duckdb -c \"COPY (FROM read_parquet('FILE')) TO 'FILE.csv'\""
        ),
        (
            Array("ORC".utf8),
            "it is ORC; convert it: python3 -c \"from pyarrow import csv, orc; csv.write_csv(orc.read_table('FILE'), "
                + "'FILE.csv')\""
        ),
        (
            Array("Obj\u{1}".utf8),
            "it is Avro; convert it: fastavro FILE > FILE.jsonl"
        ),
        ([0xD0, 0xCF, 0x11, 0xE0], "it is an Excel workbook (XLS), not text; save it as “CSV UTF-8”"),
        (Array("SQLite format 3".utf8), "it is a SQLite database; export its tables as CSV"),
        (Array("PGDMP".utf8), "it is a dump of PostgreSQL; export the rows with \\copy … CSV HEADER"),
        (Array("%PDF".utf8), "it is a PDF document; export the rows as CSV"),
        (Array("BZh".utf8), "it is compressed with bzip2; use gzip"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "it is compressed with xz; use gzip"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed with zstd; use gzip"),
        ([0x37, 0x7A, 0xBC, 0xAF], "it is a 7z archive; use gzip"),
    ]

    /// Whether every second byte of the beginning is NUL, as for Latin letters in UTF-16.
    private static func isWide(_ bytes: [UInt8]) -> Bool {
        let nulls = bytes.prefix(64).enumerated().filter { $0.element == 0 }.map { $0.offset % 2 }
        return nulls.count > 3 && Set(nulls).count == 1
    }

    /// A page, a dump or a table for people, by its first two lines.
    private static func page(_ bytes: [UInt8]) -> FileDefect? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let text = start.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
        // JSON is none of these, and there may be thousands of small files.
        guard let byte = text.first, byte != UInt8(ascii: "{"), byte != UInt8(ascii: "[") else { return nil }
        let lines = text.split(maxSplits: 2) { $0 == 0x0A || $0 == 0x0D }
            .map { String(decoding: $0.prefix(lineMax), as: UTF8.self) }
        let first = lines[0].lowercased()
        let second = lines.count > 1 ? lines[1] : ""
        if first.hasPrefix("<!doctype html") || first.hasPrefix("<html") {
            return FileDefect("it is an HTML page, probably an error or a login page; see what the export fetched")
        }
        if first.hasPrefix("<?xml") { return FileDefect("it is XML; export the rows as CSV or JSON Lines") }
        let dumps = [
            "-- mysql dump", "-- mariadb dump", "-- postgresql database dump", "insert into ", "create table ",
        ]
        if dumps.contains(where: first.hasPrefix) || first == "--" && second.hasPrefix("-- PostgreSQL database dump") {
            return FileDefect(
                "it is a database dump in SQL; export the rows as CSV: \\copy … CSV HEADER, or mysql --batch")
        }
        let isRuled = { (line: String) in line.count > 2 && line.allSatisfy { $0 == "-" || $0 == "+" } }
        if isRuled(first) || isRuled(second) {
            return FileDefect(
                "it is a table drawn for people; export the rows as CSV: \\copy … CSV HEADER, or mysql --batch")
        }
        return nil
    }
}
