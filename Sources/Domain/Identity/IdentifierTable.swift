internal import Glibc
internal import Synchronization

/// The texts behind identifiers: one table for the process. It grows under a lock and never shrinks.
public final class IdentifierTable: Sendable {
    public static let shared = IdentifierTable()

    /// The most digits that fit into 47 bits.
    public static let digitsMax = 14
    static let digitBits: UInt64 = 47
    static let valueMask: UInt64 = 1 << digitBits - 1
    static let internedBit: UInt64 = 1 << 63
    static let prefixesMax = 1 << 16

    /// The text before the last digits, and the number of those digits. Because the number is part of the prefix,
    /// leading zeros survive.
    struct Prefix: Hashable, Sendable {
        var text: String
        var digits: Int
    }

    struct Contents: Sendable {
        /// The first entry stands for "no identifier".
        var prefixes: [Prefix] = [Prefix(text: "", digits: 0)]
        var prefixNumbers: [Prefix: Int] = [:]
        var texts: [String] = []
        var textNumbers: [Bytes: Int] = [:]
    }

    private let contents = Mutex(Contents())

    /// The identifier of these bytes. Invalid UTF-8 is repaired here; readers reject it earlier.
    public func identifier(of bytes: UnsafeRawBufferPointer) -> Identifier {
        let (start, value) = Self.trailingDigits(of: bytes)
        let head = UnsafeRawBufferPointer(rebasing: bytes[..<start])
        return identifier(head: head, digits: bytes.count - start, value: value)
    }

    /// The identifier whose text is `head` followed by `value`, written with `digits` digits.
    public func identifier(head: UnsafeRawBufferPointer, digits: Int, value: UInt64) -> Identifier {
        let prefix = Prefix(text: String(decoding: head, as: UTF8.self), digits: digits)
        return contents.withLock { contents in
            // Random hexadecimal ids have endlessly many prefixes, which must not fill the table: such texts are
            // interned.
            if let number = contents.prefixNumbers[prefix] ?? contents.addPrefix(prefix) {
                return Identifier(bits: UInt64(number) << Self.digitBits | value)
            }
            let text = prefix.text + (digits == 0 ? "" : padded(value, digits))
            return Identifier(bits: Self.internedBit | UInt64(contents.intern(text)))
        }
    }

    /// The text before the digits that has this number (see `Identifier.numbered`), and how many digits follow it.
    public func prefix(_ number: Int) -> (text: String, digits: Int) {
        contents.withLock { ($0.prefixes[number].text, $0.prefixes[number].digits) }
    }

    public func text(of identifier: Identifier) -> String {
        // The lock is held for moments only, so trying again is faster than sleeping.
        for _ in 0..<64 {
            if let head = contents.withLockIfAvailable({ $0.head(of: identifier.bits) }) {
                return head.text(before: identifier.bits)
            }
        }
        return contents.withLock { $0.head(of: identifier.bits) }.text(before: identifier.bits)
    }

