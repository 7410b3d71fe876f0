internal import Domain

/// Responses of Apple's servers: a page of the history, an error, a date.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let page = try? HistoryPage(bytes) {
        for item in page.items {
            // What is taken as a payload can end neither a line nor a text of JSON.
            let payload = bytes[item.payload]
            precondition(!payload.contains { $0 < 0x2D || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") })
        }
        _ = bytes.withUnsafeBytes { page.fingerprint($0) }
    }
    let error = ErrorBody(bytes)
    _ = AppleError.refused(status: 400, code: error.code, message: error.message).message
    _ = Instant(httpDate: String(decoding: bytes, as: UTF8.self))
    return 0
}
