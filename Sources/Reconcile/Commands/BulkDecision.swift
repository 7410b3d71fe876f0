internal import Console
internal import Domain
internal import Foundation
internal import Ledger
internal import Reports
internal import Settings
internal import Text

/// Decisions about many exceptions or retry entries, from a file: all of them or none. Every row is answered.
struct BulkDecision {
    /// What became of a row.
    struct Answer {
        var text: String
        /// Whether the row is acted on.
        var isDone: Bool
        /// What the exception is worth. Nil if no price is known.
        var amount: Money?

        static func left(_ text: String) -> Answer { Answer(text: text, isDone: false, amount: nil) }
    }
    /// What ends the transaction of a dry run.
    private struct Rehearsed: Error { let answers: [Answer] }

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
    /// - Parameter what: the rows in words: `exceptions are waived`.
    /// - Throws: `Failure` with `noInput` if one id is unknown; then nothing is changed.
    func run(
        _ what: String, _ context: CommandContext,
        _ decide: (Ledger, RunID, DecisionFile.Row, Decision) throws -> Answer?
    ) throws -> ExitCode {
        var answers: [Answer] = []
        do {
            answers = try decision.record { ledger, run in
                let all = try file.rows.map { try decide(ledger, run, $0, decision.noting($0.note)) }
                let unknown = zip(file.rows, all).filter { $0.1 == nil }.map { "line \($0.0.line): \(quoted($0.0.id))" }
                guard unknown.isEmpty else {
                    let list = unknown.prefix(10).joined(separator: ", ") + (unknown.count > 10 ? ", …" : "")
                    throw Failure(
                        .noInput,
                        "\(unknown.count) of \(counted(all.count, "id", "ids")) \(unknown.count == 1 ? "is" : "are") unknown: \(list)",
                        remedy: "Nothing was changed.")
                }
                if isDryRun { throw Rehearsed(answers: all.compactMap { $0 }) }
                return all.compactMap { $0 }
            }
        } catch let rehearsed as Rehearsed {
            answers = rehearsed.answers
        }
        let done = answers.filter(\.isDone)
        let sums = MoneySum(done.compactMap(\.amount)).amounts.map { $0.currency.text + " " + $0.text }
        let unpriced = done.count { $0.amount == nil }
        let parts = sums + (unpriced > 0 ? ["\(unpriced) without a price"] : [])
        context.announce(
            "\(done.count) of \(answers.count) \(what)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
                + (isDryRun ? ". This is a dry run: nothing was changed.\n" : ".\n"))
        for (row, answer) in zip(file.rows, answers) {
            let amount = answer.isDone ? answer.amount.map { " (\($0.currency.text) \($0.text))" } ?? "" : ""
            context.announce(display("line \(row.line): \(row.id)\(amount) \(answer.text)") + ".\n")
        }
        return .done
    }
}
