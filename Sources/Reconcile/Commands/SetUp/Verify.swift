internal import AppStore
internal import Foundation
internal import Glibc

/// `reconcile verify FILE…`: what Apple's signature proves about each file. See docs/spec/interfaces.md#verify.
enum Verify {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let roots = try invocation.values(.root).flatMap { try certificates(of: $0, in: context) }
        let verifier = FileVerifier(roots: roots, now: context.clock())
        let isJSON = invocation.isSet(.json)
        var areAllVerified = true
        for name in invocation.operands {
            let bytes = try contents(of: name, in: context)
            let results = bytes.withUnsafeBytes { verifier.verify($0, name: name) }
            for result in results {
                areAllVerified = areAllVerified && result.outcome == .verified
                try context.output.write(isJSON ? result.json(file: name).line + "\n" : result.text(file: name))
            }
        }
        return areAllVerified ? .done : .no
    }

    private static func certificates(of name: String, in context: CommandContext) throws -> [[UInt8]] {
        guard let found = TrustedRoot.certificates(try contents(of: name, in: context)) else {
            throw Failure(
                .inputRefused, "\(quoted(name)) contains no certificate", remedy: "Name a file in DER or PEM format.")
        }
        return found
    }

    /// Files are read as a whole. A larger file with several records must be split first.
    private static let bytesMax = 256 << 20

    private static func tooLarge(_ name: String) -> Failure {
        Failure(
            .inputRefused, "\(quoted(name)) is larger than \(bytesMax >> 20) MiB",
            remedy: "Split it between lines: split -C 200M.")
    }

    /// The contents of a file, or of standard input for `-`.
    private static func contents(of name: String, in context: CommandContext) throws -> [UInt8] {
        if name == "-" {
            let data = try FileHandle.standardInput.read(upToCount: bytesMax + 1) ?? Data()
            guard data.count <= bytesMax else { throw tooLarge("standard input") }
            return Array(data)
        }
        let path = absolute(name, in: context.folder)
        var status = stat()
        guard stat(path, &status) == 0 else { throw Failure.system(errno, cannot: "read", name, otherwise: .noInput) }
        guard status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFIFO else {
            throw Failure(.noInput, "\(quoted(name)) is not a file", remedy: "Name files, or - for standard input.")
        }
        guard status.st_size <= bytesMax else { throw tooLarge(name) }
        do { return try Array(Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw Failure.system(errno == 0 ? EIO : errno, cannot: "read", name, otherwise: .inputOutput)
        }
    }
}

extension VerifyResult {
    /// See docs/spec/interfaces.md#verify-json. `details` is left out if there are none.
    func json(file: String) -> JSON {
        var members: [String: JSON] = [
            "file": .text(file), "line": line.map { JSON($0) } ?? .null, "kind": .text(kind.rawValue),
            "outcome": .text(outcome.rawValue), "reason": .text(reason), "root": JSON(root),
            "bundle_id": JSON(bundleID),
            "environment": JSON(environment), "signed_at": JSON(signedAt?.text),
            "transactions": .list(transactions.map(\.json)),
        ]
        if !details.isEmpty { members["details"] = details.json }
        return .object(members)
    }

    /// For people: what the record is, whether it holds, and what it contains.
    func text(file: String) -> String {
        let place = line.map { "\(file):\($0)" } ?? file
        var lines = ["\(display(place)): \(outcome.rawValue), \(kind.words): \(display(reason))"]
        var about: [String] = []
        if let root { about.append("root \(root)") }
        if let bundleID { about.append("bundle \(bundleID)") }
        if let environment { about.append(environment) }
        if let signedAt { about.append("signed \(signedAt.text)") }
        if !about.isEmpty { lines.append("  " + display(about.joined(separator: ", "))) }
        if !details.isEmpty { lines.append("  " + display(details.words)) }
        lines += transactions.map { "  " + display($0.words) }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension VerifyResult.Kind {
    fileprivate var words: String { rawValue.replacing("_", with: " ") }
}

extension [VerifyResult.Fact] {
    fileprivate var json: JSON {
        .object(Dictionary(map { ($0.name, $0.value) }) { first, _ in first })
    }

    fileprivate var words: String {
        compactMap { fact in
            switch fact.value {
            case .text(let text): "\(fact.name) \(text)"
            case .number(let number): "\(fact.name) \(number)"
            case .bool(true): fact.name
            case .bool(false), .null, .decimal, .list, .object: nil
            }
        }.joined(separator: ", ")
    }
}
