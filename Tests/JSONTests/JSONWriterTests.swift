import Base
import Domain
import Foundation
import Testing

@Suite struct JSONWriterTests {
    @Test func commasAndColonsStandBetweenElements() {
        var writer = JSONWriter(escaping: .required)
        writer.object { object in
            object.add("absent", nil as String?)
            object.add("id", "E1")
            object.add("lines", 3 as Int32)
            object.add("none", [])
            object.add("texts", ["a", "b"])
            object.add("money") { $0.add("minor", -600 as Int64) }
            object.key("a \"key\"" as String)
            object.list { list in
                list.write(true)
                list.writeNull()
                list.object { _ in }
                list.list { $0.write(Int64.min) }
            }
        }
        #expect(
            writer.text
                == #"{"id":"E1","lines":3,"none":[],"texts":["a","b"],"money":{"minor":-600},"a \"key\"":"#
                + "[true,null,{},[-9223372036854775808]]}")
    }

    @Test func pagesAreIndentedAndLinesAreNot() {
        let value = JSON.object([
            "b": .list([JSON(1), .object([:])]), "a": .list([]), "é": .bool(false), "c": JSON(nil),
        ])
        #expect(value.line == #"{"a":[],"b":[1,{}],"c":null,"é":false}"#)
        #expect(
            value.page == """
                {
                  "a": [],
                  "b": [
                    1,
                    {}
                  ],
                  "c": null,
                  "é": false
                }

                """)
        #expect(JSON.text("x").page == "\"x\"\n")
        #expect(JSON.list([.decimal(-5, exponent: 3), .decimal(1250, exponent: 2)]).line == "[-0.005,12.50]")
    }

    @Test(
        arguments: [
            (.required, #""\u0001\u0009\u000a\"\\/<é\#u{7f}\#u{202e}😀""#),
            (.visible, #""\u0001\u0009\n\"\\/<é\u007f\u202e😀""#),
            (.script, #""\u0001\u0009\n\"\\/\u003cé\u007f\u202e😀""#),
        ] as [(JSONWriter.Escaping, String)])
    func charactersAreEscapedAsAskedFor(_ escaping: JSONWriter.Escaping, _ expected: String) {
        var writer = JSONWriter(escaping: escaping)
        writer.write("\u{1}\t\n\"\\/<é\u{7f}\u{202e}😀")
        #expect(writer.text == expected)
    }

    @Test func charactersBeyondTheFirstPlaneAreEscapedAsAPair() {
        #expect(JSON.text("\u{E0041}").line == #""\udb40\udc41""#)
    }

    @Test func aLongDocumentIsHandedOutInPieces() {
        var whole = JSONWriter(escaping: .script)
        var split = whole
        var pieces: [[UInt8]] = []
        func rows(_ writer: inout JSONWriter, _ afterRow: (inout JSONWriter) -> Void) {
            writer.list { list in
                for row in 0..<4 {
                    if row > 0 { list.breakLine() }
                    list.list { $0.write(Int64(row)) }
                    afterRow(&list)
                }
            }
        }
        rows(&whole) { _ in }
        rows(&split) { pieces.append($0.takeBytes()) }
        pieces.append(split.takeBytes())
        #expect(pieces.count == 5 && pieces.joined().elementsEqual(whole.bytes))
        #expect(whole.text == "[[0],\n[1],\n[2],\n[3]]")
    }

    /// Our reader and Foundation's read what was written.
    @Test func writtenTextsAreReadAgain() throws {
        var random = SplitMix64(seed: 41)
        for round in 0..<2000 {
            let escaping: JSONWriter.Escaping = [.required, .visible, .script].randomElement(using: &random)!
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<12, using: &random) {
                let limit: UInt32 = [0x80, 0x800, 0x10000, 0x110000].randomElement(using: &random)!
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) { scalars.append(scalar) }
            }
            let text = String(scalars)
            var writer = JSONWriter(escaping: escaping, isIndented: Bool.random(using: &random))
            writer.object { object in
                object.key("k" + text)
                object.write(text)
            }
            var read: [String] = []
            try writer.bytes.withUnsafeBytes { bytes in
                try JSONReader.forEachMember(of: bytes) { key, value in
                    guard case .string(let value) = value else { return }
                    read += [key.string, value.string]
                }
            }
            #expect(read.map { Array($0.utf8) } == [Array("k\(text)".utf8), Array(text.utf8)], "round \(round)")
            let theirs = try JSONDecoder().decode([String: String].self, from: Data(writer.bytes))
            #expect(theirs == ["k" + text: text], "round \(round)")
        }
    }
}
