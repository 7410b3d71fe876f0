/// Reads the texts and hashes of many identifiers without taking the table's lock for each. It works on a copy of the
/// table and renews the copy when it meets an identifier that is newer.
public struct IdentifierReader: Sendable {
    private var contents = IdentifierTable.shared.snapshot()
    /// A prefix: where its bytes are in `headBytes`, their hash, and the number of digits that follow.
    private struct Head {
        var bytes: Range<Int>
        var hash: UInt64
        var digits: Int
    }
    /// By prefix number; nil if a prefix was not needed yet. Plain numbers, because passing references around would
    /// cost more than copying the bytes.
    private var heads: [Head?] = []
    private var headBytes: [UInt8] = []
    /// How many identifiers that are newer than the copy were met since it was made.
    private var misses = 0

    public init() {}

    public mutating func text(of identifier: Identifier) -> String {
        renew(for: identifier)
        return isKnown(identifier) ? contents.text(of: identifier.bits) : IdentifierTable.shared.text(of: identifier)
    }

    /// A hash of the text that is the same in every process and version; ledgers are searched by it. It combines the
    /// FNV-1a hash of the text before the last digits with their number and value. It does not resist deliberately
    /// chosen collisions.
    public mutating func stableHash(of identifier: Identifier) -> UInt64 {
        let parts = hashedParts(of: identifier)
        return StableHash.mix(parts.head, digits: parts.digits, value: parts.value)
    }

    /// The FNV-1a hash of the whole text.
    public mutating func textHash(of identifier: Identifier) -> UInt64 {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { memory in
            if let count = write(identifier, into: memory) {
                return StableHash.of(UnsafeRawBufferPointer(rebasing: memory[..<count]))
            }
            var text = text(of: identifier)
            return text.withUTF8 { StableHash.of(UnsafeRawBufferPointer($0)) }
        }
    }

    /// The parts of `stableHash`: the FNV-1a hash of the text before the last digits, their number and their value.
    public mutating func hashedParts(of identifier: Identifier) -> (head: UInt64, digits: Int, value: UInt64) {
        renew(for: identifier)
        if identifier.bits & IdentifierTable.internedBit != 0 {
            var text = text(of: identifier)
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

    /// Writes the text into `memory` and returns its length in bytes; nil if it does not fit.
    public mutating func write(_ identifier: Identifier, into memory: UnsafeMutableRawBufferPointer) -> Int? {
        renew(for: identifier)
        if identifier.bits & IdentifierTable.internedBit != 0 {
            var text = text(of: identifier)
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
        memory.write(identifier.bits & IdentifierTable.valueMask, digits: head.digits, at: head.bytes.count)
        return count
    }

    private mutating func head(_ number: Int) -> Head {
        if number < heads.count, let known = heads[number] { return known }
        while heads.count <= number { heads.append(nil) }
        let prefix = IdentifierTable.shared.prefix(number)
        let start = headBytes.count
        headBytes += prefix.text.utf8
        let hash = headBytes.withUnsafeBytes { StableHash.of(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        let head = Head(bytes: start..<headBytes.count, hash: hash, digits: prefix.digits)
        heads[number] = head
        return head
    }

    /// Renews the copy if it has lacked an eighth of its size. A night that makes an identifier, reads it and makes the next
    /// one would otherwise copy the table for each.
    private mutating func renew(for identifier: Identifier) {
        if isKnown(identifier) { return }
        misses += 1
        if misses > (contents.texts.count + contents.prefixes.count) / 8 {
            contents = IdentifierTable.shared.snapshot()
            misses = 0
        }
    }

    private func isKnown(_ identifier: Identifier) -> Bool {
        identifier.bits & IdentifierTable.internedBit != 0
            ? Int(identifier.bits & ~IdentifierTable.internedBit) < contents.texts.count
            : Int(identifier.bits >> IdentifierTable.digitBits) < contents.prefixes.count
    }
}
