// What a person may write into a configuration.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let text = String(validating: bytes, as: UTF8.self) else { return 0 }
    do {
        _ = try ConfigurationReader(file: "/etc/reconcile.json").read(text)
    } catch {
        precondition(error.position.line >= 1 && error.position.column >= 1 && !error.message.isEmpty)
        precondition(!error.message.contains("\n") && !error.remedy.contains("\n"))
    }
    return 0
}
