internal import Glibc

/// A new file on its way to the disk, written as it is made, however large it gets.
///
/// The first thing that fails is remembered and thrown by `finish`; what comes after it is dropped.
final class SampleFile {
    private let path: String
    private let descriptor: Int32
    private var failure: Failure?
    private var buffer: [UInt8] = []
    private var isEmpty = true
    private static let bufferMax = 1 << 18

    init(_ path: String) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { failure = .system(errno, cannot: "create", path, otherwise: .cannotCreate) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: [UInt8]) {
        buffer += bytes
        isEmpty = isEmpty && bytes.isEmpty
        if buffer.count >= Self.bufferMax { flush() }
    }

    /// Hands the rest to the system. A day without lines is one empty line: no bytes at all are a failed export.
    ///
    /// - Throws: what creating or writing the file failed with.
    func finish() throws(Failure) {
        if isEmpty { write([UInt8(ascii: "\n")]) }
        flush()
        if let failure { throw failure }
    }

    private func flush() {
        if failure == nil {
            let error = writeAll(buffer, to: descriptor)
            if error != 0 { failure = .system(error, cannot: "write", path, otherwise: .inputOutput) }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
