internal import Glibc
public import Xlsx

/// A report that could not be written: an operating failure, never a fact about the data.
public enum ReportError: Error, Equatable, CustomStringConvertible {
    /// The folder cannot be opened, or the file not created; `code` is errno's.
    case cannotCreate(path: String, code: Int32)
    case cannotWrite(path: String, code: Int32)
    case workbook(path: String, XlsxError)

    public var description: String {
        switch self {
        case .cannotCreate(let path, let code):
            "cannot create \(display(path)): \(reason(code)); see that its folder exists, is empty and can be written"
        case .cannotWrite(let path, let code):
            "cannot write \(display(path)): \(reason(code)); see that the disk has room and is healthy, and run again"
        case .workbook(let path, let error):
            "\(display(path)): \(error)"
        }
    }
}

private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
