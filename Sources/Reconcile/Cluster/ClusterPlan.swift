internal import Foundation
internal import Intake
internal import Ledger

/// What every stage of a night on a cluster starts from: `plan` writes it, the other stages read it. It holds all that
/// they need, so they may run where neither the configuration nor the ledger is. See docs/spec/cluster.md#stages.
struct ClusterPlan: Codable {
    /// A file to be read.
    struct File: Codable {
        var number: DeliveryID
        var file: FoundFile
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
    var firstDelivery: DeliveryID
    var files: [File]
    /// Files that cannot be opened because of their names.
    var unopenable: [FoundFile]
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

extension ClusterPlan {
    /// The plan of a night, and what the search for its files found.
    init(_ configuration: Configuration, _ moment: RunTime, ledger: Ledger, log: Log, isDone: Bool) throws {
        let head = try ledger.history.head()
        let search = FeedSearch(configuration: configuration, businessDate: moment.businessDate, log: log)
        let found = isDone ? FoundFiles() : try search.run(ledger: ledger)
        wire = wireVersion
        program = Self.runningProgram
        file = configuration.file
        self.configuration = String(decoding: try ClusterFile.bytes(of: configuration.file), as: UTF8.self)
        self.ledger = configuration.ledger
        output = configuration.output
        roots = try configuration.rootCertificates().map { Data($0) }
        date = moment.businessDate
        asOf = moment.asOf
        isImplicit = moment.isImplicit
        self.isDone = isDone
        link = head.lastRun?.link ?? ""
        let first = found.delivered.firstDelivery
        firstDelivery = first
        files = found.news.enumerated().map { File(number: first.advanced(by: $0), file: $1) }
        unopenable = found.unopenable
        arrivals = found.delivered.arrivals
        filesSkipped = found.delivered.filesSkipped
        needsOwners = configuration.policy.tokenUse == .account
        tiesTokens = configuration.policy.tokenUse == .order
        crowdedKeys = head.facts.crowdedTokens.ordered().map { IdentifierReader.key(of: $0) }
        folders = try ledger.evidenceRecords().map { try ClusterEvidence(text: $0) }
    }

    /// The SHA-256 of the running program, hexadecimal.
    static let runningProgram: String = {
        guard let program = FileManager.default.contents(atPath: "/proc/self/exe") else { return "" }
        return program.withUnsafeBytes { SHA256.digest(of: $0) }.hex
    }()

    /// The configuration, as it was when the plan was made.
    var settings: Configuration {
        get throws(Failure) {
            var settings = try Configuration.parsed(configuration, file: file, shownAs: file)
            settings.ledger = ledger
            settings.output = output
            return settings
        }
    }

    var moment: RunTime { RunTime(businessDate: date, asOf: asOf, isImplicit: isImplicit) }

    func reading(threads: Int) throws(Failure) -> IntakeSettings {
        let settings = try settings
        return IntakeSettings(
            appStore: settings.appStoreSettings(now: asOf, roots: roots.map { Array($0) }),
            maxRejectedPartsPerMillion: settings.rejectedPartsPerMillionMax, threads: threads)
    }

    /// The ledger as it was when the plan was made.
    func book(_ context: CommandContext) throws -> Ledger {
        var nightly = try Nightly(settings, at: moment, context)
        nightly.judge = StagedJudge(plan: self)
        return try nightly.ledgerToRead()
    }

    /// Tonight's files as far as the ledger wants them: with the rows of the small feeds, and without evidence.
    /// - Throws: `Failure` with `inputRefused` if a required feed's file was refused or a file was not taken.
    func delivered(_ taken: [Int32: ClusterTaken], _ ledger: Ledger, log: Log, threads: Int) throws -> Delivered {
        let (configuration, reading) = (try settings, try reading(threads: threads))
        var found = FoundFiles(news: files.map(\.file), unopenable: unopenable)
        found.delivered.firstDelivery = firstDelivery
        found.delivered.arrivals = arrivals
        found.delivered.filesSkipped = filesSkipped
        var join = try FeedJoin(configuration: configuration, log: log, found)
        for planned in files {
            let (number, file) = (planned.number, planned.file)
            guard var outcome = taken[number.rawValue]?.outcome else {
                throw Failure(.inputRefused, "\(file.name) was not taken", remedy: "Run the stage before again.")
            }
            let feed = configuration.feeds[file.feed]
            if case .read(var contents) = outcome, feed.kind.isList {
                guard case .read(var again) = try ReadOutcome(file, of: feed, delivery: number, reading),
                    again.digest == contents.digest
                else {
                    throw Failure(
                        .inputRefused, "\(file.name) has changed since it was taken", remedy: "Run the night again.")
                }
                _ = again.evidence.takePurchaseRows()
                contents.evidence = again.evidence
                outcome = .read(contents)
            }
            try join.add(file, outcome, ledger: ledger, number: number)
        }
        return try join.finish(ledger: ledger)
    }
}
