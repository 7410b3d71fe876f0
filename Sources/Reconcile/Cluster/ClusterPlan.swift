internal import Console
internal import Digest
internal import Domain
internal import Engine
internal import Foundation
internal import Intake
internal import Ledger
internal import Settings
internal import Text
internal import Wire

/// What every stage of a night on a cluster starts from: `plan` writes it, the other stages read it. It holds all that
/// they need, so they may run where neither the configuration nor the ledger is. See docs/spec/cluster.md#stages.
struct ClusterPlan: Codable {
    /// A file to be read.
    struct File: Codable {
        var number: Int32
        /// The index of its feed in the configuration.
        var feed: Int
        var path: String
        var name: String
        var date: BusinessDate
        var isDated: Bool
    }

    /// The version of the wire.
    var wire: Int
    /// The SHA-256 of the program. Another program must not read or write the streams of this plan.
    var program: String
    /// The configuration's file and its text.
    var file: String
    var configuration: String
    var ledger: String
    var output: String
    /// The certificates that `trustedRoots` names, as DER.
    var roots: [Data]
    var date: BusinessDate
    var asOf: Instant
    var isImplicit: Bool
    /// The night is in the ledger already: only its reports are set in place or rendered again.
    var isDone: Bool
    /// The chain's last link; empty before the first night.
    var link: String
    var firstDelivery: Int32
    /// The files to read.
    var files: [File]
    /// Files that cannot be opened because of their names.
    var foreign: [File]
    /// Lists that arrived unchanged.
    var arrivals: [Arrival]
    var filesSkipped: Int
    /// Tokens are per account, so that the stage `owners` is needed.
    var needsOwners: Bool
    /// Tokens are per order: evidence with the same token may belong together.
    var tiesTokens: Bool
    /// The keys of tokens that tie nothing any more, because too many orders carry them.
    var crowdedKeys: [Int64]
    /// The evidence of all nights before, oldest first. Whatever else lies in these folders does not count.
    var folders: [ClusterEvidence]
}

/// The lines of a delivery's evidence, and the sum of their sums.
struct ClusterSum: Codable, Equatable {
    var delivery: Int32
    var lines: Int
    var sum: Int64

    var total: WireSum { WireSum(lines: lines, sum: sum) }
}

extension ClusterPlan {
    /// The plan of a night, and what the search for its files found.
    init(_ configuration: Configuration, _ moment: RunTime, ledger: Ledger, log: Log, isDone: Bool) throws {
        let head = try ledger.history.head()
        let search = FeedSearch(configuration: configuration, businessDate: moment.businessDate, log: log)
        let found = isDone ? FoundFiles() : try search.run(ledger: ledger)
        wire = wireVersion
        program = Self.runningProgram
        file = configuration.file
        self.configuration = try Self.text(of: configuration.file)
        self.ledger = configuration.ledger
        output = configuration.output
        roots = try configuration.rootCertificates().map { Data($0) }
        date = moment.businessDate
        asOf = moment.asOf
        isImplicit = moment.isImplicit
        self.isDone = isDone
        link = head.lastRun?.link ?? ""
        let first = found.delivered.firstDelivery
        firstDelivery = first.rawValue
        files = found.news.enumerated().map { File($1, number: first.advanced(by: $0).rawValue) }
        foreign = found.foreign.map { File($0, number: 0) }
        arrivals = found.delivered.arrivals
        filesSkipped = found.delivered.filesSkipped
        needsOwners = configuration.policy.tokenUse == .account
        tiesTokens = configuration.policy.tokenUse == .order
        crowdedKeys = head.facts.crowdedTokens.sorted().map { IdentifierReader.key(of: $0) }
        folders = try ledger.evidenceRecords().map { try ClusterEvidence(text: $0) }
    }

    /// The SHA-256 of the running program, hexadecimal.
    static let runningProgram: String = {
        guard let program = FileManager.default.contents(atPath: "/proc/self/exe") else { return "" }
        return program.withUnsafeBytes { SHA256.digest(of: $0) }.hex
    }()

    private static func text(of file: String) throws -> String {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw Failure(.configuration, "cannot read \(quoted(file))", remedy: "Check its permissions.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The configuration, as it was when the plan was made.
    var settings: Configuration {
        get throws(Failure) {
            var settings = try Configuration.parsed(configuration, file: file)
            settings.ledger = ledger
            settings.output = output
            return settings
        }
    }

    var moment: RunTime { RunTime(businessDate: date, asOf: asOf, isImplicit: isImplicit) }

    /// What the search for the files found.
    var found: FoundFiles {
        var found = FoundFiles()
        found.news = files.map(\.found)
        found.foreign = foreign.map {
            var file = $0.found
            file.hasForeignName = true
            return file
        }
        found.delivered.firstDelivery = DeliveryID(firstDelivery)
        found.delivered.arrivals = arrivals
        found.delivered.filesSkipped = filesSkipped
        return found
    }
}

extension ClusterPlan.File {
    init(_ file: FoundFile, number: Int32) {
        self.init(
            number: number, feed: file.feed, path: file.path, name: file.name, date: file.fileDate,
            isDated: file.isDated)
    }

    var found: FoundFile {
        FoundFile(feed: feed, path: path, name: name, fileDate: date, isDated: isDated)
    }
}

/// What a run records about its evidence: where it lies, and its sums.
struct ClusterEvidence: Codable {
    /// The folder's name below the lake's `evidence`.
    var folder: String
    var deliveries: [ClusterSum]

    init(folder: String, deliveries: [ClusterSum]) {
        self.folder = folder
        self.deliveries = deliveries
    }

    /// - Throws: `LedgerError.damaged` for a text that this program does not write.
    init(text: String) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
        } catch { throw LedgerError.damaged("a run records its evidence in an unknown form") }
    }

    var text: String { get throws { String(decoding: try ClusterFile.encoder.encode(self), as: UTF8.self) } }
}
