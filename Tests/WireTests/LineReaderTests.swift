import Domain
import Engine
import Testing

/// Nothing but the whole stream of this plan is accepted.
struct LineReaderTests {
    private let stream = EvidenceLineTests.written().all

    @Test func everyCutIsFound() {
        for count in stride(from: 0, to: stream.count, by: 13) {
            #expect(throws: WireError.self) { try EvidenceLineTests.read(Array(stream[..<count])) }
        }
        #expect(throws: WireError.self) { try EvidenceLineTests.read(Array(stream.dropLast())) }
    }

    @Test func everyAlteredByteIsFound() {
        for position in stride(from: 0, to: stream.count, by: 7) {
            var altered = stream
            altered[position] ^= 1
            #expect(throws: WireError.self, "byte \(position)") { try EvidenceLineTests.read(altered) }
        }
    }

    @Test func aLostAndADoubledLineAreFound() {
        var lines = String(decoding: stream, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let second = lines.remove(at: 2)
        let lost = Array(lines.joined(separator: "\n").utf8)
        #expect { try EvidenceLineTests.read(lost) } throws: {
            if case WireError.cut = $0 { true } else { false }
        }
        lines.insert(contentsOf: [second, second], at: 2)
        #expect(throws: WireError.self) { try EvidenceLineTests.read(Array(lines.joined(separator: "\n").utf8)) }
        // One line for another: the count agrees, the sum does not.
        lines = String(decoding: stream, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        lines[3] = lines[4]
        #expect(throws: WireError.cut("the sum of its last line does not agree")) {
            try EvidenceLineTests.read(Array(lines.joined(separator: "\n").utf8))
        }
    }

    @Test func anotherPlanOrStageOrVersionIsForeign() {
        func isForeign(_ error: any Error) -> Bool { if case WireError.foreign = error { true } else { false } }
        let other = String(repeating: "6", count: 64)
        #expect(performing: { try EvidenceLineTests.forEachLine(of: stream, plan: other) { _ in } }, throws: isForeign)
        #expect(performing: { try EvidenceLineTests.forEachLine(of: stream, .findings) { _ in } }, throws: isForeign)
        let newer = Array(
            String(decoding: stream, as: UTF8.self).replacing("reconcile-wire 5", with: "reconcile-wire 6").utf8)
        #expect(performing: { try EvidenceLineTests.forEachLine(of: newer) { _ in } }, throws: isForeign)
        #expect(performing: { try EvidenceLineTests.forEachLine(of: Array("x\n".utf8)) { _ in } }, throws: isForeign)
    }

    /// What the program never writes is refused even if its sums agree.
    @Test(arguments: [
        ("order", "{}"), ("order", "[]"), ("order", ""), ("evidence", "{}"),
        (
            "credit",
            #"{"d":1,"f":0,"l":1,"credit_id":"c","account_id":"a","kind":"gift","origin":"auto","credited_at":1}"#
        ),
        (
            "credit",
            #"{"d":0,"f":0,"l":1,"credit_id":"c","account_id":"a","kind":"credit","origin":"auto","credited_at":1}"#
        ),
        (
            "credit",
            #"{"d":1,"f":0,"l":1,"credit_id":"c","account_id":"a","kind":"credit","origin":"auto","credited_at":"1"}"#
        ),
        (
            "credit",
            #"{"d":1,"f":0,"l":1,"credit_id":"c","account_id":"","kind":"credit","origin":"auto","credited_at":1}"#
        ),
        (
            "credit",
            #"{"d":1,"f":0,"l":1,"credit_id":"c","account_id":"a","kind":"credit","origin":"auto","credited_at":1,"x":1}"#
        ),
        (
            "credit",
            #"{"d":1,"d":1,"f":0,"l":1,"credit_id":"c","account_id":"a","kind":"credit","origin":"auto","credited_at":1}"#
        ),
        (
            "credit",
            #"{"d":1,"f":0,"l":1,"credit_id":"c","account_id":"a","kind":"credit","origin":"auto","credited_at":1.0}"#
        ),
        (
            "credit",
            #"{"d":1,"f":0,"l":1,"credit_id":"c","account_id":"a","quantity":0,"kind":"credit","origin":"auto","credited_at":1}"#
        ),
    ])
    func misspelledLinesAreRefused(_ kind: String, _ object: String) {
        #expect(throws: (any Error).self) { try EvidenceLineTests.read(Self.stream(kind, "1", object)) }
    }

    @Test func theLineBeforeIsGood() throws {
        let good =
            #"{"d":1,"f":0,"l":1,"credit_id":"c","account_id":"a","kind":"credit","origin":"auto","credited_at":1}"#
        #expect(try EvidenceLineTests.read(Self.stream("credit", "1,-2", good)).credits.count == 1)
    }

    @Test func aKeyThatIsNoNumberIsRefused() {
        #expect(throws: WireError.self) {
            try EvidenceLineTests.forEachLine(of: Self.stream("order", "1,x", "{}")) { try $0.forEachKey { _, _ in } }
        }
    }

    /// A stream of one line whose sums agree.
    private static func stream(_ kind: String, _ keys: String, _ object: String) -> [UInt8] {
        let content = Array("\(kind)\t\(keys)\t\(object)".utf8)
        let sum = content.withUnsafeBytes { lineSum($0) }
        return Array("reconcile-wire 5 evidence \(EvidenceLineTests.plan)\n\(sum)\t".utf8) + content
            + Array("\nend\t1\t\(sum)\n".utf8)
    }
}
