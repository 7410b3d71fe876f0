// What App Store Connect, or somebody in its name, may offer as a financial report.
import Domain
import Engine

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    do {
        let report = try AppleReport(text)
        precondition(!report.rows.isEmpty && report.first <= report.last)
        precondition(report.rows.allSatisfy { !$0.product.isEmpty && !$0.country.isEmpty })
        precondition(report.file.remarks.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
    } catch {
        precondition(!error.reason.isEmpty && (error.line ?? 1) >= 1)
    }
    return 0
}
