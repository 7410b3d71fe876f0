import Base
import Foundation
import Reference
import Testing

@testable import Console
@testable import Domain
@testable import Engine
@testable import Ledger
@testable internal import Reconcile
@testable import Reports

/// What each release has promised (docs/spec/compatibility.md) holds in this version. Tests/Recorded has what a release
/// wrote; the same shop and words are looked at again. `scripts/record-release` records the newest release.
@Suite struct PromiseTests {
    @Test(arguments: Release.all) func whatAReleaseWroteIsStillWritten(_ release: Release) throws {
        let shop = try RecordedShop(release)
        let columns = try shop.columns()
        let members = try shop.members()
        let keys = try shop.retryKeys()
        try release.recordIfAsked(columns, "columns.txt")
        // A path follows from what is below it.
        let shorter = members.filter { line in
            !members.contains { longer in [".", "[", ":"].contains { longer.hasPrefix(line + $0) } }
        }
        try release.recordIfAsked(shorter, "members.txt")
        try release.recordIfAsked(keys, "retry-keys.txt")
        for old in try release.lines("columns.txt") {
            #expect(
                columns.contains { ($0 + ",").hasPrefix(old + ",") }, "columns may only be added at the end: \(old)")
        }
        expectKept(try release.lines("members.txt"), in: members)
        // Rules may change which work is left to do. Work that is left has its old key.
        let work = { (line: String) in line.split(separator: " ").dropFirst().joined(separator: " ") }
        let recorded = Dictionary(uniqueKeysWithValues: try release.lines("retry-keys.txt").map { (work($0), $0) })
        let left = keys.filter { recorded[work($0)] != nil }
        #expect(left.count * 2 > recorded.count && left.allSatisfy { recorded[work($0)] == $0 })
    }

    @Test(arguments: Release.all) func wordsKeepTheirPlaces(_ release: Release) throws {
        let words = try Self.words() + Self.schemas()
        try release.recordIfAsked(words, "words.txt")
        expectKept(try release.lines("words.txt"), in: words)
    }

    private func expectKept(_ old: [String], in new: [String]) {
        #expect(old.count > 100)
        let gone = Set(old).subtracting(new).sorted()
        #expect(gone == [], "a release has promised these")
    }

    /// The words that files and answers may have, and the exit codes.
    private static func words() -> [String] {
        let words: [(String, [String])] = [
            ("exit", ExitCode.allCases.map { "\($0.rawValue) \($0)" }),
            ("verdict", Verdict.allRulings), ("severity", Severity.allCases.map(\.rawValue)),
            ("action", Action.allCases.map(\.rawValue)), ("flag", Flags.names.map(\.name)),
            ("state", ExceptionState.allCases.map(\.rawValue)), ("retry", RetryEntry.State.allCases.map(\.rawValue)),
            ("precondition", RetryPrecondition.allCases.map(\.rawValue)), ("dead", RetryEnd.allCases.map(\.rawValue)),
            ("answer", AckOutcome.allCases.map(\.rawValue)), ("feed", FeedKind.allCases.map(\.rawValue)),
            ("guard", GuardFinding.Kind.allCases.map(\.rawValue)),
            ("completeness", CompletenessStep.allCases.map(\.rawValue)),
            ("register", RegisterReason.allCases.map(\.rawValue)), ("bridge", BridgeStep.allCases.map(\.rawValue)),
            ("priced_by", PriceSource.allCases.map(\.rawValue)), ("account", AccountRole.allCases.map(\.rawValue)),
            (
                "command",
                Main.offered.map(\.command).flatMap { command in
                    [command.name] + command.options.map { "\(command.name) --\($0.name)" }
                }
            ),
        ]
        return words.flatMap { name, words in words.map { "\(name) \($0)" } }
    }

    /// The members and words of the schemas that readers may check files with.
    private static func schemas() throws -> [String] {
        try ["lookup", "why", "retry-manifest"].flatMap { name in
            let path = Program.repository + "/docs/use/\(name).schema.json"
            return try JSON5Reader.read(String(contentsOfFile: path, encoding: .utf8)).schemaLines("schema \(name)")
        }
    }

    /// A configuration with every key is accepted, and each key means something.
    @Test(arguments: Release.all) func configurationsAreStillAccepted(_ release: Release) throws {
        let document = try JSON5Reader.read(release.text("configuration.json"))
        func meaning(_ text: String) throws -> [String] {
            // Sets have no order.
            leaves("", try ConfigurationReader(file: "/srv/shop/reconcile.json").read(text)).sorted()
        }
        let whole = try meaning(document.json)
        #expect(try meaning(document.json) == whole)
        for key in document.keys {
            // What is required is missed.
            let without = try? meaning(document.without(key).json)
            let isIdle = without == whole
            #expect(!isIdle, "\(key.joined(separator: ".")) means nothing")
        }
        let configuration = try ConfigurationReader(file: "/srv/shop/reconcile.json").read(document.json)
        let policy = configuration.policyText.split(separator: "\n").map(String.init)
        try release.recordIfAsked(policy, "policy.txt")
        #expect(Set(try release.lines("policy.txt")).subtracting(policy) == [])
    }

    /// The values within a value, with their names.
    private func leaves(_ name: String, _ value: Any) -> [String] {
        let children = Mirror(reflecting: value).children
        if children.isEmpty { return ["\(name)=\(value)"] }
        return children.flatMap { leaves($0.label ?? name, $0.value) }
    }

    /// The newest release's configuration has all keys of the specification.
    @Test func everyKeyIsInTheRecordedConfiguration() throws {
        let page = try String(contentsOfFile: Program.repository + "/docs/spec/interfaces.md", encoding: .utf8)
        let part = page.components(separatedBy: "<a id=\"configuration-keys\">")[1]
            .components(separatedBy: "<a id=\"column-sources\">")[0]
        let feeds = part.range(of: "<a id=\"configuration-feeds\">")!.lowerBound
        var keys: [String] = []
        for row in part.matches(of: /\n\| (`[^|]*) \|/) {
            let names = row.output.1.matches(of: /`([^`]+)`/).map { String($0.output.1) }
            // `apple.finance.issuerID`, `….keyID`
            let section = names[0].prefix(upTo: names[0].lastIndex(of: ".") ?? names[0].startIndex)
            keys += names.map { (row.range.lowerBound > feeds ? "feeds." : "") + $0.replacing("…", with: section) }
        }
        let known = Set(
            try JSON5Reader.read(Release.this.text("configuration.json")).keys.map { key in
                key.filter { Int($0) == nil }.joined(separator: ".")
            })
        #expect(keys.count > 80)
        #expect(keys.filter { !known.contains($0) } == [])
    }
}

extension Release {
    func lines(_ file: String) throws -> [String] { try text(file).split(separator: "\n").map(String.init) }

    fileprivate func recordIfAsked(_ lines: [String], _ file: String) throws {
        guard isRecording, self == .this else { return }
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path + "/" + file))
    }
}

