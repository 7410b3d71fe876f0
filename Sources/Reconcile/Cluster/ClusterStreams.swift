internal import Base
internal import Console
internal import Glibc
internal import Wire

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

    /// Passes on what a writer has collected, once it is much.
    func drain(_ lines: inout LineWriter, above bytes: Int = 1 << 16) throws(Failure) {
        if lines.count > bytes { try output.write(lines.take()) }
    }

    /// Ends a stream and passes on the rest of it.
    func end(_ lines: inout LineWriter) throws(Failure) -> ExitCode {
        lines.end()
        try drain(&lines, above: 0)
        return .done
    }
}
