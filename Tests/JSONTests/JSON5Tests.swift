import Base
import Domain
import Foundation
import Testing

/// The document in one line, objects in their own order.
private func plain(_ value: JSON5) -> String {
    switch value.content {
    case .object(let members): "{" + members.map { "\($0.key):\(plain($0.value))" }.joined(separator: ",") + "}"
    case .list(let elements): "[" + elements.map(plain).joined(separator: ",") + "]"
    case .text(let text): "'\(text)'"
    case .number(let spelling): spelling
    case .flag(let flag): String(flag)
    case .null: "null"
    }
}

@Test(
    arguments: [
        ("{}", "{}"), ("[]", "[]"), (" \n\t{ } ", "{}"), ("\u{FEFF}{}", "{}"), ("{a:1}", "{a:1}"), ("{a:1,}", "{a:1}"),
        ("[1,2,]", "[1,2]"), ("{'a':'b'}", "{a:'b'}"), ("{\"a b\":\"c\"}", "{a b:'c'}"), ("{$a_1:true}", "{$a_1:true}"),
        ("{é:false}", "{é:false}"), ("// c\n{}", "{}"), ("{}// c", "{}"),
        ("/* c */{/**/a/*:*/:/* 2 */null}", "{a:null}"),
        ("/***/{}", "{}"), ("[1.50,-2,+3,.5,5.,1e400,-0,-1.5E-3,2e+1]", "[1.50,-2,+3,.5,5.,1e400,-0,-1.5E-3,2e+1]"),
        ("[\"\\u0041\\x42\\n\\'\\\"\\\\\\/\"]", "['AB\n'\"\\/']"), ("[\"\\ud83d\\ude00\"]", "['😀']"),
        ("['a\\\nb']", "['ab']"), ("['a\\\r\nb']", "['ab']"), ("['//no comment']", "['//no comment']"),
        ("{a:{b:[{c:[]}]}}", "{a:{b:[{c:[]}]}}"), ("{e\u{301}:1,\u{E9}:2}", "{e\u{301}:1,\u{E9}:2}"),
        ("[12345678901234567890.000000000000000000001]", "[12345678901234567890.000000000000000000001]"),
    ] as [(String, String)])
func aJSON5DocumentIsRead(_ document: String, _ expected: String) throws {
    #expect(Array(plain(try JSON5Reader.read(document)).utf8) == Array(expected.utf8))
}

@Test func deepNestingIsRefusedNotFollowed() {
    let error = #expect(throws: JSON5Error.self) {
        try JSON5Reader.read(String(repeating: "[", count: 100_000))
    }
    #expect(error?.fault == .tooDeep(levelsMax: 32) && error?.position == JSON5.Position(line: 1, column: 33))
}

/// Both would take hours if every value were paid for with the whole document.
@Test func aLongDocumentIsReadInOneGo() throws {
    let list = "[" + String(repeating: "1,\n", count: 20_000) + "]"
    guard case .list(let elements) = try JSON5Reader.read(list).content else { preconditionFailure("no list") }
    #expect(elements.count == 20_000 && elements[19_999].position == JSON5.Position(line: 20_000, column: 1))
    let object = "{" + (0..<10_000).map { "k\($0):1," }.joined() + "k0:2}"
    let error = #expect(throws: JSON5Error.self) { try JSON5Reader.read(object) }
    #expect(error?.fault == .repeatedKey("k0", firstLine: 1))
}

/// Every document that our reader takes, Foundation's JSON5 reader takes, and reads alike.
@Test func foundationReadsTheSameDocuments() throws {
    let seed: UInt64 = 11
    var random = SplitMix64(seed: seed)
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    for _ in 0..<400 {
        let document = randomDocument(depth: 0, &random)
        let ours = plain(try JSON5Reader.read(document))
        let theirs = try decoder.decode(Theirs.self, from: Data(document.utf8))
        #expect(ours == theirs.plain, "seed \(seed): \(document)")
    }
}

/// A document as Foundation reads it, printed as `plain` prints ours.
private struct Theirs: Decodable {
    var plain: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            plain = "null"
        } else if let flag = try? value.decode(Bool.self) {
            plain = String(flag)
        } else if let number = try? value.decode(Int.self) {
            plain = String(number)
        } else if let text = try? value.decode(String.self) {
            plain = "'\(text)'"
        } else if let list = try? value.decode([Theirs].self) {
            plain = "[" + list.map(\.plain).joined(separator: ",") + "]"
        } else {
            let object = try value.decode([String: Theirs].self)
            plain = "{" + object.keys.sorted().map { "\($0):\(object[$0]!.plain)" }.joined(separator: ",") + "}"
        }
    }
}

/// Keys ascend, so that both readers' objects print alike.
private func randomDocument(depth: Int, _ random: inout SplitMix64) -> String {
    let blank = ["", " ", "\n", "/* c */", "// c\n"].randomElement(using: &random)!
    switch Int.random(in: 0...(depth < 4 ? 6 : 4), using: &random) {
    case 0: return blank + ["true", "false"].randomElement(using: &random)!
    case 1: return blank + "null"
    case 2: return blank + String(Int.random(in: 2...99, using: &random)) + blank
    case 3: return blank + ["'a\"b'", "\"x\\u0041\\n\"", "'\\'é😀'", "''"].randomElement(using: &random)!
    case 4: return blank + "[]"
    case 5:
        let elements = (0...Int.random(in: 0...3, using: &random)).map { _ in randomDocument(depth: depth + 1, &random)
        }
        return blank + "[" + elements.joined(separator: ",") + [",]", "]"].randomElement(using: &random)!
    default:
        let members = ["a", "'b c'", "\"d\""].map { $0 + ":" + randomDocument(depth: depth + 1, &random) }
        return blank + "{" + members.joined(separator: "," + blank) + ["}", ",}"].randomElement(using: &random)!
    }
}
