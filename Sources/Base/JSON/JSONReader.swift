/// A strict reader of JSON (RFC 8259) that visits values in place and builds no tree.
///
/// **What it refuses.** It also refuses what the grammar allows but readers treat differently: invalid UTF-8, unpaired
/// surrogates, more than `depthMax` levels, and repeated keys in an object that is visited. (The keys of a nested object
/// are checked when that object is visited.) Nothing limits the length of a document, a text or a number.
///
/// **How it avoids copies.** A `JSONValue` is a pair of pointers into the document. A cursor moves over the bytes once
/// and lends each value to the caller's closure, which is inlined where it is called; a text is decoded, and a number
/// read, only if the caller asks for it. A nested object is skipped once, which checks its syntax, and is read a second
/// time only by a caller who visits it. Keys are compared as fingerprints on the stack, up to 128 of an object. So an
/// object takes no memory but what the caller keeps. For rows that look alike `MemberOrder` saves most of the work for
/// their keys.
public enum JSONReader {
    /// The maximum depth of nesting.
    public static let depthMax = 32

    /// Visits, in order, the members of the object that `bytes` must be. Surrounding white space is allowed.
    ///
    /// An error is found when it is reached, after the members before it were visited.
    ///
    /// - Throws: `JSONError`, or what `body` throws.
    @inlinable
    public static func forEachMember(
        of bytes: UnsafeRawBufferPointer, _ body: (_ key: JSONText, _ value: JSONValue) throws -> Void
    ) throws {
        var cursor = JSONCursor(bytes)
        try cursor.open(UInt8(ascii: "{"), "expected an object")
        var keys = KeySet()
        var isFirst = true
        while try cursor.hasNext(close: UInt8(ascii: "}"), isFirst: isFirst) {
            isFirst = false
            let start = cursor.offset
            let key = try cursor.key()
            guard keys.insert(key) else { throw JSONError(start, "the key \(key.string) occurs twice") }
            try body(key, try cursor.value())
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
