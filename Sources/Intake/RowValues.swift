/// The values of columns, by type. An absent value is nil; an unusable one throws a `RowFault` that says what would be
/// right.
///
/// Functions that change nothing are `mutating`, too: the compiler would copy the whole reader for each call, which took
/// 240 instructions a row.
extension RowReader {
    static let quantityMax: Int64 = 1_000_000

    /// The text of a column; nil if it is absent, or is one of the ways in which databases export NULL.
    @inline(__always)
    func value(_ column: Column) -> UnsafeRawBufferPointer? {
        let text = text(column).withoutTabs
        return Self.isNull(text) ? nil : text
    }

    /// Whether the text is empty, or one of the ways in which databases export NULL.
    @inline(__always)
    static func isNull(_ text: UnsafeRawBufferPointer) -> Bool {
        text.isEmpty
            || text.count <= 4 && (text.isEqual(to: "null") || text.isEqual(to: "NULL") || text.isEqual(to: "\\N"))
    }

    /// An identifier of at most `IdentifierCache.bytesMax` bytes; nil also for `0`.
    mutating func identifier(_ column: Column) throws(RowFault) -> Identifier? {
        guard let text = value(column) else { return nil }
        do throws(IdentifierCache.Fault) { return try identifiers.identifier(text, of: column.rawValue) } catch {
            switch error {
            case .tooLong:
                throw RowFault(column, "longer than \(IdentifierCache.bytesMax) bytes; write the identifier alone")
            case .holdsControls: throw RowFault(column, "contains a control character; write the identifier alone")
            case .isRounded:
                throw RowFault(
                    column,
                    "\(shown(text)) is a number as Excel rounds it, and its digits are lost; export the identifier "
                        + "as text, not through Excel")
            }
        }
    }

    /// Like `identifier`, but throws if there is none.
    mutating func requiredIdentifier(_ column: Column) throws(RowFault) -> Identifier {
        guard let identifier = try identifier(column) else { throw absent(column) }
        return identifier
    }

    /// An instant; times without an offset are in the feed's zone.
    mutating func instant(_ column: Column) throws(RowFault) -> Instant? {
        guard let text = value(column) else { return nil }
        if feed.timeFormat != nil { return try formatted(text, column) }
        guard let instant = Parse.instant(text, zone: feed.zone) else {
            if text.isZeroDate { return nil }
            throw RowFault(
                column,
                "\(shown(text)) is not a time; write 2025-11-18T03:04:05Z, 2025-11-18 03:04:05, or (milli)seconds since "
                    + "1970, or set timeFormat in the feed, such as \"dd/MM/yyyy HH:mm\""
            )
        }
        return instant
    }

    private func formatted(_ text: UnsafeRawBufferPointer, _ column: Column) throws(RowFault) -> Instant? {
        guard let instant = feed.timeFormat!.instant(text, zone: feed.zone) else {
            if text.isZeroDate { return nil }
            throw RowFault(column, "\(shown(text)) is not a time in the feed's timeFormat; correct one of them")
        }
        return instant
    }

    /// Like `instant`, but throws if there is none.
    mutating func requiredInstant(_ column: Column) throws(RowFault) -> Instant {
        guard let instant = try instant(column) else { throw absent(column) }
        return instant
    }

    /// The fault of a row without a value that every row needs.
    mutating func absent(_ column: Column) -> RowFault {
        guard text(column).baseAddress == nil, let name = plan.name(of: column.rawValue), name != column.name else {
            return RowFault(column, "is empty; every row needs a value", .missing)
        }
        let place = "under \(Header.shown(name)), its name in columns"
        return RowFault(column, "has no value \(place); every row needs one", .missing)
    }

    mutating func date(_ column: Column) throws(RowFault) -> BusinessDate? {
        guard let text = value(column) else { return nil }
        guard let date = Parse.date(text) else {
            throw RowFault(column, "\(shown(text)) is not a date; write it as 2025-11-18")
        }
        return date
    }

