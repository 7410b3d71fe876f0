/// A JSON value: the bytes of the document that represent it, not copied.
@frozen
public enum JSONValue {
    /// The text between the quotes.
    case string(JSONText)
    /// The digits of a number. Its syntax is valid; its size is not limited.
    case number(UnsafeRawBufferPointer)
    case bool(Bool)
    case null
    /// An object or an array with its brackets. The syntax is checked. Read it with `JSON.forEachMember` or
    /// `forEachElement`.
    case object(UnsafeRawBufferPointer)
    case array(UnsafeRawBufferPointer)
}

/// Why bytes are not the requested JSON.
public struct JSONError: Error, Hashable, Sendable {
    /// The number of bytes before the fault.
    public var offset: Int
    /// What was expected or is wrong, as the rest of "at byte 17: …".
    public var reason: String

    /// An error after `offset` bytes.
    public init(_ offset: Int, _ reason: String) {
        self.offset = offset
        self.reason = reason
    }
}

/// A strict JSON reader (RFC 8259) that visits values in place and builds no tree.
///
/// It also refuses what the grammar allows but readers treat differently: invalid UTF-8, unpaired surrogates, more than
/// 32 levels, and repeated keys in an object that is visited. (Keys of nested objects are checked when those are
/// visited.)
public enum JSON {
    /// The maximum depth of nesting.
    public static let depthMax = 32

    /// Visits, in order, the members of the object that `bytes` must be. Surrounding white space is allowed.
    ///
    /// An error is found when it is reached, after the members before it were visited. Throws `JSONError`, or what
    /// `body` throws.
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

    /// Visits, in order, the elements of the array that `bytes` must be, like `forEachMember`.
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

/// The keys of one object seen so far, by fingerprint. Most objects have few enough keys to need no heap memory.
public struct KeySet {
    /// As many as fit on the stack: 1 KiB.
    public static let smallCount = 128
    /// The first `smallCount` fingerprints.
    public let small: UnsafeMutableBufferPointer<UInt64>
    /// The number of keys.
    public var count = 0
    /// Further fingerprints.
    public var large: Set<UInt64> = []

    /// An empty set that uses `small`, which is uninitialized.
    @inlinable
    public init(small: UnsafeMutableBufferPointer<UInt64>) { self.small = small }

    /// Lends an empty set to `body`.
    @inlinable
    public static func withEmptySet(_ body: (inout KeySet) throws -> Void) throws {
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: smallCount) { buffer in
            var keys = KeySet(small: buffer)
            try body(&keys)
        }
    }

    /// Adds a key; false if it is already there.
    @inlinable
    public mutating func insert(_ key: JSONText) -> Bool {
        insert(print: key.hasEscapes ? key.withUnescaped { $0.fingerprint() } : key.raw.fingerprint())
    }

    /// Adds the fingerprint of a key; false if it is already there.
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
