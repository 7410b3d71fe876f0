internal import Glibc

/// Why a report could not be written. This is an operating failure, never a fact about the data.
public enum ReportError: Error, Equatable, CustomStringConvertible {
    /// The folder cannot be opened or the file cannot be created. `code` is errno.
    case cannotCreate(path: String, code: Int32)
    /// Writing or syncing failed. `code` is errno.
    case cannotWrite(path: String, code: Int32)
    case workbook(path: String, XlsxError)
    /// Checks of the workbook do not come to 0. It must not be published.
    case unproven(path: String, checks: [String])

    /// What is wrong and what to do, for the operator.
    public var description: String {
        switch self {
        case .cannotCreate(let path, let code):
            "cannot create \(display(path)): \(reason(code)); check that its folder exists, is empty and can be written"
        case .cannotWrite(let path, let code):
            "cannot write \(display(path)): \(reason(code)); check that the disk has room and is healthy, and run again"
        case .workbook(let path, let error):
            "\(display(path)): \(error)"
        case .unproven(let path, let checks):
            "\(display(path)): \(checks.count == 1 ? "a check is" : "\(checks.count) checks are") not 0, so the month is not"
                + " published: \(checks.prefix(3).joined(separator: ", "))"
        }
    }
}

private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
