internal import Foundation
internal import Ledger

/// A person's decision about exceptions or retry entries, as it is recorded: who, when and why.
struct Decision {
    let by: String
    private(set) var note: String
    let at: Instant
    private let ledger: String
    private let clock: @Sendable () -> Instant

    /// - Parameter note: the reason; nil for that of `--note`.
    /// - Throws: `Failure` with `usage` if the name or the reason is missing.
    init(_ invocation: Invocation, _ context: CommandContext, note: String? = nil) throws(Failure) {
        by = try Self.said(.by, invocation)
        if let note { self.note = note } else { self.note = try Self.said(.note, invocation) }
        at = try invocation.instant(.asOf) ?? context.clock()
        ledger = try context.configuration(for: invocation).ledger
        clock = context.clock
    }

    /// A decision that was made on the desk's page.
    init(by: String, note: String, at: Instant, _ configuration: Configuration, _ context: CommandContext) {
        (self.by, self.note, self.at, ledger, clock) = (by, note, at, configuration.ledger, context.clock)
    }

    func noting(_ note: String) -> Decision {
        var decision = self
        decision.note = note
        return decision
    }

    /// The value of an option that is recorded, trimmed; never empty.
    static func said(_ option: Option, _ invocation: Invocation) throws(Failure) -> String {
        let text = try invocation.required(option).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            throw invocation.usage("\(option.dashed) is empty; it is recorded, so give a value")
        }
        return text
    }

    /// What ends the transaction of a dry run.
    private struct Rehearsed: Error {}

    /// Calls `body` with the ledger and the number of its last run, in one transaction and while no night runs.
    ///
    /// - Parameter isDryRun: whether the transaction is rolled back at the end.
    /// - Throws: `Failure` with `noInput` if no night was run yet, with `busy` while one is running; whatever `body`
    ///   throws.
    func record<Outcome>(
        isDryRun: Bool = false, _ body: (Ledger, _ run: RunID) throws -> Outcome
    ) throws -> Outcome {
        var outcome: Outcome?
        do {
            return try Ledger.change(at: ledger, clock: clock) {
                let recorded = try body($0, $1.id)
                outcome = recorded
                if isDryRun { throw Rehearsed() }
                return recorded
            }
        } catch let rehearsed as Rehearsed {
            guard let outcome else { throw rehearsed }
            return outcome
        }
    }
}
