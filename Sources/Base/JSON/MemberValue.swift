/// A value of a member. It has one spelling in JSON.
public protocol MemberValue {
    /// Nil for a value that this program does not write.
    init?(_ value: JSONValue, of members: inout Members)
    func write(to members: inout Members)
}

extension MemberValue where Self: FixedWidthInteger {
    public init?(_ value: JSONValue, of members: inout Members) {
        guard case .number(let digits) = value, let number = Parse.integer(digits) else { return nil }
        self.init(exactly: number)
    }

    public func write(to members: inout Members) { members.writer.write(Int64(self)) }
}

extension Int: MemberValue {}
extension Int64: MemberValue {}
extension Int32: MemberValue {}
extension UInt8: MemberValue {}

extension Bool: MemberValue {
    public init?(_ value: JSONValue, of members: inout Members) {
        guard case .bool(let flag) = value else { return nil }
        self = flag
    }

    public func write(to members: inout Members) { members.writer.write(self) }
}

extension String: MemberValue {
    public init?(_ value: JSONValue, of members: inout Members) {
        guard case .string(let text) = value else { return nil }
        self = text.string
    }

    public func write(to members: inout Members) { members.writer.write(self) }
}

extension Array: MemberValue where Element: MemberValue {
    public init?(_ value: JSONValue, of members: inout Members) {
        guard case .array(let bytes) = value else { return nil }
        self = []
        var isRight = true
        do {
            try JSONReader.forEachElement(of: bytes) {
                if let element = Element($0, of: &members) { append(element) } else { isRight = false }
            }
        } catch { return nil }
        if !isRight { return nil }
    }

    public func write(to members: inout Members) {
        members.writer.open(UInt8(ascii: "["))
        for element in self { element.write(to: &members) }
        members.writer.close(UInt8(ascii: "]"))
    }
}

extension MemberValue where Self: TextCodable {
    public init?(_ value: JSONValue, of members: inout Members) {
        guard case .string(let text) = value else { return nil }
        self.init(text: text.string)
    }

    public func write(to members: inout Members) { members.writer.write(text) }
}

extension BusinessDate: MemberValue {}
extension Currency: MemberValue {}
extension Digest256: MemberValue {}
extension ExceptionID: MemberValue {}
extension SubjectKey: MemberValue {}

/// As milliseconds since 1970, in a year with four digits.
extension Instant: MemberValue {
    public init?(_ value: JSONValue, of members: inout Members) {
        guard let milliseconds = Int64(value, of: &members),
            -62_135_596_800_000...253_402_300_799_999 ~= milliseconds
        else { return nil }
        self.init(milliseconds: milliseconds)
    }

    public func write(to members: inout Members) { members.writer.write(milliseconds) }
}

extension Identifier: MemberValue {
    public init?(_ value: JSONValue, of members: inout Members) {
        guard case .string(let text) = value, !text.raw.isEmpty else { return nil }
        if members.cache == nil { members.cache = IdentifierCache() }
        let column = members.place & 63
        self = text.withUnescaped { (try? members.cache!.identifier($0, of: column)) ?? Identifier(bytes: $0) }
    }

    public func write(to members: inout Members) {
        if members.spelling == nil { members.spelling = IdentifierReader() }
        // Identifiers are short, as a rule.
        let isWritten = withUnsafeTemporaryAllocation(byteCount: 320, alignment: 1) { memory in
            guard let count = members.spelling!.write(self, into: memory) else { return false }
            members.writer.write(utf8: UnsafeRawBufferPointer(rebasing: memory[..<count]))
            return true
        }
        if !isWritten { members.writer.write(text) }
    }
}

extension Token: MemberValue {
    public init?(_ value: JSONValue, of members: inout Members) {
        guard case .string(let text) = value else { return nil }
        self.init(bytes: text.raw)
    }

    public func write(to members: inout Members) {
        withUnsafeTemporaryAllocation(byteCount: 36, alignment: 1) { memory in
            write(into: memory)
            members.writer.write(utf8: UnsafeRawBufferPointer(memory))
        }
    }
}

extension Money: MemberRecord {
    public static var blank: Money { Money(minor: 0, currency: .absent) }

    public mutating func describe(_ members: inout Members) {
        members.value("currency", &currency)
        members.value("minor", &minor)
    }
}

extension Shared: MemberValue, MemberRecord where Fields: MemberRecord {
    public static var blank: Self { Self(fields: .blank) }

    public mutating func describe(_ members: inout Members) {
        var fields = allFields
        fields.describe(&members)
        if members.isReading { self = Self(fields: fields) }
    }
}
