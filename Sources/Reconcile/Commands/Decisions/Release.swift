internal import Ledger
internal import Reports

/// `reconcile release`: lets held and dead retry entries go out again with the next night.
enum Release {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let ways = [
            !invocation.operands.isEmpty, invocation.isSet(.held), invocation.isSet(.dead), invocation.isSet(.from),
        ]
        guard ways.count(where: { $0 }) == 1 else {
            throw invocation.usage("release takes either keys, --held, --dead or --from FILE")
        }
        if invocation.isSet(.from) { return try many(invocation, context) }
        let isDryRun = invocation.isSet(.dryRun)
        let decision = try Decision(invocation, context)
        let (fates, guarded) = try decision.record(isDryRun: isDryRun) { ledger, run in
            let fates = try asked(invocation, ledger).map { try ($0, release($0, decision, run: run, in: ledger)) }
            return (fates, try invocation.isSet(.held) ? pass(decision, run, in: ledger) : [])
        }
        for finding in guarded { context.announce("\(Texts.english.sentence(finding)): accepted.\n") }
        for (entry, refusal) in fates { context.announce("\(entry.key) \(refusal ?? "is released").\n") }
        let released = fates.filter { $0.1 == nil }.map(\.0.facts.amount)
        let worth = ", worth " + worthText(released) + ","
        let entries = counted(fates.count, "entry", "entries")
        let isOpen = fates.count == 1 ? "its exception is still open" : "their exceptions are still open"
        context.announce(
            released.isEmpty
                ? "No entry is released.\n"
                : "\(released.count) of \(entries)\(worth) will be sent with the next night if \(isOpen).\n")
        if isDryRun { context.announce(BulkDecision.dryRun + "\n") }
        return released.isEmpty && guarded.isEmpty ? .no : .done
    }

    /// The entries of a file. A row whose note is the last one on record is not decided again: the list shows it.
    private static func many(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        try BulkDecision(invocation, context, column: "retry_key").run("entries", "released", context) {
            ledger, run, row, decision in
            guard let entry = try ledger.retryEntries(ofKeys: [row.id]).first else { return nil }
            if try ledger.lastDecision(on: entry.exception)?.note == row.note {
                return .left("is left as it is: its note is not new")
            }
            if let refusal = try release(entry, decision, run: run, in: ledger) { return .left(refusal) }
            return .init(text: "is released: \(row.note)", isDone: true, amount: entry.facts.amount)
        }
    }

    /// Records that a person releases the guard's findings of the last run, and returns them.
    private static func pass(_ decision: Decision, _ run: RunID, in ledger: Ledger) throws -> [GuardFinding] {
        guard let last = try ledger.run(id: run) else { return [] }
        let findings = try ledger.guardFindings(of: last)
        if !findings.isEmpty {
            try ledger.writeMaintenance(.guardReleased, run: run, by: decision.by, at: decision.at, note: decision.note)
        }
        return findings
    }

    /// Releases an entry.
    /// - Returns: why it is not released, as the end of a sentence; nil if it is.
    static func release(
        _ held: RetryEntry, _ decision: Decision, run: RunID, in ledger: Ledger
    ) throws -> String? {
        var entry = held
        guard let exception = try ledger.exception(id: entry.exception) else {
            throw LedgerError.damaged("retry entry \(entry.key) has no exception")
        }
        // The night would keep the waiver, and send nothing.
        if exception.state == .waived {
            let id = exception.id.text
            return "is not released, because \(id) is waived. To send it, first run 'reconcile unwaive \(id)'"
        }
        guard entry.release() else { return "is neither held nor dead, so it cannot be released" }
        try ledger.write([entry])
        try ledger.writeRelease(of: entry.key, run: run, by: decision.by, at: decision.at, note: decision.note)
        try ledger.writeDecision(on: exception, run: run, by: decision.by, at: decision.at, note: decision.note)
        return nil
    }

    /// The entries that the command names.
    /// - Throws: `Failure` with `noInput` for a key that no entry has; then nothing is released.
    private static func asked(_ invocation: Invocation, _ ledger: Ledger) throws -> [RetryEntry] {
        if invocation.isSet(.held) { return try ledger.retryEntries(in: .held) }
        if invocation.isSet(.dead) { return try ledger.retryEntries(in: .dead) }
        let entries = try ledger.retryEntries(ofKeys: Set(invocation.operands))
        let known = Set(entries.map { Array($0.key.utf8) })
        for key in invocation.operands where !known.contains(Array(key.utf8)) {
            throw Failure(
                .noInput, "unknown retry entry \(quoted(key))",
                remedy: "Take its key from held.jsonl or dead-letter.jsonl; nothing was released.")
        }
        return entries
    }
}
