internal import Glibc

/// An open regular file. It is opened once and never looked up by name again, so the bytes that are hashed are the
/// bytes that are parsed.
struct InputFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Opens a regular file, following links. Throws for anything else.
    init(_ path: String) throws(IntakeError) {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        self.path = path
        guard descriptor >= 0 else { throw IntakeError(opening: path, errno) }
        _ = try stamp()
    }

    deinit { close(descriptor) }

    /// The current state of the open file.
    func stamp() throws(IntakeError) -> FileStamp {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotRead(path: path, reason: errorText(errno)) }
        return try FileStamp(status, path: path)
    }

    /// Reads at most as many bytes as `buffer` holds, and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(IntakeError) -> Int {
        let count = uninterrupted { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
        if count < 0 { throw .cannotRead(path: path, reason: errorText(errno)) }
        return count
    }
}

/// The state of the file on disk (device, inode, size, times), by which an unchanged file is recognized without reading
/// it. Throws if it is not a regular file.
public func stamp(of file: FoundFile) throws(IntakeError) -> FileStamp {
    var status = stat()
    guard stat(file.path, &status) == 0 else { throw IntakeError(opening: file.path, errno) }
    return try FileStamp(status, path: file.path)
}

extension IntakeError {
    /// - Parameter error: `errno` after a file could not be opened.
    fileprivate init(opening path: String, _ error: Int32) {
        self = error == ENOENT ? .absent(path: path) : .cannotOpen(path: path, reason: errorText(error))
    }
}

extension FileStamp {
    fileprivate init(_ status: stat, path: String) throws(IntakeError) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        self.init(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), bytes: Int64(status.st_size),
            modified: status.st_mtim.nanoseconds, changed: status.st_ctim.nanoseconds)
    }
}

extension timespec {
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}
