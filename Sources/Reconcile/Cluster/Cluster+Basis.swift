internal import Console
internal import Domain
internal import Engine
internal import Foundation
internal import Intake
internal import JSON
internal import Ledger
internal import Settings
internal import Text
internal import Wire

extension Cluster {
    /// Puts together what was taken, and writes what the cases are judged by.
    static func basis(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        if invocation.value(.basis) != nil { return try basisAgain(invocation, context) }
        let (plan, digest) = try readPlan(invocation, context)
        var taken: [Int32: ClusterTaken] = [:]
        var entries = EntryLineReader()
        try context.forEachLine(.evidence, plan: digest) { line in
            if try entries.read(line) { return }
            guard line.isTaken, let file = try? JSONDecoder().decode(ClusterTaken.self, from: Data(line.object)) else {
                throw WireError.misspelled(line: line.number, reason: "it says nothing about a file")
            }
            // The same file may have been taken twice, by two attempts that came to the same.
            taken[file.number] = file
        }
        let ledger = try plan.book(context)
        let delivered = try plan.delivered(taken, ledger, log: context.log, threads: context.threads)
        let basis = ClusterBasis(
            plan, delivered, taken, entries: entries.total, try plan.settings.nightSettings, try ledger.history.head())
        try context.output.write(try ClusterFile.text(basis))
        return .done
    }

    /// Writes the basis again, with the orders by whose number the desk gave goods of another case. Only all findings
    /// together show them. Without any, the basis stays the same.
    private static func basisAgain(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        var (basis, digest) = try readBasis(invocation, context)
        let findings = try readFindings(digest, context).findings
        let found = findings.deskOrders(window: try basis.policy.suggestionWindow)
        basis.deskOrders = found.sorted { $0.key < $1.key }.map {
            ClusterBasis.DeskOrder(order: $0.key.text, transaction: $0.value.text)
        }
        basis.ties = found.sorted { $0.key < $1.key }.map { [tieKey(.order, $0.key), tieKey(.transaction, $0.value)] }
        try context.output.write(try ClusterFile.text(basis))
        return .done
    }

    /// Reads what all parts found.
    static func readFindings(_ digest: String, _ context: CommandContext) throws -> (
        findings: Findings, proof: PartProof
    ) {
        var reader = FindingsLineReader()
        try context.forEachLine(.findings, plan: digest) { try reader.read($0) }
        do {
            return try reader.take()
        } catch {
            throw Failure(.internalError, error.description, remedy: "Nothing was published. Run the night again.")
        }
    }
}

extension WireLine {
    fileprivate var isTaken: Bool { kind.elementsEqual("taken".utf8) }
}

extension ClusterPlan {
    /// The ledger as it was when the plan was made.
    func book(_ context: CommandContext) throws -> Ledger {
        var nightly = try Nightly(settings, moment, context)
        nightly.isStaged = true
        let ledger = try nightly.ledgerToRead()
        try requireCurrent(ledger)
        return ledger
    }

    /// - Throws: `Failure` with `busy` if another night was published since the plan was made.
    func requireCurrent(_ ledger: Ledger) throws {
        let last = try ledger.isEmpty ? nil : ledger.lastRun()
        guard last?.link ?? "" != link else { return }
        throw Failure(
            .busy, "another run has changed the ledger since the plan was made",
            remedy: "Nothing was published. Run the night again.")
    }

    /// Tonight's files as far as the ledger wants them: with the rows of the small feeds, and without evidence.
    /// - Throws: `Failure` with `inputRefused` if a required feed's file was refused or a file was not taken.
    func delivered(_ taken: [Int32: ClusterTaken], _ ledger: Ledger, log: Log, threads: Int) throws -> Delivered {
        let configuration = try settings
        let appStore = configuration.appStoreSettings(now: asOf, roots: roots.map { Array($0) })
        let reading = IntakeSettings(
            appStore: appStore, maxRejectedPartsPerMillion: configuration.rejectedPartsPerMillionMax, threads: threads)
        var join = try FeedJoin(configuration: configuration, log: log, readsOn: true, found)
        for file in files {
            guard let summary = taken[file.number]?.file else {
                throw Failure(.inputRefused, "\(file.name) was not taken", remedy: "Run the stage before again.")
            }
            var rows = Evidence()
            let feed = configuration.feeds[file.feed]
            if summary.contents != nil, [.products, .acks, .orderLookups].contains(feed.kind) {
                let again = try TakenFile(file.found, of: feed, delivery: DeliveryID(file.number), reading, &rows)
                guard again.contents?.digest == summary.contents?.digest else {
                    throw Failure(
                        .inputRefused, "\(file.name) has changed since it was taken", remedy: "Run the night again.")
                }
                rows = rows.withoutEvidence
            }
            try join.add(file.found, summary, rows, ledger: ledger, number: DeliveryID(file.number))
        }
        return try join.finish(ledger: ledger)
    }
}

extension Evidence {
    /// Products, acknowledgements and order look-ups.
    fileprivate var withoutEvidence: Evidence {
        var small = Evidence()
        (small.products, small.acknowledgements, small.orderLookups) = (products, acknowledgements, orderLookups)
        return small
    }
}
