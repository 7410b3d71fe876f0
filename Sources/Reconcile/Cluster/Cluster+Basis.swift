extension Cluster {
    /// Puts together what was taken, and writes what the cases are judged by.
    static func basis(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        if invocation.value(.basis) != nil { return try basisAgain(invocation, context) }
        let (plan, digest) = try readPlan(invocation, context)
        var taken: [Int32: ClusterTaken] = [:]
        var entries = EvidenceLineReader()
        try context.forEachLine(.evidence, plan: digest) { line in
            if line.kind.elementsEqual("taken".utf8) {
                let file: ClusterTaken = try line.decoded()
                // The same file may have been taken twice, by two attempts that came to the same.
                taken[file.number] = file
            } else if try entries.read(line) != .entry {
                throw line.fault("it says nothing about a file")
            }
        }
        let ledger = try plan.book(context)
        let delivered = try plan.delivered(taken, ledger, log: context.log, threads: context.threads)
        let basis = ClusterBasis(
            of: plan, delivered: delivered, taken: taken, entries: entries.entryTotal,
            settings: try plan.settings.nightSettings, head: try ledger.history.head())
        try context.output.write(try ClusterFile.text(basis))
        return .done
    }

    /// Writes the basis again, with the orders by whose number the desk gave goods of another case. Only all findings
    /// together show them. Without any, the basis stays the same.
    private static func basisAgain(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        var (basis, digest) = try readBasis(invocation, context)
        let findings = try readFindings(digest, context).findings
        let found = findings.deskOrders(window: try basis.policy.suggestionWindow).ordered()
        basis.deskOrders = found.map { [$0.key, $0.value] }
        basis.ties = found.map { [tieKey(.order, $0.key), tieKey(.transaction, $0.value)] }
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
