internal import Foundation

/// `reconcile given` and `reconcile ungiven`: the desk records that it gave the goods of a purchase, or withdraws that.
/// See docs/spec/interfaces.md#given.
enum Given {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        if invocation.isSet(.from) { return try many(invocation, context) }
        guard !invocation.isSet(.dryRun), invocation.operands.count == 1 else {
            throw invocation.usage("given takes either one transaction id or --from FILE")
        }
        let (configuration, handOut) = try handOut(invocation, context)
        let inquiry = try Lookup.inquiry(configuration, now: context.clock())
        let id = handOut.transaction.text
        guard let purchase = try inquiry.purchase(id) else {
            throw Failure(
                .noInput, "no purchase with the transaction \(quoted(id)) is on record",
                remedy: "Take the id of the Apple transaction from the answer of 'reconcile lookup'.")
        }
        if let before = try Lookup.handOuts(configuration, context.log).record(handOut, isWithdrawal: false) {
            context.announce(
                display("\(id) was given already, by \(before.by) at \(before.at.text). Give nothing.") + "\n")
            return .no
        }
        let isGivenTwice = purchase.safety.mayBeGivenByMachine
        let once = "Give the goods once, and deliver the credit with origin desk and this transaction id."
        let advice = isGivenTwice ? givenByMachine : once
        context.announce(display("\(id) is recorded as given by \(handOut.by). \(advice)") + "\n")
        return isGivenTwice ? .no : .done
    }

    private static let givenByMachine =
        "But a retry entry may give the same goods. If you have not given them, give nothing and run 'reconcile ungiven'. "
        + "If you have, tell the operator now: the retry job must not act on the entry."

    /// The purchases of a file. A hand-out that stands already stays as it is.
    private static func many(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let bulk = try BulkDecision(invocation, context, column: "transaction_id")
        let configuration = try context.configuration(for: invocation)
        let inquiry = try Lookup.inquiry(configuration, now: context.clock())
        var twice = 0
        let rows = try bulk.known(
            bulk.file.rows.map { row in
                try inquiry.purchase(row.id).map {
                    let isGivenTwice = $0.safety.mayBeGivenByMachine
                    twice += isGivenTwice ? 1 : 0
                    let text = "is recorded as given: \(row.note)" + (isGivenTwice ? ". \(givenByMachine)" : "")
                    return .init(text: text, isDone: true, amount: $0.facts.amount)
                }
            })
        let (by, at) = (bulk.decision.by, bulk.decision.at)
        try refuseFuture(at, context)
        let handOuts = bulk.file.rows.map {
            HandOut(transaction: Identifier($0.id), by: by, at: at, note: $0.note)
        }
        let record = try Lookup.handOuts(configuration, context.log)
        let before: [HandOut?]
        if bulk.isDryRun {
            let standing = try record.standing()
            before = handOuts.map { handOut in standing.first { $0.transaction == handOut.transaction } }
        } else {
            before = try record.record(handOuts, isWithdrawal: false)
        }
        let answers = zip(rows, before).map { row, before in
            before.map { .left("was given already, by \($0.by) at \($0.at.text): give nothing") } ?? row
        }
        bulk.report("purchases", "recorded as given", answers: answers, context)
        return twice == 0 && answers.allSatisfy(\.isDone) ? .done : .no
    }

    static func withdraw(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (configuration, handOut) = try handOut(invocation, context)
        guard try Lookup.handOuts(configuration, context.log).record(handOut, isWithdrawal: true) != nil else {
            throw Failure(
                .noInput, "no hand-out of \(quoted(handOut.transaction.text)) is on record",
                remedy: "Take the id from the answer of 'reconcile lookup'.")
        }
        context.announce(display("\(handOut.transaction.text) is no longer recorded as given.") + "\n")
        return .done
    }

    /// Nights up to that time would not know of the record, and would ask a machine for the goods again.
    private static func refuseFuture(_ at: Instant, _ context: CommandContext) throws {
        let now = context.clock()
        if Instant(milliseconds: 0)...now ~= at { return }
        throw Failure(
            .usage, "--as-of \(at.text) is \(at > now ? "later than now (\(now.text))" : "before 1970")",
            remedy: "Give the time at which the goods were given, or leave out --as-of.")
    }

    private static func handOut(
        _ invocation: Invocation, _ context: CommandContext
    ) throws -> (Configuration, HandOut) {
        let by = try Decision.said(.by, invocation)
        let note = invocation.value(.note)?.trimmingCharacters(in: .whitespacesAndNewlines)
        let configuration = try context.configuration(for: invocation)
        let at = try invocation.instant(.asOf) ?? context.clock()
        try refuseFuture(at, context)
        return (
            configuration,
            HandOut(transaction: Identifier(invocation.operands[0]), by: by, at: at, note: note ?? "")
        )
    }
}

extension LookupSafety {
    /// A machine has been told to give the goods, or has answered that it gave them.
    fileprivate var mayBeGivenByMachine: Bool {
        switch self {
        case .retryOut, .retrySilent, .retryApplied: true
        default: false
        }
    }
}

extension Inquiry {
    /// The purchase with this transaction id; nil if it is not on record.
    fileprivate func purchase(_ transaction: String) throws -> LookupSubject? {
        try answer(transaction).subjects.first { $0.facts.transactions.contains(transaction) }
    }
}
