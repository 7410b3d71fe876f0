internal import Glibc
internal import Synchronization

/// An identifier of somebody else's making: an order, account, product, credit, transaction, device.
///
/// It is text, compared byte by byte (`é` and `e` + accent are two identifiers), held in eight bytes:
/// a number for the text before the last digits and up to 14 digits exactly (`ORD1000000042`, a
/// 16-digit transaction id), else the number of an interned text. Equal identifiers have equal bits
/// within one process; the bits mean nothing outside it and are never stored or ordered by.
@frozen
public struct Identifier: Hashable, Sendable {
    /// Bit 63: interned text. Else bits 47–62 the prefix's number and bits 0–46 the digits' value. Zero is no identifier.
    public let bits: UInt64

    @inlinable
    public init(bits: UInt64) { self.bits = bits }

    public init(_ text: some StringProtocol) {
        var copy = String(text)
        self = copy.withUTF8 { IdentifierTable.shared.identifier(of: UnsafeRawBufferPointer($0)) }
    }

    /// The identifier spelled by these bytes, taken as they are.
    public init(bytes: UnsafeRawBufferPointer) {
        self = IdentifierTable.shared.identifier(of: bytes)
    }

    /// The text this identifier was made of.
    public var text: String { IdentifierTable.shared.text(of: self) }
}

extension Identifier: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}

extension Identifier: CustomStringConvertible {
    public var description: String { text }
}

extension Identifier: HasSentinel {
    @inlinable public static var absent: Identifier { Identifier(bits: 0) }
}

