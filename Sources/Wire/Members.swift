internal import Domain
internal import JSON
internal import Text

/// The members of the object of one kind of line, in ascending order of their names: the raw value of a member is its
/// position among the values.
protocol WireMember: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {}

extension WireMember {
    /// The member's name on the wire: `accountID` is `account_id`.
    var name: String {
        var name = ""
        var isInWord = false
        for character in String(describing: self) {
            if character.isUppercase, isInWord { name += "_" }
            isInWord = !character.isUppercase
            name += character.lowercased()
        }
        return name
    }
}

/// Reads the objects of lines of one kind. Members that the kind does not have, and values that this program never
/// writes, are errors.
struct Members<Member: WireMember> {
    private var order = MemberOrder<Member?>()
    private var values: [JSONValue?] = Array(repeating: nil, count: Member.allCases.count)
    private var number = 0
    private static var byName: [String: Member] {
        Dictionary(uniqueKeysWithValues: Member.allCases.map { ($0.name, $0) })
    }
    private let names = Self.byName

    /// Reads the object of a line. Its values are valid as long as the line is.
    mutating func read(_ line: WireLine) throws(WireError) {
        for index in values.indices { values[index] = nil }
        number = line.number
        do {
            let names = names
            try withValues { order, values in
                try JSONReader.forEachMember(of: line.object, in: &order, meaning: { names[$0.string] }) {
                    guard let member = $0 else {
                        throw WireError.misspelled(line: line.number, reason: "it has an unknown member")
                    }
                    values[member.rawValue] = $1
                }
            }
        } catch let error as WireError {
            throw error
        } catch {
            throw line.fault("it is not a JSON object: \(error)")
        }
    }

    private mutating func withValues(
        _ body: (inout MemberOrder<Member?>, inout [JSONValue?]) throws -> Void
    ) rethrows { try body(&order, &values) }

    private func impossible(_ member: Member) -> WireError {
        .misspelled(line: number, reason: "the value of \(member.name) is impossible")
    }

    func whole<Value>(_ value: Value?, _ member: Member) throws(WireError) -> Value {
        guard let value else { throw impossible(member) }
        return value
    }

    @inline(__always)
    func text<Value>(_ member: Member, _ read: (UnsafeRawBufferPointer) -> Value?) throws(WireError) -> Value? {
        guard let value = values[member.rawValue] else { return nil }
        guard case .string(let text) = value, let read = text.withUnescaped(read) else { throw impossible(member) }
        return read
    }

    func integer(_ member: Member) throws(WireError) -> Int64? {
        guard let value = values[member.rawValue] else { return nil }
        guard case .number(let digits) = value, let number = Parse.integer(digits) else { throw impossible(member) }
        return number
    }

    /// A whole number within `range`.
    func number<Number: FixedWidthInteger>(
        _ member: Member, in range: ClosedRange<Int64>
    ) throws(WireError) -> Number? {
        guard let value = try integer(member) else { return nil }
        guard range.contains(value), let number = Number(exactly: value) else { throw impossible(member) }
        return number
    }

    func identifier(_ member: Member, _ cache: inout IdentifierCache) throws(WireError) -> Identifier? {
        guard let value = values[member.rawValue] else { return nil }
        guard case .string(let text) = value else { throw impossible(member) }
        let id = text.withUnescaped { bytes -> Identifier? in
            if bytes.isEmpty { return nil }
            return (try? cache.identifier(bytes, of: member.rawValue)) ?? Identifier(bytes: bytes)
        }
        return try whole(id, member)
    }

    func flag(_ member: Member) throws(WireError) -> Bool {
        guard let value = values[member.rawValue] else { return false }
        guard case .bool(true) = value else { throw impossible(member) }
        return true
    }

    /// An instant in a year with four digits.
    func instant(_ member: Member) throws(WireError) -> Instant? {
        try number(member, in: -62_135_596_800_000...253_402_300_799_999).map { Instant(milliseconds: $0) }
    }

    /// A list of subjects, each as its text.
    func subjects(_ member: Member) throws(WireError) -> [SubjectKey]? {
        guard let value = values[member.rawValue] else { return nil }
        guard case .array(let bytes) = value else { throw impossible(member) }
        var subjects: [SubjectKey]? = []
        do {
            try JSONReader.forEachElement(of: bytes) {
                guard case .string(let text) = $0, let subject = SubjectKey(text: text.string) else {
                    subjects = nil
                    return
                }
                subjects?.append(subject)
            }
        } catch { throw impossible(member) }
        return try whole(subjects, member)
    }

    func token(_ member: Member) throws(WireError) -> Token? { try text(member) { Token(bytes: $0) } }

    func currency(_ member: Member) throws(WireError) -> Currency? { try text(member) { Currency(bytes: $0) } }

    func quantity(_ member: Member) throws(WireError) -> Int32? { try number(member, in: 1...1_000_000) }

    /// An amount of a single row: at most what a feed may state, so that sums fit.
    func amount(_ member: Member) throws(WireError) -> Int64? {
        try number(member, in: -1_000_000_000_000_000...1_000_000_000_000_000)
    }

    /// A case of an enumeration, by its number.
    func word<Word: RawRepresentable<UInt8>>(_ member: Member) throws(WireError) -> Word? {
        guard let value: UInt8 = try number(member, in: 0...255) else { return nil }
        return try whole(Word(rawValue: value), member)
    }

    /// Where a piece of evidence came from.
    func source(_ delivery: Member, _ line: Member, _ date: Member) throws(WireError) -> Provenance {
        Provenance(
            delivery: DeliveryID(try whole(try number(delivery, in: 1...Int64(Int32.max)), delivery)),
            line: try whole(try number(line, in: 0...Int64(Int32.max)), line),
            fileDate: BusinessDate(day: try whole(try number(date, in: -719_162...2_932_896), date)))
    }
}

extension SubjectKey {
    /// From a subject's text, such as `order:ORD1000000042`. Nil for any other text.
    init?(text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let kind = Kind.allCases.first(where: { $0.name == text[..<colon] })
        else { return nil }
        let id = text[text.utf8.index(after: colon)...]
        if id.isEmpty { return nil }
        self.init(kind, Identifier(id))
    }
}
