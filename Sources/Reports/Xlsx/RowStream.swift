internal import CXlsx
internal import Glibc

/// The rows of a sheet, compressed as libxlsxwriter writes them. The library takes this for its temporary file: it writes
/// the rows, and to copy them into the sheet's file it reads them back. It then finds nothing, and `Workbook.close` puts
/// the compressed rows into that place.
///
/// The library does not check whether its temporary files could be written. The rows are in no file, so nothing of them
/// can be lost.
final class RowStream {
    let rows = Deflater()
    /// Nil once it is closed: by the library when it finishes the sheet, or by `close`.
    private var file: UnsafeMutablePointer<FILE>?

    /// Takes the place of the sheet's temporary file. Must live as long as the sheet.
    ///
    /// - Returns: nil if no memory is left.
    init?(of sheet: UnsafeMutablePointer<lxw_worksheet>) {
        let functions = reconcile_stream(
            read: { _, _, _ in 0 },
            write: { cookie, bytes, count in
                RowStream.of(cookie).rows.add(UnsafeRawBufferPointer(start: bytes, count: count))
                return count
            },
            seek: { _, position, _ in
                position?.pointee = 0
                return 0
            },
            close: { cookie in
                RowStream.of(cookie).file = nil
                return 0
            })
        file = reconcile_open_stream(Unmanaged.passUnretained(self).toOpaque(), "w+", functions)
        guard let file else { return nil }
        setvbuf(file, nil, _IOFBF, 1 << 16)
        fclose(sheet.pointee.optimize_tmpfile)
        sheet.pointee.optimize_tmpfile = file
        sheet.pointee.file = file
    }

    private static func of(_ cookie: UnsafeMutableRawPointer?) -> RowStream {
        guard let cookie else { preconditionFailure("a stream is opened with its rows") }
        return Unmanaged<RowStream>.fromOpaque(cookie).takeUnretainedValue()
    }

    /// For a workbook that is dropped.
    func close() { if let file { fclose(file) } }
}
