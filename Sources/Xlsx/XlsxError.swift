internal import CXlsx

/// Why a workbook could not be written. An operating failure: the file is then not to be used.
public enum XlsxError: Error, Equatable, CustomStringConvertible {
    /// Temporary or final file could not be written in full: `bytes` more are needed in the temporary folder.
    case noSpace(bytes: Int)
    /// A temporary file could not be written: a sheet's rows, or, where it is nil, something else's.
    case temporaryFile(sheet: String?)
    /// libxlsxwriter's own code, and what was being done.
    case xlsxWriter(code: UInt32, doing: String)

    public var description: String {
        switch self {
        case .noSpace(let bytes):
            "no room for the workbook: \(bytes) more bytes are needed on the output's disk; free some and run again"
        case .temporaryFile(let sheet):
            "the workbook's \(sheet.map { "sheet “\($0)”" } ?? "parts") could not be written:"
                + " see that the output's disk has room, and run again"
        case .xlsxWriter(let code, let doing):
            "the workbook could not be written (\(doing): \(Self.meaning(of: code)));"
                + " see that the output's disk has room and can be written, and run again"
        }
    }

    /// libxlsxwriter's own words for its code.
    private static func meaning(of code: UInt32) -> String {
        lxw_strerror(lxw_error(rawValue: code)).map { String(cString: $0) } ?? "code \(code)"
    }
}
