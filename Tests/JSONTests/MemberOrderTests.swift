import Base
import Domain
import Testing

/// Objects read with knowledge of earlier objects have the same values as when read alone.
@Suite struct MemberOrderTests {
    @Test func theOrderOfEarlierObjectsChangesNothing() throws {
        var random = SplitMix64(seed: 20_261_121)
        let names = ["a", "b", "transactionId", "transactionReason", "a name of exactly thirty-eight bytes..", "é", ""]
        let tooLong = String(repeating: "n", count: 39)
        for _ in 0..<300 {
            var order = MemberOrder<String>()
            for _ in 0..<12 {
                let count = Int.random(in: 0..<9, using: &random)
                let members = (0..<count).map { _ -> String in
                    let name = (names + [tooLong]).randomElement(using: &random)!
                    let spelled = Bool.random(using: &random) ? name : name.replacing("a", with: #"\u0061"#)
                    let colon = [":", " : ", ":\t"].randomElement(using: &random)!
                    return "\"\(spelled)\"" + colon + ["1", #""x""#, "null", "[2]"].randomElement(using: &random)!
                }
                let text = "{" + members.joined(separator: ",") + "}" + (Bool.random(using: &random) ? "   " : "")
                let alone = Result { try read(text) }
                let known = Result { try read(text, &order) }
                switch (alone, known) {
                case (.success(let alone), .success(let known)): #expect(alone == known, "\(text)")
                case (.failure(let alone), .failure(let known)): #expect("\(alone)" == "\(known)", "\(text)")
                default: Issue.record("\(text): alone \(alone), with what came before \(known)")
                }
            }
        }
    }

    @Test func anExpectedKeyIsNotAskedAboutAgain() throws {
        var order = MemberOrder<String>()
        var asked: [String] = []
        func visit(_ text: String) throws {
            try bytes(text) { document in
                try JSONReader.forEachMember(of: document, in: &order) { key in
                    asked.append(key.string)
                    return key.string
                } _: { _, _ in
                }
            }
        }
        try visit(#"{"a":1,"c":2}"#)
        try visit(#"{"a":1,"b":0,"c":2}"#)
        try visit(#"{"a":1,"c":2}"#)
        try visit(#"{"a":1,"b":0,"c":2}"#)
        // "c" is read after an unexpected "b", and is still in its expected place.
        #expect(asked == ["a", "c", "b", "c"])
    }

    @Test func moreKeysThanAreRememberedAreRead() throws {
        let text = "{" + (0..<200).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
        var order = MemberOrder<String>()
        for _ in 0..<3 { #expect(try read(text, &order).count == 200) }
        for twice in [0, 63, 64, 199] {
            #expect(throws: JSONError.self) { try read(text.dropLast() + ",\"key\(twice)\":0}", &order) }
        }
    }

    private func read(_ text: some StringProtocol, _ order: inout MemberOrder<String>) throws -> [String] {
        var seen: [String] = []
        try bytes(String(text)) { document in
            try JSONReader.forEachMember(of: document, in: &order, meaning: { $0.string }) {
                seen.append($0 + shown($1))
            }
        }
        return seen
    }

    private func read(_ text: String) throws -> [String] {
        var seen: [String] = []
        try bytes(text) { document in try JSONReader.forEachMember(of: document) { seen.append($0.string + shown($1)) }
        }
        return seen
    }

    private func shown(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): "=" + text.string
        case .number(let raw), .object(let raw), .array(let raw): "=" + String(decoding: raw, as: UTF8.self)
        case .bool(let flag): "=\(flag)"
        case .null: "=null"
        }
    }
}
