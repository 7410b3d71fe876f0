internal import Domain
internal import Foundation
internal import Testing

/// The files conform to docs/use/retry-manifest.schema.json. Only the parts of JSON Schema that it uses are
/// implemented.
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
            for line in lines { #expect(faults(line, schema) == [], "\(name)") }
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
            #expect(!faults(changed, schema).isEmpty, "without \(name)")
            changed[name] = ["x": 1]
            #expect(!faults(changed, schema).isEmpty, "another \(name)")
        }
        #expect(!faults(line.merging(["more": 1]) { $1 }, schema).isEmpty)
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

    /// The places where the value does not conform to the schema.
    private func faults(_ value: Any, _ schema: [String: Any], at place: String = "") -> [String] {
        var faults: [String] = []
        if let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map({ [$0] }) {
            if !types.contains(where: { isOf($0, value) }) { faults.append("\(place) is no \(types)") }
        }
        if let constant = schema["const"] as? String, value as? String != constant {
            faults.append("\(place) is another")
        }
        if let words = schema["enum"] as? [String], !words.contains(value as? String ?? "") {
            faults.append("\(place) is no word")
        }
        if let pattern = schema["pattern"] as? String, let text = value as? String,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            faults.append("\(place) is no \(pattern)")
        }
        if let least = schema["minimum"] as? Int, let number = value as? Int, number < least {
            faults.append("\(place) is too small")
        }
        if let items = schema["items"] as? [String: Any], let values = value as? [Any] {
            faults += values.flatMap { self.faults($0, items, at: place + "[]") }
        }
        if let object = value as? [String: Any], let properties = schema["properties"] as? [String: [String: Any]] {
            for name in schema["required"] as? [String] ?? [] where object[name] == nil {
                faults.append("\(place).\(name) is missing")
            }
            for (name, member) in object {
                guard let property = properties[name] else {
                    faults.append("\(place).\(name) is unknown")
                    continue
                }
                faults += self.faults(member, property, at: place + "." + name)
            }
        }
        return faults
    }

    private func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "null": value is NSNull
        case "integer": value is Int
        default: false
        }
    }
}
