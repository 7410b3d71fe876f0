internal import Domain
internal import JSON
internal import Scan

/// A value that the ledger stores as JSON text: one object on one line, with sorted keys and without absent values.
///
/// Each night writes and reads hundreds of thousands of them. Foundation's coders would take a minute for that.
protocol FactsText {
    func write(to text: inout FactsWriter)
    init(_ facts: FactsReader) throws
}

extension FactsText {
    var factsText: String {
        var writer = FactsWriter()
        write(to: &writer)
        return writer.finish()
    }

    /// - Throws: `LedgerError.damaged` where the text is not what `write` writes.
    init(factsText: String) throws {
        var copy = factsText
        self = try copy.withUTF8 { try Self(FactsReader(UnsafeRawBufferPointer($0))) }
    }
}

/// Writes one object. Keys must be added in ascending order.
struct FactsWriter {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    mutating func finish() -> String {
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func begin(_ key: StaticString) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        append(key)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(_ constant: StaticString) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: constant.utf8Start, count: constant.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        begin(key)
        quote(value)
    }

    mutating func add(_ key: StaticString, _ value: (some FixedWidthInteger)?) {
        guard let value else { return }
        begin(key)
        bytes.append(contentsOf: String(value).utf8)
    }

    mutating func add(_ key: StaticString, _ values: [String]) {
        list(key, values) { $0.quote($1) }
    }

    mutating func add(_ key: StaticString, _ amount: Amount?) {
        guard let amount else { return }
        add(key) { inner in
            inner.add("currency", amount.currency)
            inner.add("minor", amount.minor)
        }
    }

    mutating func add(_ key: StaticString, _ object: (inout FactsWriter) -> Void) {
        begin(key)
        append(object)
    }

    mutating func add(_ key: StaticString, objects: [(inout FactsWriter) -> Void]) {
        list(key, objects) { $0.append($1) }
    }

    private mutating func list<Item>(
        _ key: StaticString, _ items: [Item], _ write: (inout FactsWriter, Item) -> Void
    ) {
        begin(key)
        bytes.append(UInt8(ascii: "["))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(&self, item)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func append(_ object: (inout FactsWriter) -> Void) {
        var inner = FactsWriter()
        object(&inner)
        bytes.append(contentsOf: inner.bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: bytes += Array("\\u00".utf8) + Self.hexadecimal(byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
        [byte >> 4, byte & 15].map { $0 < 10 ? 0x30 + $0 : 0x57 + $0 }
    }
}

/// Reads the values of one object by key.
struct FactsReader {
    private var members: [(key: UnsafeRawBufferPointer, value: JSONValue)] = []

    /// - Parameter bytes: must stay where they are while values are read.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        members.reserveCapacity(32)
        do {
            try JSONReader.forEachMember(of: bytes) { members.append(($0.raw, $1)) }
        } catch { throw LedgerError.damaged("facts are not JSON: \(error)") }
    }

    private func value(_ key: StaticString) -> JSONValue? { members.first { $0.key.isEqual(to: key) }?.value }

    private static func missing(_ key: StaticString) -> LedgerError {
        .damaged("facts without a valid “\(key)”")
    }

    func optionalText(_ key: StaticString) throws -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw Self.missing(key) }
        return text.string
    }

    func text(_ key: StaticString) throws -> String {
        guard let text = try optionalText(key) else { throw Self.missing(key) }
        return text
    }

    func optionalNumber<Number: FixedWidthInteger>(_ key: StaticString) throws -> Number? {
        guard let value = value(key) else { return nil }
        guard case .number(let text) = value, let number = Parse.integer(text).flatMap({ Number(exactly: $0) }) else {
            throw Self.missing(key)
        }
        return number
    }

    func number<Number: FixedWidthInteger>(_ key: StaticString) throws -> Number {
        guard let number: Number = try optionalNumber(key) else { throw Self.missing(key) }
        return number
    }

    func optionalWord<Word: RawRepresentable>(_ key: StaticString) throws -> Word? where Word.RawValue == String {
        guard let text = try optionalText(key) else { return nil }
        guard let word = Word(rawValue: text) else { throw Self.missing(key) }
        return word
    }

    func word<Word: RawRepresentable>(_ key: StaticString) throws -> Word where Word.RawValue == String {
        guard let word: Word = try optionalWord(key) else { throw Self.missing(key) }
        return word
    }

    func texts(_ key: StaticString) throws -> [String] {
        try elements(key) { value in
            guard case .string(let text) = value else { throw Self.missing(key) }
            return text.string
        }
    }

    /// Empty if the key is absent.
    func optionalTexts(_ key: StaticString) throws -> [String] { value(key) == nil ? [] : try texts(key) }

    func object(_ key: StaticString) throws -> FactsReader? {
        guard let value = value(key) else { return nil }
        guard case .object(let bytes) = value else { throw Self.missing(key) }
        return try FactsReader(bytes)
    }

    func objects(_ key: StaticString) throws -> [FactsReader] {
        try elements(key) { value in
            guard case .object(let bytes) = value else { throw Self.missing(key) }
            return try FactsReader(bytes)
        }
    }

    func amount(_ key: StaticString) throws -> Amount? {
        try object(key).map { Amount(minor: try $0.number("minor"), currency: try $0.text("currency")) }
    }

    private func elements<Element>(_ key: StaticString, _ read: (JSONValue) throws -> Element) throws -> [Element] {
        guard case .array(let bytes)? = value(key) else { throw Self.missing(key) }
        var elements: [Element] = []
        try JSONReader.forEachElement(of: bytes) { elements.append(try read($0)) }
        return elements
    }
}
