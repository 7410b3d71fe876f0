// The reader of JSON, beside Foundation's: the first byte chooses a test, the rest is what it reads.
import Base
import Foundation

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 1 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    if start[0] % 2 == 0 { tryValues(bytes) } else { tryMemberOrder(bytes) }
    return 0
}

/// What our reader takes as the elements of an array, Foundation takes, which takes more (a comma before the closing
/// bracket).
private func tryValues(_ bytes: UnsafeRawBufferPointer) {
    let document = Array("[".utf8) + bytes + Array("]".utf8)
    var texts: [String?] = []
    let failure: JSONError? = document.withUnsafeBytes { document in
        fault {
            try JSONReader.forEachElement(of: document) {
                if case .string(let text) = $0 { texts.append(text.string) } else { texts.append(nil) }
            }
        }
    }
    if let failure { precondition(0...document.count ~= failure.offset && !failure.reason.isEmpty) }
    // Foundation takes other encodings than UTF-8, and no number beyond a Double.
    let deepest = document.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    guard failure == nil, !bytes.contains(0), deepest < JSONReader.depthMax,
        !bytes.contains(where: { $0 | 0x20 == UInt8(ascii: "e") })
    else { return }
    let other = try? JSONSerialization.jsonObject(with: Data(document)) as? [Any]
    precondition(other?.count == texts.count, String(decoding: bytes, as: UTF8.self))
    for case (let text?, let other) in zip(texts, other ?? []) {
        precondition((other as? String).map { Array($0.utf8) } == Array(text.utf8))
    }
}

/// Each line says, faults included, what it says when read alone, in whatever order the members of lines before came.
private func tryMemberOrder(_ bytes: UnsafeRawBufferPointer) {
    var order = MemberOrder<String>()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let line = UnsafeRawBufferPointer(rebasing: line)
        var alone: [String] = []
        var known: [String] = []
        let one = fault { try JSONReader.forEachMember(of: line) { key, _ in alone.append(key.string) } }
        let other = fault {
            try JSONReader.forEachMember(of: line, in: &order, meaning: { $0.string }) { name, _ in known.append(name) }
        }
        precondition(one == other && alone == known, String(decoding: bytes, as: UTF8.self))
    }
}

private func fault(_ read: () throws -> Void) -> JSONError? {
    do { try read() } catch { return error as? JSONError }
    return nil
}
