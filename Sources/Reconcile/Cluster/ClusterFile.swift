internal import Foundation

/// The files that stages of a night on a cluster share: the plan and the basis, each one JSON object. The digest of a
/// file's bytes is in the header of every stream that belongs to it.
enum ClusterFile {
    static func text(_ content: some Encodable) throws -> String { try JSONEncoder.exact.text(of: content) + "\n" }

    static func bytes(of path: String) throws(Failure) -> Data {
        if let bytes = FileManager.default.contents(atPath: path) { return bytes }
        throw Failure(.noInput, "cannot read \(quoted(path))", remedy: "Check path and permissions.")
    }

    /// Reads the file that an option names.
    /// - Throws: `Failure` with `configuration` if another program wrote it.
    static func read<Content: Decodable>(
        _ option: Option, of invocation: Invocation, _ context: CommandContext, plan: KeyPath<Content, ClusterPlan>
    ) throws -> (content: Content, digest: String) {
        let path = absolute(try invocation.required(option), in: context.folder)
        let bytes = try bytes(of: path)
        guard let content = try? JSONDecoder().decode(Content.self, from: bytes),
            content[keyPath: plan].wire == wireVersion, content[keyPath: plan].program == ClusterPlan.runningProgram
        else {
            throw Failure(
                .configuration, "\(quoted(path)) was written by another program or version",
                remedy: "Run all stages of a night with the same program.")
        }
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
