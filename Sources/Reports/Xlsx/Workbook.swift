internal import CXlsx
internal import Domain
internal import Glibc

/// One workbook, written once, from the first row of the first sheet to the last row of the last sheet.
///
/// Rows go to temporary files as they are written (libxlsxwriter's constant memory mode), so memory does not grow with
/// the number of rows. The same calls produce the same bytes. A workbook that is discarded without `close` leaves no
/// files.
public struct Workbook: ~Copyable {
    private let handle: Handle
    private var sheetBytes = 0
    private let temporaryFolder: String

    /// - Parameters:
    ///   - temporaryFolder: where rows are kept until `close`. Must not be shared with another open workbook;
    ///     preferably on the same disk as the file.
    ///   - createdAt: seconds since 1970, shown as the file's date. Not 0, which libxlsxwriter takes for "now".
    ///   - title: the title in the file's properties.
    public init(temporaryFolder: String, createdAt: Int, title: String) throws(XlsxError) {
        precondition(createdAt != 0, "a workbook needs a date of its own, or its bytes change with the clock")
        _ = takeTemporaryFailure(in: temporaryFolder)  // of a workbook that was dropped
        let handle = Handle(workbook: try openWorkbook(temporaryFolder: temporaryFolder))
        try setProperties(of: handle.workbook, title: title, createdAt: createdAt)
        self.handle = handle
        self.temporaryFolder = temporaryFolder
    }

    /// Makes a style for this workbook's cells.
    public func style(_ properties: Style.Property...) throws(XlsxError) -> Style {
        guard let format = workbook_add_format(handle.workbook) else {
            throw .xlsxWriter(code: LXW_ERROR_MEMORY_MALLOC_FAILED.rawValue, doing: "making a format")
        }
        for property in properties { property.set(format) }
        // libxlsxwriter numbers a format when it is first used. Its number should not depend on the sheets' order.
        _ = lxw_format_get_xf_index(format)
        return Style(format: format)
    }

    /// Adds a sheet and lends it to `write`, which must write its rows in order.
    ///
    /// - Parameter name: a constant, never data: at most 31 characters, none of `[]:*?/\`, no `'` at either end.
    public mutating func addSheet(_ name: String, _ write: (inout Sheet) -> Void) throws(XlsxError) {
        precondition(isSheetName(name), "“\(name)” cannot be the name of a sheet")
        guard let made = workbook_add_worksheet(handle.workbook, name) else {
            throw .xlsxWriter(code: LXW_ERROR_PARAMETER_VALIDATION.rawValue, doing: "adding the sheet “\(name)”")
        }
        var sheet = Sheet(sheet: made, workbook: handle.workbook, name: name)
        write(&sheet)
        if let failure = sheet.failure { throw failure }
        let file = made.pointee.optimize_tmpfile
        guard fflush(file) == 0, ferror(file) == 0 else { throw .temporaryFile(sheet: name) }
        sheetBytes += ftell(file)
    }

    /// Writes the file. The workbook cannot be used afterwards, even if this throws.
    ///
    /// - Parameter descriptor: an open file, which is overwritten. The caller syncs and closes it.
    public consuming func close(into descriptor: Int32) throws(XlsxError) {
        // libxlsxwriter copies each sheet once more before compressing it, without checking for errors, so check for
        // room first.
        let room = sheetBytes + 1 << 20
        guard hasRoom(for: room, in: temporaryFolder) else { throw .noSpace(bytes: room) }
        // Opened by descriptor, so that the file that is written is the one the caller created, wherever its name leads
        // now.
        let code = handle.close(into: "/proc/self/fd/\(descriptor)")
        guard !takeTemporaryFailure(in: temporaryFolder) else { throw .temporaryFile(sheet: nil) }
        guard code == LXW_NO_ERROR else { throw .xlsxWriter(code: code.rawValue, doing: "writing its end") }
    }
}

/// Owns libxlsxwriter's workbook and frees it exactly once.
struct Handle: ~Copyable {
    let workbook: UnsafeMutablePointer<lxw_workbook>
    deinit { lxw_workbook_free(workbook) }

    /// Writes the workbook to `path` and frees it, even if that fails.
    consuming func close(into path: String) -> lxw_error {
        let workbook = workbook
        discard self
        workbook.pointee.filename = strdup(path)
        return workbook_close(workbook)
    }
}

/// Creates a workbook that keeps its rows in `temporaryFolder`.
private func openWorkbook(
    temporaryFolder: String
) throws(XlsxError) -> UnsafeMutablePointer<lxw_workbook> {
    var options = lxw_workbook_options()
    options.constant_memory = 1
    let workbook = temporaryFolder.withCString { folder in
        options.tmpdir = UnsafeMutablePointer(mutating: folder)
        return workbook_new_opt(nil, &options)
    }
    guard let workbook else { throw .xlsxWriter(code: LXW_ERROR_MEMORY_MALLOC_FAILED.rawValue, doing: "creating it") }
    return workbook
}

private func setProperties(
    of workbook: UnsafeMutablePointer<lxw_workbook>, title: String, createdAt: Int
) throws(XlsxError) {
    var properties = lxw_doc_properties()
    properties.created = createdAt
    let code = cellText(title).withCString { title in
        properties.title = UnsafeMutablePointer(mutating: title)
        return workbook_set_properties(workbook, &properties)
    }
    if code != LXW_NO_ERROR { throw .xlsxWriter(code: code.rawValue, doing: "setting its date") }
}

/// Whether Excel and libxlsxwriter accept `name` as the name of a sheet.
public func isSheetName(_ name: String) -> Bool {
    let isLetter: (Character) -> Bool = { !"[]:*?/\\".contains($0) && !$0.unicodeScalars.contains { $0.value < 0x20 } }
    return (1...31).contains(name.utf16.count) && name.allSatisfy(isLetter) && !name.hasPrefix("'")
        && !name.hasSuffix("'")
}

/// Whether `bytes` bytes can be allocated in the folder.
private func hasRoom(for bytes: Int, in folder: String) -> Bool {
    var path = Array((folder + "/room.XXXXXX").utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    unlink(path)
    return posix_fallocate(descriptor, 0, bytes) == 0
}
