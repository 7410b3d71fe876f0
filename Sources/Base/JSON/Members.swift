internal import Glibc

/// Why a text is not one that this program writes.
public struct RecordError: Error, Equatable {
    /// Such as `it has no valid “accounts”`.
    public var text: String
}

/// A value that this program keeps as a JSON object on one line, with its members in ascending order of their names and
/// without absent ones.
///
/// `describe` is the only description of the object: it is read and written by it.
public protocol MemberRecord: MemberValue {
    /// What reading fills in.
    static var blank: Self { get }
    /// Passes each member to `members`, in ascending order of the names: it is written from the value, or read into it.
    mutating func describe(_ members: inout Members)
}

extension MemberRecord {
    /// The object, in UTF-8.
    public var recordText: String {
        var members = Members()
        write(to: &members)
        return String(decoding: members.bytes, as: UTF8.self)
    }

    /// Reads an object. Members that it does not describe are ignored.
    /// - Throws: `RecordError` where the text is not one that this program writes.
    public init(recordText: String) throws(RecordError) {
        var copy = recordText
        let read = copy.withUTF8 { text in
            var members = Members()
            return Result { () throws(RecordError) -> Self in
                try members.read(UnsafeRawBufferPointer(text), strictly: false)
            }
        }
        self = try read.get()
    }

    public init?(_ value: JSONValue, of members: inout Members) {
        guard case .object(let bytes) = value else { return nil }
        var record = Self.blank
        members.readObject(bytes) { record.describe(&$0) }
        self = record
    }

    public func write(to members: inout Members) {
        var copy = self
        members.writeObject { copy.describe(&$0) }
    }
}

/// Reads or writes objects member by member; see `MemberRecord`. It keeps what it learnt about identifiers, so one serves
/// many objects.
public struct Members {
    /// Whether members are read into values. Otherwise they are written from them.
    @usableFromInline private(set) var isReading = false
    var writer = JSONWriter(escaping: .required)
    /// Reads and writes the texts of identifiers. Nil until there is one.
    var spelling: IdentifierReader?
    var cache: IdentifierCache?
    /// How many members of the object were asked for. Identifiers of one member look alike.
    var place = 0
    private var cursor = JSONCursor(UnsafeRawBufferPointer(start: nil, count: 0))
    /// The key before the cursor, whose value was not asked for yet. Nil at the end of the object.
    private var pending: JSONText?
    private var isStrict = false
    @usableFromInline private(set) var fault: RecordError?

    public init() {}

    /// What was written and not taken yet.
    public var bytes: [UInt8] { writer.bytes }

    /// Writes an object.
    public mutating func write(_ record: some MemberRecord) { record.write(to: &self) }

    /// Removes what was written.
    public mutating func clear() { writer.clear() }

    /// Reads the object that `bytes` must be.
    ///
    /// - Parameter isStrict: members that the record does not describe are a fault.
    /// - Throws: `RecordError` where they are not what `write` writes.
    @inlinable
    public mutating func read<Record: MemberRecord>(
        _ bytes: UnsafeRawBufferPointer, strictly isStrict: Bool
    ) throws(RecordError) -> Record {
        var record = Record.blank
        begin(strictly: isStrict)
        readObject(bytes) { record.describe(&$0) }
        if let fault { throw fault }
        return record
    }
}

