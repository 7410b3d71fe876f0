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

    /// Does something with the file. A negative result is a failure, which is remembered.
    static func of(_ cookie: UnsafeMutableRawPointer?, _ act: (_ descriptor: Int32) -> Int) -> Int {
        guard let cookie else { preconditionFailure("a stream is opened with its file") }
        let file = Unmanaged<TemporaryFile>.fromOpaque(cookie).takeUnretainedValue()
        let result = act(file.descriptor)
        if result < 0 { rememberFailure(in: file.folder) }
        return result
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
            TemporaryFile.of(cookie) { descriptor in uninterrupted { Glibc.read(descriptor, bytes, count) } }
        },
        write: { cookie, bytes, count in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
            // Errors are 0, not -1: fopencookie(3).
            return max(0, TemporaryFile.of(cookie) { writeAll(bytes, to: $0) == 0 ? bytes.count : -1 })
        },
        seek: { cookie, position, origin in
            guard let position else { return -1 }
            let reached = TemporaryFile.of(cookie) { lseek($0, Int(position.pointee), origin) }
            guard reached >= 0 else { return -1 }
            position.pointee = Int64(reached)
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
