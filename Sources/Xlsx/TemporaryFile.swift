internal import CXlsx
internal import Glibc
internal import Synchronization

/// A file of libxlsxwriter's own, in which it puts a part of a workbook together before it is compressed.
///
/// The library does not look whether these could be written: on a full or failing disk parts of sheets would be missing
/// from a workbook that it calls good. So its function that makes them, `lxw_tmpfile`, is replaced by ours at linking,
/// and what fails here is remembered until the workbook is closed.
private final class TemporaryFile {
    private let descriptor: Int32
    private let folder: String

    init?(in folder: String) {
        self.folder = folder
        var path = Array((folder + "/part.XXXXXX").utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        // One that kept its name would be published with the reports.
        if unlink(path) != 0 { rememberFailure(in: folder) }
    }

    deinit { close(descriptor) }

    /// Reads, or nil and remembered.
    func read(into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
            if count >= 0 { return count }
            if errno != EINTR { return noteFailure() }
        }
    }

    /// Writes all, or nil and remembered.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 || errno != EINTR {
                return noteFailure()
            }
        }
        return bytes.count
    }

    func seek(to position: Int64, from origin: Int32) -> Int64? {
        let position = lseek(descriptor, Int(position), origin)
        return position < 0 ? noteFailure() : Int64(position)
    }

    private func noteFailure<Result>() -> Result? {
        rememberFailure(in: folder)
        return nil
    }
}

/// Folders in which a temporary file failed: whoever writes a workbook has one of its own.
private let failures = Mutex<Set<String>>([])

private func rememberFailure(in folder: String) { _ = failures.withLock { $0.insert(folder) } }

/// Whether a temporary file in this folder failed since it was last asked.
func takeTemporaryFailure(in folder: String) -> Bool { failures.withLock { $0.remove(folder) != nil } }

/// Stands in for libxlsxwriter's function of that name. An optimized build would hide it from the library were it internal.
@_cdecl("lxw_tmpfile")
public func makeTemporaryFile(_ folder: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer? {
    guard let file = TemporaryFile(in: folder.map { String(cString: $0) } ?? "/tmp") else { return nil }
    let cookie = Unmanaged.passRetained(file)
    let stream = reconcile_stream(
        read: { cookie, bytes, count in
            TemporaryFile.of(cookie).read(into: UnsafeMutableRawBufferPointer(start: bytes, count: count)) ?? -1
        },
        write: { cookie, bytes, count in
            // Not -1: fopencookie(3).
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
    // Each sheet is written and read twice, by default eight kilobytes a call.
    setvbuf(opened, nil, _IOFBF, 1 << 16)
    return UnsafeMutableRawPointer(opened)
}

extension TemporaryFile {
    fileprivate static func of(_ cookie: UnsafeMutableRawPointer?) -> TemporaryFile {
        guard let cookie else { preconditionFailure("a stream is opened with its file") }
        return Unmanaged<TemporaryFile>.fromOpaque(cookie).takeUnretainedValue()
    }
}
