internal import CXlsx
internal import Domain
internal import Glibc
internal import Parallel

/// One workbook, written once, from the first sheet's first row to the last sheet's last.
///
/// Rows go to temporary files as they are written (libxlsxwriter's constant memory mode), so memory does not grow with them.
/// The same calls give the same bytes. A workbook that is dropped without `close` leaves nothing.
public struct Workbook: ~Copyable {
    private let handle: Handle
    private var formats = Formats()
    private var styles: [CellStyle: Style] = [:]
    private var sheetBytes = 0
    private let temporaryFolder: String

    /// - Parameters:
    ///   - temporaryFolder: where rows are kept until `close`, and no other workbook's meanwhile; on the same disk as the
    ///     file, best.
    ///   - createdAt: seconds since 1970, shown as the file's date; never 0, which libxlsxwriter takes for "now".
    public init(temporaryFolder: String, createdAt: Int, title: String) throws(XlsxError) {
        precondition(createdAt != 0, "a workbook needs a date of its own, or its bytes change with the clock")
        _ = takeTemporaryFailure(in: temporaryFolder)  // of a workbook that was dropped
        let book = try openBook(temporaryFolder: temporaryFolder)
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
        let made = formats.add(format)
        styles[style] = made
        return made
    }

    /// Adds a sheet and lends it to `write`, which writes its rows in order.
    ///
    /// - Parameter name: never from data: at most 31 characters, none of `[]:*?/\`, no `'` at an end.
    public mutating func addSheet(_ name: String, _ write: (inout Sheet) -> Void) throws(XlsxError) {
        let made = try makeSheet(name)
        sheetBytes += try fill(made, of: handle.book, formats, name, isBesideOthers: false, write).get()
    }

    /// Adds sheets in their order, and writes up to `threads` of them at once. They may have no charts.
    public mutating func addSheets(_ drafts: [SheetDraft], threads: Int) throws(XlsxError) {
        var made: [UnsafeMutablePointer<lxw_worksheet>] = []
        for draft in drafts { made.append(try makeSheet(draft.name)) }
        // libxlsxwriter has no variables (only tables of constants), and shares nothing between sheets until the workbook is
        // closed but the formats, which have their numbers.
        nonisolated(unsafe) let (sheets, book, formats) = (made, handle.book, formats)  // a sheet is one thread's
        let results = concurrently(threads: threads, drafts.count) { number in
            fill(sheets[number], of: book, formats, drafts[number].name, isBesideOthers: true, drafts[number].write)
        }
        for result in results { sheetBytes += try result.get() }
    }

    private func makeSheet(_ name: String) throws(XlsxError) -> UnsafeMutablePointer<lxw_worksheet> {
        precondition(isSheetName(name), "“\(name)” cannot be the name of a sheet")
        guard let made = workbook_add_worksheet(handle.book, name) else {
            throw .xlsxWriter(code: LXW_ERROR_PARAMETER_VALIDATION.rawValue, doing: "adding the sheet “\(name)”")
        }
        return made
    }

    /// Writes the file. The workbook is gone afterwards, whether it could be written or not.
    ///
    /// - Parameter descriptor: an open file of the caller's, which is overwritten; the caller syncs and closes it.
    public consuming func close(into descriptor: Int32) throws(XlsxError) {
        // Each sheet is copied once more before it is compressed, and nobody looks whether that worked: so see that it can.
        let room = sheetBytes + 1 << 20
        guard hasRoom(for: room, in: temporaryFolder) else { throw .noSpace(bytes: room) }
        // By the descriptor, the file that the caller created is the one that is written, wherever its name leads.
        let code = handle.close(into: "/proc/self/fd/\(descriptor)")
        guard !takeTemporaryFailure(in: temporaryFolder) else { throw .temporaryFile(sheet: nil) }
        guard code == LXW_NO_ERROR else { throw .xlsxWriter(code: code.rawValue, doing: "writing its end") }
    }
}

/// A sheet to be: its name, never from data, and what writes its rows in order.
public struct SheetDraft: Sendable {
    public let name: String
    public let write: @Sendable (inout Sheet) -> Void

    public init(_ name: String, _ write: @escaping @Sendable (inout Sheet) -> Void) {
        self.name = name
        self.write = write
    }
}

/// Writes a sheet's rows. Returns how many bytes they take in its temporary file.
private func fill(
    _ made: UnsafeMutablePointer<lxw_worksheet>, of book: UnsafeMutablePointer<lxw_workbook>, _ formats: Formats,
    _ name: String, isBesideOthers: Bool, _ write: (inout Sheet) -> Void
) -> Result<Int, XlsxError> {
    var sheet = Sheet(sheet: made, book: book, formats: formats, name: name, isBesideOthers: isBesideOthers)
    write(&sheet)
    if let failure = sheet.failure { return .failure(failure) }
    let file = made.pointee.optimize_tmpfile
    guard fflush(file) == 0, ferror(file) == 0 else { return .failure(.temporaryFile(sheet: name)) }
    return .success(ftell(file))
}

/// libxlsxwriter's workbook, freed once.
struct Handle: ~Copyable {
    let book: UnsafeMutablePointer<lxw_workbook>
    deinit { lxw_workbook_free(book) }

    /// Frees it even when it fails.
    consuming func close(into path: String) -> lxw_error {
        let book = book
        discard self
        book.pointee.filename = strdup(path)
        return workbook_close(book)
    }
}

/// A workbook of libxlsxwriter's that keeps rows in `temporaryFolder`.
private func openBook(
    temporaryFolder: String
) throws(XlsxError) -> UnsafeMutablePointer<lxw_workbook> {
    var options = lxw_workbook_options()
    options.constant_memory = 1
    let book = temporaryFolder.withCString { folder in
        options.tmpdir = UnsafeMutablePointer(mutating: folder)
        return workbook_new_opt(nil, &options)
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
