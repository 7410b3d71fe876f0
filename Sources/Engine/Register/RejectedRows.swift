/// Rejected rows of credits, orders, transactions and receipts, searchable by the identifiers they mention. Such a row may
/// mean that goods were given or that money was paid back. See docs/spec/rules.md#withheld-entries.
public struct RejectedRows {
    private struct Place {
        var text: String
        /// The end of the file's date. A row speaks about what happened until then.
        var end: Instant
        /// A row of credits or orders may say that goods were given.
        var tellsOfGoods: Bool
    }
    private let zone: Zone
    /// Rows have the ids without what the feeds put before them. In plain spelling, because ids are searched in it.
    private let prefixes: FeedPrefixes
    /// For each word in its plain spelling, the rows that contain it.
    private var words: [String: [Int]] = [:]
    private var rows: [(text: String, place: Place)] = []
    /// The numbers of which a spreadsheet rounded the last digits away (`8.80012E+11`): what each may have been.
    private var rounded: [(numbers: ClosedRange<Double>, place: Place)] = []
    /// The rows that cannot be searched, because their text was deleted, cut, or is in another encoding.
    private var unreadable: [Place] = []
    /// The words of each row of receipts.
    private var claims: [(words: Set<String>, end: Instant)] = []
    /// For each of these words, the rows of receipts that contain it.
    private var claimsByWord: [String: [Int]] = [:]

    public init(_ rows: [RejectedRow] = [], zone: Zone, prefixes: FeedPrefixes = FeedPrefixes()) {
        self.zone = zone
        self.prefixes = prefixes.plain
        for row in rows { add(row) }
    }

    public mutating func add(_ rejected: RejectedRow) {
        let place = Place(
            text: "\(rejected.source):\(rejected.line)", end: zone.end(of: rejected.date),
            tellsOfGoods: rejected.kind == .credits || rejected.kind == .orders)
        var (text, words) = Self.words(of: rejected.row)
        if rejected.kind == .receipts {
            // The list of rejected rows was full, or the text is deleted: anybody may have claimed anything.
            if rejected.row.isEmpty { unreadable.append(place) }
            for word in Set(words.map { looseSpelling(of: $0) }) {
                claimsByWord[word, default: []].append(claims.count)
            }
            claims.append((words, place.end))
            return
        }
        let isCut = rejected.row.isEmpty || rejected.row.count >= Self.cut
        if place.tellsOfGoods, isCut || rejected.row.contains(0) || unescaped(text).contains("\\u") {
            unreadable.append(place)
        }
        // Orders have texts by clients as well.
        if rejected.kind == .credits {
            rounded += roundedNumbers(in: text).map { ($0, place) }
            let cells = text.split(whereSeparator: { ",;|\t\r\n\"{}[]".contains($0) })
            // A cell within quotes may have commas between the digits.
            let quoted = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().lazy
                .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
            for cell in (cells + quoted).map({ plainSpelling(of: $0) }) where cell.isIdentifying {
                words.formUnion(cell.meantIDs.union([cell]))
            }
        }
        for word in words { self.words[word, default: []].append(rows.count) }
        rows.append((text.lowercased(), place))
    }

    /// The row without escapes, and with them if it has some; its words in their plain spelling.
    static func words(of row: [UInt8]) -> (text: String, words: Set<String>) {
        let raw = String(decoding: row, as: UTF8.self)
        let plain = unescaped(raw)
        let text = plain == raw ? raw : raw + " " + plain
        return (text, Set(text.split(whereSeparator: isBetweenWords).map { plainSpelling(of: $0) }).subtracting([""]))
    }

    public var isEmpty: Bool { rows.isEmpty && claims.isEmpty }

    /// `file:line` of a row that mentions one of these identifiers in any spelling; for a row of credits or orders also
    /// one that mentions the owner, maybe by a rounded number, or that cannot be searched. Nil without one. Rows of receipts are left out.
    ///
    /// - Parameters:
    ///   - owner: the accounts that should have the goods.
    ///   - instant: rows of files whose date had ended by then are left out.
    public func place(mentioning ids: [String], owner: [String], since instant: Instant) -> String? {
        let isLate = { (place: Place) in place.end > instant }
        func spelled(_ ids: [String], _ prefixes: Set<String>) -> [String] {
            let plain = ids.map { plainSpelling(of: $0) }
            return plain + plain.flatMap(prefixes.removed).map { plainSpelling(of: $0) }
        }
        let (ids, owner) = (spelled(ids, prefixes.orders), spelled(owner, prefixes.accounts))
        for (plain, isOwner) in ids.map({ ($0, false) }) + owner.map({ ($0, true) }) where !plain.isEmpty {
            let found =
                plain.contains(where: Self.isBetweenWords)
                ? rows.indices.filter { rows[$0].text.contains(plain) } : words[plain] ?? []
            let place = found.lazy.map { rows[$0].place }.first { isLate($0) && ($0.tellsOfGoods || !isOwner) }
            if let place { return place.text }
        }
        let numbers = rounded.isEmpty ? [] : owner.compactMap { Double($0) }
        let place = rounded.first { row in isLate(row.place) && numbers.contains(where: row.numbers.contains) }?.place
        return (place ?? unreadable.first(where: isLate))?.text
    }

