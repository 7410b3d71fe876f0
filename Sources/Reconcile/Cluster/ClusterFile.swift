internal import Console
internal import Digest
internal import Foundation
internal import Settings
internal import Text
internal import Wire

/// The files that stages of a night on a cluster share: the plan and the basis, each one JSON object. The digest of a
/// file's bytes is in the header of every stream that belongs to it.
enum ClusterFile {
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// The text of such a file.
    static func text(_ content: some Encodable) throws -> String {
        String(decoding: try encoder.encode(content), as: UTF8.self) + "\n"
    }

    /// Reads such a file.
    /// - Throws: `Failure` with `configuration` if another program wrote it.
    static func read<Content: Decodable>(
        _ type: Content.Type, _ path: String, program: (Content) -> (wire: Int, program: String)
    ) throws -> (content: Content, digest: String) {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure(.noInput, "cannot read \(quoted(path))", remedy: "Check the path.")
        }
        let another = Failure(
            .configuration, "\(quoted(path)) was written by another program or version",
            remedy: "Run all stages of a night with the same program.")
        guard let content = try? JSONDecoder().decode(type, from: bytes) else { throw another }
        let (wire, digest) = program(content)
        guard wire == wireVersion, digest == ClusterPlan.runningProgram else { throw another }
        return (content, bytes.withUnsafeBytes { SHA256.digest(of: $0) }.hex)
    }
}

extension Failure {
    init(_ error: WireError) {
        switch error {
        case .cut(let what):
            self.init(.inputRefused, "the stream is cut: \(what)", remedy: "Run the stage before again.")
        case .foreign(let what):
            self.init(.configuration, what, remedy: "Run all stages of a night with the same program and plan.")
        case .altered, .misspelled:
            self.init(.internalError, error.description, remedy: "Nothing was published. Run the night again.")
        }
    }
}