    /// The value of eight ASCII digits, read as one word; nil if a byte is not a digit. Adds up pairs, then groups
    /// of four, then all eight.
    @inlinable @inline(__always)
    public static func eightDigits(_ bytes: UInt64) -> UInt64? {
        let digits = UInt64(littleEndian: bytes) &- 0x3030_3030_3030_3030
        // Any byte above nine or below zero has its upper half set, or gets it set by the addition.
        guard (digits | (digits &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0 else { return nil }
        let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
        return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
    }

    /// The value of the last `digits` bytes, 4 to 14 of them. Nil if one is not a digit, or if there are fewer
    /// than eight bytes.
    @inlinable @inline(__always)
    public static func value(ofLast digits: Int, _ bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        let last = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
        let zeros: UInt64 = 0x3030_3030_3030_3030
        if digits < 8 {
            let others = UInt64.max >> UInt64(8 * digits)
            return eightDigits((last & ~others | zeros & others).littleEndian)
        }
        guard let low = eightDigits(last.littleEndian) else { return nil }
        if digits == 8 { return low }
        // The digits before the last eight, filled up on the left with zeros to eight digits.
        let start = bytes.loadUnaligned(fromByteOffset: bytes.count - digits, as: UInt64.self)
        let missing = UInt64(8 * (16 - digits))
        let first = UInt64(littleEndian: start) << missing | zeros >> (64 - missing)
        return eightDigits(first.littleEndian).map { $0 * 100_000_000 + low }
    }

    /// Where the trailing digits start (at most 14 of them), and their value.
    @inlinable
    public static func trailingDigits(of bytes: UnsafeRawBufferPointer) -> (start: Int, value: UInt64) {
        var start = bytes.count
        var value: UInt64 = 0
        var scale: UInt64 = 1
        let lowest = max(0, bytes.count - 14)
        if bytes.count >= 8, let last = eightDigits(bytes.loadUnaligned(fromByteOffset: start - 8, as: UInt64.self)) {
            (start, value, scale) = (start - 8, last, 100_000_000)
        }
        while start > lowest {
            let digit = bytes[start - 1] &- 0x30
            if digit > 9 { break }
            value += UInt64(digit) * scale
            scale *= 10
            start -= 1
        }
        return (start, value)
    }
}

/// A text as a dictionary key that compares by bytes. Swift's `String` treats canonically equivalent texts as equal.
struct Bytes: Hashable, Sendable {
    var text: String
    static func == (left: Bytes, right: Bytes) -> Bool { left.text.hasSameBytes(as: right.text) }
    func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    fileprivate func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { own in
            other.utf8.withContiguousStorageIfAvailable { other in
                own.isEmpty || memcmp(own.baseAddress!, other.baseAddress!, own.count) == 0
            }
        }
        return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }
}

extension IdentifierTable.Prefix {
    static func == (left: Self, right: Self) -> Bool {
        left.digits == right.digits && left.text.hasSameBytes(as: right.text)
    }
    func hash(into hasher: inout Hasher) {
        hasher.combine(digits)
        Bytes(text: text).hash(into: &hasher)
    }
}

extension IdentifierTable.Contents {
    /// The new prefix's number; nil if the text had better be interned.
    mutating func addPrefix(_ prefix: IdentifierTable.Prefix) -> Int? {
        guard prefix.digits >= 4, prefixes.count < IdentifierTable.prefixesMax else { return nil }
        prefixes.append(prefix)
        prefixNumbers[prefix] = prefixes.count - 1
        return prefixes.count - 1
    }

    mutating func intern(_ text: String) -> Int {
        if let number = textNumbers[Bytes(text: text)] { return number }
        texts.append(text)
        textNumbers[Bytes(text: text)] = texts.count - 1
        return texts.count - 1
    }

    func text(of bits: UInt64) -> String { head(of: bits).text(before: bits) }

    /// The text before the digits; for an interned text, the whole text and no digits.
    func head(of bits: UInt64) -> IdentifierTable.Prefix {
        bits & IdentifierTable.internedBit != 0
            ? IdentifierTable.Prefix(text: texts[Int(bits & ~IdentifierTable.internedBit)], digits: 0)
            : prefixes[Int(bits >> IdentifierTable.digitBits)]
    }
}

extension IdentifierTable.Prefix {
    /// The identifier's whole text: the prefix and the digits in `bits`.
    func text(before bits: UInt64) -> String {
        if digits == 0 { return text }
        var head = text
        return head.withUTF8 { head in
            String(unsafeUninitializedCapacity: head.count + digits) { memory in
                _ = memory.initialize(fromContentsOf: head)
                UnsafeMutableRawBufferPointer(memory)
                    .write(bits & IdentifierTable.valueMask, digits: digits, at: head.count)
                return head.count + digits
            }
        }
    }
}

extension IdentifierTable {
    func snapshot() -> Contents { contents.withLock { $0 } }
}
