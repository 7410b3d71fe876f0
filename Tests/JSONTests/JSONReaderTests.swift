import Base
import Domain
import Foundation
import Reference
import Testing

@Suite struct JSONReaderTests {
    @Test func membersComeInOrderWithTheirValues() throws {
        var seen: [String] = []
        try bytes(#" {"a":"x", "b" : -1.5e+3,"c":true,"d":false,"e":null,"f":{"g":[1]},"h":[ ]}  "#) { document in
            try JSONReader.forEachMember(of: document) { key, value in
                switch value {
                case .string(let text): seen.append(key.string + "=" + text.string)
                case .number(let raw), .object(let raw), .array(let raw):
                    seen.append(key.string + "=" + String(decoding: raw, as: UTF8.self))
                case .bool(let flag): seen.append(key.string + "=\(flag)")
                case .null: seen.append(key.string + "=null")
                }
            }
        }
        #expect(seen == ["a=x", "b=-1.5e+3", "c=true", "d=false", "e=null", #"f={"g":[1]}"#, "h=[ ]"])
    }

    @Test(arguments: [
        #"{"a":"\"\\\/\b\f\n\r\t"}"#, #"{"a":"\u00e9\u4e2d\uD83D\ude00x"}"#, #"{"a":"é中😀 and plain text behind"}"#,
        #"{"\u0061\u0000":1}"#, "{\"a\"\t:\r\n 0 }", #"{"":""}"#, #"{"a":[[[]],{},{"b":[{}]}],"c":-0.0E-10}"#,
        #"{"twelve bytes":"exactly sixteen!","x":"1234567"}"#, "{}",
        "{\"a\":\"\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10ffff}\"}",
    ])
    func validDocumentsReadAsFoundationReadsThem(_ text: String) throws {
        #expect(try tree(of: text) == foundationTree(Data(text.utf8)))
    }

