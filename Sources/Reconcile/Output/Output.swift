internal import Glibc

/// The program's results: the one writer of standard output, which checks every write.
///
/// `print` loses data on a full device and ends with 0; `FileHandle.write` traps. This throws.
final class Output {
    private let descriptor: Int32
    private let name: String
    private var buffer: [UInt8] = []
    private static let bufferMax = 1 << 16

    init(descriptor: Int32 = STDOUT_FILENO, name: String = "standard output") {
        self.descriptor = descriptor
        self.name = name
    }

    /// Nothing is on its way until `flush`, or until the buffer is full.
    ///
    /// - Throws: `Failure` as `flush` does.
    func write(_ text: String) throws(Failure) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferMax { try flush() }
    }

    func writeLine(_ line: String = "") throws(Failure) { try write(line + "\n") }

    /// Hands everything to the system; nothing that failed is tried twice.
    ///
    /// - Throws: `Failure` with `closedPipe` where nobody reads any more, else with `inputOutput`.
    func flush() throws(Failure) {
        let bytes = buffer
        buffer = []
        let error = writeAll(bytes, to: descriptor)
        if error == EPIPE { throw Failure(.closedPipe, "nobody reads \(name) any more") }
        if error != 0 { throw .system(error, cannot: "write", name, otherwise: .inputOutput) }
    }
}

/// Writes all bytes, however many calls that takes. Returns 0, or the `errno` of the call that failed.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { all in
        var rest = all[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 {
                return EIO
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
