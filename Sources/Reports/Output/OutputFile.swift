internal import Glibc

/// A new file of a report. It never replaces an existing file or follows a link, and it is on disk when `finish`
/// returns.
struct OutputFile: ~Copyable {
    let path: String
    let descriptor: Int32
    private var waiting: [UInt8] = []

    /// - Parameters:
    ///   - directory: the descriptor of the open folder.
    ///   - mode: the permissions, regardless of the umask.
    init(_ name: String, in folder: String, descriptor directory: Int32, mode: mode_t) throws(ReportError) {
        path = folder + "/" + name
        descriptor = openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0, fchmod(descriptor, mode) == 0 else { throw .cannotCreate(path: path, code: errno) }
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Adds bytes. They are buffered.
    mutating func append(_ bytes: some Collection<UInt8>) throws(ReportError) {
        waiting.append(contentsOf: bytes)
        if waiting.count >= 1 << 18 { try flush() }
    }

    /// Syncs the file and returns the digest of its content, whose bytes are counted as work.
    consuming func finish(_ work: WorkCount) throws(ReportError) -> Digest256 {
        try flush()
        guard fsync(descriptor) == 0 else { throw .cannotWrite(path: path, code: errno) }
        return try digest(work)
    }

    private mutating func flush() throws(ReportError) {
        let error = writeAll(waiting, to: descriptor)
        if error != 0 { throw .cannotWrite(path: path, code: error) }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Reads the file back, because a workbook is written by libxlsxwriter through the descriptor.
    private borrowing func digest(_ work: WorkCount) throws(ReportError) -> Digest256 {
        var hasher = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var offset = 0
        while true {
            let count = uninterrupted { pread(descriptor, &buffer, buffer.count, offset) }
            guard count >= 0 else { throw .cannotWrite(path: path, code: errno) }
            if count == 0 { return hasher.finish() }
            buffer.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += count
            work.add(bytes: Int64(count))
        }
    }
}