/// Members of an object. Those that are nil are left out.
extension Members {
    /// A member that every object has.
    @inlinable
    public mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value) {
        guard isReading else { return write(name, value) }
        guard let found = take(name), let read = Value(found, of: &self) else { return miss(name) }
        value = read
    }

    /// A member that may be absent.
    @inlinable
    public mutating func value<Value: MemberValue>(_ name: StaticString, _ value: inout Value?) {
        guard isReading else {
            if let value { write(name, value) }
            return
        }
        guard let found = take(name) else { return }
        guard let read = Value(found, of: &self) else { return miss(name) }
        value = read
    }

    /// A word or number that stands for a value.
    @inlinable
    public mutating func value<Value: RawRepresentable>(_ name: StaticString, _ value: inout Value)
    where Value.RawValue: MemberValue {
        var raw = value.rawValue
        self.value(name, &raw)
        if isReading { if let read = Value(rawValue: raw) { value = read } else { miss(name) } }
    }

    /// A word or number that stands for a value, and may be absent.
    @inlinable
    public mutating func value<Value: RawRepresentable>(_ name: StaticString, _ value: inout Value?)
    where Value.RawValue: MemberValue {
        var raw = value?.rawValue
        self.value(name, &raw)
        guard isReading, let raw else { return }
        if let read = Value(rawValue: raw) { value = read } else { miss(name) }
    }

    /// A list of words.
    public mutating func value<Value: RawRepresentable<String>>(_ name: StaticString, _ values: inout [Value]) {
        var words = values.map(\.rawValue)
        value(name, &words)
        guard isReading else { return }
        values = words.compactMap(Value.init)
        check(values.count == words.count, name)
    }

    /// A list that is left out if it is empty.
    @inlinable
    public mutating func list<Value: MemberValue>(_ name: StaticString, _ values: inout [Value]) {
        var list = values.isEmpty ? nil : values
        value(name, &list)
        values = list ?? []
    }

    /// A flag: `true`, or left out.
    public mutating func flag(_ name: StaticString, _ flag: inout Bool) {
        var found: Bool? = flag ? true : nil
        value(name, &found)
        check(found != false, name)
        flag = found ?? false
    }

    /// An instant as text, as people read it.
    public mutating func value(_ name: StaticString, time: inout Instant) {
        var text = time.text
        value(name, &text)
        let read = Array(text.utf8).withUnsafeBytes { Parse.instant($0, zone: .utc) }
        check(read != nil, name)
        time = read ?? .absent
    }

    /// Notes that the value of a member is not one that this program writes, unless it is.
    public mutating func check(_ isRight: Bool, _ name: StaticString) { if !isRight { miss(name) } }
}

extension Members {
    @usableFromInline
    mutating func begin(strictly isStrict: Bool) {
        isReading = true
        self.isStrict = isStrict
        fault = nil
    }

    @inlinable
    mutating func write(_ name: StaticString, _ value: some MemberValue) {
        writeKey(name)
        value.write(to: &self)
    }

    @usableFromInline
    mutating func writeKey(_ name: StaticString) { writer.key(name) }

    @usableFromInline
    mutating func writeObject(_ describe: (inout Members) -> Void) {
        writer.open(UInt8(ascii: "{"))
        describe(&self)
        writer.close(UInt8(ascii: "}"))
    }

    /// Reads an object, be it one within another.
    @usableFromInline
    mutating func readObject(_ bytes: UnsafeRawBufferPointer, _ describe: (inout Members) -> Void) {
        let outer = (cursor, pending)
        (cursor, pending, place) = (JSONCursor(bytes), nil, 0)
        do {
            try cursor.open(UInt8(ascii: "{"), "expected an object")
            try advance(isFirst: true)
        } catch { giveUp(error) }
        describe(&self)
        while pending != nil { passOver() }
        (cursor, pending) = outer
    }

    /// Moves behind the next key.
    private mutating func advance(isFirst: Bool = false) throws(JSONError) {
        pending = nil
        if try cursor.hasNext(close: UInt8(ascii: "}"), isFirst: isFirst) {
            pending = try cursor.key()
        } else {
            try cursor.finish()
        }
    }

    /// Removes the member of that name. Nil if it is absent.
    @usableFromInline
    mutating func take(_ name: StaticString) -> JSONValue? {
        place += 1
        while let key = pending {
            if key.raw.isEqual(to: name) { return takeValue() }
            if isStrict || key.raw.follows(name) { return nil }
            passOver()
        }
        return nil
    }

    private mutating func takeValue() -> JSONValue? {
        do {
            let value = try cursor.value()
            try advance()
            return value
        } catch {
            giveUp(error)
            return nil
        }
    }

    /// Passes over a member that nothing describes.
    private mutating func passOver() {
        if isStrict { note("it has an unknown member, or one twice") }
        _ = takeValue()
    }

    private mutating func giveUp(_ error: JSONError) {
        note("it is not JSON: \(error)")
        pending = nil
    }

    /// Notes that a member is absent, or not what this program writes.
    @usableFromInline
    mutating func miss(_ name: StaticString) { note("it has no valid “\(name)”") }

    private mutating func note(_ reason: String) { if fault == nil { fault = RecordError(text: reason) } }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes come after those of `text`.
    fileprivate func follows(_ text: StaticString) -> Bool {
        let order = memcmp(baseAddress!, text.utf8Start, Swift.min(count, text.utf8CodeUnitCount))
        return order == 0 ? count > text.utf8CodeUnitCount : order > 0
    }
}
