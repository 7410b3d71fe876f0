internal import Glibc

/// A new file that is written in large pieces, however long it gets.
///
/// The first failure is kept and thrown by `finish`; the writes after it do nothing.
public final class SampleFile {
    private let path: String
    private let descriptor: Int32
    private var failure: SampleError?
    private var buffer: [UInt8] = []
    private var isEmpty = true
    private static let bufferMax = 1 << 18

    /// Creates the file, which must not exist.
    public init(_ path: String) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { failure = SampleError(task: .create, path: path, code: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes what comes next.
    public func write(_ bytes: [UInt8]) {
        buffer += bytes
        isEmpty = isEmpty && bytes.isEmpty
        if buffer.count >= Self.bufferMax { flush() }
    }

    /// Writes what is left. A day without rows gives a file of one empty line: an empty file would be a failed export.
    ///
    /// - Throws: the first failure to create or write the file.
    public func finish() throws(SampleError) {
        if isEmpty { write([UInt8(ascii: "\n")]) }
        flush()
        if let failure { throw failure }
    }

    private func flush() {
        var written = 0
        while failure == nil, written < buffer.count {
            let count = buffer.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                failure = SampleError(task: .write, path: path, code: errno)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
