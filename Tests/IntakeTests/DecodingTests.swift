import Domain
import Foundation
import Intake
import Reference
import Testing

/// Encodings other than UTF-8, and content that is not what the feed expects.
@Suite struct DecodingTests {
    private func encoded(_ text: String, _ encoding: TextEncoding) -> [UInt8] {
        switch encoding {
        case .utf16: Array(("\u{feff}" + text).utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        case .gbk, .gb18030:
            // The two characters of 金币, and ASCII.
            text.unicodeScalars.flatMap { scalar -> [UInt8] in
                switch scalar {
                case "金": [0xBD, 0xF0]
                case "币": [0xB1, 0xD2]
                default: [UInt8(scalar.value)]
                }
            }
        case .utf8: Array(text.utf8)
        }
    }

    private func feed(_ encoding: TextEncoding) -> Feed {
        var orders = IntakeTests.feed(.orders)
        orders.encoding = encoding
        return orders
    }

    private let text = orderHeader + ",name\n" + (0..<200).map { orderRow("金币\($0)") + ",\"60 金\n币\"\n" }.joined()

    @Test(arguments: TextEncoding.allCases)
    func rowsAreTheSameInEveryEncoding(_ encoding: TextEncoding) throws {
        let plain = try contents(text, IntakeTests.feed(.orders))
        let bytes = encoded(text, encoding)
        for (file, block) in [(bytes, 16), (bytes, 100), (bytes, 1 << 16), (gzip(bytes), 64)] {
            let read = try contents(file, feed(encoding), threads: 2, block: block)
            #expect(read.evidence.orders == plain.evidence.orders && read.evidence.orders.count == 200)
            #expect(read.totals == plain.totals)
            #expect(read.digest.bytes == sha256(file))
        }
    }

    /// The same for files of several pieces of iconv, whose edges fall into characters.
    @Test func piecesEndInTheMiddleOfCharacters() throws {
        for padding in 0..<4 {
            let long =
                orderHeader + ",name\n"
                + (0..<1500).map {
                    orderRow("A\($0)") + "," + String(repeating: "x", count: padding)
                        + String(repeating: "金", count: 60) + "\n"
                }.joined()
            for encoding in [TextEncoding.gbk, .gb18030, .utf16] {
                let read = try contents(encoded(long, encoding), feed(encoding))
                #expect(read.evidence.orders.count == 1500 && read.rejects.isEmpty, "\(padding) \(encoding)")
            }
        }
    }

    /// Wherever a file is cut, it is refused, or its last line is one that a cut cannot be told from.
    @Test(arguments: [TextEncoding.gbk, .gb18030, .utf16])
    func aCutFileIsRefusedOrReadUpToTheCut(_ encoding: TextEncoding) throws {
        let bytes = encoded(orderHeader + "\n" + orderRow("金币1") + "\n" + orderRow("金币2") + "\n", encoding)
        for end in 0..<bytes.count {
            let outcome = try outcome(bytes[..<end], feed(encoding), name: "o.csv")
            guard case .read(let contents) = outcome else { continue }
            #expect(contents.evidence.orders.allSatisfy { ["金币1", "金币2"].contains($0.id.text) })
            #expect(contents.evidence.orders.count + contents.totals.rejected <= 2)
        }
        let half = encoding == .utf16 ? Array(bytes.dropLast()) : bytes.dropLast() + [0x81]
        #expect(try refusal(half, feed(encoding)).reason.contains("in the middle of a character"))
    }

    @Test func bytesThatAreNotInTheEncodingRejectTheirRowAlone() throws {
        var bytes = encoded(orderHeader + "\n" + orderRow("金币1") + "\n", .gbk) + [0xFF, 0x81]
        bytes += encoded(orderRow("x") + "\n" + orderRow("金币2") + "\n", .gbk)
        let read = try contents(bytes, feed(.gbk))
        #expect(read.evidence.orders.map(\.id) == ["金币1", "金币2"])
        #expect(read.rejects.map(\.line) == [3])
        #expect(read.rejects[0].reason.contains("not GBK"), "\(read.rejects[0].reason)")
        var wide = encoded(orderHeader + "\n", .utf16) + [0x00, 0xD8]
        wide += Array(encoded(orderRow("A") + "\n" + orderRow("B") + "\n", .utf16).dropFirst(2))
        #expect(try contents(wide, feed(.utf16)).evidence.orders.map(\.id) == ["B"])
    }

    /// Bytes without any meaning end in rejects or a refusal, in every encoding, with the same result for every block.
    @Test(arguments: 0..<UInt64(Trials.count(16, long: 80)))
    func noiseIsRejectedOrRefused(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var bytes = Array((orderHeader + "\n").utf8)
        for _ in 0..<Int.random(in: 0...400, using: &random) {
            bytes.append(
                Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random)
                    : [0x2C, 0x0A, 0x22, 0x5B, 0x7B, 0x7D][Int.random(in: 0..<6, using: &random)])
        }
        if seed % 4 == 0 { bytes.removeFirst(orderHeader.utf8.count + 1) }
        for encoding in TextEncoding.allCases {
            for format in [FileFormat?.none, .csv, .json] {
                var noise = feed(encoding)
                noise.format = format
                var results: [String] = []
                for block in [16, 33, 1 << 16] {
                    switch try outcome(bytes, noise, name: "noise", block: block) {
                    case .refused(let refusal): results.append(refusal.reason)
                    case .read(let contents):
                        #expect(contents.totals.rejected <= contents.totals.rows)
                        results.append("\(contents.totals) \(contents.rejects.map(\.line))")
                    }
                }
                #expect(Set(results).count == 1, "seed \(seed), \(encoding), \(results)")
            }
        }
    }

