internal import Console
internal import Domain
internal import Foundation
internal import ReportData
internal import Settings
internal import Text

/// `reconcile given` and `reconcile ungiven`: the desk records that it gave the goods of a purchase, or withdraws that.
/// See docs/spec/interfaces.md#given.
enum Given {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (configuration, handOut) = try handOut(invocation, context)
        let inquiry = try Lookup.inquiry(configuration, now: context.clock())
        let id = handOut.transaction.text
        guard try inquiry.answer(id).subjects.contains(where: { $0.facts.transactions.contains(id) }) else {
            throw Failure(
                .noInput, "no purchase with the transaction \(quoted(id)) is on record",
                remedy: "Take the id of the Apple transaction from the answer of 'reconcile lookup'.")
        }
        if let before = try HandOuts(configuration).record(handOut, isWithdrawal: false) {
            context.announce(
                display("\(id) was given already, by \(before.by) at \(before.at.text). Give nothing.") + "\n")
            return .no
        }
        context.announce(display("\(id) is recorded as given by \(handOut.by). Deliver the credit as always.") + "\n")
        return .done
    }

    static func takeBack(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let (configuration, handOut) = try handOut(invocation, context)
        guard try HandOuts(configuration).record(handOut, isWithdrawal: true) != nil else {
            throw Failure(
                .noInput, "no hand-out of \(quoted(handOut.transaction.text)) is on record",
                remedy: "Take the id from the answer of 'reconcile lookup'.")
        }
        context.announce(display("\(handOut.transaction.text) is no longer recorded as given.") + "\n")
        return .done
    }

    private static func handOut(
        _ invocation: Invocation, _ context: CommandContext
    ) throws -> (Configuration, HandOut) {
        let by = try Decision.said(.by, invocation)
        let note = invocation.value(.note)?.trimmingCharacters(in: .whitespacesAndNewlines)
        let configuration = try context.configuration(for: invocation)
        return (
            configuration,
            HandOut(
                transaction: Identifier(invocation.operands[0]), by: by,
                at: try invocation.instant(.asOf) ?? context.clock(), note: note?.isEmpty == true ? nil : note)
        )
    }
}
