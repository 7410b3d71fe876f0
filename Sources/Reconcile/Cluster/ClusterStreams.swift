internal import Base
internal import Console
internal import Engine
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