extension JSON5 {
    /// The paths of all members of objects.
    fileprivate var keys: [[String]] {
        switch content {
        case .object(let members):
            members.flatMap { member in [[member.key]] + member.value.keys.map { [member.key] + $0 } }
        case .list(let elements):
            elements.enumerated().flatMap { index, element in element.keys.map { [String(index)] + $0 } }
        default: []
        }
    }

    fileprivate func without(_ key: [String]) -> JSON5 {
        var copy = self
        switch content {
        case .object(let members):
            copy.content = .object(
                members.compactMap { member in
                    guard member.key == key[0] else { return member }
                    if key.count == 1 { return nil }
                    var changed = member
                    changed.value = member.value.without(Array(key.dropFirst()))
                    return changed
                })
        case .list(var elements):
            elements[Int(key[0])!] = elements[Int(key[0])!].without(Array(key.dropFirst()))
            copy.content = .list(elements)
        default: break
        }
        return copy
    }

    fileprivate var json: String {
        switch content {
        case .object(let members): "{" + members.map { "\"\($0.key)\":" + $0.value.json }.joined(separator: ",") + "}"
        case .list(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .text(let text): "\"\(text)\""
        case .number(let number): number
        case .flag(let flag): "\(flag)"
        case .null: "null"
        }
    }

    /// The value's members, with the types of values: one line each.
    func memberLines(_ path: String) -> Set<String> {
        switch content {
        case .object(let members):
            members.reduce(into: [path]) { lines, member in
                // Currencies, flags and what values have in common are data.
                let isData =
                    member.key.allSatisfy(\.isUppercase) || path.hasSuffix(".flags") || path.hasSuffix("[].values")
                lines.formUnion(member.value.memberLines("\(path).\(isData ? "*" : member.key)"))
            }
        case .list(let elements): elements.reduce(into: [path]) { $0.formUnion($1.memberLines(path + "[]")) }
        case .text: [path, path + ": text"]
        case .number: [path, path + ": number"]
        case .flag: [path, path + ": flag"]
        case .null: [path]
        }
    }

    /// The same of a JSON Schema: members, types, words, and what is required.
    func schemaLines(_ path: String) -> [String] {
        guard case .object(let members) = content else { return [] }
        var lines = [path]
        for member in members {
            switch (member.key, member.value.content) {
            case ("properties", .object(let properties)):
                for property in properties { lines += property.value.schemaLines("\(path).\(property.key)") }
            case ("items", _): lines += member.value.schemaLines(path + "[]")
            case ("additionalProperties", _): lines += member.value.schemaLines(path + ".*")
            case ("enum", .list(let words)), ("type", .list(let words)), ("required", .list(let words)):
                for word in words { lines.append("\(path) \(member.key) \(word.json)") }
            case ("type", _), ("const", _): lines.append("\(path) \(member.key) \(member.value.json)")
            default: break
            }
        }
        return lines
    }
}