    /// A quantity from 1 to `quantityMax`.
    mutating func quantity() throws(RowFault) -> Int32? {
        guard let text = value(.quantity) else { return nil }
        guard let number = Parse.integer(text), 1...Self.quantityMax ~= number else {
            throw RowFault(
                .quantity, "\(shown(text)) is not a quantity; write a whole number from 1 to \(Self.quantityMax)")
        }
        return Int32(number)
    }

    /// The amount, given in major (`amount`) or minor units (`amount_minor`). Nil without a currency, because the unit
    /// is unknown.
    mutating func money() throws(RowFault) -> Money? {
        guard let text = value(.currency) else {
            if value(.amount) != nil || value(.amountMinor) != nil { amountsWithoutCurrency += 1 }
            return nil
        }
        guard let currency = Currency(bytes: text), currency.isCurrent else {
            let code = text.isEqual(to: "RMB") || text.isEqual(to: "rmb") ? "CNY" : "its ISO code, such as CNY"
            throw RowFault(
                .currency,
                "\(shown(text)) is not a currency; write \(code), or map the word under columns.currency.words")
        }
        let major = try number(.amount, currency, exponent: currency.exponent)
        let minor = try number(.amountMinor, currency, exponent: 0)
        if let major, let minor, major != minor {
            throw RowFault(
                .amountMinor, "differs from amount (\(minor) and \(major) minor units); write only one of them")
        }
        return (major ?? minor).map { Money(minor: $0, currency: currency) }
    }

    private mutating func number(_ column: Column, _ currency: Currency, exponent: Int) throws(RowFault) -> Int64? {
        guard let text = value(column) else { return nil }
        if feed.amounts.isPlain, let number = Parse.decimal(text, exponent: exponent) { return number }
        // A currency sign is written before major units.
        let sign = column == .amount ? currency : .absent
        guard let number = feed.amounts.number(text, exponent: exponent, currency: sign) else {
            let example =
                column == .amount
                ? "a decimal number, such as 6.00, or say in the feed how it is written: decimal: \",\", grouping: \".\""
                : "a whole number of minor units, such as 600"
            throw RowFault(column, "\(shown(text)) is not an amount in \(currency.text); write \(example)")
        }
        return number
    }

    /// A token; nil also if the text is not a UUID. StoreKit drops such a token too, so no transaction carries it.
    func token(_ column: Column) -> Token? { Token(bytes: text(column).withoutTabs) }

    /// One of the words in `words`, without regard to case.
    mutating func word<Value>(_ column: Column, _ words: Vocabulary<Value>) throws(RowFault) -> Value? {
        guard let text = value(column) else { return nil }
        guard let found = words.value(of: text) else {
            throw RowFault(
                column,
                "\(shown(text)) is not one of \(words.names); map your own words under columns.\(column.name).words")
        }
        return found
    }

    /// A value that the feed's `known` does not list: nobody has said what such a row means.
    func unknown(_ text: UnsafeRawBufferPointer, _ name: String) -> RowFault {
        RowFault(
            nil,
            "\(Header.shown(name)) is \(shown(text)), which known does not list; list it there if such rows count, and in "
                + "whereNot if they do not")
    }

    /// The text for a message: the first 40 bytes, in quotes.
    func shown(_ text: UnsafeRawBufferPointer) -> String {
        "“" + String(decoding: text.prefix(40), as: UTF8.self) + (text.count > 40 ? "…" : "") + "”"
    }
}

extension UnsafeRawBufferPointer {
    /// The text without tabs at its end. Reports for Excel put one behind a long number, so that it keeps its digits.
    @inline(__always)
    var withoutTabs: UnsafeRawBufferPointer {
        last == 0x09 ? part(0, (lastIndex { $0 != 0x09 } ?? -1) + 1) : self
    }

    /// Whether it is a word of the configuration, perhaps with tabs at its end.
    @inline(__always)
    func isWord(_ word: UnsafeRawBufferPointer) -> Bool {
        isEqual(to: word) || last == 0x09 && withoutTabs.isEqual(to: word)
    }

    /// Whether it is what MySQL writes for no time.
    fileprivate var isZeroDate: Bool { starts(with: "0000-00-00".utf8) }
}
