internal import CXlsx
internal import Glibc

/// One workbook, written once, from the first sheet's first row to the last sheet's last.
///
/// Rows go to temporary files as they are written (libxlsxwriter's constant memory mode), so memory does not grow with them.
/// The same calls give the same bytes. A workbook that is dropped without `close` leaves its file empty.
public struct Workbook: ~Copyable {
    private let handle: Handle
    private var styles: [CellStyle: Style] = [:]
    private var sheetBytes = 0
    private let temporaryFolder: String

    /// - Parameters:
    ///   - descriptor: an open file of the caller's, which is overwritten; the caller syncs and closes it.
    ///   - temporaryFolder: where rows are kept until `close`; on the same disk as the file, best.
    ///   - createdAt: seconds since 1970, shown as the file's date; never 0, which libxlsxwriter takes for "now".
    public init(descriptor: Int32, temporaryFolder: String, createdAt: Int, title: String) throws(XlsxError) {
        precondition(createdAt != 0, "a workbook needs a date of its own, or its bytes change with the clock")
        _ = takeTemporaryFailure()  // of a workbook that was dropped
        let book = try openBook(descriptor: descriptor, temporaryFolder: temporaryFolder)
        try setProperties(of: book, title: title, createdAt: createdAt)
        handle = Handle(book: book)
        self.temporaryFolder = temporaryFolder
    }

    /// The workbook's format for `style`.
    public mutating func style(_ style: CellStyle) throws(XlsxError) -> Style {
        if let known = styles[style] { return known }
        guard let format = style.makeFormat(in: handle.book) else {
            throw .xlsxWriter(code: LXW_ERROR_MEMORY_MALLOC_FAILED.rawValue, doing: "making a format")
        }
        styles[style] = Style(format: format)
        return Style(format: format)
    }

    /// Adds a sheet and lends it to `write`, which writes its rows in order.
    ///
    /// - Parameter name: never from data: at most 31 characters, none of `[]:*?/\`, no `'` at an end.
    public mutating func addSheet(_ name: String, _ write: (inout Sheet) -> Void) throws(XlsxError) {
        precondition(isSheetName(name), "“\(name)” cannot be the name of a sheet")
        guard let made = workbook_add_worksheet(handle.book, name) else {
            throw .xlsxWriter(code: LXW_ERROR_PARAMETER_VALIDATION.rawValue, doing: "adding the sheet “\(name)”")
        }
        var sheet = Sheet(sheet: made, book: handle.book, name: name)
        write(&sheet)
        if let failure = sheet.failure { throw failure }
        let file = made.pointee.optimize_tmpfile
        guard fflush(file) == 0, ferror(file) == 0 else { throw .temporaryFile(sheet: name) }
        sheetBytes += ftell(file)
    }

    /// Writes the file's end. The workbook is gone afterwards, whether it could be written or not.
    public consuming func close() throws(XlsxError) {
        // Each sheet is copied once more before it is compressed, and nobody looks whether that worked: so see that it can.
        let room = sheetBytes + 1 << 20
        guard hasRoom(for: room, in: temporaryFolder) else { throw .noSpace(bytes: room) }
        let code = handle.close()
        guard !takeTemporaryFailure() else { throw .temporaryFile(sheet: nil) }
        guard code == LXW_NO_ERROR else { throw .xlsxWriter(code: code.rawValue, doing: "writing its end") }
    }
}

/// libxlsxwriter's workbook, freed once.
struct Handle: ~Copyable {
    let book: UnsafeMutablePointer<lxw_workbook>
    deinit { lxw_workbook_free(book) }

    /// Frees it even when it fails.
    consuming func close() -> lxw_error {
        let book = book
        discard self
        return workbook_close(book)
    }
}

/// A workbook of libxlsxwriter's that keeps rows in `temporaryFolder`.
///
/// Opened through the descriptor, the file that the caller created is the one that is written, wherever its name leads.
private func openBook(
    descriptor: Int32, temporaryFolder: String
) throws(XlsxError) -> UnsafeMutablePointer<lxw_workbook> {
    var options = lxw_workbook_options()
    options.constant_memory = 1
    let book = temporaryFolder.withCString { folder in
        options.tmpdir = UnsafeMutablePointer(mutating: folder)
        return workbook_new_opt("/proc/self/fd/\(descriptor)", &options)
    }
    guard let book else { throw .xlsxWriter(code: LXW_ERROR_MEMORY_MALLOC_FAILED.rawValue, doing: "creating it") }
    return book
}

private func setProperties(
    of book: UnsafeMutablePointer<lxw_workbook>, title: String, createdAt: Int
) throws(XlsxError) {
    var properties = lxw_doc_properties()
    properties.created = createdAt
    let code = cellText(title).withCString { title in
        properties.title = UnsafeMutablePointer(mutating: title)
        return workbook_set_properties(book, &properties)
    }
    guard code != LXW_NO_ERROR else { return }
    lxw_workbook_free(book)
    throw .xlsxWriter(code: code.rawValue, doing: "setting its date")
}

/// Whether Excel and libxlsxwriter take `name` for a sheet's.
public func isSheetName(_ name: String) -> Bool {
    let isLetter: (Character) -> Bool = { !"[]:*?/\\".contains($0) && !$0.unicodeScalars.contains { $0.value < 0x20 } }
    return (1...31).contains(name.utf16.count) && name.allSatisfy(isLetter) && !name.hasPrefix("'")
        && !name.hasSuffix("'")
}

private func hasRoom(for bytes: Int, in folder: String) -> Bool {
    var path = Array((folder + "/room.XXXXXX").utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    unlink(path)
    return posix_fallocate(descriptor, 0, bytes) == 0
}
