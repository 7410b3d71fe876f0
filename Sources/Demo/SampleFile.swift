public import Console
internal import Glibc

/// A new file that is written in large pieces, however long it gets.
///
/// The first failure to write is kept and thrown by `finish`; the writes after it do nothing.
public final class SampleFile {
    private let file: OpenFile
    private var failure: Failure?
    private var buffer: [UInt8] = []
    private var isEmpty = true
    private static let bufferMax = 1 << 18

    /// Creates the file, which must not exist.
    public init(_ path: String) throws(Failure) {
        file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, to: "create")
    }

    public func write(_ bytes: [UInt8]) {
        buffer += bytes
        isEmpty = isEmpty && bytes.isEmpty
        if buffer.count >= Self.bufferMax { flush() }
    }

    /// Writes what is left. A day without rows gives a file of one empty line: an empty file would be a failed export.
    public func finish() throws(Failure) {
        if isEmpty { write([UInt8(ascii: "\n")]) }
        flush()
        if let failure { throw failure }
    }

    private func flush() {
        if failure == nil { do throws(Failure) { try file.write(buffer) } catch { failure = error } }
        buffer.removeAll(keepingCapacity: true)
    }
}
