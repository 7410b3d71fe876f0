// The readers of JSON and of single values, beside Foundation's: the first byte chooses one, the rest is what it reads.
import Domain
import Foundation
import Scan

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 1 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    switch start[0] % 7 {
    case 0, 1: tryJSON(bytes)
    case 2: tryNumbers(bytes)
    case 3: tryInstant(bytes)
    case 4: tryBase64(bytes)
    case 6: tryMemberOrder(bytes)
    default: tryText(bytes)
    }
    return 0
}

/// What the cursor takes, Foundation takes, which takes more (a comma before the closing bracket).
private func tryJSON(_ bytes: UnsafeRawBufferPointer) {
    guard UTF8Check.firstFault(in: bytes) == nil else { return }
    var cursor = JSONCursor(bytes)
    var text: String?
    let isTaken: Bool
    do {
        cursor.skipSpace()
        if case .string(let found) = try cursor.value() { text = found.string }
        try cursor.finish()
        isTaken = true
    } catch {
        precondition(0...bytes.count ~= error.offset && !error.reason.isEmpty)
        isTaken = false
    }
    // Foundation takes a byte order mark, other encodings than UTF-8, and no number beyond a Double.
    let isPlain = !bytes.starts(with: [0xEF, 0xBB, 0xBF]) && !bytes.contains(0)
    let deepest = bytes.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    guard isPlain, deepest < JSON.depthMax, !bytes.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return }
    let other = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    precondition(!isTaken || other != nil, String(decoding: bytes, as: UTF8.self))
    if let text, let other = other as? String { precondition(Array(text.utf8) == Array(other.utf8)) }
}

/// Each line says, faults included, what it says when read alone, in whatever order the members of lines before came.
private func tryMemberOrder(_ bytes: UnsafeRawBufferPointer) {
    var order = MemberOrder<String>()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let line = UnsafeRawBufferPointer(rebasing: line)
        var alone: [String] = []
        var known: [String] = []
        let one = fault { try JSON.forEachMember(of: line) { key, _ in alone.append(key.string) } }
        let other = fault {
            try JSON.forEachMember(of: line, in: &order, meaning: { $0.string }) { name, _ in known.append(name) }
        }
        precondition(one == other && alone == known, String(decoding: bytes, as: UTF8.self))
    }
}

private func fault(_ read: () throws -> Void) -> JSONError? {
    do { try read() } catch { return error as? JSONError }
    return nil
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
