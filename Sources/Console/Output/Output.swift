public import Glibc

/// Writes the program's results. The only code that writes to standard output, and it checks every write.
///
/// `print` loses data on a full device and exits with 0; `FileHandle.write` traps. This class throws.
public final class Output {
    private let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []
    private static let bufferMax = 1 << 16

    /// - Parameter name: the name of `descriptor` in messages.
    public init(descriptor: Int32 = STDOUT_FILENO, name: String = "standard output") {
        self.descriptor = descriptor
        self.name = name
    }

    /// Adds bytes, which are buffered until `flush` or until the buffer is full.
    ///
    /// - Throws: `Failure` as `flush` does.
    public func write(_ bytes: [UInt8]) throws(Failure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferMax { try flush() }
    }

    public func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

    public func writeLine(_ line: String = "") throws(Failure) { try write(line + "\n") }

    /// Writes the buffer. What could not be written is not tried again.
    ///
    /// - Throws: `Failure` with `closedPipe` if the reader has closed the pipe, otherwise with `inputOutput`.
    public func flush() throws(Failure) {
        let bytes = buffer
        buffer = []
        let error = writeAll(bytes, to: descriptor)
        if error == EPIPE { throw Failure(.closedPipe, "the reader of \(name) has closed it") }
        if error != 0 { throw .system(error, cannot: "write", name, otherwise: .inputOutput) }
    }
}
