import Domain
import Foundation
import Intake
import Testing

@testable import Discovery

/// A folder of sample files, and what a configuration for them says.
final class Samples {
    let path = NSTemporaryDirectory() + "discovery-tests-" + UUID().uuidString

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func write(_ lines: [String], to name: String) throws {
        try write((lines.joined(separator: "\n") + "\n").utf8, to: name)
    }

    func proposal(machine: String? = nil) throws -> Proposal {
        let names = try #require(FileManager.default.subpaths(atPath: path)).sorted()
        var isFolder: ObjCBool = false
        let files = names.map { path + "/" + $0 }
            .filter { FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue }
        return try Proposal(files: files, folder: path, machineZone: machine.flatMap { Zone($0) })
    }

    /// What is wrong in the proposal: values that differ from the right answers and are not marked, and marks where an
    /// answer without `?` was to be found.
    func faults(_ answers: [Answers], machine: String? = nil) throws -> [String] {
        let proposal = try proposal(machine: machine)
        let root = try JSON5Reader.read(proposal.text)
        let feeds = root["feeds"]?.elements ?? []
        var faults = feeds.count == answers.count ? [] : ["\(feeds.count) feeds in place of \(answers.count)"]
        for answer in answers {
            guard
                let feed = feeds.first(where: {
                    $0["path"]?.plain == answer.path || $0["path"]?.plain == "DECIDE " + answer.path
                })
            else {
                faults.append("no feed of \(answer.path)")
                continue
            }
            faults += answer.faults(in: feed).map { answer.path + ": " + $0 }
        }
        if !faults.isEmpty { faults.append(proposal.text) }
        return faults
    }
}

/// The right answers for the files of one feed. An answer that ends in `?` may be marked instead.
struct Answers {
    var path: String
    var kind: String
    /// By standard name: the file's column, or `=` and the value of every row.
    var columns: [String: String] = [:]
    /// By standard name of the column and the shop's word.
    var words: [String: [String: String]] = [:]
    /// By key of the feed.
    var settings: [String: String] = [:]
    /// Columns of which the ids need a prefix.
    var prefixes: Set<String> = []

    init(
        _ path: String, _ kind: String, _ columns: [String: String] = [:], words: [String: [String: String]] = [:],
        settings: [String: String] = [:], prefixes: Set<String> = []
    ) {
        (self.path, self.kind, self.columns, self.words) = (path, kind, columns, words)
        (self.settings, self.prefixes) = (settings, prefixes)
    }

    /// Keys that a feed may have without being asked for.
    private static let free: Set<String> = ["kind", "path", "columns", "required", "header", "known"]

    func faults(in feed: JSON5) -> [String] {
        var faults = [Self.fault("kind", feed["kind"], kind)].compactMap { $0 }
        let found = feed["columns"]?.members ?? []
        for (name, right) in columns {
            faults += [Self.fault(name, found.first { $0.key == name }?.value, right)].compactMap { $0 }
        }
        for member in found {
            if columns[member.key] == nil, !member.value.isOpen, member.value.content != .null {
                faults.append("\(member.key) is \(member.value.plain ?? "")")
            }
            if (member.value["prefix"] != nil) != prefixes.contains(member.key) {
                faults.append("prefix of \(member.key)")
            }
            for word in member.value["words"]?.members ?? [] {
                let right = words[member.key]?[word.key] ?? "unknown"
                if let fault = Self.fault("\(member.key) \(word.key)", word.value, right) { faults.append(fault) }
            }
        }
        for (column, words) in words {
            let known = found.first { $0.key == column }?.value
            for word in words where known?["words"]?[word.key] == nil && known?.isOpen != true {
                faults.append("\(column) lacks the word \(word.key)")
            }
        }
        for (key, right) in settings { faults += [Self.fault(key, feed[key], right)].compactMap { $0 } }
        for member in feed.members
        where !Self.free.contains(member.key) && settings[member.key] == nil && !member.value.isOpen {
            faults.append("\(member.key) is \(member.value.plain ?? "")")
        }
        return faults
    }

    private static func fault(_ name: String, _ value: JSON5?, _ right: String) -> String? {
        let mayBeOpen = right.hasSuffix("?")
        let plain = mayBeOpen ? String(right.dropLast()) : right
        guard let value else { return mayBeOpen && plain.isEmpty ? nil : "\(name) is missing" }
        if value.isOpen { return mayBeOpen ? nil : "\(name) is marked: \(value.plain ?? "")" }
        return value.plain == plain ? nil : "\(name) is \(value.plain ?? "") in place of \(plain)"
    }
}

extension JSON5 {
    var members: [Member] { if case .object(let members) = content { members } else { [] } }
    var elements: [JSON5] { if case .list(let elements) = content { elements } else { [] } }
    subscript(_ key: String) -> JSON5? { members.first { $0.key == key }?.value }

    /// The column's name, `=` and a constant, or the members of an object as text.
    var plain: String? {
        switch content {
        case .object(let members):
            self["from"]?.spelling ?? self["value"]?.spelling.map { "=" + $0 }
                ?? members.map { $0.key + ":" + ($0.value.plain ?? "") }.joined(separator: ",")
        case .list(let elements): elements.map { $0.plain ?? "" }.joined(separator: "|")
        case .flag(let flag): String(flag)
        default: spelling
        }
    }

    /// Whether it is left to a person, or a part of it is, words apart.
    var isOpen: Bool {
        switch content {
        case .object(let members): members.contains { $0.key != "words" && $0.key != "prefix" && $0.value.isOpen }
        case .list(let elements): elements.contains(where: \.isOpen)
        default: spelling?.hasPrefix(Feed.undecided) == true
        }
    }
}
