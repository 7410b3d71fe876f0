/// A small file that is read as a whole and decompressed if it is gzip.
public enum WholeFile: Sendable {
    /// The content, and the SHA-256 of the file as stored on disk.
    case read(bytes: [UInt8], digest: Digest256)
    /// The reason why the file cannot be used, without a full stop.
    case refused(String)

    /// - Parameter bytesMax: larger content is refused.
    /// - Throws: `IntakeError` if the file cannot be read.
    public init(path: String, bytesMax: Int) throws(IntakeError) {
        self = try reading(path, refused: { .refused($0) }) {
            var source = try ByteSource(path)
            // Memory that is not written costs nothing, so the limit may be far above what a file has.
            let bytes = try [UInt8](unsafeUninitializedCapacity: bytesMax + 1) { memory, count in
                count = try source.fill(UnsafeMutableRawBufferPointer(memory))
            }
            if bytes.count > bytesMax { return .refused("it is larger than \(bytesMax >> 20) MiB") }
            return .read(bytes: bytes, digest: try source.finish())
        }
    }
}
