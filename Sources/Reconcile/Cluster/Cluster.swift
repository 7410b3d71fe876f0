internal import Console
internal import Domain
internal import Engine
internal import Foundation
internal import Intake
internal import Ledger
internal import Matching
internal import Parallel
internal import Settings
internal import Text
internal import Wire

/// `reconcile cluster STAGE`: the stages of a night that an engine runs on several machines. See
/// docs/spec/cluster.md#stages.
enum Cluster {
    private static let stages: [String: Runner] = [
        "plan": plan, "take": take, "basis": basis, "tie": tie, "owners": owners,
        "judge": judge, "publish": publish,
    ]

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        guard let stage = stages[invocation.operands[0]] else {
            throw invocation.usage("the stages of cluster are \(alternatives(stages.keys.sorted()))")
        }
        return try stage(invocation, context)
    }

    /// Writes the plan of a night.
    private static func plan(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        let asOf = try invocation.instant(.asOf)
        let moment = try NightlyRequest(asOf: asOf, date: try invocation.date(.date))
            .moment(now: context.clock(), zone: configuration.policy.zone)
        var nightly = try Nightly(configuration, moment, context)
        nightly.isStaged = true
        let ledger = try nightly.ledgerToRead()
        let isDone = try nightly.rebuilt(from: ledger) != nil
        let plan = try ClusterPlan(configuration, moment, ledger: ledger, log: context.log, isDone: isDone)
        try context.output.write(try ClusterFile.text(plan))
        return .done
    }

    static func readPlan(_ invocation: Invocation, _ context: CommandContext) throws -> (
        content: ClusterPlan, digest: String
    ) {
        try ClusterFile.read(ClusterPlan.self, absolute(try invocation.required(.plan), in: context.folder)) {
            ($0.wire, $0.program)
        }
    }

    static func readBasis(_ invocation: Invocation, _ context: CommandContext) throws -> (
        content: ClusterBasis, digest: String
    ) {
        try ClusterFile.read(ClusterBasis.self, absolute(try invocation.required(.basis), in: context.folder)) {
            ($0.plan.wire, $0.plan.program)
        }
    }

    /// Reads a delivered file, or the exceptions that the night follows, and writes evidence.
    private static func take(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (plan, digest) = try readPlan(invocation, context)
        if invocation.isSet(.entries) {
            var writer = EntryLineWriter(plan: digest)
            let ledger = try plan.book(context)
            for entry in try ledger.isEmpty ? [] : ledger.followedExceptions() {
                writer.write(entry.id, entry.keys)
                try context.drain(&writer.lines)
            }
            try context.end(&writer.lines)
            return .done
        }
        guard let number = try invocation.count(.delivery, in: 1...Int(Int32.max)),
            let planned = plan.files.first(where: { $0.number == number })
        else { throw invocation.usage("take needs --entries, or --delivery with the number of a file of the plan") }
        var file = planned.found
        if invocation.operands.count > 1 { file.path = absolute(invocation.operands[1], in: context.folder) }
        let configuration = try plan.settings
        let appStore = configuration.appStoreSettings(now: plan.asOf, roots: plan.roots.map { Array($0) })
        let settings = IntakeSettings(
            appStore: appStore, maxRejectedPartsPerMillion: configuration.rejectedPartsPerMillionMax,
            threads: context.threads)
        var evidence = Evidence()
        let feed = configuration.feeds[planned.feed]
        let taken = try TakenFile(file, of: feed, delivery: DeliveryID(planned.number), settings, &evidence)
        var writer = EvidenceLineWriter(plan: digest)
        try writer.write(evidence, isShared: feed.kind == .orderLookups) { lines throws(Failure) in
            try context.drain(&lines)
        }
        let summary = ClusterTaken(taken, number: planned.number, evidence, lines: writer.lines.total)
        writer.lines.line("taken", keys: [], object: Array(try ClusterFile.encoder.encode(summary)))
        try context.end(&writer.lines)
        return .done
    }

    /// Finds the bundles of pairs of keys.
    private static func tie(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        var bundles = Bundles()
        var isEnded = false
        var pairs: Int64 = 0
        try context.forEachPair { left, right in
            if isEnded { throw Failure(WireError.cut("pairs follow its end")) }
            isEnded = left == pairsEnd && right == pairs
            if isEnded { return }
            bundles.tie(left, right)
            pairs += 1
        }
        guard isEnded else { throw Failure(WireError.cut("the number of its pairs is missing")) }
        var writer = PairWriter()
        let shape = try bundles.forEachKey { key, bundle throws(Failure) in
            writer.add(key, bundle)
            try context.drain(&writer)
        }
        writer.add(pairsEnd, Int64(bundles.count))
        writer.add(bundles.keySum, Int64(shape.bundles))
        try context.drain(&writer, above: 0)
        context.log.detail(
            "\(counted(bundles.count, "key", "keys")) in \(counted(shape.bundles, "bundle", "bundles")), the largest of "
                + "\(shape.largest)")
        return .done
    }

    /// Works out the owner of every token.
    private static func owners(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (basis, digest) = try readBasis(invocation, context)
        var reader = EvidenceLineReader()
        try context.forEachLine(.evidence, plan: digest) { _ = try reader.read($0) }
        let evidence = reader.takeSorted()
        let tokens = evidence.tokens.sorted()
        var orders = Evidence()
        orders.orders = evidence.orders
        let owner = Versions(orders, policy: try basis.policy, threads: context.threads).tokenOwners
        var writer = OwnerLineWriter(plan: digest)
        for token in tokens {
            writer.write(token, owner(token))
            try context.drain(&writer.lines)
        }
        try context.end(&writer.lines)
        return .done
    }
}
