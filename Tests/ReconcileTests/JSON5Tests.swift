import Domain
import Foundation
import Testing

@testable import Reconcile

/// The document on one line, with the members of objects in their order.
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

@Test(
    arguments: [
        ("", 1, 1, "expected a value"), ("{", 1, 1, "'{' is never closed"), ("{a:1", 1, 1, "never closed"),
        ("{\n a: 1\n b: 2\n}", 3, 2, "expected ',' or '}', found 'b'"), ("{\n a 1\n}", 2, 4, "expected ':' after 'a'"),
        ("{\n a:,\n}", 2, 4, "expected a value"), ("{,}", 1, 2, "expected a key"), ("[,]", 1, 2, "expected a value"),
        ("[1,,2]", 1, 4, "expected a value"), ("{}\n{}", 2, 1, "after the end"), ("{a:b}", 1, 4, "'b' is not a value"),
        ("{a:1h}", 1, 4, "'1h' is not a value"), ("{a:0x10}", 1, 4, "'0x10' is not a value"),
        ("{a:Infinity}", 1, 4, "not a value"),
        ("{a:1,\n\n 'a':2}", 3, 2, "'a' occurs twice"), ("['a\n']", 1, 2, "is not closed"),
        ("['a", 1, 2, "is not closed"),
        ("\n/* x", 2, 1, "this comment is not closed"), ("['\\u12']", 1, 7, "hexadecimal digit"),
        ("['\\ud83d']", 1, 5, "half a character"), ("['\\1']", 1, 3, "is not an escape"),
        ("{1a:2}", 1, 2, "expected a key"),
        ("[1}", 1, 3, "expected ',' or ']'"), ("# x", 1, 1, "expected a value, found '#'"),
        ("{a:1}}", 1, 6, "after the end"),
        ("{a:\r\n\r\n!}", 3, 1, "expected a value"), ("{a:\r\r!}", 3, 1, "expected a value"),
        ("1.2.3", 1, 1, "is not a value"),
        ("[.]", 1, 2, "is not a value"), ("[+]", 1, 2, "is not a value"), ("[1e]", 1, 2, "is not a value"),
        ("[1e+]", 1, 2, "is not a value"),
        ("[e5]", 1, 2, "is not a value"), ("[+-1]", 1, 2, "is not a value"), ("[1-2]", 1, 2, "is not a value"),
        ("[1e2.5]", 1, 2, "is not a value"),
        ("[1e2e3]", 1, 2, "is not a value"),
    ] as [(String, Int, Int, String)])
func whatIsNoJSON5IsNamedWithItsPlace(_ document: String, _ line: Int, _ column: Int, _ message: String) throws {
    let problem = #expect(throws: ConfigurationProblem.self) { try JSON5Reader.read(document) }
    #expect(problem?.position == JSON5.Position(line: line, column: column))
    #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
}

@Test func deepNestingIsRefusedNotFollowed() {
    let problem = #expect(throws: ConfigurationProblem.self) {
        try JSON5Reader.read(String(repeating: "[", count: 100_000))
    }
    #expect(problem?.message == "nested too deep")
}

/// Both would take hours if reading each value took time in proportion to the whole document.
@Test func aLongDocumentIsReadInOneGo() throws {
    let list = "[" + String(repeating: "1,\n", count: 20_000) + "]"
    guard case .list(let elements) = try JSON5Reader.read(list).content else { preconditionFailure("no list") }
    #expect(elements.count == 20_000 && elements[19_999].position == JSON5.Position(line: 20_000, column: 1))
    let object = "{" + (0..<10_000).map { "k\($0):1," }.joined() + "k0:2}"
    let problem = #expect(throws: ConfigurationProblem.self) { try JSON5Reader.read(object) }
    #expect(problem?.message == "'k0' occurs twice")
}

/// The sample with pieces cut out, doubled or inserted is a configuration or an error with a position. It never traps.
@Test func anyTextIsReadOrIsAProblemWithAPlace() {
    let seed: UInt64 = 78
    var random = SplitMix64(seed: seed)
    let sample = Array(sampleConfiguration.unicodeScalars)
    let strewn = Array("{}[]:,'\"\\/*\n0.e-\u{0}é".unicodeScalars)
    for _ in 0..<300 {
        var scalars = sample
        for _ in 0...Int.random(in: 0...2, using: &random) {
            let start = Int.random(in: 0..<scalars.count, using: &random)
            let piece = start..<min(scalars.count, start + Int.random(in: 0...40, using: &random))
            switch Int.random(in: 0...2, using: &random) {
            case 0: scalars.removeSubrange(piece)
            case 1: scalars.insert(contentsOf: scalars[piece], at: start)
            default: scalars.insert(strewn.randomElement(using: &random)!, at: start)
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        let lines = text.count { $0 == "\n" } + 1
        do {
            _ = try ConfigurationReader(file: "/c/reconcile.json").read(String(text))
        } catch {
            #expect((1...lines).contains(error.position.line) && !error.remedy.isEmpty, "seed \(seed): \(error)")
        }
    }
}

/// Every document that our reader accepts is accepted by Foundation's JSON5 reader, with the same result.
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

/// Keys ascend, so that objects of both readers are printed in the same order.
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
