public import Domain

/// A small file, read whole and unpacked where it is gzip.
public enum WholeFile: Sendable {
    case read(bytes: [UInt8], digest: Digest256)
    /// Why it cannot be used, no full stop.
    case refused(String)

    /// - Throws: `IntakeError` where the file cannot be read.
    public init(path: String, bytesMax: Int) throws(IntakeError) {
        var source = try ByteSource(path)
        do {
            var bytes = [UInt8](repeating: 0, count: bytesMax + 1)
            let count = try bytes.withUnsafeMutableBytes { try source.fill($0) }
            if count > bytesMax {
                self = .refused("it is larger than \(bytesMax >> 20) MiB")
            } else {
                self = .read(bytes: Array(bytes.prefix(count)), digest: try source.finish())
            }
        } catch let damage as FileDefect {
            self = .refused(damage.reason)
        } catch {
            throw error as? IntakeError ?? .cannotRead(path: path, reason: "\(error)")
        }
    }
}
