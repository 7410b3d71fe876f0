internal import Foundation
internal import Glibc
internal import Intake
internal import Reports

/// A list of decisions that a person made in a spreadsheet: `waive --from` and `release --from`.
///
/// It is any sheet with exceptions, saved as CSV. Of its columns one names what is decided and one is the note; a row
/// without a note is not decided.
struct DecisionFile {
    struct Row {
        var line: Int
        var id: String
        var note: String
    }
    let rows: [Row]

    private static let bytesMax = 64 << 20

    /// - Parameter column: the name of the column with the ids, as in `exceptions.csv`. In the workbook, columns have
    ///   headings; these are known in all languages.
    /// - Throws: `Failure` with `noInput` for a missing file, with `inputRefused` for one that is not such a list.
    init(_ path: String, column: String, shownAs name: String, texts own: Texts) throws {
        let texts = try [own] + Language.allCases.map { try Texts(language: $0) }
        func refused(_ why: String) -> Failure {
            Failure(.inputRefused, "\(quoted(name)): \(why)", remedy: "Nothing was changed.")
        }
        guard isFile(path) else {
            throw Failure(
                .noInput, "the file \(quoted(name)) does not exist", remedy: "Check the path; nothing was changed.")
        }
        guard let content = FileManager.default.contents(atPath: path) else {
            throw Failure.system(EACCES, cannot: "read", name, otherwise: .inputOutput)
        }
        guard content.count <= Self.bytesMax, let text = decoded(content, own.language) else {
            throw refused("it is not UTF-8; save it as \"CSV UTF-8\"")
        }
        // The delimiter is the one that the first line has most of.
        let first = text.utf8.prefix { $0 != 0x0A && $0 != 0x0D }
        let delimiter = ",;\t".utf8.max { a, b in first.count { $0 == a } < first.count { $0 == b } }!
        guard var records = TableSample.records(of: text, delimiter: delimiter) else {
            throw refused("the quotes of a row are not balanced; save it as CSV once more")
        }
        guard let header = records.first?.fields else { throw refused("it is empty") }
        records.removeFirst()
        func place(_ column: String) throws(Failure) -> Int {
            let names = [column] + texts.map { $0.column(column) }
            let found = header.indices.filter { names.contains(header[$0].trimmingCharacters(in: .whitespaces)) }
            guard found.count == 1 else {
                throw refused(
                    found.isEmpty ? "it has no column \(names[0]) (\(names[1]))" : "it has two columns \(names[0])")
            }
            return found[0]
        }
        let (id, note) = (try place(column), try place("note"))
        rows = try records.compactMap { record in
            func field(_ number: Int) -> String {
                number < record.fields.count
                    ? record.fields[number].trimmingCharacters(in: .whitespacesAndNewlines) : ""
            }
            let row = Row(line: record.line, id: field(id), note: field(note))
            if row.note.isEmpty { return nil }
            guard !row.id.isEmpty else { throw refused("line \(row.line) has a note and no \(column)") }
            return row
        }
        guard !rows.isEmpty else { throw refused("no row has a note, so nothing is decided") }
        var lines: [String: Int] = [:]
        for row in rows {
            if let first = lines.updateValue(row.line, forKey: row.id) {
                throw refused("lines \(first) and \(row.line) are both about \(row.id)")
            }
        }
    }
}

/// UTF-8, with or without a byte order mark; where the reports are in Chinese, also GB 18030, as Excel saves CSV in China.
/// Nil if it is neither. Elsewhere GB 18030 is not tried: nearly every text of Windows-1252 or Shift-JIS can pass for it,
/// and the note would go on record as garbage.
private func decoded(_ content: Data, _ language: Language) -> String? {
    if let text = String(validating: content, as: UTF8.self) {
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }
    return language == .chinese ? TextEncoding.gb18030.text(of: [UInt8](content)) : nil
}
