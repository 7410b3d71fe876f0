internal import Foundation

/// The entries `fetch_transaction` of the last retry manifest: Apple is asked for each, its record goes to the feed of
/// `apple.asked`, and the answer to that of `apple.acks`.
struct ManifestEntries {
    let run: FetchRun
    private var configuration: Configuration { run.configuration }

    struct Entry: Equatable {
        var key: String
        var transaction: String
        var bundle: String?
    }

    /// Answers are kept after so many, so that an interruption costs few requests.
    private static let batch = 100

    /// - Parameter date: the business date whose night reads the answers.
    /// - Returns: the number of answers by outcome.
    func answer(for date: BusinessDate) throws -> [AckOutcome: Int] {
        let entries = try entries()
        guard !entries.isEmpty else { return [:] }
        guard let records = run.apple.asked?.path(of: date), let acks = run.apple.acks?.path(of: date) else {
            run.context.log.warning(
                "\(counted(entries.count, "retry entry asks", "retry entries ask")) for a transaction, and no feed takes "
                    + "Apple's answers. Add the feeds apple-asked and apple-acks of reconcile.json")
            return [:]
        }
        let known = Set(try LineSetFile(acks).lines().compactMap(Self.key))
        let open = entries.filter { !known.contains($0.key) }
        var counts: [AckOutcome: Int] = [:]
        for start in stride(from: 0, to: open.count, by: Self.batch) {
            var (found, answered): ([String], [String]) = ([], [])
            for entry in open[start..<min(start + Self.batch, open.count)] {
                try Interruption.process.check()
                let answer = try ask(entry)
                if let record = answer.record { found.append(record) }
                answered.append(answer.ack)
                counts[answer.outcome, default: 0] += 1
            }
            // An answer without its record would let the entry wait for nothing.
            try LineSetFile(records).add(found)
            try LineSetFile(acks).add(answered)
        }
        if !open.isEmpty {
            let outcomes = counts.ordered { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
            run.context.log.notice(
                "asked Apple for \(counted(open.count, "transaction", "transactions")) of the retry manifest: "
                    + outcomes.joined(separator: ", "))
        }
        return counts
    }

    private func ask(_ entry: Entry) throws -> (record: String?, ack: String, outcome: AckOutcome) {
        let bundle = entry.bundle.flatMap { configuration.bundles.contains($0) ? $0 : nil } ?? configuration.bundles[0]
        let record: String?
        let outcome: AckOutcome
        let message: String
        switch try run.client.transaction(entry.transaction, of: bundle, on: configuration.server) {
        case .found(let signed, let server):
            record = JSON.object(["signedTransactionInfo": .text(signed)]).line
            (outcome, message) = (.applied, "fetched from \(server.name)")
        case .unknown(let code):
            record = nil
            // A person looks at what Apple does not know.
            (outcome, message) = (.preconditionFailed, "Apple knows no such transaction (\(code))")
        }
        let ack: JSON = .object([
            "key": .text(entry.key), "outcome": .text(outcome.rawValue), "at": .text(run.context.now.text),
            "message": .text(message),
        ])
        return (record, ack.line, outcome)
    }

    /// The entries of the last published night. Empty without a published night or without a manifest.
    func entries() throws -> [Entry] {
        // The link is followed once, so that both files come from the same night.
        let folder = URL(fileURLWithPath: configuration.output + "/latest").resolvingSymlinksInPath().path
        let name = "retry-manifest.jsonl"
        guard let manifest = FileManager.default.contents(atPath: folder + "/" + name),
            let sums = FileManager.default.contents(atPath: folder + "/SHA256SUMS")
        else { return [] }
        let digest = manifest.withUnsafeBytes { SHA256.digest(of: $0) }
        guard String(decoding: sums, as: UTF8.self).contains(digest.hex + "  " + name + "\n") else {
            throw Failure(
                .inputRefused, "\(quoted(folder + "/" + name)) is not the manifest that the night wrote",
                remedy: "Run 'reconcile check'; a later night writes a new one.")
        }
        return try manifest.split(separator: UInt8(ascii: "\n")).compactMap { try Self.entry(Array($0)) }
    }

    private static func entry(_ line: [UInt8]) throws -> Entry? {
        let members = try texts(of: line)
        guard members["schema"] == "reconcile.retry/1", members["action"] == "fetch_transaction",
            let key = members["key"], let transaction = members["transaction_id"]
        else { return nil }
        return Entry(key: key, transaction: transaction, bundle: members["bundle_id"])
    }

    private static func key(of ack: String) -> String? { (try? texts(of: Array(ack.utf8)))?["key"] }

    /// The members of an object that are texts.
    static func texts(of line: [UInt8]) throws -> [String: String] {
        var members: [String: String] = [:]
        try line.withUnsafeBytes { bytes in
            try JSONReader.forEachMember(of: bytes) { key, value in
                if case .string(let text) = value { members[key.string] = text.string }
            }
        }
        return members
    }
}
