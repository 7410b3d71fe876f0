/// Writes CSV (RFC 4180, with line feeds) for machines. Values are exact, except for the protection against formulas.
/// See docs/spec/interfaces.md#formula-guard.
struct CSVWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes the header row: the names of the columns.
    mutating func header<Row>(_ columns: [Column<Row>]) {
        bytes.append(contentsOf: (columns.map(\.name).joined(separator: ",") + "\n").utf8)
    }

    mutating func row<Row>(_ row: Row, of columns: [Column<Row>]) {
        for (index, column) in columns.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(column.cell(row))
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns what was written since the last call, and removes it.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func write(_ cell: Cell) {
        switch cell {
        case .empty: break
        case .text(let text), .severity(let text, _): write(text)
        case .list(let texts) where texts.count == 1: write(texts[0])
        case .list(let texts): field(joined(texts))
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .money(let amount): bytes.append(contentsOf: amount.text.utf8)
        case .instant(let instant): bytes.append(contentsOf: instant.text.utf8)
        case .date(let date): bytes.append(contentsOf: date.text.utf8)
        }
    }

    /// A client can send any number of receipts, and readers of CSV refuse a file with a longer field.
    private static let listBytesMax = 32_000

    /// The texts with semicolons between, and behind them how many are left out.
    private func joined(_ texts: [String]) -> String {
        var length = 0
        let shown = texts.prefix { text in
            length += text.utf8.count + 1
            return length <= Self.listBytesMax
        }
        // Each text is protected, because a reader that splits at semicolons makes each a cell of its own.
        let list = shown.map(guarded) + (shown.count < texts.count ? ["… +\(texts.count - shown.count)"] : [])
        return list.joined(separator: ";")
    }

    private mutating func write(_ text: String) {
        // Nearly all texts are ids and codes: no formula, no separator, nothing to quote.
        let isPlain = !beginsFormula(text.unicodeScalars.first) && !text.hasByte { isSeparator($0) || mustBeQuoted($0) }
        if isPlain { bytes.append(contentsOf: text.utf8) } else { field(guarded(text)) }
    }

    fileprivate mutating func field(_ text: String) {
        guard text.hasByte(where: mustBeQuoted) else { return bytes.append(contentsOf: text.utf8) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// `,`, `"`, line feed, carriage return.
private func mustBeQuoted(_ byte: UInt8) -> Bool { byte == 0x2C || byte == 0x22 || byte == 0x0A || byte == 0x0D }

/// A text as a field of a CSV file: protected against formulas, and quoted where it must be.
func csvField(_ text: String) -> [UInt8] {
    var csv = CSVWriter()
    csv.field(guarded(text))
    return csv.bytes
}

/// The text, with `'` inserted where a spreadsheet would otherwise read it, or a part of it, as a formula. Numbers are
/// not changed.
///
/// A program that splits cells at semicolons, tabs or bars ignores quotes inside a cell, so a part of the text becomes
/// a cell. `'` is therefore also inserted after each such separator or line end that is followed by the beginning of a
/// formula, with or without quotes and blanks between.
func guarded(_ text: String) -> String {
    let whole = beginsFormula(text.unicodeScalars.first) && !isNumber(text) ? "'" + text : text
    guard whole.hasByte(where: isSeparator) else { return whole }
    var guarded = ""
    var rest = whole.unicodeScalars[...]
    while let scalar = rest.popFirst() {
        guarded.unicodeScalars.append(scalar)
        guard let byte = UInt8(exactly: scalar.value), isSeparator(byte) else { continue }
        let start = rest.first { $0 != "\"" && $0 != " " }
        if beginsFormula(start), start != "\t", start != "\r", start != "\n" { guarded += "'" }
    }
    return guarded
}

/// Whether a cell that starts with this character is read as a formula.
private func beginsFormula(_ scalar: Unicode.Scalar?) -> Bool {
    switch scalar {
    // The full-width signs begin a formula in East Asian editions of Excel.
    case "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠": true
    default: false
    }
}

/// `;`, `|`, tab, line feed, carriage return. A comma is not included: a cell with a comma is quoted.
private func isSeparator(_ byte: UInt8) -> Bool {
    byte == 0x3B || byte == 0x7C || byte == 0x09 || byte == 0x0A || byte == 0x0D
}

/// Whether the text is a number such as `-12` or `+3.50`: an optional sign, digits, and at most one point between
/// digits.
private func isNumber(_ text: String) -> Bool {
    let unsigned = text.utf8.first.map { $0 == 0x2D || $0 == 0x2B } == true ? text.utf8.dropFirst() : text.utf8[...]
    let parts = unsigned.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return (1...2).contains(parts.count)
        && parts.allSatisfy { part in !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) } }
}
