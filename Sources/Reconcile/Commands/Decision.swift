internal import Domain
internal import Foundation
internal import Ledger

/// What a person decides about the ledger's exceptions and entries, on the record: who, when, why.
struct Decision {
    let by: String
    let note: String
    let at: Instant
    private let ledger: String
    private let clock: @Sendable () -> Instant

    /// - Throws: `Failure` with `usage` where nobody, or no reason, is named.
    init(_ invocation: Invocation, _ context: CommandContext) throws(Failure) {
        by = try Self.said(.by, invocation)
        note = try Self.said(.note, invocation)
        at = try invocation.instant(.asOf) ?? context.clock()
        ledger = try Configuration.load(for: invocation, in: context).ledger
        clock = context.clock
    }

    /// What stands on record: not empty, no blanks around it.
    static func said(_ option: Option, _ invocation: Invocation) throws(Failure) -> String {
        let text = try invocation.required(option).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            throw invocation.usage("\(option.dashed) is empty; it is recorded, so give a value")
        }
        return text
    }

    /// Lends the ledger to `body`, with the number of its last run, in one transaction and while no night runs.
    ///
    /// - Throws: `Failure` with `noInput` where no night was run yet, with `busy` while one is running; what `body` throws.
    func record<Told>(_ body: (Ledger, _ run: Int64) throws -> Told) throws -> Told {
        try Ledger.change(at: ledger, clock: clock) { try body($0, $1.id) }
    }
}
