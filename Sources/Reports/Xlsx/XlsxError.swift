internal import CXlsx

/// Why a workbook could not be written. This is an operating failure; the file must not be used.
public enum XlsxError: Error, Equatable, CustomStringConvertible {
    /// A temporary file or the workbook itself could not be written completely. The temporary folder needs `bytes` more
    /// bytes.
    case noSpace(bytes: Int)
    /// A temporary file could not be written: the rows of `sheet` or, if nil, another part.
    case temporaryFile(sheet: String?)
    /// libxlsxwriter failed with `code` while doing `doing`.
    case xlsxWriter(code: UInt32, doing: String)

    /// What is wrong and what to do, for the operator.
    public var description: String {
        switch self {
        case .noSpace(let bytes):
            "no room for the workbook: \(bytes) more bytes are needed on the output's disk; free some and run again"
        case .temporaryFile(let sheet):
            "the workbook's \(sheet.map { "sheet “\($0)”" } ?? "parts") could not be written:"
                + " check that the output's disk has room, and run again"
        case .xlsxWriter(let code, let doing):
            "the workbook could not be written (\(doing): \(Self.meaning(of: code)));"
                + " check that the output's disk has room and can be written, and run again"
        }
    }

    /// libxlsxwriter's description of an error code.
    private static func meaning(of code: UInt32) -> String {
        lxw_strerror(lxw_error(rawValue: code)).map { String(cString: $0) } ?? "code \(code)"
    }
}
