internal import Console
internal import Foundation
internal import Ledger
internal import Reports

/// `reconcile check`: whether set-up, ledger and reports are sound. It prints one line for each check, which says what
/// to do if something is wrong.
struct Check {
    let configuration: Configuration
    let context: CommandContext
    var findings = CheckFindings()

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        var check = Check(configuration: try context.configuration(for: invocation), context: context)
        var failure: (any Error)?
        do {
            if invocation.isSet(.online) { try check.askApple() }
            try check.perform()
        } catch {
            // What was found before the failure is printed all the same.
            failure = error
            check.findings.note("ledger \(check.configuration.ledger)", Failure(error).line)
        }
        let findings = check.findings
        let text = invocation.isSet(.json) ? findings.json.page : findings.all.map { $0.line + "\n" }.joined()
        try context.output.write(text)
        try context.output.flush()
        if let failure { throw failure }
        return findings.areGood ? .done : .no
    }

    private mutating func perform() throws {
        findings.note("configuration \(configuration.file), time zone \(configuration.policy.zone.name)")
        try checkSetUp()
        let isLost = Publication.hasPublished(in: configuration.output)
        let loss = "\(Publication.lostLedger(configuration)). Mount its disk, correct its path, or restore a backup."
        guard exists(configuration.ledger) else {
            let what = "ledger \(configuration.ledger)" + (isLost ? "" : ": none yet; the first night creates it")
            return findings.note(what, isLost ? loss : nil)
        }
        guard let ledger = try Ledger.committed(at: configuration.ledger) else {
            return noteUncommitted(isLost ? loss : nil)
        }
        if isLost, try ledger.isEmpty { findings.note("ledger \(configuration.ledger)", loss) }
        try checkLedger(ledger)
    }

    /// A first night is running, or ended before it was committed. Nothing is damaged, because nothing is there yet.
    private mutating func noteUncommitted(_ loss: String?) {
        let holder = RunLock.holder(of: configuration.ledger)
        let what = holder.map { "the first night is in progress: \($0)" } ?? "the next night starts over"
        findings.note("ledger \(configuration.ledger): it contains no night yet; \(what)", holder == nil ? loss : nil)
    }
}
