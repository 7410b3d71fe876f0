internal import Ledger

/// `reconcile waive` and `reconcile unwaive`: a person decides that an exception stands as it is, or withdraws that.
enum Waive {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        if invocation.isSet(.from) { return try many(invocation, context) }
        guard !invocation.isSet(.dryRun) else { throw invocation.usage("--dry-run needs --from FILE") }
        return try decide(invocation, context) { waive(&$0, $1, before: $2) }
    }

    private static func waive(_ record: inout ExceptionRecord, _ decision: Decision, before: Person?) -> String {
        switch record.state {
        case .waived:
            return "is already waived" + (before.map { ", by \($0.by) at \($0.at.text): \($0.note)" } ?? "")
        case .resolved: return "is resolved and cannot be waived"
        case .new, .open, .changed, .reopened:
            record.state = .waived
            return "is waived by \(decision.by). The next night shows it once more, then only if its facts change"
        }
    }

    /// Waives an open exception. False if it is not open.
    static func waive(_ id: ExceptionID, _ decision: Decision, run: RunID, in ledger: Ledger) throws -> Bool {
        guard var record = try ledger.exception(id: id), record.isOpen else { return false }
        _ = waive(&record, decision, before: nil)
        try ledger.write(record)
        try ledger.writeDecision(on: record, run: run, by: decision.by, at: decision.at, note: decision.note)
        return true
    }

    /// The exceptions of a file. A row whose note is the last one on record is not decided again: the list shows it.
    private static func many(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        try BulkDecision(invocation, context, column: "exception_id").run("exceptions", "waived", context) {
            ledger, run, row, decision in
            guard var record = try ExceptionID(row.id).flatMap(ledger.exception(id:)) else { return nil }
            let before = try ledger.lastDecision(on: record.id)
            if before?.note == row.note { return .left("is left as it is: its note is not new") }
            guard record.isOpen else { return .left(waive(&record, decision, before: before)) }
            _ = try waive(record.id, decision, run: run, in: ledger)
            return .init(text: "is waived: \(row.note)", isDone: true, amount: record.amount)
        }
    }

    static func withdraw(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        try decide(invocation, context) { record, _, _ in
            guard record.state == .waived else { return "is not waived, so its waiver cannot be withdrawn" }
            record.state = .reopened
            return "will be open again with the next night"
        }
    }

    private typealias Person = (by: String, at: Instant, note: String)

    /// Applies `change`, which returns what became of the exception, and records it if the state changed.
    private static func decide(
        _ invocation: Invocation, _ context: CommandContext,
        change: (inout ExceptionRecord, Decision, _ before: Person?) -> String
    ) throws -> ExitCode {
        let decision = try Decision(invocation, context)
        guard let id = invocation.operands.first else {
            throw invocation.usage("\(invocation.command.name) needs the exception's id")
        }
        let (message, isChanged) = try decision.record { ledger, run in
            guard var record = try ExceptionID(id).flatMap(ledger.exception(id:)) else {
                throw Failure(
                    .noInput, "unknown exception \(quoted(id))", remedy: "Take its id from exceptions.csv.")
            }
            let state = record.state
            let message = change(&record, decision, try ledger.lastDecision(on: record.id))
            if record.state != state {
                try ledger.write(record)
                try ledger.writeDecision(on: record, run: run, by: decision.by, at: decision.at, note: decision.note)
            }
            return (message, record.state != state)
        }
        context.announce(display("\(id) \(message)") + ".\n")
        return isChanged ? .done : .no
    }
}
