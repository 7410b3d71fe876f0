// What an engine may hand to a stage: the first byte chooses whether the rest is a whole stream, or the object of a line
// whose sum agrees. What is read must survive being written and read again.
import Domain
import Engine

private let plan = String(repeating: "5", count: 64)
private let kinds = ["order", "credit", "transaction", "receipt", "owner", "entry"]
private let findings = [
    "observation", "refund", "unlinked-purchase", "unlinked-order", "stray-credit", "desk-credit", "sum",
]

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 1 else { return 0 }
    let rest = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let choice = Int(start[0])
    if choice % 7 == 6 {
        _ = try? read(Array("reconcile-wire 2 evidence \(plan)\n".utf8) + rest, piece: 1 + choice)
    } else if choice & 128 == 0 {
        guard let first = try? read(stream(.evidence, kinds[choice % 6], rest), piece: 1 << 16) else { return 0 }
        var writer = EvidenceLineWriter(plan: plan)
        writer.write(first) { _ in }
        writer.lines.end()
        guard let second = try? read(writer.lines.bytes, piece: 7) else { fatalError("what was written can be read") }
        precondition(second.orders == first.orders && second.credits == first.credits)
        precondition(second.transactions == first.transactions && second.receipts == first.receipts)
    } else {
        var reader = FindingsLineReader()
        try? forEachLine(of: stream(.findings, findings[choice % 7], rest), .findings, piece: 1 << 16) {
            try reader.read($0)
        }
        _ = try? reader.take()
    }
    return 0
}

/// A stream of one line whose sums agree.
private func stream(_ stage: WireStage, _ kind: String, _ object: [UInt8]) -> [UInt8] {
    let content = Array("\(kind)\t1,-2;3\t".utf8) + object.map { $0 == 0x0A ? 0x20 : $0 }
    let sum = content.withUnsafeBytes { lineSum($0) }
    return Array("reconcile-wire 2 \(stage.rawValue) \(plan)\n\(sum)\t".utf8) + content
        + Array("\nend\t1\t\(sum)\n".utf8)
}

private func read(_ stream: [UInt8], piece: Int) throws -> Evidence {
    var reader = EvidenceLineReader()
    try forEachLine(of: stream, .evidence, piece: piece) { line in
        try line.forEachKey { _, _ in }
        _ = try reader.read(line)
    }
    return reader.takeSorted()
}

private func forEachLine(
    of stream: [UInt8], _ stage: WireStage, piece: Int, _ body: (WireLine) throws -> Void
) throws {
    var rest = stream[...]
    var lines = try LineReader(stage, plan: plan, bufferBytes: 64) { buffer in
        let next = rest.prefix(min(piece, buffer.count))
        buffer.copyBytes(from: next)
        rest = rest.dropFirst(next.count)
        return next.count
    }
    try lines.forEachLine(body)
}
