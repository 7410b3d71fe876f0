/// The last row of a file, in which the export states what it has written.
struct Footer: Sendable {
    var line: Int
    /// The number of rows before it.
    var recordsBefore: Int
    /// How many rows it says there are; nil if it does not.
    var count: Int?
    /// What it has under `amount` and `amount_minor`.
    var amounts: [String?] = []

    /// The footer with `records` more rows before it.
    func moved(by records: Int) -> Footer {
        var footer = self
        footer.recordsBefore += records
        return footer
    }
}

extension Part {
    /// How the file differs from its footer, with both figures, as the rest of "FILE is refused: …". Nil if they agree.
    ///
    /// Amounts are compared only where every row was used: the amount of another row is not known. The sum of several
    /// currencies is that of their numbers, as the export's is.
    func differenceFromFooter(_ format: AmountFormat) -> String? {
        guard let footer = footers.last else {
            return
                "it has no footer, so it may be incomplete; deliver the complete file again, or correct the feed's footer"
        }
        let end = "; deliver the complete file again"
        guard footers.count == 1, footer.recordsBefore == records else {
            return "rows or another footer stand after its footer, line \(footers[0].line)" + end
        }
        if let count = footer.count, count != records {
            let rejected = totals.rejected > 0 ? " (\(totals.rejected) rejected)" : ""
            return
                "it has \(counted(records, "row", "rows"))\(rejected), but its footer, line \(footer.line), says \(count)"
                + end
        }
        guard totals.rejected == 0, records == totals.rows, amountsWithoutCurrency == 0 else { return nil }
        let sums = totals.control.amounts
        for (column, text) in zip([Column.amount, .amountMinor], footer.amounts) {
            guard let text else { continue }
            let isMajor = column == .amount
            // No currency has more than four decimals.
            let decimals = isMajor ? 4 : 0
            let found = sums.reduce(Int128(0)) { sum, entry in
                sum + Int128(entry.value) * (isMajor ? Self.power(decimals - entry.key.exponent) : 1)
            }
            let bytes = Array(text.utf8)
            let stated = bytes.withUnsafeBytes { format.number($0, exponent: decimals, currency: nil) }
            guard let stated else {
                return
                    "its footer, line \(footer.line), has \(Header.shown(text)) under \(column.name), which is not an "
                    + "amount; correct it, or the feed's decimal and grouping"
            }
            guard Int128(stated) != found else { continue }
            let sum = Int64(exactly: found).map { decimal($0, exponent: decimals) } ?? "more than \(Int64.max)"
            return "the \(column.name) of its rows adds up to \(sum), but its footer, line \(footer.line), says \(text)"
                + end
        }
        return nil
    }

    private static func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}

extension Header {
    /// The reason for rejecting a line that belongs to the header.
    static let typesNamed = "the line holds names of types or dashes, not a row; set skipAfterHeader: 1 in the feed"

    /// Whether each field of the row is the name of a type, as ClickHouse writes them below the names of the columns, or has
    /// only dashes, as SQL Server's client writes them.
    static func isTypes(_ row: UnsafeRawBufferPointer, _ framing: Framing) -> Bool {
        var start = 0
        while let (end, _) = framing.fieldEnd(row, from: start) {
            guard isType(String(decoding: row.part(start, end), as: UTF8.self)) else { return false }
            if end >= row.count { return true }
            start = end + 1
        }
        return false
    }

    private static let wrappers = ["nullable(", "lowcardinality(", "array("]
    private static let types: Set<String> = [
        "string", "fixedstring", "float", "double", "real", "decimal", "numeric", "bignumeric", "int", "integer",
        "bigint",
        "smallint", "tinyint", "uint", "bool", "boolean", "date", "datetime", "timestamp", "timestamptz", "time",
        "uuid",
        "enum", "json", "jsonb", "char", "varchar", "text", "number", "varchar2", "bytes", "variant", "map", "tuple",
    ]

    /// Such as `Nullable(Decimal(18, 2))`, `UInt64`, `varchar(32)`.
    private static func isType(_ field: String) -> Bool {
        var name = field.lowercased()[...]
        if name.first == "\"" { name = name.dropFirst().dropLast() }
        if !name.isEmpty, name.allSatisfy({ $0 == "-" }) { return true }
        while let wrapper = wrappers.first(where: name.hasPrefix) { name = name.dropFirst(wrapper.count) }
        let word = name.prefix { $0.isLetter || $0.isNumber }
        let base = word.reversed().drop { $0.isNumber }.reversed()
        return types.contains(String(base)) || types.contains(String(word))
    }
}