/// By the bytes of the text, so that an order never depends on what was read first.
extension Identifier: Comparable {
    public static func < (left: Identifier, right: Identifier) -> Bool {
        if left.bits == right.bits { return false }
        let samePrefix = left.bits >> 47 == right.bits >> 47 && left.bits >> 63 == 0
        if samePrefix { return left.bits < right.bits }
        return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

/// What the bits of identifiers stand for: one table a process, grown under a lock, never shrunk.
public final class IdentifierTable: Sendable {
    public static let shared = IdentifierTable()

    /// Up to 14 digits fit in 47 bits.
    public static let digitsMax = 14
    static let digitBits: UInt64 = 47
    static let valueMask: UInt64 = 1 << digitBits - 1
    static let internedBit: UInt64 = 1 << 63
    static let prefixesMax = 1 << 16

    /// The text before the last digits, and how many digits follow: leading zeros are part of the text.
    struct Prefix: Hashable, Sendable {
        var text: String
        var digits: Int
    }

    struct Contents: Sendable {
        /// The first stands for "no identifier".
        var prefixes: [Prefix] = [Prefix(text: "", digits: 0)]
        var prefixNumbers: [Prefix: Int] = [:]
        var texts: [String] = []
        var textNumbers: [Bytes: Int] = [:]
    }

    private let contents = Mutex(Contents())

    /// The identifier of these bytes. Bytes that are no UTF-8 are repaired first; readers reject them before.
    public func identifier(of bytes: UnsafeRawBufferPointer) -> Identifier {
        let (start, value) = Self.trailingDigits(of: bytes)
        let head = UnsafeRawBufferPointer(rebasing: bytes[..<start])
        return identifier(head: head, digits: bytes.count - start, value: value)
    }

    /// The identifier of `head` followed by `value` written with `digits` digits.
    public func identifier(head: UnsafeRawBufferPointer, digits: Int, value: UInt64) -> Identifier {
        let prefix = Prefix(text: String(decoding: head, as: UTF8.self), digits: digits)
        return contents.withLock { contents in
            // An endless variety of prefixes (random hexadecimal ids) must not fill the table: long ones are interned.
            if let number = contents.prefixNumbers[prefix] ?? contents.addPrefix(prefix) {
                return Identifier(bits: UInt64(number) << Self.digitBits | value)
            }
            let digitText = String(value)
            let zeros = String(repeating: "0", count: max(0, digits - digitText.utf8.count))
            let text = prefix.text + (digits == 0 ? "" : zeros + digitText)
            return Identifier(bits: Self.internedBit | UInt64(contents.intern(text)))
        }
    }

    public func text(of identifier: Identifier) -> String {
        // Held for a moment only: whoever finds it taken is sooner served by asking again than by sleeping.
        for _ in 0..<64 {
            if let head = contents.withLockIfAvailable({ $0.head(of: identifier.bits) }) {
                return head.text(before: identifier.bits)
            }
        }
        return contents.withLock { $0.head(of: identifier.bits) }.text(before: identifier.bits)
    }

    /// Writes `value` with so many digits, zeros before it.
    static func write(_ value: UInt64, _ memory: UnsafeMutableRawBufferPointer, digits: Int) {
        var rest = value
        for place in stride(from: digits - 1, through: 0, by: -1) {
            memory[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// The value of eight digits, nil where not all are: two, four, then eight of them at once.
    @inlinable @inline(__always)
    public static func eightDigits(_ bytes: UInt64) -> UInt64? {
        let digits = UInt64(littleEndian: bytes) &- 0x3030_3030_3030_3030
        // A byte above nine, or below zero, has or gets its top half.
        guard (digits | (digits &+ 0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0 == 0 else { return nil }
        let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
        return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
    }

    /// The value of the last `digits` bytes, 4 to 14; nil where not all are digits, or there are no eight bytes.
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
        // Those before the last eight, behind as many zeros as make eight of them.
        let start = bytes.loadUnaligned(fromByteOffset: bytes.count - digits, as: UInt64.self)
        let missing = UInt64(8 * (16 - digits))
        let first = UInt64(littleEndian: start) << missing | zeros >> (64 - missing)
        return eightDigits(first.littleEndian).map { $0 * 100_000_000 + low }
    }

    /// Where the last digits start (at most 14 of them), and their value.
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

/// Text as a dictionary key by its bytes: Swift's own String holds canonically equivalent texts equal.
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
    /// The prefix's new number, or nil where it is better interned.
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

    /// What stands before the digits; an interned text has none.
    func head(of bits: UInt64) -> IdentifierTable.Prefix {
        bits & IdentifierTable.internedBit != 0
            ? IdentifierTable.Prefix(text: texts[Int(bits & ~IdentifierTable.internedBit)], digits: 0)
            : prefixes[Int(bits >> IdentifierTable.digitBits)]
    }
}

extension IdentifierTable.Prefix {
    /// The identifier's whole text.
    func text(before bits: UInt64) -> String {
        if digits == 0 { return text }
        var head = text
        return head.withUTF8 { head in
            String(unsafeUninitializedCapacity: head.count + digits) { memory in
                _ = memory.initialize(fromContentsOf: head)
                IdentifierTable.write(
                    bits & IdentifierTable.valueMask,
                    UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: memory[head.count...])),
                    digits: digits)
                return head.count + digits
            }
        }
    }
}

/// Reads many identifiers' texts and hashes without a lock each: a copy of the table, renewed when it has grown.
public struct IdentifierReader: Sendable {
    private var contents = IdentifierTable.shared.snapshot()
    /// A prefix: where its bytes stand, and their hash.
    private struct Head {
        var bytes: Range<Int>
        var hash: UInt64
        var digits: Int
    }
    /// Of the prefixes, as far as they were asked for. Plain numbers: to hand out a reference costs more than the bytes do.
    private var heads: [Head?] = []
    private var headBytes: [UInt8] = []

    public init() {}

    public mutating func text(of identifier: Identifier) -> String {
        renew(for: identifier)
        return contents.text(of: identifier.bits)
    }

    /// A hash of the text, the same in every process and version: what ledgers are searched by. FNV-1a of the text
    /// before the last digits, then their count and value. Not meant to withstand chosen collisions.
    public mutating func stableHash(of identifier: Identifier) -> UInt64 {
        let parts = hashedParts(of: identifier)
        return StableHash.mix(parts.head, digits: parts.digits, value: parts.value)
    }

    /// FNV-1a of the text.
    public mutating func textHash(of identifier: Identifier) -> UInt64 {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { memory in
            if let count = write(identifier, into: memory) {
                return StableHash.of(UnsafeRawBufferPointer(rebasing: memory[..<count]))
            }
            var text = contents.text(of: identifier.bits)
            return text.withUTF8 { StableHash.of(UnsafeRawBufferPointer($0)) }
        }
    }

    /// What that hash is made of: FNV-1a of the text before the last digits, their count and their value.
    public mutating func hashedParts(of identifier: Identifier) -> (head: UInt64, digits: Int, value: UInt64) {
        renew(for: identifier)
        if identifier.bits & IdentifierTable.internedBit != 0 {
            var text = contents.text(of: identifier.bits)
            return text.withUTF8 { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                let (start, value) = IdentifierTable.trailingDigits(of: bytes)
                let head = UnsafeRawBufferPointer(rebasing: bytes[..<start])
                return (StableHash.of(head), bytes.count - start, value)
            }
        }
        let head = head(Int(identifier.bits >> IdentifierTable.digitBits))
        return (head.hash, head.digits, identifier.bits & IdentifierTable.valueMask)
    }

    /// Writes the text into `memory` and returns its length; nil where it does not fit.
    public mutating func write(_ identifier: Identifier, into memory: UnsafeMutableRawBufferPointer) -> Int? {
        renew(for: identifier)
        if identifier.bits & IdentifierTable.internedBit != 0 {
            var text = contents.text(of: identifier.bits)
            return text.withUTF8 { bytes in
                guard bytes.count <= memory.count else { return nil }
                memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
                return bytes.count
            }
        }
        let head = head(Int(identifier.bits >> IdentifierTable.digitBits))
        let count = head.bytes.count + head.digits
        guard count <= memory.count else { return nil }
        headBytes.withUnsafeBytes { memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[head.bytes])) }
        IdentifierTable.write(
            identifier.bits & IdentifierTable.valueMask,
            UnsafeMutableRawBufferPointer(rebasing: memory[head.bytes.count...]), digits: head.digits)
        return count
    }

    private mutating func head(_ number: Int) -> Head {
        if number < heads.count, let known = heads[number] { return known }
        while heads.count <= number { heads.append(nil) }
        let prefix = contents.prefixes[number]
        let start = headBytes.count
        headBytes += prefix.text.utf8
        let hash = headBytes.withUnsafeBytes { StableHash.of(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        let head = Head(bytes: start..<headBytes.count, hash: hash, digits: prefix.digits)
        heads[number] = head
        return head
    }

    private mutating func renew(for identifier: Identifier) {
        let isInterned = identifier.bits & IdentifierTable.internedBit != 0
        let isKnown =
            isInterned
            ? Int(identifier.bits & ~IdentifierTable.internedBit) < contents.texts.count
            : Int(identifier.bits >> IdentifierTable.digitBits) < contents.prefixes.count
        if !isKnown { contents = IdentifierTable.shared.snapshot() }
    }
}

extension IdentifierTable {
    func snapshot() -> Contents { contents.withLock { $0 } }
}

/// A 64-bit hash that is the same everywhere, for look-ups in ledgers.
public enum StableHash {
    /// FNV-1a.
    public static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    public static func mix(_ head: UInt64, digits: Int, value: UInt64) -> UInt64 {
        finish((head ^ UInt64(digits)) &* 0x9E37_79B9_7F4A_7C15 ^ value)
    }

    /// Spreads every bit over the whole (the finalizer of MurmurHash3).
    public static func finish(_ bits: UInt64) -> UInt64 {
        var hash = bits
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
