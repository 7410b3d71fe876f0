/// Caches recently read identifiers, so that most reads need neither the lock of the global identifier table nor
/// memory. Use one per thread.
///
/// An identifier that ends in four or more digits is cached by its prefix and the number of digits (`ORD` and ten
/// digits), so that a file with a million order ids costs a single look-up. Other identifiers (`com.example.pack7`) are
/// cached whole.
///
/// A read first compares with the last two entries of the same column, then searches a small open-addressing hash
/// table, and only then asks the global table.
public struct IdentifierCache {
    /// The maximum length of an identifier, in bytes.
    public static let bytesMax = 256
    /// Longer texts are not cached.
    private static let textMax = 48
    /// The maximum size of the table. When half of it is used, everything is discarded: ids without a pattern would
    /// only fill memory.
    private static let placesMax = 8192

    /// One place of the hash table.
    private struct Entry {
        var fingerprint: UInt64 = 0
        /// The length of the text in bytes; −1 if the place is free.
        var count: Int32 = -1
        /// The number of digits that follow the text; 0 if the text is the whole identifier.
        var digits: Int32 = 0
        var text = InlineArray<48, UInt8>(repeating: 0)
        /// The identifier's bits without the value of its trailing digits.
        var bits: UInt64 = 0
    }

    /// A power of two in length. An entry is at the place of its fingerprint or in the first free place after it.
    private var places = [Entry](repeating: Entry(), count: 64)
    private var taken = 0
    /// The places of the two entries that each column used last. Most ids of a column share the text before their
    /// digits, or have one of two (Apple's ids of 15 and of 16 digits).
    private var recent = [(Int32, Int32)](repeating: (0, 0), count: 64)

    public init() {}

    /// Why bytes that do not stand for "none" are not an identifier either.
    public enum Fault: Error {
        case tooLong
        case holdsControls
        /// A number in scientific notation (`2.0000009E+15`), as Excel writes a long one.
        case isRounded
    }

    /// Like `Parse.identifier`, but throws if the bytes cannot be an identifier.
    ///
    /// - Parameter column: a number below 64. Identifiers of one column are expected to look alike.
    public mutating func identifier(
        _ bytes: UnsafeRawBufferPointer, of column: Int
    ) throws(Fault) -> Identifier? {
        let (last, other) = recent[column]
        if let known = prior(bytes, at: Int(last)) ?? prior(bytes, at: Int(other)) { return known }
        if Parse.namesNothing(bytes) { return nil }
        let (start, value) = IdentifierTable.trailingDigits(of: bytes)
        let digits = bytes.count - start
        guard digits >= 4 else { return try lookUp(bytes, digits: 0, value: 0, whole: bytes, column) }
        return try lookUp(bytes.part(0, start), digits: digits, value: value, whole: bytes, column)
    }

    /// The identifier, if its text and number of digits are those of the entry at `place`.
    @inline(__always)
    private func prior(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Identifier? {
        places.withUnsafeBytes { memory in
            guard place < places.count else { return nil }
            let entry = UnsafePointer(memory.assumingMemoryBound(to: Entry.self).baseAddress! + place)
            let (count, digits) = (Int(entry.pointee.count), Int(entry.pointee.digits))
            guard count + digits == bytes.count,
                bytes.part(0, count).isEqual(to: Self.text(memory, at: place, count: count))
            else { return nil }
            if digits == 0 { return Identifier(bits: entry.pointee.bits) }
            return IdentifierTable.value(ofLast: digits, bytes).map { Identifier(bits: entry.pointee.bits | $0) }
        }
    }

    @inline(__always)
    private static func text(_ memory: UnsafeRawBufferPointer, at place: Int, count: Int) -> UnsafeRawBufferPointer {
        let start = place * MemoryLayout<Entry>.stride + MemoryLayout<Entry>.offset(of: \.text)!
        return memory.part(start, start + count)
    }

    /// Finds or adds the entry for `head`, the text before `digits` digits of the value `value`.
    @inline(__always)
    private mutating func lookUp(
        _ head: UnsafeRawBufferPointer, digits: Int, value: UInt64, whole: UnsafeRawBufferPointer, _ column: Int
    ) throws(Fault) -> Identifier {
        guard head.count <= Self.textMax else { return try made(of: whole) }
        let fingerprint = head.fingerprint(seed: UInt64(digits) << 32)
        let place = place(of: head, fingerprint)
        if places[place].count >= 0 {
            recent[column] = (Int32(place), recent[column].0)
            return Identifier(bits: places[place].bits | value)
        }
        let identifier = try made(of: whole)
        // If the table of prefixes is full, the identifier was interned as a whole and cannot be composed from its
        // digits.
        if digits > 0, identifier.bits >> 63 == 1 { return identifier }
        remember(head, fingerprint: fingerprint, digits: digits, bits: identifier.bits ^ value)
        return identifier
    }

    /// A new identifier from the global table. Only this path needs the checks: cached text was checked before, and
    /// digits are harmless.
    @inline(never)
    private func made(of whole: UnsafeRawBufferPointer) throws(Fault) -> Identifier {
        if whole.count > Self.bytesMax { throw .tooLong }
        if whole.hasControls { throw .holdsControls }
        if whole.isScientific { throw .isRounded }
        return Identifier(bytes: whole)
    }

    /// The place of the text, or the free place for it.
    @inline(__always)
    private func place(of text: UnsafeRawBufferPointer, _ fingerprint: UInt64) -> Int {
        places.withUnsafeBytes { memory in
            let entries = memory.assumingMemoryBound(to: Entry.self)
            var place = Int(truncatingIfNeeded: fingerprint) & (entries.count - 1)
            while entries[place].count >= 0 {
                let isSame = entries[place].fingerprint == fingerprint && entries[place].count == text.count
                if isSame, Self.text(memory, at: place, count: text.count).isEqual(to: text) { return place }
                place = (place + 1) & (entries.count - 1)
            }
            return place
        }
    }

    @inline(never)
    private mutating func remember(
        _ text: UnsafeRawBufferPointer, fingerprint: UInt64, digits: Int, bits: UInt64
    ) {
        if taken * 2 >= places.count { makeRoom() }
        var entry = Entry(fingerprint: fingerprint, count: Int32(text.count), digits: Int32(digits), bits: bits)
        withUnsafeMutableBytes(of: &entry.text) { $0.copyMemory(from: text) }
        places[place(of: text, fingerprint)] = entry
        taken += 1
    }

    /// Doubles the table or, at its maximum size, empties it.
    private mutating func makeRoom() {
        let old = places
        taken = 0
        places = [Entry](repeating: Entry(), count: min(old.count * 2, Self.placesMax))
        guard old.count < Self.placesMax else { return }
        for entry in old where entry.count >= 0 {
            var place = Int(truncatingIfNeeded: entry.fingerprint) & (places.count - 1)
            while places[place].count >= 0 { place = (place + 1) & (places.count - 1) }
            places[place] = entry
            taken += 1
        }
    }
}
