internal import Foundation
internal import Glibc

/// `scripts/apple-stand-in`, serving a folder of its own. It ends with this value.
public final class StandInServer {
    /// Certificates, keys, `world.json` and `requests.jsonl`.
    public let folder: String
    /// `https://127.0.0.1:PORT`
    public let address: String
    /// The file of the authority that issued its certificate.
    public let authority: String
    private let process = Process()
    /// The server ends when this is closed.
    private let input = Pipe()

    private static let script =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/scripts/apple-stand-in"

    /// Certificates and keys, made once, and deleted at the end of the process.
    private static let chain = Result {
        let folder = chainFolder
        atexit { try? FileManager.default.removeItem(atPath: StandInServer.chainFolder) }
        try Process.run(URL(fileURLWithPath: script), arguments: ["make", folder]).waitUntilExit()
        return folder
    }

    private static var chainFolder: String { NSTemporaryDirectory() + "reconcile-stand-in-\(getpid())" }

    /// - Parameter world: the text of its world.json.
    public init(_ world: String) throws {
        folder = NSTemporaryDirectory() + "reconcile-stand-in-" + UUID().uuidString
        try FileManager.default.copyItem(atPath: Self.chain.get(), toPath: folder)
        try Data(world.utf8).write(to: URL(fileURLWithPath: folder + "/world.json"))
        process.executableURL = URL(fileURLWithPath: Self.script)
        process.arguments = ["serve", folder]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            line += more
        }
        let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        precondition(words.count == 2, "the stand-in did not start")
        (address, authority) = (words[0], words[1])
    }

    /// The variable by which `reconcile-fetch` reaches it.
    public var variables: [String: String] { ["RECONCILE_APPLE_STANDIN": address + " " + authority] }

    /// Replaces the world; the next request sees the new one.
    public func change(_ world: String) throws {
        try Data(world.utf8).write(to: URL(fileURLWithPath: folder + "/world.json"), options: .atomic)
    }

    /// The requests so far, a JSON object each.
    public var requests: [String] {
        let text = try? String(contentsOfFile: folder + "/requests.jsonl", encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    deinit {
        // A process that a test starts may have inherited a mask that blocks SIGTERM.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }
}
