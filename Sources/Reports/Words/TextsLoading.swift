internal import CResources
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
        case .english: english_texts()
        case .chinese: chinese_texts()
        }
    let name = language.rawValue + ".json"
    var builtIn: [String: String] = [:]
    do { try add(UnsafeRawBufferPointer(start: embedded, count: strlen(embedded)), at: "", to: &builtIn) } catch {
        preconditionFailure("\(name) is not JSON: \(error)")
    }
    guard let own = try ownFile(name, in: folder) else { return builtIn }
    let changes = try words(in: own.data, own.path)
    for path in changes.keys.ordered() where builtIn[path] == nil && !path.hasPrefix("cause.") {
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

/// Adds the texts of a built-in template, by path: `{"a": {"b": "c"}}` becomes `a.b: c`.
private func add(_ object: UnsafeRawBufferPointer, at path: String, to words: inout [String: String]) throws {
    try JSONReader.forEachMember(of: object) { key, value in
        switch value {
        case .string(let text): words[path + key.string] = text.string
        case .object(let inner): try add(inner, at: path + key.string + ".", to: &words)
        default: preconditionFailure("\(path + key.string) is not a text")
        }
    }
}

/// The texts of a user's template, by path.
private func words(in data: Data, _ file: String) throws(TextsError) -> [String: String] {
    var words: [String: String] = [:]
    func add(_ value: JSON5, at path: String) throws(TextsError) {
        switch value.content {
        case .text(let text): words[path] = text
        case .object(let members):
            for member in members { try add(member.value, at: path.isEmpty ? member.key : path + "." + member.key) }
        default: throw fault(value.position)
        }
    }
    func fault(_ position: JSON5.Position) -> TextsError {
        TextsError(
            file: "\(file):\(position.line)",
            problem: "contains something other than texts in quotes; check its quotes, brackets and commas")
    }
    let document: JSON5
    do throws(JSON5Error) { document = try JSON5Reader.read(String(decoding: data, as: UTF8.self)) } catch {
        throw fault(error.position)
    }
    try add(document, at: "")
    return words
}
