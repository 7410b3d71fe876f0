/// Writes numbers in as few bytes or bits as they need, in one way only.
struct PackedWriter {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingBits = 0

    mutating func write(_ number: UInt64) { bytes.append(short: number) }

    /// Small numbers of either sign are short.
    mutating func write(_ number: Int64) { write(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    /// Texts in ascending order, without doubles: each as what it shares with the one before it and the rest.
    mutating func write(_ texts: [String]) {
        write(UInt64(texts.count))
        var before: [UInt8] = []
        for var text in texts {
            text.withUTF8 { bytes in
                var shared = 0
                while shared < min(before.count, bytes.count), before[shared] == bytes[shared] { shared += 1 }
                write(UInt64(shared))
                write(UInt64(bytes.count - shared))
                self.bytes += bytes[shared...]
                before.removeSubrange(shared...)
                before += bytes[shared...]
            }
        }
    }

    /// - Parameter width: at most 32.
    mutating func writeBits(of number: UInt32, width: Int) {
        pending = pending << UInt64(width) | UInt64(number)
        pendingBits += width
        while pendingBits >= 8 {
            pendingBits -= 8
            bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingBits)))
        }
    }

    /// A positive number: zeros, one fewer than its bits, then its bits (Elias gamma).
    mutating func writeCount(_ count: UInt32) {
        let width = 32 - count.leadingZeroBitCount
        writeBits(of: 0, width: width - 1)
        writeBits(of: count, width: width)
    }

    /// Fills the last byte with zeros.
    mutating func endBits() { if pendingBits > 0 { writeBits(of: 0, width: 8 - pendingBits) } }
}

/// Reads what `PackedWriter` wrote, and nothing else.
struct PackedReader {
    private let bytes: [UInt8]
    private(set) var position = 0
    private var pending: UInt64 = 0
    private var pendingBits = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var left: Int { bytes.count - position }

    mutating func byte() throws(DamagedBytes) -> UInt8 {
        guard position < bytes.count else { throw DamagedBytes() }
        position += 1
        return bytes[position - 1]
    }

    mutating func number() throws(DamagedBytes) -> UInt64 {
        guard let number = bytes.shortNumber(at: &position) else { throw DamagedBytes() }
        return number
    }

    mutating func signed() throws(DamagedBytes) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(number & 1)
    }

    /// A count of items, each of which takes at least one byte.
    mutating func count() throws(DamagedBytes) -> Int {
        let number = try number()
        guard number <= UInt64(left) else { throw DamagedBytes() }
        return Int(number)
    }

    mutating func texts() throws(DamagedBytes) -> [String] {
        var texts: [String] = []
        var before: [UInt8] = []
        for _ in 0..<(try count()) {
            let (shared, rest) = (try number(), try number())
            guard shared <= UInt64(before.count), rest <= UInt64(left) else { throw DamagedBytes() }
            let tail = bytes[position..<position + Int(rest)]
            position += Int(rest)
            // Greater than the text before it, and nothing more is shared. Only the first text may be empty.
            let follows = tail.first.map { Int(shared) == before.count || $0 > before[Int(shared)] } ?? texts.isEmpty
            before.replaceSubrange(Int(shared)..., with: tail)
            guard follows, let text = String(validating: before, as: UTF8.self) else { throw DamagedBytes() }
            texts.append(text)
        }
        return texts
    }

    /// Adds bytes to the pending bits, of which there are at most 32.
    private mutating func fill() throws(DamagedBytes) {
        guard left >= 4 else {
            pending = pending << 8 | UInt64(try byte())
            pendingBits += 8
            return
        }
        let next = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt32.self) }
        pending = pending << 32 | UInt64(UInt32(bigEndian: next))
        (position, pendingBits) = (position + 4, pendingBits + 32)
    }

    /// Leaves out numbers of this width.
    mutating func skip(_ count: Int, width: Int) throws(DamagedBytes) {
        let (skipped, isHuge) = count.multipliedReportingOverflow(by: width)
        guard !isHuge, skipped <= pendingBits + left * 8 else { throw DamagedBytes() }
        if skipped <= pendingBits {
            pendingBits -= skipped
            return
        }
        let rest = skipped - pendingBits
        (position, pendingBits) = (position + rest / 8, 0)
        _ = try bits(rest % 8)
    }

    /// - Parameter width: at most 32.
    mutating func bits(_ width: Int) throws(DamagedBytes) -> UInt32 {
        while pendingBits < width { try fill() }
        pendingBits -= width
        return UInt32(truncatingIfNeeded: pending >> UInt64(pendingBits) & (1 << UInt64(width) - 1))
    }

    mutating func positiveCount() throws(DamagedBytes) -> UInt32 {
        var zeros = 0
        while true {
            if pendingBits == 0 { try fill() }
            let found = min((pending << UInt64(64 - pendingBits)).leadingZeroBitCount, pendingBits)
            (zeros, pendingBits) = (zeros + found, pendingBits - found)
            guard zeros < 32 else { throw DamagedBytes() }
            // The first bit of the number.
            if pendingBits > 0 { break }
        }
        pendingBits -= 1
        return 1 << UInt32(zeros) | (try bits(zeros))
    }

    /// Ends what `PackedWriter.endBits` ended: the rest of the last byte is zeros. Whole bytes are still to be read.
    mutating func endBits() throws(DamagedBytes) {
        position -= pendingBits / 8
        pending >>= UInt64(pendingBits / 8 * 8)
        guard pending & (1 << UInt64(pendingBits % 8) - 1) == 0 else { throw DamagedBytes() }
        (pending, pendingBits) = (0, 0)
    }

    /// Nothing is left but zeros in the last byte.
    mutating func end() throws(DamagedBytes) {
        try endBits()
        guard left == 0 else { throw DamagedBytes() }
    }
}

/// Stored bytes that nothing writes: torn, changed, or not in their one form.
public struct DamagedBytes: Error, Equatable {}
