// What strangers may send through AppStore: the first byte chooses the reader, the rest is what it reads.
import AppStore
import Domain

/// Ids are remembered for good, so that memory grows slowly while it runs: `Fuzz/run` allows for it.
private let settings = AppStoreSettings(
    bundles: ["com.example"], environment: .production, now: Instant(milliseconds: 1_800_000_000_000))
// The fuzzer calls from one thread.
nonisolated(unsafe) private let lines = TransactionLineReader(settings: settings)
nonisolated(unsafe) private let receipts = ReceiptChecker(settings: settings)
nonisolated(unsafe) private let files = FileVerifier(roots: [], now: settings.now)

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = input.first else { return 0 }
    let data = Array(input.dropFirst())
    switch choice % 6 {
    case 0: readLine(data, isBackendTrusted: true)
    case 1: readLine(data, isBackendTrusted: false)
    case 2: readLine(jws(payload: data), isBackendTrusted: false)
    case 3: _ = data.withUnsafeBytes { receipts.check($0, claimed: "1001", source: .none) }
    case 4: _ = data.withUnsafeBytes { files.verify($0, name: "f.jsonl") }
    default: _ = container(content: data).withUnsafeBytes { files.verify($0, name: "f") }
    }
    return 0
}

/// Apple's key is not here, so that nothing read may ever count as verified.
private func readLine(_ line: [UInt8], isBackendTrusted: Bool) {
    var outcome = LineOutcome()
    line.withUnsafeBytes { lines.read($0, isBackendTrusted: isBackendTrusted, source: .none, into: &outcome) }
    precondition(outcome.verified.isEmpty && outcome.transactions.allSatisfy { $0.proof != .verified })
    precondition(isBackendTrusted || outcome.transactions.allSatisfy { $0.proof == .invalid })
}

/// A JWS around `payload`, so that mutations reach what is behind base64.
private func jws(payload: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    var bits = 0
    var group = 0
    for byte in payload {
        group = group << 8 | Int(byte)
        bits += 8
        while bits >= 6 {
            bits -= 6
            text.append(alphabet[group >> bits & 63])
        }
    }
    if bits > 0 { text.append(alphabet[group << (6 - bits) & 63]) }
    return Array("eyJhbGciOiJFUzI1NiIsIng1YyI6W119.".utf8) + text + Array(".AAAA".utf8)
}

/// PKCS#7 signed data by nobody around `content`, so that mutations reach the receipt inside.
private func container(content: [UInt8]) -> [UInt8] {
    func der(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        let size = [UInt8(0x83), UInt8(content.count >> 16 & 255), UInt8(content.count >> 8 & 255)]
        return [tag] + size + [UInt8(content.count & 255)] + content
    }
    let prefix: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
    let data = der(0x30, prefix + [0x01], der(0xA0, der(0x04, content)))
    return der(0x30, prefix + [0x02], der(0xA0, der(0x30, [0x02, 0x01, 0x01], der(0x31), data, der(0x31))))
}
