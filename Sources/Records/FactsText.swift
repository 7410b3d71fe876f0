public import Domain
public import JSON
internal import Text

/// A text that this program does not write, with the reason.
public struct RecordError: Error, Equatable {
    /// Such as `facts without a valid “accounts”`.
    public var text: String

    public init(_ text: String) { self.text = text }
}

/// A value that the ledger and the wire keep as JSON text: one object on one line, with sorted keys and without absent
/// values.
///
/// Each night writes and reads hundreds of thousands of them. Foundation's coders would take a minute for that.
public protocol FactsText {
    /// Writes the members of the object, in the order of their keys.
    func write(to text: inout JSONWriter)
    init(_ facts: FactsReader) throws
}

extension FactsText {
    public var factsText: String {
        var writer = JSONWriter(escaping: .required)
        writer.object { write(to: &$0) }
        return writer.text
    }

    /// - Throws: `RecordError` where the text is not what `write` writes.
    public init(factsText: String) throws {
        var copy = factsText
        self = try copy.withUTF8 { try Self(FactsReader(UnsafeRawBufferPointer($0))) }
    }
}

extension JSONWriter {
    /// Adds a sum of money, unless it is nil.
    public mutating func add(_ key: StaticString, _ amount: Money?) {
        guard let amount else { return }
        add(key) { money in
            money.add("currency", amount.currency.text)
            money.add("minor", amount.minor)
        }
    }
}

/// Reads the values of one object by key.
public struct FactsReader {
    private typealias Member = (key: UnsafeRawBufferPointer, value: JSONValue)
    /// On the stack: a night reads hundreds of thousands of objects, and an array for each would cost as much as
    /// reading it.
    private var members = InlineArray<32, Member>(repeating: (UnsafeRawBufferPointer(start: nil, count: 0), .null))
    private var count = 0

    /// - Parameter bytes: must stay where they are while values are read.
    public init(_ bytes: UnsafeRawBufferPointer) throws {
        do {
            try JSONReader.forEachMember(of: bytes) { key, value in
                if count < members.count { members[count] = (key.raw, value) }
                count += 1
            }
        } catch { throw RecordError("facts are not JSON: \(error)") }
        guard count <= members.count else { throw RecordError("facts with more than \(members.count) members") }
    }

    private func value(_ key: StaticString) -> JSONValue? {
        // By a span: reading the array itself would copy it.
        let members = members.span
        for index in 0..<count where members[index].key.isEqual(to: key) { return members[index].value }
        return nil
    }

    private static func missing(_ key: StaticString) -> RecordError {
        RecordError("facts without a valid “\(key)”")
    }

    public func optionalText(_ key: StaticString) throws -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw Self.missing(key) }
        return text.string
    }

    public func text(_ key: StaticString) throws -> String {
        guard let text = try optionalText(key) else { throw Self.missing(key) }
        return text
    }

    public func optionalNumber<Number: FixedWidthInteger>(_ key: StaticString) throws -> Number? {
        guard let value = value(key) else { return nil }
        guard case .number(let text) = value, let number = Parse.integer(text).flatMap({ Number(exactly: $0) }) else {
            throw Self.missing(key)
        }
        return number
    }

    public func number<Number: FixedWidthInteger>(_ key: StaticString) throws -> Number {
        guard let number: Number = try optionalNumber(key) else { throw Self.missing(key) }
        return number
    }

    public func optionalWord<Word: RawRepresentable>(_ key: StaticString) throws -> Word?
    where Word.RawValue == String {
        guard let text = try optionalText(key) else { return nil }
        guard let word = Word(rawValue: text) else { throw Self.missing(key) }
        return word
    }

    public func word<Word: RawRepresentable>(_ key: StaticString) throws -> Word where Word.RawValue == String {
        guard let word: Word = try optionalWord(key) else { throw Self.missing(key) }
        return word
    }

    public func texts(_ key: StaticString) throws -> [String] {
        try elements(key) { value in
            guard case .string(let text) = value else { throw Self.missing(key) }
            return text.string
        }
    }

    /// Empty if the key is absent.
    public func optionalTexts(_ key: StaticString) throws -> [String] { value(key) == nil ? [] : try texts(key) }

    /// The id of an exception; nil for an absent or empty text.
    public func id(_ key: StaticString) throws -> ExceptionID? {
        try parsed(key) { ExceptionID($0) }
    }

    /// A business date; nil for an absent or empty text.
    public func date(_ key: StaticString) throws -> BusinessDate? {
        try parsed(key) { BusinessDate($0) }
    }

    public func instant(_ key: StaticString) throws -> Instant? {
        try optionalNumber(key).map { Instant(milliseconds: $0) }
    }

    private func parsed<Value>(_ key: StaticString, _ parse: (String) -> Value?) throws -> Value? {
        guard let text = try optionalText(key), !text.isEmpty else { return nil }
        guard let value = parse(text) else { throw Self.missing(key) }
        return value
    }

    public func currency(_ key: StaticString) throws -> Currency {
        guard let currency = Currency(bytes: try text(key).utf8) else { throw Self.missing(key) }
        return currency
    }

    public func object(_ key: StaticString) throws -> FactsReader? {
        guard let value = value(key) else { return nil }
        guard case .object(let bytes) = value else { throw Self.missing(key) }
        return try FactsReader(bytes)
    }

    public func objects<Element>(
        _ key: StaticString, _ read: (FactsReader) throws -> Element
    ) throws -> [Element] {
        try elements(key) { value in
            guard case .object(let bytes) = value else { throw Self.missing(key) }
            return try read(FactsReader(bytes))
        }
    }

    public func amount(_ key: StaticString) throws -> Money? {
        try object(key).map { Money(minor: try $0.number("minor"), currency: try $0.currency("currency")) }
    }

    private func elements<Element>(_ key: StaticString, _ read: (JSONValue) throws -> Element) throws -> [Element] {
        guard case .array(let bytes)? = value(key) else { throw Self.missing(key) }
        var elements: [Element] = []
        try JSONReader.forEachElement(of: bytes) { elements.append(try read($0)) }
        return elements
    }
}
