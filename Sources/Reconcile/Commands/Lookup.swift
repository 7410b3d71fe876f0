internal import Console
internal import Domain
internal import Engine
internal import JSON
internal import Ledger
internal import Reports
internal import Settings
internal import Text

/// `reconcile lookup IDENTIFIER…`: what happened, and whether the desk may give the goods by hand.
/// See docs/spec/interfaces.md#lookup.
enum Lookup {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try Configuration.load(for: invocation, in: context)
        let language = invocation.value(.lang).flatMap(Language.init) ?? configuration.language
        let texts = try Texts(language: language, folder: configuration.templates)
        let inquiry = try inquiry(configuration, now: context.clock())
        var answers = try invocation.operands.map { try inquiry.answer($0) }
        if invocation.isSet(.mask) { answers = answers.map(\.masked) }
        let zone = configuration.policy.zone
        if let page = invocation.value(.html) {
            let path = absolute(page, in: context.folder)
            try writePage(lookupPage(answers, zone: zone, texts: texts), to: path)
        }
        if invocation.isSet(.json) {
            let found = answers.map { $0.json(zone: zone, texts: texts) }
            try context.output.write(found.count == 1 ? found[0].page : JSON.list(found).page)
        } else {
            let screen = Screen.standardOutput(invocation, context.variables)
            let pages = answers.map { $0.text(zone: zone, texts: texts, screen: screen) }
            try context.output.write(pages.joined(separator: "\n"))
        }
        return answers.allSatisfy(\.isFound) ? .done : .no
    }

    /// - Throws: `Failure` with `noInput` where there is no ledger, or no night in it; `LedgerError`, `SQLiteError`.
    static func inquiry(_ configuration: Configuration, now: Instant) throws -> Inquiry {
        let failure = Failure(
            .noInput, "the ledger \(quoted(configuration.ledger)) contains no night yet",
            remedy: "Run 'reconcile nightly' first, or name the ledger with --ledger.")
        if !exists(configuration.ledger), Publication.hasPublished(in: configuration.output) {
            throw Failure(
                .configuration, Publication.lostLedger(configuration),
                remedy: "Mount its disk, correct its path, or restore a backup.")
        }
        guard exists(configuration.ledger) else { throw failure }
        let ledger = try Ledger.reading(path: configuration.ledger)
        // Every answer is about one state of the ledger, whatever a night commits meanwhile.
        try ledger.beginReading()
        guard try !ledger.isEmpty, let inquiry = try Inquiry(ledger, configuration.nightSettings, now: now) else {
            throw failure
        }
        return inquiry
    }
}
