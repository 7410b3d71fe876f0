import Domain
import Foundation
import Testing

@testable import Intake

@Suite struct GzipTests {
    private static let text = orderHeader + "\n" + (0..<40).map { orderRow("ORD\($0)") + "\n" }.joined()

    @Test func membersFollowOneAnother() throws {
        let bytes = Array(Self.text.utf8)
        for cut in [0, 1, 57, bytes.count] {
            let read = try contents(gzip(bytes[..<cut]) + gzip(bytes[cut...]) + gzip([]), feed(.orders))
            #expect(read.evidence.orders.count == 40, "cut at \(cut)")
        }
    }

    @Test func aTruncatedStreamIsRefusedWhereverItEnds() throws {
        let packed = gzip(Self.text.utf8)
        for count in 2..<packed.count {
            #expect(
                try refusal(packed[..<count], feed(.orders)).reason.contains("truncated"),
                "\(count) of \(packed.count) bytes")
        }
        let twoMembers = packed + packed
        for count in packed.count + 2..<twoMembers.count {
            #expect(throws: Never.self, "\(count) bytes") { try refusal(twoMembers[..<count], feed(.orders)) }
        }
    }

    @Test func aDamagedTrailerOrContentIsRefused() throws {
        let packed = gzip(Self.text.utf8)
        for index in [packed.count - 8, packed.count - 4, packed.count - 1, packed.count / 2, 12] {
            var damaged = packed
            damaged[index] ^= 0x55
            #expect(throws: Never.self, "byte \(index)") { try refusal(damaged, feed(.orders), share: 1_000_000) }
        }
    }

    @Test func whatFollowsTheStreamMustBeAStream() throws {
        for garbage: [UInt8] in [[0], [0x1F], [0x1F, 0x8B], Array("x,y\n".utf8), [UInt8](repeating: 0, count: 512)] {
            #expect(throws: Never.self, "\(garbage.prefix(4))") {
                try refusal(gzip(Self.text.utf8) + garbage, feed(.orders), share: 1_000_000)
            }
        }
    }

    /// 10 MiB of zeros in 10 KiB: one endless line, which must not be collected in memory.
    @Test func aBombIsALineThatIsTooLong() throws {
        let bomb = gzip([UInt8](repeating: 0, count: 5 << 20))
        #expect(bomb.count < 20_000)
        let read = try contents(bomb + bomb, feed(.receipts), name: "bomb.jsonl")
        #expect(read.rejects.map(\.line) == [1])
        // It is unknown where in the line a receipt would be.
        #expect(read.rejects.allSatisfy { $0.row.starts(with: Array("(not shown".utf8)) })
        #expect(try refusal(bomb, feed(.orders)).reason.contains("longer than 4 MiB"))
    }

    /// A client's long rows of one sign compress as well as a bomb. They do not cost the shop its receipts of a day.
    @Test func aClientsLongRowsAreNoBomb() throws {
        let row = Array(#"{"received_at":0,"account_id":"a","pad":""#.utf8)
        let line = row + [UInt8](repeating: 65, count: 3 << 20) + Array("\"}\n".utf8)
        var content: [UInt8] = []
        for _ in 0..<24 { content += line }
        let packed = gzip(content)
        #expect(packed.count * 500 < 24 * line.count)
        let read = try contents(packed, feed(.receipts), name: "receipts.jsonl")
        #expect(read.evidence.receipts.count + read.rejects.count == 24)
        let path = NSTemporaryDirectory() + "bomb-\(getpid()).gz"
        try Data(packed).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var source = try ByteSource(path, harmlessBytes: 1 << 20)
        var reason = ""
        do { try source.drain() } catch let defect as FileDefect { reason = defect.reason }
        #expect(reason.contains("500 times its size"))
    }

    @Test func whatIsPackedTwiceIsNotUnpackedTwice() throws {
        #expect(throws: Never.self) { try refusal(gzip(gzip(Self.text.utf8)), feed(.orders)) }
    }
}
