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

    public init() {}

    public mutating func text(of identifier: Identifier) -> String {
        renew(for: identifier)
        return contents.text(of: identifier.bits)
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
            var text = contents.text(of: identifier.bits)
            return text.withUTF8 { StableHash.of(UnsafeRawBufferPointer($0)) }
        }
    }

    /// The parts of `stableHash`: the FNV-1a hash of the text before the last digits, their number and their value.
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

    /// Writes the text into `memory` and returns its length in bytes; nil if it does not fit.
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
        memory.write(identifier.bits & IdentifierTable.valueMask, digits: head.digits, at: head.bytes.count)
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
