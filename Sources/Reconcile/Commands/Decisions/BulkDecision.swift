internal import Ledger
internal import Reports

/// Decisions about many exceptions or retry entries, from a file: all of them or none. Every row is answered.
struct BulkDecision {
    /// What became of a row.
    struct Answer {
        var text: String
        var isDone: Bool
        /// What the exception is worth. Nil if no price is known.
        var amount: Money?

        static func left(_ text: String) -> Answer { Answer(text: text, isDone: false, amount: nil) }
    }
    let file: DecisionFile
    let decision: Decision
    let isDryRun: Bool

    /// - Parameter column: the name of the column with the ids.
    init(_ invocation: Invocation, _ context: CommandContext, column: String) throws {
        let path = try invocation.required(.from)
        guard invocation.operands.isEmpty, !invocation.isSet(.note) else {
            throw invocation.usage("with --from, ids and notes come from the file")
        }
        let configuration = try context.configuration(for: invocation)
        let texts = try Texts(language: configuration.language, folder: configuration.templates)
        file = try DecisionFile(absolute(path, in: context.folder), column: column, shownAs: path, texts: texts)
        decision = try Decision(invocation, context, note: "")
        isDryRun = invocation.isSet(.dryRun)
    }

    /// Calls `decide` for each row, and prints sums and answers. `decide` returns nil for an unknown id.
    ///
    /// - Parameter things: what the rows name: `exceptions`; `done`: what is done to them: `waived`.
    /// - Throws: `Failure` with `noInput` if one id is unknown; then nothing is changed.
    func run(
        _ things: String, _ done: String, _ context: CommandContext,
        decide: (Ledger, RunID, DecisionFile.Row, Decision) throws -> Answer?
    ) throws -> ExitCode {
        let answers = try decision.record(isDryRun: isDryRun) { ledger, run in
            try known(file.rows.map { try decide(ledger, run, $0, decision.noting($0.note)) })
        }
        report(things, done, answers: answers, context)
        return .done
    }

    /// The answers to all rows.
    /// - Throws: `Failure` with `noInput` if one of them is nil, because its id is unknown.
    func known(_ answers: [Answer?]) throws(Failure) -> [Answer] {
        let unknown = zip(file.rows, answers).filter { $0.1 == nil }.map { "line \($0.0.line): \(quoted($0.0.id))" }
        guard unknown.isEmpty else {
            let list = unknown.prefix(10).joined(separator: ", ") + (unknown.count > 10 ? ", …" : "")
            throw Failure(
                .noInput,
                "\(unknown.count) of \(counted(answers.count, "id", "ids")) \(unknown.count == 1 ? "is" : "are") unknown: \(list)",
                remedy: "Nothing was changed.")
        }
        return answers.compactMap { $0 }
    }

    /// Prints the number and the sums of the rows that are acted on, then the answer to each row.
    func report(_ things: String, _ done: String, answers: [Answer], _ context: CommandContext) {
        let chosen = answers.filter(\.isDone)
        let worth = worthText(chosen.map(\.amount))
        context.announce(
            "\(chosen.count) of \(answers.count) \(things) \(isDryRun ? "would be" : "are") \(done)"
                + (worth.isEmpty ? "" : ": " + worth)
                + (isDryRun ? ". " + Self.dryRun : ".") + "\n")
        for (row, answer) in zip(file.rows, answers) {
            let amount = answer.isDone ? answer.amount.map { " (\($0.currency.text) \($0.text))" } ?? "" : ""
            context.announce(display("line \(row.line): \(row.id)\(amount) \(answer.text)") + ".\n")
        }
    }

    static let dryRun = "This is a dry run: nothing was changed."
}

/// `CNY 12.00, USD 0.99, 1 without a price`. Empty without amounts.
func worthText(_ amounts: [Money?]) -> String {
    let sums = MoneySum(amounts.compactMap { $0 }).amounts.map { $0.currency.text + " " + $0.text }
    let unpriced = amounts.count { $0 == nil }
    return (sums + (unpriced > 0 ? ["\(unpriced) without a price"] : [])).joined(separator: ", ")
}