    @Test(arguments: [
        "", " ", "{", "}", "[]", "1", "null", "\"a\"", "{}{}", "{} x", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
        #"{,"a":1}"#,
        #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":-}"#, #"{"a":+1}"#, #"{"a":.5}"#, #"{"a":1.}"#,
        #"{"a":1e}"#, #"{"a":0x1}"#, #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":tru}"#, #"{"a":True}"#, #"{"a":nulll}"#,
        #"{"a":"x}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\ud800"}"#, #"{"a":"\udc00x"}"#,
        #"{"a":"\ud800\u0041"}"#, "{\"a\":\"\u{1}\"}", "{\"a\":\"line\nbreak\"}", "{\"a\":1}\0", "\u{feff}{}",
        #"{"a":[1,]}"#,
        #"{"a":[1}"#, #"{"a":{"b":1]}"#, #"{"a":[}"#, #"{"a":{"b"}}"#, #"{"a":1,/**/"b":2}"#, "{\"a\":\u{a0}1}",
        #"{"a":"\"#,
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(throws: JSONError.self) { try tree(of: text) }
    }

    @Test func keysThatOccurTwiceAreRefusedHoweverTheyAreSpelled() {
        for text in [#"{"a":1,"a":1}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"{"x":{"a":1,"a":2}}"#] {
            #expect(throws: JSONError.self) { try tree(of: text) }
        }
        let manyKeys = (0..<1000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
        #expect(throws: Never.self) { try tree(of: "{" + manyKeys + "}") }
        for repeated in [0, 127, 128, 500, 999] {
            #expect(throws: JSONError.self, "key\(repeated)") {
                try tree(of: "{" + manyKeys + ",\"key\(repeated)\":0}")
            }
        }
    }

    @Test func bytesThatAreNoUTF8AreRefused() {
        let faults: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x9F, 0x80], [0xE4, 0xB8], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3, 0x28],
        ]
        for fault in faults {
            for padding in 0..<9 {
                let text = Array("{\"a\":\"".utf8) + Array(repeating: 0x61, count: padding) + fault
                #expect(throws: JSONError.self, "\(fault)") { try tree(of: text + Array("\"}".utf8)) }
                #expect(throws: JSONError.self, "\(fault)") { try tree(of: text) }
            }
        }
    }

    @Test func nestingEndsAtThirtyTwoLevels() throws {
        func nested(_ levels: Int) -> String {
            "{\"a\":" + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1) + "}"
        }
        #expect(throws: Never.self) { try bytes(nested(32)) { try JSONReader.forEachMember(of: $0) { _, _ in } } }
        #expect(throws: JSONError.self) { try bytes(nested(33)) { try JSONReader.forEachMember(of: $0) { _, _ in } } }
        let open = "{\"a\":" + String(repeating: "[{\"b\":", count: 100_000)
        #expect(throws: JSONError.self) { try bytes(open) { try JSONReader.forEachMember(of: $0) { _, _ in } } }
    }

    @Test func aFaultSaysWhereItIs() {
        let error = #expect(throws: JSONError.self) { try tree(of: #"{"ab":1;"c":2}"#) }
        #expect(error?.offset == 7)
        #expect(error?.reason == "expected a comma or the closing bracket")
    }

    @Test func everyPrefixOfADocumentIsRefused() throws {
        let text = Array(#"{"a":[1,{"b":"\u00e9é"}],"c":false,"d":-1.5e7}"#.utf8)
        for count in 0..<text.count {
            #expect(throws: JSONError.self, "\(count) bytes") { try tree(of: Array(text[..<count])) }
        }
        #expect(throws: Never.self) { try tree(of: text) }
    }

    /// If Foundation reads a document, our reader reads the same values or has a reason not to. If Foundation does not,
    /// neither does ours.
    @Test(arguments: 0..<UInt64(Trials.count(6, long: 20)))
    func damagedDocumentsAreReadOnlyIfFoundationReadsTheSame(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<500 {
            var text = generated(&random)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                text[Int.random(in: 0..<text.count, using: &random)] =
                    Array("\"\\{}[],:0e-.u\u{1}tn \u{e9}".utf8).randomElement(using: &random)!
            }
            guard let ours = try? tree(of: text) else { continue }
            #expect(
                ours == (try? foundationTree(Data(text))),
                "seed \(seed), round \(round): \(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test func generatedDocumentsReadAsFoundationReadsThem() throws {
        var random = SplitMix64(seed: 5)
        for round in 0..<Trials.count(600, long: 2000) {
            let text = generated(&random)
            #expect(try tree(of: text) == foundationTree(Data(text)), "seed 5, round \(round)")
        }
    }
}

private func foundationTree(_ data: Data) throws -> Tree { try JSONDecoder().decode(Tree.self, from: data) }

extension Tree: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let elements = try? value.decode([Tree].self) {
            self = .array(elements)
        } else {
            self = .object(try value.decode([String: Tree].self))
        }
    }
}

/// An object of up to four levels with distinct keys and whole numbers.
private func generated(_ random: inout SplitMix64) -> [UInt8] {
    func text() -> String {
        let pieces = [
            "a", "Z", "é", "中", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\\"", " ", "plain text of some length",
        ]
        return (0..<Int.random(in: 0..<6, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
    }
    func value(_ depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &random) {
        case 0, 1: return "\"" + text() + "\""
        case 2: return String(Int.random(in: -1_000_000...1_000_000, using: &random))
        case 3: return "null"
        case 4: return Bool.random(using: &random) ? "true" : "false"
        case 5: return object(depth + 1)
        default:
            return "["
                + (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth + 1) }.joined(separator: " , ")
                + "]"
        }
    }
    func object(_ depth: Int) -> String {
        let members = (0..<Int.random(in: 0..<5, using: &random)).map { "\"k\($0)\(text())\":" + value(depth) }
        return "{" + members.joined(separator: ",") + "}"
    }
    return Array(object(1).utf8)
}
