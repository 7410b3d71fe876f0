import Domain
import Foundation
import Glibc

@testable import Console
@testable import Fetch

/// Apple's servers as far as the tests need them.
final class WorldTransport: Transport {
    /// Time and payload, or an item as Apple writes it.
    var notifications: [(at: Int64, payload: String)] = []
    /// Transactions of production and of the sandbox: id to signed record.
    var transactions: [String: String] = [:]
    var sandbox: [String: String] = [:]
    var report: [UInt8]?
    var pageSize = 2
    var isReversed = false
    /// Answers instead of the world, by the request's number from 1.
    var troubles: [Int: Response] = [:]
    private(set) var requests: [Request] = []

    func send(_ request: Request, to server: Server) throws(TransportError) -> Response {
        requests.append(request)
        if let trouble = troubles[requests.count] { return trouble }
        let path = request.path.split(separator: "?")[0]
        if path == "/inApps/v1/notifications/history" { return history(request) }
        if path.hasPrefix("/inApps/v1/transactions/") {
            let id = String(path.split(separator: "/").last ?? "")
            guard let signed = (server == .sandbox ? sandbox : transactions)[id] else {
                return .error(404, 4_040_010)
            }
            return .text("{\"signedTransactionInfo\":\"\(signed)\"}")
        }
        return report.map { Response(status: 200, body: $0) } ?? .error(404, 0)
    }

    private func history(_ request: Request) -> Response {
        struct Range: Decodable {
            var startDate: Int64
            var endDate: Int64
        }
        guard let range = try? JSONDecoder().decode(Range.self, from: Data(request.body)) else { return .error(400, 1) }
        var found = notifications.filter { $0.at >= range.startDate && $0.at <= range.endDate }.map(\.payload)
        if isReversed { found.reverse() }
        let start = request.path.split(separator: "=").last.flatMap { Int($0) } ?? 0
        let page = found.dropFirst(start).prefix(pageSize)
            .map {
                let item = "{\"signedPayload\":\"\($0)\",\"sendAttempts\":[{\"sendAttemptResult\":\"NO_RESPONSE\"}]}"
                return $0.hasPrefix("{") ? $0 : item
            }
        let next = start + pageSize
        let rest = next < found.count ? "true,\"paginationToken\":\"\(next)\"" : "false"
        return .text("{\"notificationHistory\":[\(page.joined(separator: ","))],\"hasMore\":\(rest)}")
    }
}

extension Response {
    static func text(_ text: String) -> Response { Response(status: 200, body: Array(text.utf8)) }

    static func error(_ status: Int, _ code: Int) -> Response {
        Response(status: status, body: Array("{\"errorCode\":\(code),\"errorMessage\":\"Something.\"}".utf8))
    }
}

/// A folder with a configuration, in which `reconcile-fetch` runs without a process.
final class FetchSetUp {
    let folder: String
    let world = WorldTransport()
    /// 2026-11-23 03:00 in Shanghai.
    var now = Instant(milliseconds: 1_795_374_000_000)
    var variables: [String: String] = [:]
    private(set) var messages = ""

    init(settings: String = "", feeds: String = "") throws {
        folder = NSTemporaryDirectory() + "reconcile-fetch-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder + "/inbox", withIntermediateDirectories: true)
        let process = try Process.run(
            URL(fileURLWithPath: "/usr/bin/openssl"),
            arguments: [
                "genpkey", "-quiet", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
                folder + "/key.p8",
            ])
        process.waitUntilExit()
        chmod(folder + "/key.p8", 0o600)
        try write(
            """
            { app: { bundleIDs: ["com.example.game"] }, timeZone: "Asia/Shanghai", \(settings)
              apple: { issuerID: "issuer-1", keyID: "KEY1", key: "key.p8",
                finance: { issuerID: "issuer-1", keyID: "KEY2", key: "key.p8", vendor: "80012345" } },
              feeds: [ { kind: "transactions", path: "inbox/apple-{date}.jsonl", required: true, \(feeds) },
                { kind: "transactions", path: "inbox/apple-asked-{date}.jsonl" },
                { kind: "acks", path: "inbox/apple-acks-{date}.jsonl" },
                { kind: "apple-finance", path: "inbox/apple-finance-{date}.txt.gz" } ] }
            """, to: "reconcile.json")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    func read(_ name: String) throws -> String { try String(contentsOfFile: folder + "/" + name, encoding: .utf8) }

    /// What a feed could match, by name.
    var visible: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/inbox")) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Runs a command line; its messages are in `messages`.
    func run(_ words: String...) throws -> (code: Int32, output: String) {
        let (said, output) = (folder + "/said", folder + "/output")
        let descriptors = [said, output].map { (path: String) in open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600) }
        defer { descriptors.forEach { close($0) } }
        let surroundings = Surroundings(
            now: { self.now }, sleep: { self.now = self.now + $0 }, chance: { 0.5 })
        var context = FetchContext(
            variables: variables, folder: folder, transport: world, surroundings: surroundings,
            output: Output(descriptor: descriptors[1]), log: Log(descriptor: descriptors[0], clock: { [now] in now }))
        let code = FetchProgram.run(words + ["--config", "reconcile.json"], in: &context)
        messages = try read("said")
        return (code.rawValue, try read("output"))
    }

    /// A notification of a moment in Shanghai, such as `2026-11-22T10:00:00`.
    func add(_ local: String, _ payload: String) {
        let formatter = ISO8601DateFormatter()
        guard let date = formatter.date(from: local + "+08:00") else { preconditionFailure("no date: \(local)") }
        world.notifications.append((Int64(date.timeIntervalSince1970 * 1000), payload))
    }
}
