internal import Base
internal import CXlsx
internal import Glibc
internal import Synchronization

/// A temporary file in which libxlsxwriter assembles a part of a workbook before compressing it.
///
/// libxlsxwriter does not check whether its temporary files could be written. On a full or failing disk, parts of
/// sheets would be missing from a workbook that it reports as good. Its function that creates them, `lxw_tmpfile`, is
/// therefore replaced by ours at link time. Failures are remembered by folder, and `Workbook.close` checks for them.
private final class TemporaryFile {
    private let descriptor: Int32
    private let folder: String

    init?(in folder: String) {
        self.folder = folder
        var path = Array((folder + "/part.XXXXXX").utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        // Otherwise the file would be published with the reports.
        if unlink(path) != 0 { rememberFailure(in: folder) }
    }

    deinit { close(descriptor) }

    /// Reads into `bytes`; nil if it fails, which is remembered.
    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        let count = uninterrupted { Glibc.read(descriptor, bytes.baseAddress, bytes.count) }
        return count >= 0 ? count : noteFailure()
    }

    /// Writes all of `bytes`; nil if it fails, which is remembered.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        writeAll(bytes, to: descriptor) == 0 ? bytes.count : noteFailure()
    }

    /// Moves the file position like lseek(2); nil if it fails, which is remembered.
    func seek(to position: Int64, from origin: Int32) -> Int64? {
        let position = lseek(descriptor, Int(position), origin)
        return position < 0 ? noteFailure() : Int64(position)
    }

    private func noteFailure<Result>() -> Result? {
        rememberFailure(in: folder)
        return nil
    }
}

/// The folders in which a temporary file has failed. Each workbook that is being written has a folder of its own.
private let failures = Mutex<Set<String>>([])

private func rememberFailure(in folder: String) { _ = failures.withLock { $0.insert(folder) } }

/// Whether a temporary file in this folder has failed since the last call.
func takeTemporaryFailure(in folder: String) -> Bool { failures.withLock { $0.remove(folder) != nil } }

/// Replaces libxlsxwriter's function of the same name. It is public because an optimized build would hide an internal
/// one from the library.
@_cdecl("lxw_tmpfile")
public func makeTemporaryFile(_ folder: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer? {
    guard let file = TemporaryFile(in: folder.map { String(cString: $0) } ?? "/tmp") else { return nil }
    let cookie = Unmanaged.passRetained(file)
    let stream = reconcile_stream(
        read: { cookie, bytes, count in
            TemporaryFile.of(cookie).read(into: UnsafeMutableRawBufferPointer(start: bytes, count: count)) ?? -1
        },
        write: { cookie, bytes, count in
            // Errors are 0, not -1: fopencookie(3).
            TemporaryFile.of(cookie).write(UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
        },
        seek: { cookie, position, origin in
            guard let position, let reached = TemporaryFile.of(cookie).seek(to: position.pointee, from: origin) else {
                return -1
            }
            position.pointee = reached
            return 0
        },
        close: { cookie in
            if let cookie { Unmanaged<TemporaryFile>.fromOpaque(cookie).release() }
            return 0
        })
    guard let opened = reconcile_open_stream(cookie.toOpaque(), "w+", stream) else {
        cookie.release()
        return nil
    }
    // A larger buffer than the default 8 KiB, because each sheet is written and read twice.
    setvbuf(opened, nil, _IOFBF, 1 << 16)
    return UnsafeMutableRawPointer(opened)
}

extension TemporaryFile {
    fileprivate static func of(_ cookie: UnsafeMutableRawPointer?) -> TemporaryFile {
        guard let cookie else { preconditionFailure("a stream is opened with its file") }
        return Unmanaged<TemporaryFile>.fromOpaque(cookie).takeUnretainedValue()
    }
}
