public import Domain

/// Remembers what identifiers were read last, so that most cost neither the table's lock nor memory. One a thread.
///
/// An identifier with four last digits or more is remembered by the text before them (`ORD`, ten digits), so that a
/// file of a million orders costs one look-up; another (`com.example.pack7`) as a whole.
public struct IdentifierCache {
    /// Longer ones are no identifiers.
    public static let bytesMax = 256
    /// Longer texts are not remembered.
    private static let textMax = 48
    /// When half of so many places are taken all is forgotten: ids without a pattern would only fill memory.
    private static let placesMax = 8192

    private struct Entry {
        var fingerprint: UInt64 = 0
        /// Bytes of the text; −1 while the place is free.
        var count: Int32 = -1
        /// Digits that follow it, 0 where the text is the whole.
        var digits: Int32 = 0
        var text = InlineArray<48, UInt8>(repeating: 0)
        /// The identifier's, without its last digits.
        var bits: UInt64 = 0
    }

    /// A power of two of them; an entry lies at its fingerprint's place or in the first free one behind.
    private var places = [Entry](repeating: Entry(), count: 64)
    private var taken = 0
    /// Where the two identifiers stand that each column had last: most have the same text before their digits, or one of
    /// two (Apple's ids of 15 and 16 digits).
    private var recent = [(Int32, Int32)](repeating: (0, 0), count: 64)

    public init() {}

    /// Why bytes are no identifier, though they are not one of the ways of writing none.
    public enum Fault: Error {
        case tooLong
        case holdsControls
    }

    /// As `Parse.identifier`, and faults what no identifier can be.
    ///
    /// - Parameter column: below 64; identifiers of the same column look alike.
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

    /// The identifier if it is the one at that place, but for the value of its digits.
    @inline(__always)
    private func prior(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Identifier? {
        places.withUnsafeBytes { memory in
            guard place < places.count else { return nil }
            let entry = UnsafePointer(memory.assumingMemoryBound(to: Entry.self).baseAddress! + place)
            let (count, digits) = (Int(entry.pointee.count), Int(entry.pointee.digits))
            guard count + digits == bytes.count, bytes.part(0, count).isEqual(to: Self.text(memory, place, count))
            else { return nil }
            if digits == 0 { return Identifier(bits: entry.pointee.bits) }
            return IdentifierTable.value(ofLast: digits, bytes).map { Identifier(bits: entry.pointee.bits | $0) }
        }
    }

    @inline(__always)
    private static func text(_ memory: UnsafeRawBufferPointer, _ place: Int, _ count: Int) -> UnsafeRawBufferPointer {
        let start = place * MemoryLayout<Entry>.stride + MemoryLayout<Entry>.offset(of: \.text)!
        return memory.part(start, start + count)
    }

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
        // One that was interned although it ends in digits (the table of prefixes is full) is not made of them.
        if digits > 0, identifier.bits >> 63 == 1 { return identifier }
        remember(head, fingerprint, digits, identifier.bits ^ value)
        return identifier
    }

    /// What is remembered has been here once, and digits are no controls.
    @inline(never)
    private func made(of whole: UnsafeRawBufferPointer) throws(Fault) -> Identifier {
        if whole.count > Self.bytesMax { throw .tooLong }
        if whole.hasControls { throw .holdsControls }
        return Identifier(bytes: whole)
    }

    /// Where the text is remembered, else the free place for it.
    @inline(__always)
    private func place(of text: UnsafeRawBufferPointer, _ fingerprint: UInt64) -> Int {
        places.withUnsafeBytes { memory in
            let entries = memory.assumingMemoryBound(to: Entry.self)
            var place = Int(truncatingIfNeeded: fingerprint) & (entries.count - 1)
            while entries[place].count >= 0 {
                let isSame = entries[place].fingerprint == fingerprint && entries[place].count == text.count
                if isSame, Self.text(memory, place, text.count).isEqual(to: text) { return place }
                place = (place + 1) & (entries.count - 1)
            }
            return place
        }
    }

    @inline(never)
    private mutating func remember(
        _ text: UnsafeRawBufferPointer, _ fingerprint: UInt64, _ digits: Int, _ bits: UInt64
    ) {
        if taken * 2 >= places.count { makeRoom() }
        var entry = Entry(fingerprint: fingerprint, count: Int32(text.count), digits: Int32(digits), bits: bits)
        withUnsafeMutableBytes(of: &entry.text) { $0.copyMemory(from: text) }
        places[place(of: text, fingerprint)] = entry
        taken += 1
    }

    /// Doubles the places, or forgets everything.
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
