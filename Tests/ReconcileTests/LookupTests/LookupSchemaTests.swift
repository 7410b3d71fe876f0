import Engine
import Foundation
import Testing

@testable import Reports

/// What `lookup --json` writes conforms to docs/use/lookup.schema.json.
@Suite struct LookupSchemaTests {
    private let schema: [String: Any]

    init() throws {
        let path = Program.repository + "/docs/use/lookup.schema.json"
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        schema = try #require(object as? [String: Any])
    }

    @Test func oneAnswerAndManyHaveTheSameForm() throws {
        let shop = try TicketShop()
        for typed in [["510001000000006"], ["u20000017", "ML5R8Y7P3Q", "MKOH4T2Z9P", TicketShop.pasted, "CRREF26R"]] {
            let ended = try shop.desk.run(["lookup", "--json"] + typed)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [String: Any])
            #expect(schemaFaults(object, schema) == [])
            let answers = try #require(object["answers"] as? [[String: Any]])
            #expect(answers.map { $0["identifier"] as? String } == typed)
        }
        let search = try SearchShop()
        for command in [["lookup", "尾号4170", "昨天15:57我付了25元", "ends with 3950"], ["find", "--date", "2025-11-07"]] {
            let ended = try search.desk.run([command[0], "--json"] + command.dropFirst())
            let object = try JSONSerialization.jsonObject(with: Data(ended.output.utf8))
            #expect(schemaFaults(object, schema) == [])
        }
    }

    @Test func theSchemaNamesWhatTheProgramKnows() throws {
        let text = try String(contentsOfFile: Program.repository + "/docs/use/lookup.schema.json", encoding: .utf8)
        let page = try String(contentsOfFile: Program.repository + "/docs/use/support.md", encoding: .utf8)
        let advised = try Texts(language: .english).all.map(\.path).filter {
            // One code may have an advice for each of its reasons.
            $0.hasPrefix("lookup.advice.") && !$0.hasPrefix("lookup.advice.refund_reported_")
        }
        #expect(advised.count > 20)
        for code in advised.map({ $0.dropFirst("lookup.advice.".count) }) {
            #expect(text.contains("\"\(code)\""), "\(code)")
            #expect(page.contains("`\(code)`"), "\(code)")
        }
        for word in LookupKind.allCases.map(\.rawValue) { #expect(text.contains("\"\(word)\""), "\(word)") }
        for word in LookupRoute.allCases.map(\.rawValue) { #expect(text.contains(word), "\(word)") }
    }
}
