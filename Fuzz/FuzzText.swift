// The readers of single values, beside Foundation's: the first byte chooses one, the rest is what it reads.
import Base
import Domain
import Foundation

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 1 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    switch start[0] % 4 {
    case 0: tryNumbers(bytes)
    case 1: tryInstant(bytes)
    case 2: tryBase64(bytes)
    default: tryText(bytes)
    }
    return 0
}

private func tryNumbers(_ bytes: UnsafeRawBufferPointer) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let number = Parse.integer(bytes) { precondition(Int64(text) == number) }
    for exponent in 0...4 {
        guard let minor = Parse.decimal(bytes, exponent: exponent) else { continue }
        precondition(minor.magnitude <= Parse.minorMax.magnitude)
        if text.utf8.count < 38 {
            let expected = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))! * pow(10, exponent)
            precondition(Decimal(minor) == expected, text)
        }
    }
}

/// An instant is of the years that instants are of, and the same when spelled out and read again.
private func tryInstant(_ bytes: UnsafeRawBufferPointer) {
    for zone in [Zone.utc, Zone("Asia/Shanghai")!, Zone("America/New_York")!] {
        guard let instant = Parse.instant(bytes, zone: zone) else { continue }
        precondition(0...7_289_654_399_999 ~= instant.milliseconds)
        var again = instant.text
        precondition(again.withUTF8 { Parse.instant(UnsafeRawBufferPointer($0), zone: zone) } == instant)
    }
}

/// One way only to write what is read.
private func tryBase64(_ bytes: UnsafeRawBufferPointer) {
    if let data = Parse.base64(bytes) {
        precondition(Data(data).base64EncodedString().utf8.elementsEqual(bytes))
    }
    guard let data = Parse.base64url(bytes) else { return }
    let plain = Data(data).base64EncodedString().utf8.filter { $0 != UInt8(ascii: "=") }
    precondition(
        plain.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
            .elementsEqual(bytes))
}

private func tryText(_ bytes: UnsafeRawBufferPointer) {
    precondition((UTF8Check.firstFault(in: bytes) == nil) == (String(validating: bytes, as: UTF8.self) != nil))
    guard let id = Parse.identifier(bytes) else { return }
    precondition(UTF8Check.firstFault(in: bytes) != nil || bytes.count > 256 || id.text.utf8.elementsEqual(bytes))
}
