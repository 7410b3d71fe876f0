/// A JSON value in place: the bytes of the document that spell it.
@frozen
public enum JSONValue {
    case string(JSONText)
    /// Valid JSON number syntax, of any size.
    case number(UnsafeRawBufferPointer)
    case bool(Bool)
    case null
    /// With their brackets, syntax already checked; visit them with `JSON.forEachMember` and `forEachElement`.
    case object(UnsafeRawBufferPointer)
    case array(UnsafeRawBufferPointer)
}

/// Why bytes are not the JSON asked for.
public struct JSONError: Error, Hashable, Sendable {
    /// Bytes before the fault.
    public var offset: Int
    /// What was expected or wrong there, as the rest of "at byte 17: …".
    public var reason: String

    public init(_ offset: Int, _ reason: String) {
        self.offset = offset
        self.reason = reason
    }
}

/// Strict RFC 8259, without a tree: a document's values are visited in place.
///
/// Refused beyond the grammar: bytes that are no UTF-8, half a surrogate pair, more than 32 levels, and an object
/// visited that has a key twice (readers disagree on which one counts; objects inside it are judged when visited).
public enum JSON {
    public static let depthMax = 32

    /// Visits the members of the one object that `bytes` must be, white space around it allowed, in order.
    ///
    /// A fault is found when it is reached: members before it have been visited. Throws `JSONError`, or what `body` throws.
    @inlinable
    public static func forEachMember(
        of bytes: UnsafeRawBufferPointer, _ body: (_ key: JSONText, _ value: JSONValue) throws -> Void
    ) throws {
        var cursor = JSONCursor(bytes)
        try cursor.open(UInt8(ascii: "{"), "expected an object")
        try KeySet.withEmptySet { keys in
            var isFirst = true
            while try cursor.hasNext(close: UInt8(ascii: "}"), isFirst: isFirst) {
                isFirst = false
                let start = cursor.offset
                let key = try cursor.key()
                guard keys.insert(key) else { throw JSONError(start, "the key \(key.string) occurs twice") }
                try body(key, try cursor.value())
            }
        }
        try cursor.finish()
    }

    /// Visits the elements of the one array that `bytes` must be, as `forEachMember` does members.
    @inlinable
    public static func forEachElement(
        of bytes: UnsafeRawBufferPointer, _ body: (JSONValue) throws -> Void
    ) throws {
        var cursor = JSONCursor(bytes)
        try cursor.open(UInt8(ascii: "["), "expected an array")
        var isFirst = true
        while try cursor.hasNext(close: UInt8(ascii: "]"), isFirst: isFirst) {
            isFirst = false
            try body(try cursor.value())
        }
        try cursor.finish()
    }
}

/// The keys of one object so far, by fingerprint; most objects have few enough to need no memory.
public struct KeySet {
    /// As much as fits where temporary memory is on the stack: 1 KiB.
    public static let smallCount = 128
    public let small: UnsafeMutableBufferPointer<UInt64>
    public var count = 0
    public var large: Set<UInt64> = []

    @inlinable
    public init(small: UnsafeMutableBufferPointer<UInt64>) { self.small = small }

    @inlinable
    public static func withEmptySet(_ body: (inout KeySet) throws -> Void) throws {
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: smallCount) { buffer in
            var keys = KeySet(small: buffer)
            try body(&keys)
        }
    }

    /// False where it is there already.
    @inlinable
    public mutating func insert(_ key: JSONText) -> Bool {
        insert(print: key.hasEscapes ? key.withUnescaped { $0.fingerprint() } : key.raw.fingerprint())
    }

    @inlinable @discardableResult
    public mutating func insert(print: UInt64) -> Bool {
        for index in 0..<min(count, Self.smallCount) where small[index] == print { return false }
        if count >= Self.smallCount {
            guard large.insert(print).inserted else { return false }
        } else {
            small.initializeElement(at: count, to: print)
        }
        count += 1
        return true
    }
}
