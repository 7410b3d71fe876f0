internal import Domain
internal import Foundation
internal import Testing

/// The files conform to docs/use/retry-manifest.schema.json.
@Suite struct RetrySchemaTests {
    private let schema: [String: Any]

    init() throws {
        let path = Program.repository + "/docs/use/retry-manifest.schema.json"
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        schema = try #require(object as? [String: Any])
    }

    @Test func everyLineOfTheThreeFilesIsAsTheSchemaSays() throws {
        let shop = try ShopFolder(retry: "{ maxEntries: 2, maxAttempts: 1 }")
        try shop.sell(1..<2, night: 0)
        try shop.night(0)
        try shop.sell(2..<5, night: 1)
        try shop.night(1)
        let files = [("retry-manifest.jsonl", 0, 1), ("held.jsonl", 1, 3), ("dead-letter.jsonl", 1, 1)]
        for (name, night, count) in files {
            let lines = try shop.lines(name, night)
            #expect(lines.count == count, "\(name)")
            for line in lines { #expect(schemaFaults(line, schema) == [], "\(name)") }
            for raw in shop.report(name, night)!.split(separator: "\n") {
                let keys = raw.matches(of: /[{,]"([a-z_]+)":/).map { String($0.1) }
                let top = keys.filter { !["source", "line", "digest"].contains($0) }
                #expect(top == top.sorted(), "\(name)")
            }
        }
        try rejectsWhatIsOtherwise(try #require(try shop.lines("retry-manifest.jsonl", 0).first))
    }

    private func rejectsWhatIsOtherwise(_ line: [String: Any]) throws {
        for name in line.keys {
            var changed = line
            changed[name] = nil
            #expect(!schemaFaults(changed, schema).isEmpty, "without \(name)")
            changed[name] = ["x": 1]
            #expect(!schemaFaults(changed, schema).isEmpty, "another \(name)")
        }
        #expect(!schemaFaults(line.merging(["more": 1]) { $1 }, schema).isEmpty)
    }

    @Test func theSchemaAndThePageNameWhatTheProgramKnows() throws {
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        func words(_ schema: [String: Any]?) -> [String] { schema?["enum"] as? [String] ?? [] }
        let names = RetryPrecondition.allCases.map(\.rawValue)
        #expect(words(properties["action"]) == Action.allCases.prefix(4).map(\.rawValue))
        #expect(words(properties["reason"]) == RetryEnd.allCases.map(\.rawValue))
        #expect(words(properties["precondition"]?["items"] as? [String: Any]) == names)
        #expect(words(properties["environment"]) == AppEnvironment.allCases.map(\.name))
        let page = try String(contentsOfFile: Program.repository + "/docs/use/retry-manifest.md", encoding: .utf8)
        let told = names + AckOutcome.allCases.map(\.rawValue) + RetryEnd.allCases.map(\.rawValue) + properties.keys
        for name in told { #expect(page.contains("`\(name)`"), "\(name)") }
    }
}