    @Test func hugeConstantsAndPrefixesAreNoTrouble() throws {
        let long = String(repeating: "9", count: 5 << 20)
        let constant = IntakeTests.feed(.orders, columns: ["product_id": ColumnSource(value: long)])
        let text = "order_id,account_id,status,created_at\nA,a,paid,0\n"
        #expect(try contents(text, constant).rejects.map(\.column) == ["product_id"])
        let prefix = IntakeTests.feed(
            .orders, columns: ["order_id": ColumnSource(prefix: long), "product_id": ColumnSource(value: "p")])
        #expect(try contents(text, prefix).rejects.map(\.column) == ["order_id"])
        let fitting = IntakeTests.feed(
            .orders,
            columns: [
                "order_id": ColumnSource(prefix: String(repeating: "9", count: 255)),
                "product_id": ColumnSource(value: "p"),
            ])
        #expect(try contents(text, fitting).evidence.orders.map(\.id.text.utf8.count) == [256])
    }

    static let foreign: [(bytes: [UInt8], reason: String)] = [
        ([0xFF, 0xFE, 0x6F, 0x00], "set encoding: \"utf-16\""),
        (Array("o,r,d,e,r".utf16.flatMap { [UInt8($0), 0] }), "it is UTF-16"),
        (Array("PK\u{3}\u{4}……[Content_Types].xml".utf8), "Excel workbook (XLSX)"),
        (Array("PK\u{3}\u{4}…".utf8), "ZIP archive"),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], "Excel workbook (XLS)"), (Array("PGDMP\u{1}".utf8), "dump of PostgreSQL"),
        (Array("\n<!DOCTYPE html><html>".utf8), "HTML page"), (Array("<?xml version='1.0'?>".utf8), "XML"),
        (Array("-- MySQL dump 10.13\n".utf8), "database dump"),
        (Array("--\n-- PostgreSQL database dump\n".utf8), "database dump"),
        (Array(" id | sku\n----+-----\n".utf8), "drawn for people"),
        (Array("+----+\n| id |\n".utf8), "drawn for people"),
        ([0x28, 0xB5, 0x2F, 0xFD, 0], "zstd"), (Array("a,b\rc,d\r".utf8), "CR alone"),
        (Array("90001002,700002,pet.coin300,30.00\n".utf8), "the header row is missing"),
        (Array("编号,玩家\n1,2\n".utf8), "map them under columns"),
        (Array("order_id,account\n".utf8), "The header has “order_id”, “account”"),
    ]

    @Test(arguments: foreign)
    func aFileOfAnotherKindIsNamedForWhatItIs(_ bytes: [UInt8], _ reason: String) throws {
        for name in ["o.csv", "o.txt"] {
            let found = try refusal(bytes, IntakeTests.feed(.orders), name: name).reason
            #expect(found.contains(reason), "\(found)")
        }
    }

    @Test func anEncodingThatIsWrongIsNamed() throws {
        let plain = orderHeader + "\n" + orderRow("A") + "\n"
        #expect(try refusal(plain.utf8, feed(.utf16)).reason.contains("not UTF-16"))
        #expect(try refusal(("\u{feff}" + plain).utf8, feed(.gbk)).reason.contains("it is UTF-8"))
        #expect(try refusal(encoded(plain, .utf16), feed(.gbk)).reason.contains("it is UTF-16"))
    }

    @Test(arguments: ["[", "[{}", "[{},", "{", "[{}]]", "{\"a\":\"", "[\"x", "]"])
    func aJSONDocumentThatIsCutIsRefused(_ text: String) throws {
        var orders = feed(.utf8)
        orders.format = .json
        for block in [16, 1 << 16] {
            guard case .refused = try outcome(text.utf8, orders, name: "o.json", block: block) else {
                throw Unexpected(what: "\(text) was read")
            }
        }
    }

    @Test func aJSONValueOfManyMebibytesIsRefused() throws {
        var orders = feed(.utf8)
        orders.format = .json
        let text = #"[{"order_id":"A","x":"# + "\n\"" + String(repeating: "y", count: 5 << 20) + "\"}]"
        for block in [1 << 16, 1 << 24] {
            guard case .refused(let refusal) = try outcome(text.utf8, orders, name: "o.json", block: block) else {
                throw Unexpected(what: "it was read")
            }
            #expect(refusal.reason.contains("longer than 4 MiB"))
        }
    }
}
