import Domain
import Intake
import Testing

/// Where records begin and end. The result is the same for every block size and any number of threads.
@Suite struct FramingTests {
    @Test func aStrayQuoteCostsOneRow() throws {
        let text = [
            orderHeader, orderRow("A"), "\"" + orderRow("B"), orderRow("C"), orderRow("D\"x"), orderRow("\"E\""),
            orderRow("F"), orderRow("\"G"),
        ]
        .map { $0 + "\n" }.joined()
        let read = try contents(text, feed(.orders))
        #expect(read.evidence.orders.map(\.id) == ["A", "C", "E", "F"])
        #expect(read.rejects.map(\.line) == [3, 5, 8])
        #expect(read.totals.rows == 7)
    }

    @Test func linesAreThoseOfTheFileAlsoAfterQuotedOnes() throws {
        let header = "order_id,note,account_id,product_id,status,created_at\n"
        let rest = ",a,p,paid,0"
        let text =
            header + "A,\"one\ntwo\r\nthree \"\"quoted\"\"\"" + rest + "\r\nB,\"\"" + rest + "\n\nC,\"\n\"" + rest
            + "\n,x" + rest + "\nD,x" + rest
        for block in stride(from: 16, to: 90, by: 3) {
            let read = try contents(text, feed(.orders), block: block)
            #expect(read.evidence.orders.map(\.id) == ["A", "B", "C", "D"], "block \(block)")
            #expect(read.evidence.orders.map(\.source.line) == [2, 5, 7, 10], "block \(block)")
            #expect(read.rejects.map(\.line) == [9], "block \(block)")
        }
    }

    @Test func emptyLinesAndHeadersOfSeveralLinesCountAsLines() throws {
        let empty = String(repeating: "\n", count: 20_000)
        let text = empty + orderHeader + ",\"a\nnote\"\n" + empty + orderRow("A") + ",\n" + orderRow("") + ",\n"
        for block in [16, 4096, 1 << 20] {
            let read = try contents(text, feed(.orders), block: block)
            #expect(read.evidence.orders.map(\.source.line) == [40_003], "block \(block)")
            #expect(read.rejects.map(\.line) == [40_004], "block \(block)")
            #expect(read.totals.rows == 2)
        }
    }

    @Test func aLineOfFiveMebibytesIsRejectedAndTheNextIsRead() throws {
        let long = String(repeating: "x", count: 5 << 20)
        for block in [1 << 16, 16 << 20] {
            let read = try contents(
                [orderHeader, orderRow("A"), orderRow(long), orderRow("B")].joined(separator: "\n"), feed(.orders),
                block: block)
            #expect(read.evidence.orders.map(\.source.line) == [2, 4], "block \(block)")
            #expect(read.rejects.map(\.line) == [3] && read.rejects[0].row.count == 4096, "block \(block)")
            #expect(read.rejects.first?.reason.contains("longer than 4 MiB") == true)
        }
    }

    @Test func aQuoteLeftOpenBeforeMebibytesCostsOneRow() throws {
        let padding = "," + String(repeating: "x", count: 2000) + "\n"
        let rows = (0..<2500).map { orderRow("ORD\($0)") + padding }.joined()
        for block in [1 << 16, 1 << 20] {
            let read = try contents(
                orderHeader + ",padding\n\"" + orderRow("A") + padding + rows, feed(.orders), block: block)
            #expect(read.evidence.orders.count == 2500, "block \(block)")
            #expect(read.evidence.orders.first?.source.line == 3)
            #expect(read.rejects.map(\.line) == [2], "block \(block)")
        }
    }

    /// Generated orders, written in every way that CSV allows, are read back unchanged.
    @Test(arguments: 0..<12)
    func writtenRowsAreReadAgain(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let products = (0..<40).map { _ in text(&random) }
        let separator = Bool.random(using: &random) ? "," : "\t"
        let ending = Bool.random(using: &random) ? "\n" : "\r\n"
        var written = Bool.random(using: &random) ? "\u{feff}" : ""
        written += orderHeader.replacing(",", with: separator) + ",name".replacing(",", with: separator) + ending
        var lines: [Int32] = []
        for (number, product) in products.enumerated() {
            lines.append(Int32(written.utf8.count { $0 == 0x0A }) + 1)
            let fields = ["ORD\(number)", "a", "p", "paid", "0", product]
            written += fields.map { quoted($0, &random) }.joined(separator: separator) + ending
        }
        let format: FileFormat = separator == "," ? .csv : .tsv
        let mapped = feed(.orders, format: format, columns: ["bundle_id": "name"])
        for block in [16, 17, 31, 64, 1000, 1 << 20] {
            for threads in [1, 2, 3] {
                let read = try contents(Array(written.utf8), mapped, threads: threads, block: block)
                let place = "seed \(seed), block \(block), \(threads) threads"
                #expect(
                    read.evidence.orders.map { $0.bundle?.text ?? "" }.map { Array($0.utf8) }
                        == products.map { Array($0.utf8) }, "\(place)")
                #expect(read.evidence.orders.map(\.source.line) == lines, "\(place)")
            }
        }
    }

    /// Damaged files: no row is lost, and block size and threads make no difference.
    @Test(arguments: 0..<10)
    func blocksAndThreadsChangeNothing(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var bytes = Array((orderHeader + "\n").utf8)
        for number in 0..<60 {
            var row = Array((orderRow("\"ORD\(number)\"") + "\n").utf8)
            for _ in 0..<Int.random(in: 0...1, using: &random) {
                row[Int.random(in: 0..<row.count, using: &random)] = Array("\"\",\n\r\0\u{e9}x".utf8).randomElement(
                    using: &random)!
            }
            bytes += row
        }
        let expected = try contents(bytes, feed(.orders), block: 1 << 20)
        #expect(expected.totals.rows == expected.evidence.orders.count + expected.totals.rejected)
        for block in stride(from: 16, to: 100, by: 5) {
            let read = try contents(bytes, feed(.orders), threads: block % 3 + 1, block: block)
            #expect(read.evidence.orders == expected.evidence.orders, "seed \(seed), block \(block)")
            #expect(read.rejects == expected.rejects, "seed \(seed), block \(block)")
            #expect(read.totals == expected.totals && read.digest == expected.digest, "seed \(seed), block \(block)")
        }
    }
}

private func text(_ random: inout SplitMix64) -> String {
    let pieces = ["a", "é", "中文", ",", "\t", "\"", "\"\"", "longer text ", "😀", " "]
    return "x"
        + (0..<Int.random(in: 0..<6, using: &random)).map { _ in
            pieces.filter { $0 != "\t" }.randomElement(using: &random)!
        }.joined()
}

/// A field as in RFC 4180: quoted where necessary, and sometimes where it is not.
private func quoted(_ text: String, _ random: inout SplitMix64) -> String {
    let mustQuote = text.contains { ",\t\"\n\r".contains($0) }
    guard mustQuote || Bool.random(using: &random) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
}
