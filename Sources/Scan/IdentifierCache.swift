package import Domain

/// Remembers what identifiers were read last, so that most cost neither the table's lock nor memory. One a thread.
///
/// An identifier with four last digits or more is remembered by the text before them (`ORD`, ten digits), so that a
/// file of a million orders costs one look-up; another (`com.example.pack7`) as a whole.
package struct IdentifierCache {
    /// Longer texts are not remembered.
    private static let textMax = 48
    private static let slotCount = 1024
    private static let digitBits: UInt64 = 47

    private struct Slot {
        var fingerprint: UInt64 = 0
        /// Of the text; −1 while nothing is remembered.
        var count = -1
        var text = InlineArray<48, UInt8>(repeating: 0)
        /// The identifier's, without its last digits.
        var bits: UInt64 = 0

        func holds(_ bytes: UnsafeRawBufferPointer, _ fingerprint: UInt64) -> Bool {
            guard self.fingerprint == fingerprint, count == bytes.count else { return false }
            return withUnsafeBytes(of: text) { $0.part(0, bytes.count).isEqual(to: bytes) }
        }
    }

    private var slots = [Slot](repeating: Slot(), count: Self.slotCount)

    package init() {}

    /// As `Parse.identifier`.
    package mutating func identifier(_ bytes: UnsafeRawBufferPointer) -> Identifier? {
        if Parse.namesNothing(bytes) { return nil }
        let (start, value) = IdentifierTable.trailingDigits(of: bytes)
        let digits = bytes.count - start
        guard digits >= 4 else { return lookUp(bytes, digits: 0, value: 0, whole: bytes) }
        return lookUp(bytes.part(0, start), digits: digits, value: value, whole: bytes)
    }

    private mutating func lookUp(
        _ head: UnsafeRawBufferPointer, digits: Int, value: UInt64, whole: UnsafeRawBufferPointer
    ) -> Identifier {
        guard head.count <= Self.textMax else { return Identifier(bytes: whole) }
        let fingerprint = head.fingerprint(seed: UInt64(digits) << 32)
        // Two places for each text: the newer in the first, so that two that alternate do not push each other out.
        let index = Int(fingerprint % UInt64(Self.slotCount))
        if slots[index].holds(head, fingerprint) { return Identifier(bits: slots[index].bits | value) }
        let second = index ^ 1
        if slots[second].holds(head, fingerprint) { return Identifier(bits: slots[second].bits | value) }
        let identifier = Identifier(bytes: whole)
        // One that was interned although it ends in digits (the table of prefixes is full) is not made of them.
        if digits > 0, identifier.bits >> 63 == 1 { return identifier }
        slots[second] = slots[index]
        remember(head, fingerprint, identifier.bits ^ value, at: index)
        return identifier
    }

    private mutating func remember(_ head: UnsafeRawBufferPointer, _ fingerprint: UInt64, _ bits: UInt64, at index: Int)
    {
        slots[index].fingerprint = fingerprint
        slots[index].count = head.count
        slots[index].bits = bits
        withUnsafeMutableBytes(of: &slots[index].text) { $0.copyMemory(from: head) }
    }
}
