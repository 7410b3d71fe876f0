internal import CXlsx
internal import Glibc

/// Why a workbook could not be written. This is an operating failure; the file must not be used.
public enum XlsxError: Error, Equatable, CustomStringConvertible {
    /// A temporary file was not written completely.
    case temporaryFile
    /// The file could not be written, for the reason that `errno` gives.
    case cannotWrite(code: Int32)
    /// libxlsxwriter failed with `code` while doing `doing`.
    case xlsxWriter(code: UInt32, doing: String)

    /// What is wrong and what to do, for the operator.
    public var description: String {
        switch self {
        case .temporaryFile:
            "parts of the workbook were not written: check that the output's disk has room, and run again"
        case .cannotWrite(let code):
            "the workbook could not be written (\(String(cString: strerror(code))));"
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
