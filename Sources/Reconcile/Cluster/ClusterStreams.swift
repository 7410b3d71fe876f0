internal import Glibc

/// Standard input and output of a stage, as streams of lines.
extension CommandContext {
    /// Calls `body` with every line of standard input.
    /// - Parameter digest: the digest of the file that the header must name.
    func forEachLine(
        _ stage: WireStage, plan digest: String, _ body: (WireLine) throws -> Void
    ) throws {
        do {
            var reader = try LineReader(stage, plan: digest) { try self.read(into: $0) }
            try reader.forEachLine(body)
        } catch let error as WireError { throw Failure(error) }
    }

    /// Reads standard input.
    /// - Returns: the number of bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try Interruption.process.check()
        let count = uninterrupted { Glibc.read(input, buffer.baseAddress, buffer.count) }
        if count < 0 { throw Failure.system(errno, cannot: "read", "standard input", otherwise: .inputOutput) }
        return count
    }

    /// Passes on what was collected, once it is more than `limit`.
    func drain(_ bytes: inout [UInt8], above limit: Int = 1 << 16) throws(Failure) {
        if bytes.count <= limit { return }
        try output.write(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Ends a stream and passes on the rest of it.
    func end(_ lines: inout LineWriter) throws(Failure) -> ExitCode {
        lines.end()
        try drain(&lines.bytes, above: 0)
        return .done
    }
}

/// The first number of the last pair of a stream of pairs; the second is the number of pairs before it. As a key it could
/// occur once in 2^64.
let pairsEnd = Int64(bitPattern: 0x5EC0_4C11_E0E4_D001)

extension [UInt8] {
    /// Adds a pair of 64-bit numbers, the lowest byte first.
    mutating func append(pair first: Int64, _ second: Int64) {
        Swift.withUnsafeBytes(of: (first.littleEndian, second.littleEndian)) { append(contentsOf: $0) }
    }
}

extension CommandContext {
    /// Calls `body` with each pair of numbers of standard input.
    func forEachPair(_ body: (Int64, Int64) throws -> Void) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { memory.deallocate() }
        var unused = 0
        while true {
            let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: memory[unused...]))
            if count == 0 { break }
            let end = unused + count
            for start in stride(from: 0, to: end - 15, by: 16) {
                let first = memory.loadUnaligned(fromByteOffset: start, as: Int64.self)
                let second = memory.loadUnaligned(fromByteOffset: start + 8, as: Int64.self)
                try body(Int64(littleEndian: first), Int64(littleEndian: second))
            }
            unused = end % 16
            memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[end - unused..<end]))
        }
        if unused > 0 { throw Failure(WireError.cut("its last pair is incomplete")) }
    }
}
