/// The member names of similar objects (the rows of a file) in the order in which they usually come.
///
/// A key found where it is expected costs one comparison of whole words: its end need not be searched, its meaning need
/// not be looked up, and it need not be checked for repetition, because each expected member is visited at most once.
/// An unexpected key is read the ordinary way and added to the order. The result never depends on the order; objects
/// that do not look alike are only read more slowly.
public struct MemberOrder<Meaning> {
    /// One expected member.
    @usableFromInline
    struct Member {
        /// The name in quotes, padded with zeros.
        @usableFromInline var words: InlineArray<5, UInt64>
        /// The length of the name with its quotes, in bytes.
        @usableFromInline var count: Int
        /// What the caller associates with the name.
        @usableFromInline var meaning: Meaning
    }

    /// The maximum number of members: visited ones are marked in the bits of a 64-bit word.
    private static var membersMax: Int { 64 }
    /// The expected members, in order.
    @usableFromInline var members: [Member] = []

    /// No members are expected.
    public init() {}

    /// The index, from `next` on, of the member whose key is at the cursor; nil if absent.
    @inlinable @inline(__always)
    func place(at cursor: JSONCursor, from next: Int) -> Int? {
        var place = next
        while place < members.count {
            if members[place].isHere(cursor) { return place }
            place += 1
        }
        return nil
    }

    /// Inserts an unexpected key at `place`, and advances `place` past it.
    @usableFromInline
    mutating func expect(_ key: JSONText, _ meaning: Meaning, at place: inout Int) {
        guard let member = Member(key, meaning) else { return }
        if let known = members.firstIndex(where: { $0.hasName(of: member) }) {
            if known < place {
                members.insert(members.remove(at: known), at: place - 1)
            } else {
                place = known + 1
            }
        } else if members.count < Self.membersMax {
            members.insert(member, at: place)
            place += 1
        }
    }
}

extension MemberOrder.Member {
    /// Nil for a name that is longer than 38 bytes or has escapes. Such a name is never expected.
    init?(_ key: JSONText, _ meaning: Meaning) {
        guard !key.hasEscapes, key.raw.count <= 38 else { return nil }
        words = InlineArray(repeating: 0)
        withUnsafeMutableBytes(of: &words) { memory in
            memory[0] = UInt8(ascii: "\"")
            UnsafeMutableRawBufferPointer(rebasing: memory[1...]).copyMemory(from: key.raw)
            memory[key.raw.count + 1] = UInt8(ascii: "\"")
        }
        for index in words.indices { words[index] = UInt64(littleEndian: words[index]) }
        count = key.raw.count + 2
        self.meaning = meaning
    }

    /// Whether both have the same name.
    fileprivate func hasName(of other: Self) -> Bool {
        count == other.count && words.indices.allSatisfy { words[$0] == other.words[$0] }
    }

    /// Whether the cursor is at this key.
    @inlinable @inline(__always)
    func isHere(_ cursor: JSONCursor) -> Bool {
        let rest = cursor.bytes.count - cursor.offset
        guard rest >= words.count * 8 else { return isHereBeforeTheEnd(cursor) }
        var index = 0
        while index < count >> 3 {
            if cursor.bytes.word(at: cursor.offset + index << 3) != words[index] { return false }
            index += 1
        }
        let bits = UInt64(count & 7) << 3
        if bits == 0 { return true }
        return (cursor.bytes.word(at: cursor.offset + index << 3) ^ words[index]) << (64 - bits) == 0
    }

    /// Like `isHere`, for the end of the document, where whole words cannot be read.
    @usableFromInline
    func isHereBeforeTheEnd(_ cursor: JSONCursor) -> Bool {
        guard count <= cursor.bytes.count - cursor.offset else { return false }
        var index = 0
        while index < count >> 3 {
            if cursor.bytes.word(at: cursor.offset + index << 3) != words[index] { return false }
            index += 1
        }
        return (index << 3..<count).allSatisfy {
            cursor.bytes[cursor.offset + $0] == UInt8(truncatingIfNeeded: words[$0 >> 3] >> UInt64(($0 & 7) << 3))
        }
    }

    /// The fingerprint of the name, as `KeySet` uses it.
    @usableFromInline var fingerprint: UInt64 {
        var spelled = words
        for index in spelled.indices { spelled[index] = spelled[index].littleEndian }
        return withUnsafeBytes(of: &spelled) { $0.part(1, count - 1).fingerprint() }
    }
}

extension JSONReader {
    /// Visits the members of an object like `forEachMember(of:_:)`, and passes the meanings of their keys.
    ///
    /// - Parameters:
    ///   - order: the usual order of the members. Updated while reading.
    ///   - meaning: called for a key that was not expected.
    @inlinable @inline(__always)
    public static func forEachMember<Meaning>(
        of bytes: UnsafeRawBufferPointer, in order: inout MemberOrder<Meaning>, meaning: (JSONText) -> Meaning,
        _ body: (Meaning, JSONValue) throws -> Void
    ) throws {
        var cursor = JSONCursor(bytes)
        try cursor.open(UInt8(ascii: "{"), "expected an object")
        var visited: UInt64 = 0
        var next = 0
        while try cursor.hasNext(close: UInt8(ascii: "}"), isFirst: visited == 0) {
            guard let place = order.place(at: cursor, from: next) else {
                try forEachFurtherMember(
                    at: &cursor, visited: visited, next: next, in: &order, meaning: meaning, body)
                break
            }
            cursor.offset += order.members[place].count
            try cursor.colon()
            visited |= 1 << UInt64(place)
            next = place + 1
            try body(order.members[place].meaning, try cursor.value())
        }
        try cursor.finish()
    }

    /// Reads the rest of an object from an unexpected key on.
    ///
    /// - Parameters:
    ///   - visited: the places of the members that were read, one bit each.
    ///   - next: the place after the last of them.
    @inlinable @inline(never)
    static func forEachFurtherMember<Meaning>(
        at cursor: inout JSONCursor, visited: UInt64, next: Int, in order: inout MemberOrder<Meaning>,
        meaning: (JSONText) -> Meaning, _ body: (Meaning, JSONValue) throws -> Void
    ) throws {
        var keys = KeySet()
        for place in order.members.indices where visited >> UInt64(place) & 1 == 1 {
            keys.insert(print: order.members[place].fingerprint)
        }
        var place = next
        repeat {
            let start = cursor.offset
            let key = try cursor.key()
            guard keys.insert(key) else { throw JSONError(start, "the key \(key.string) occurs twice") }
            let meaning = meaning(key)
            order.expect(key, meaning, at: &place)
            try body(meaning, try cursor.value())
        } while try cursor.hasNext(close: UInt8(ascii: "}"), isFirst: false)
    }
}
