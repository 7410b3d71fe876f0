internal import CXlsx
internal import Glibc
internal import Synchronization

/// One workbook, written once, from the first row of the first sheet to the last row of the last sheet.
///
/// Rows are compressed as they are written, so memory grows with about a seventh of their XML. The same calls produce the
/// same bytes. A workbook that is discarded without `close` leaves no files.
///
/// libxlsxwriter writes the workbook without its rows into a file of its own. `close` proves that this file is whole,
/// because the library does not check what it writes, and copies it with the rows.
public struct Workbook: ~Copyable {
    private let handle: Handle

    /// - Parameters:
    ///   - temporaryFolder: where libxlsxwriter keeps files until `close`: some kilobytes for each sheet.
    ///   - createdAt: seconds since 1970, shown as the file's date. Not 0, which libxlsxwriter takes for "now".
    ///   - title: the title in the file's properties.
    public init(temporaryFolder: String, createdAt: Int, title: String) throws(XlsxError) {
        precondition(createdAt != 0, "a workbook needs a date of its own, or its bytes change with the clock")
        let handle = try Handle(temporaryFolder: temporaryFolder)
        try setProperties(of: handle.workbook, title: title, createdAt: createdAt)
        self.handle = handle
    }

    /// Makes a style for this workbook's cells.
    func style(_ properties: Style.Property...) throws(XlsxError) -> Style {
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
        var sheet = Sheet(sheet: try handle.addSheet(name), workbook: handle.workbook, name: name)
        write(&sheet)
        if let failure = sheet.failure { throw failure }
    }

    /// Adds several sheets and writes them on up to `threads` cores at the same time.
    ///
    /// - Parameters:
    ///   - others: what the threads do when no sheet is left for them.
    ///   - write: writes the rows of the sheet with this index. Must not add charts.
    mutating func addSheets(
        _ names: [String], threads: Int, beside others: [@Sendable () -> Void] = [],
        _ write: @Sendable (_ index: Int, _ sheet: inout Sheet) -> Void
    ) throws(XlsxError) {
        let added = try names.map { name throws(XlsxError) in try handle.addSheet(name) }
        // The compiler lets no thread share a pointer. The workbook does not change until all threads have ended.
        nonisolated(unsafe) let shared = (sheets: added, workbook: handle.workbook)  // Safe: one thread for each sheet.
        let failures: [XlsxError?] = concurrently(threads: threads, names.count + others.count) { index in
            if index >= names.count {
                others[index - names.count]()
                return nil
            }
            var sheet = Sheet(sheet: shared.sheets[index], workbook: shared.workbook, name: names[index])
            write(index, &sheet)
            return sheet.failure
        }
        for case let failure? in failures { throw failure }
    }

    /// Writes the file. The workbook cannot be used afterwards, even if this throws.
    ///
    /// - Parameter descriptor: an open, empty file. The caller syncs and closes it.
    public consuming func close(into descriptor: Int32) throws(XlsxError) {
        let (archive, rows) = try handle.close()
        guard var members = zipMembers(of: archive) else { throw .temporaryFile }
        var sheets = 0
        for index in members.indices {
            guard let content = members[index].content, isWholeXML(content) else { throw .temporaryFile }
            let prefix = "xl/worksheets/sheet"
            guard members[index].name.hasPrefix(prefix) else { continue }
            guard sheets < rows.count, members[index].name == prefix + "\(sheets + 1).xml" else { throw .temporaryFile }
            try members[index].insert(rows[sheets], into: content)
            sheets += 1
        }
        guard sheets == rows.count else { throw .temporaryFile }
        let error = writeZip(members, to: descriptor)
        guard error == 0 else { throw .cannotWrite(code: error) }
    }
}

extension ZipMember {
    /// Inserts the rows of a sheet into its file, which libxlsxwriter wrote without them.
    fileprivate mutating func insert(_ rows: Deflater, into content: [UInt8]) throws(XlsxError) {
        let place = Array("</sheetData>".utf8)
        guard rows.size > 0 else { return }
        guard let start = content.indices.first(where: { content[$0...].starts(with: place) }) else {
            throw .temporaryFile
        }
        let (head, tail) = (Deflater(), Deflater())
        content[..<start].withUnsafeBytes(head.add)
        head.end(isLast: false)
        content[start...].withUnsafeBytes(tail.add)
        tail.end(isLast: true)
        bytes = []
        (checksum, size) = (0, 0)
        for part in [head, rows, tail] {
            bytes += part.bytes
            checksum = joinedChecksum(checksum, part.checksum, size: part.size)
            size += part.size
        }
    }
}

