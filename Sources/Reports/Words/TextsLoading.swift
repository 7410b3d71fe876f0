internal import Base
internal import Foundation

/// The user's own texts or layout cannot be used: an error in the configuration.
public struct TextsError: Error, Equatable, CustomStringConvertible {
    public var file: String
    /// What is wrong and what to do.
    public var problem: String

    public var description: String { "\(display(file)): \(display(problem))" }
}

/// The built-in texts of a language by path, replaced by those in `folder`.
func loadWords(_ language: Language, folder: String?) throws(TextsError) -> [String: String] {
    let embedded =
        switch language {
        case .english: PackageResources.en_json
        case .chinese: PackageResources.zh_Hans_json
        }
    let name = language.rawValue + ".json"
    let builtIn = try words(in: Data(embedded), name)
    guard let own = try ownFile(name, in: folder) else { return builtIn }
    let changes = try words(in: own.data, own.path)
    for path in changes.keys.sorted() where builtIn[path] == nil && !path.hasPrefix("cause.") {
        throw TextsError(file: own.path, problem: "the text \(path) is missing; templates/\(name) contains all texts")
    }
    return builtIn.merging(changes) { _, own in own }
}

/// A folder that is not there would silently be no folder.
func requireFolder(_ path: String) throws(TextsError) {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { return }
    throw TextsError(file: path, problem: "the folder does not exist; correct templates in the configuration")
}

/// A file in the user's folder; nil if the folder or the file does not exist.
func ownFile(_ name: String, in folder: String?) throws(TextsError) -> (path: String, data: Data)? {
    guard let folder else { return nil }
    let path = folder + "/" + name
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
        return (path, try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
        throw TextsError(file: path, problem: "cannot be read; check its permissions")
    }
}

private enum TextTree: Decodable {
    case text(String)
    case branch([String: TextTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .branch(try container.decode([String: TextTree].self))
        }
    }

    /// `{"a": {"b": "c"}}` becomes `a.b: c`.
    func flatten(path: String, into words: inout [String: String]) {
        switch self {
        case .text(let text): words[path] = text
        case .branch(let members):
            for (key, member) in members {
                member.flatten(path: path.isEmpty ? key : path + "." + key, into: &words)
            }
        }
    }
}

/// The texts of a template, by path.
private func words(in data: Data, _ file: String) throws(TextsError) -> [String: String] {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    var words: [String: String] = [:]
    do {
        try decoder.decode(TextTree.self, from: data).flatten(path: "", into: &words)
    } catch {
        throw TextsError(
            file: file, problem: "contains something other than texts in quotes; check its quotes, brackets and commas")
    }
    return words
}
