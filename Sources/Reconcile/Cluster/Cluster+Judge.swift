internal import Console
internal import Domain
internal import Engine
internal import Foundation
internal import Ledger
internal import Settings
internal import Wire

extension Cluster {
    /// Judges the cases of a part and writes what was found.
    static func judge(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (basis, digest) = try readBasis(invocation, context)
        let crowded = Set(basis.plan.crowdedKeys)
        var evidence = EvidenceLineReader()
        var owners = OwnerLineReader()
        var entries = EntryLineReader()
        var proof = PartProof()
        var keys = Set<Int64>()
        try context.forEachLine(.evidence, plan: digest) { line in
            if try owners.read(line) { return }
            try line.forEachKey { key, isToken in
                if !isToken || basis.plan.tiesTokens && !crowded.contains(key) { keys.insert(key) }
            }
            if try entries.read(line) { return }
            guard try evidence.read(line) else {
                throw WireError.misspelled(line: line.number, reason: "it is of no kind that is known")
            }
            proof.add(line.sum, of: evidence.lastDelivery.rawValue)
        }
        proof.keys = WireSum(lines: keys.count, sum: keys.reduce(0, &+))
        proof.entries = entries.total
        var part = Part()
        part.sharedRows = evidence.sharedRows
        part.evidence = evidence.takeSorted()
        part.owners = owners.owners
        part.followed = entries.entries.map { FollowedException(id: $0.exception, keys: $0.keys) }
        if basis.plan.needsOwners, let token = part.evidence.tokens.first(where: { part.owners[$0] == nil }) {
            throw Failure(
                .inputRefused, "the owner of the token \(token.text) is missing", remedy: "Run the stage owners again.")
        }
        let findings = try basis.judge.findings(part, threads: context.threads)
        var writer = FindingsLineWriter(plan: digest)
        try writer.write(findings, proof) { lines throws(Failure) in try context.drain(&lines) }
        try context.end(&writer.lines)
        return .done
    }
}