/// Owns libxlsxwriter's workbook, which is freed exactly once, and the folder of its temporary files.
private final class Handle {
    let workbook: UnsafeMutablePointer<lxw_workbook>
    private let folder: String
    /// By sheet.
    private var streams: [RowStream] = []
    private var isClosed = false
    /// libxlsxwriter asks `gmtime` for the date in the file's properties, and all threads share that function's answer.
    private static let ending = Mutex(())

    /// - Parameter temporaryFolder: where it gets a folder of its own. What the library should leave there is not
    ///   published with the reports.
    init(temporaryFolder: String) throws(XlsxError) {
        var path = Array((temporaryFolder + "/workbook.XXXXXX").utf8CString)
        guard mkdtemp(&path) != nil else { throw .cannotWrite(code: errno) }
        folder = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var options = lxw_workbook_options()
        // Rows leave memory as they are written.
        options.constant_memory = 1
        let made = path.withUnsafeMutableBufferPointer { path in
            options.tmpdir = path.baseAddress
            return workbook_new_opt(nil, &options)
        }
        guard let made else {
            rmdir(folder)
            throw .xlsxWriter(code: LXW_ERROR_MEMORY_MALLOC_FAILED.rawValue, doing: "creating it")
        }
        workbook = made
    }

    deinit {
        if !isClosed { lxw_workbook_free(workbook) }
        // The library closes only those of sheets that it finished.
        for stream in streams { stream.close() }
        rmdir(folder)
    }

    func addSheet(_ name: String) throws(XlsxError) -> UnsafeMutablePointer<lxw_worksheet> {
        precondition(isSheetName(name), "“\(name)” cannot be the name of a sheet")
        guard let sheet = workbook_add_worksheet(workbook, name), let stream = RowStream(of: sheet) else {
            throw .xlsxWriter(code: LXW_ERROR_CREATING_TMPFILE.rawValue, doing: "adding the sheet “\(name)”")
        }
        streams.append(stream)
        return sheet
    }

    /// Closes the workbook and frees it, even if that fails.
    ///
    /// - Returns: the workbook without its rows, and the rows of each sheet.
    func close() throws(XlsxError) -> (archive: [UInt8], rows: [Deflater]) {
        let path = folder + "/archive"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite(code: errno) }
        defer { Glibc.close(descriptor) }
        unlink(path)
        isClosed = true
        workbook.pointee.filename = strdup("/proc/self/fd/\(descriptor)")
        let code = Self.ending.withLock { _ in workbook_close(workbook) }
        guard code == LXW_NO_ERROR else { throw .xlsxWriter(code: code.rawValue, doing: "writing its end") }
        guard rmdir(folder) == 0 else { throw .cannotWrite(code: errno) }
        for stream in streams { stream.rows.end(isLast: false) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        let (archive, error) = readAll(upTo: size) { room, done in
            pread(descriptor, room.baseAddress, room.count, off_t(done))
        }
        guard error == 0 else { throw .cannotWrite(code: error) }
        return (archive, streams.map(\.rows))
    }
}

/// Whether an XML file is whole: it begins with its declaration, has an element, and every element that begins also ends.
func isWholeXML(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: "<?xml".utf8) else { return false }
    var open: [ArraySlice<UInt8>] = []
    var hasElement = false
    var rest = bytes.drop { $0 != UInt8(ascii: ">") }.dropFirst()
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
        guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { return false }
        let tag = rest[(start + 1)..<end]
        let isEnd = tag.first == UInt8(ascii: "/")
        let name = tag.drop { $0 == UInt8(ascii: "/") }.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        if isEnd {
            guard let last = open.popLast(), last == name else { return false }
        } else if tag.last != UInt8(ascii: "/") {
            open.append(name)
        }
        rest = rest[(end + 1)...]
        hasElement = true
    }
    return hasElement && open.isEmpty && !rest.contains { $0 > 0x20 }
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
func isSheetName(_ name: String) -> Bool {
    let isLetter: (Character) -> Bool = { !"[]:*?/\\".contains($0) && !$0.unicodeScalars.contains { $0.value < 0x20 } }
    return (1...31).contains(name.utf16.count) && name.allSatisfy(isLetter) && !name.hasPrefix("'")
        && !name.hasSuffix("'")
}
