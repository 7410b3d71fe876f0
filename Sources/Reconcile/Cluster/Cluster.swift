internal import Intake
internal import Matching

/// `reconcile cluster STAGE`: the stages of a night that an engine runs on several machines. See
/// docs/spec/cluster.md#stages.
enum Cluster {
    private static let stages: [String: Runner] = [
        "plan": plan, "take": take, "basis": basis, "tie": tie, "owners": owners,
        "judge": judge, "publish": publish,
    ]

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        guard let stage = stages[invocation.operands[0]] else {
            throw invocation.usage("the stages of cluster are \(alternatives(stages.keys.ordered()))")
        }
        return try stage(invocation, context)
    }

    private static func plan(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        let asOf = try invocation.instant(.asOf)
        let moment = try NightlyRequest(asOf: asOf, date: try invocation.date(.date))
            .moment(now: context.clock(), zone: configuration.policy.zone)
        try Upgrade.perform(on: configuration.ledger, context)
        try DecisionRecord(configuration).bringIn(until: moment.asOf, context)
        var nightly = try Nightly(configuration, at: moment, context)
        nightly.judge = StagedJudge()
        let ledger = try nightly.ledgerToRead()
        let isDone = try nightly.rebuilt(from: ledger) != nil
        let plan = try ClusterPlan(configuration, moment, ledger: ledger, log: context.log, isDone: isDone)
        try context.output.write(try ClusterFile.text(plan))
        return .done
    }

    static func readPlan(_ invocation: Invocation, _ context: CommandContext) throws -> (
        content: ClusterPlan, digest: String
    ) { try ClusterFile.read(.plan, of: invocation, context, plan: \ClusterPlan.self) }

    static func readBasis(_ invocation: Invocation, _ context: CommandContext) throws -> (
        content: ClusterBasis, digest: String
    ) { try ClusterFile.read(.basis, of: invocation, context, plan: \ClusterBasis.plan) }

    /// Reads a delivered file, or the exceptions that the night follows, and writes evidence.
    private static func take(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (plan, digest) = try readPlan(invocation, context)
        var writer = EvidenceLineWriter(plan: digest)
        if invocation.isSet(.entries) {
            let ledger = try plan.book(context)
            for entry in try ledger.followedExceptions() {
                writer.write(entry)
                try context.drain(&writer.lines.bytes)
            }
            return try context.end(&writer.lines)
        }
        guard let number = try invocation.count(.delivery, in: 1...Int(Int32.max)),
            let planned = plan.files.first(where: { $0.number.rawValue == number })
        else { throw invocation.usage("take needs --entries, or --delivery with the number of a file of the plan") }
        var file = planned.file
        if invocation.operands.count > 1 { file.path = absolute(invocation.operands[1], in: context.folder) }
        let feed = try plan.settings.feeds[file.feed]
        let outcome = try ReadOutcome(
            file, of: feed, delivery: planned.number, try plan.reading(threads: context.threads))
        var evidence = Evidence()
        if case .read(let contents) = outcome { evidence = contents.evidence }
        try writer.write(evidence, isShared: feed.kind == .orderLookups) { lines throws(Failure) in
            try context.drain(&lines.bytes)
        }
        let taken = ClusterTaken(outcome, number: planned.number, evidence, lines: writer.lines.total)
        try writer.lines.line("taken", encoding: taken)
        return try context.end(&writer.lines)
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
        var bytes: [UInt8] = []
        let shape = try bundles.forEachKey { key, bundle throws(Failure) in
            bytes.append(pair: key, bundle)
            try context.drain(&bytes)
        }
        bytes.append(pair: pairsEnd, Int64(bundles.count))
        bytes.append(pair: bundles.keySum, Int64(shape.bundles))
        try context.drain(&bytes, above: 0)
        context.log.detail(
            "\(counted(bundles.count, "key", "keys")) in \(counted(shape.bundles, "bundle", "bundles")), the largest of "
                + "\(shape.largest)")
        return .done
    }

    /// Works out the owner of every token.
    private static func owners(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (basis, digest) = try readBasis(invocation, context)
        var reader = EvidenceLineReader()
        var read = WireSum()
        try context.forEachLine(.evidence, plan: digest) { line in
            _ = try reader.read(line)
            if line.decidesOwners { read.add(line.sum) }
        }
        let evidence = reader.takeSorted()
        var orders = Evidence()
        orders.orders = evidence.orders
        let owner = Versions(orders, policy: try basis.policy, threads: context.threads).tokenOwners
        var writer = EvidenceLineWriter(plan: digest)
        for token in evidence.tokens.ordered() {
            writer.write(token, owner(token), from: read)
            try context.drain(&writer.lines.bytes)
        }
        return try context.end(&writer.lines)
    }

    /// Judges the cases of a part and writes what was found.
    private static func judge(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (basis, digest) = try readBasis(invocation, context)
        let crowded = Set(basis.plan.crowdedKeys)
        var reader = EvidenceLineReader()
        var proof = PartProof()
        var keys = Set<Int64>()
        try context.forEachLine(.evidence, plan: digest) { line in
            let kind = try reader.read(line)
            if kind == .owner { return }
            try line.forEachKey { key, isToken in
                if !isToken || basis.plan.tiesTokens && !crowded.contains(key) { keys.insert(key) }
            }
            if case .evidence(let delivery) = kind { proof.add(line.sum, of: delivery) }
            if line.decidesOwners { proof.ownerLines.add(line.sum) }
            if kind == nil { throw line.fault("it is of no kind that is known") }
        }
        proof.keys = WireSum(lines: keys.count, sum: keys.reduce(0, &+))
        proof.entries = reader.entryTotal
        proof.ownerLinesRead = reader.ownerLinesRead
        var part = Part()
        part.sharedRows = reader.sharedRows
        part.evidence = reader.takeSorted()
        part.owners = reader.owners
        part.followed = reader.entries
        if basis.plan.needsOwners, let token = part.evidence.tokens.first(where: { part.owners[$0] == nil }) {
            throw Failure(
                .inputRefused, "the owner of the token \(token.text) is missing", remedy: "Run the stage owners again.")
        }
        let findings = try basis.judge.findings(part, threads: context.threads)
        var writer = FindingsLineWriter(plan: digest)
        try writer.write(findings, from: proof) { try context.drain(&$0.bytes) }
        return try context.end(&writer.lines)
    }
}