    /// The words of the rows of receipts that mention one of these transactions: they contain the accounts that claim it.
    ///
    /// - Parameters:
    ///   - transactions: in plain spelling.
    ///   - instant: rows of files whose date had ended by then are left out.
    func claimants(of transactions: Set<String>, since instant: Instant) -> Set<String> {
        let found = claims.isEmpty ? [] : transactions.flatMap { claimsByWord[$0] ?? [] }.map { claims[$0] }
        let words = found.filter { $0.end > instant }.reduce(into: Set()) { $0.formUnion($1.words) }
        return prefixes.accounts.reduce(into: words) { all, prefix in
            all.formUnion(words.map { plainSpelling(of: prefix + $0) })
        }
    }

    /// Rejected rows are stored up to this many bytes.
    private static let cut = 4096

    static func isBetweenWords(_ character: Character) -> Bool {
        character.isWhitespace || ",;:|\"'{}[]\\^~#!&=<>()/?+*@$%`".contains(character)
    }
}

/// The numbers that a spreadsheet rounded in a row, as spans: half of the last digit's worth to both sides. Such a number is a
/// whole cell, and may have a decimal comma; the comma may also end the cell before it.
private func roundedNumbers(in row: String) -> [ClosedRange<Double>] {
    guard row.contains("E+") || row.contains("e+") else { return [] }
    let cell = /(?:^|[,;\t":]) *([1-9])(?:([.,])([0-9]+))?[eE]\+([0-9]{2,3})(?![0-9A-Za-z.+-])/
    return row.matches(of: cell).flatMap { match -> [ClosedRange<Double>] in
        let (fraction, exponent) = (match.3 ?? "", Int(match.4) ?? 0)
        let isTwoCells = match.2 == "," && fraction.count == 1 && fraction != "0"
        return [(match.1 + fraction, fraction.count)].compactMap { span(of: $0, decimals: $1, exponent) }
            + (isTwoCells ? [span(of: fraction, decimals: 0, exponent)].compactMap(\.self) : [])
    }
}

private func span(of digits: Substring, decimals: Int, _ exponent: Int) -> ClosedRange<Double>? {
    guard let number = Double("\(digits)e\(exponent - decimals)"), number.isFinite,
        let half = Double("5e\(exponent - decimals - 1)")
    else { return nil }
    return number - half...number + half
}

/// The digits and letters of a transaction id that a client or a colleague wrote: a backend may take no notice of the other
/// signs, such as a space without width, or of another script's digits. It may also read a number (`2000000000000001.0`,
/// `2e15`). Where one number of ten or more digits stands in it, that number: a person writes words around an id.
func looseSpelling(of text: String) -> String {
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return plainSpelling(of: text) }
    if let number = Double(text), 1..<1e18 ~= number, number.rounded() == number { return "\(UInt64(number))" }
    func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        "0"..."9" ~= scalar || "a"..."z" ~= scalar || "A"..."Z" ~= scalar
    }
    let signs = text.unicodeScalars.map { scalar -> String in
        if isPlain(scalar) { return String(scalar) }
        let digit = scalar.properties.numericType == .decimal ? scalar.properties.numericValue : nil
        return digit.map { String(Int($0)) } ?? " "
    }.joined()
    let numbers = signs.split { !$0.isNumber }.filter { $0.count >= 10 }
    return plainSpelling(of: numbers.count == 1 ? String(numbers[0]) : signs.filter { $0 != " " })
}

/// The text without the escapes of JSON and CSV (`\u4e2d`, `\/`, `""`), which would hide an identifier.
private func unescaped(_ text: String) -> String {
    guard text.contains("\\") || text.contains("\"\"") else { return text }
    let units = Array(text.utf16)
    let (backslash, quote) = (UInt16(UInt8(ascii: "\\")), UInt16(UInt8(ascii: "\"")))
    var plain: [UInt16] = []
    var index = 0
    while index < units.count {
        let next = index + 1 < units.count ? units[index + 1] : 0
        let digits = units[min(index + 2, units.count)..<min(index + 6, units.count)]
        if units[index] == backslash, next == UInt16(UInt8(ascii: "u")), digits.count == 4,
            let unit = UInt16(String(decoding: digits, as: UTF16.self), radix: 16)
        {
            plain.append(unit)
            index += 6
        } else if units[index] == backslash && "/\"\\".utf16.contains(next) || units[index] == quote && next == quote {
            plain.append(next)
            index += 2
        } else {
            plain.append(units[index])
            index += 1
        }
    }
    return String(decoding: plain, as: UTF16.self)
}

/// A rejected row of a file.
public struct RejectedRow: Sendable {
    /// The kind of the file's feed.
    public var kind: FeedKind
    /// The file's date.
    public var date: BusinessDate
    /// The file's name.
    public var source: String
    /// The line on which the row begins, counted from 1. 0 stands for rows that were too many to list.
    public var line: Int
    /// The row as read, cut at 4 KiB. Empty if its text was deleted since.
    public var row: [UInt8]

    public init(kind: FeedKind, date: BusinessDate, source: String, line: Int, row: [UInt8]) {
        (self.kind, self.date, self.source, self.line, self.row) = (kind, date, source, line, row)
    }
}
