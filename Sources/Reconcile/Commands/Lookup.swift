internal import AppStore
internal import Foundation
internal import Ledger
internal import Reports

/// `reconcile lookup IDENTIFIER…`: what happened, and whether the desk may give the goods by hand.
/// See docs/spec/interfaces.md#lookup.
enum Lookup {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        let inquiry = try inquiry(configuration, now: context.clock())
        let now = context.clock()
        let asker = invocation.value(.asker)
        var answers = try invocation.operands.flatMap {
            try Self.answers(to: $0, asker: asker, of: inquiry, configuration, now: now)
        }
        if invocation.isSet(.mask) { answers = answers.map(\.masked) }
        if let page = invocation.value(.html) {
            if page == "-" {
                throw invocation.usage("--html writes a file; name one, such as answer.html")
            }
            let texts = try texts(configuration, invocation)
            let path = absolute(page, in: context.folder)
            try writePage(lookupPage(answers, zone: configuration.policy.zone, texts: texts), to: path)
        }
        try show(answers, configuration, invocation, context)
        return answers.allSatisfy(\.isFound) ? .done : .no
    }

    private static func texts(_ configuration: Configuration, _ invocation: Invocation) throws -> Texts {
        let language = invocation.value(.lang).flatMap(Language.init) ?? configuration.language
        return try Texts(language: language, folder: configuration.templates)
    }

    /// Prints the answers.
    static func show(
        _ answers: [LookupAnswer], _ configuration: Configuration, _ invocation: Invocation, _ context: CommandContext
    ) throws {
        let texts = try texts(configuration, invocation)
        let zone = configuration.policy.zone
        if invocation.isSet(.json) {
            try context.output.write(lookupJSON(answers, zone: zone, texts: texts).page)
        } else {
            let screen = Screen.standardOutput(invocation, context.variables)
            try context.output.write(lookupText(answers, zone: zone, texts: texts, screen: screen))
        }
    }

    /// The answers to identifiers, to a message, or to a pasted record: on the page as in a terminal.
    static func answers(
        to text: String, asker: String?, mayBrowse: Bool = true, of inquiry: Inquiry, _ configuration: Configuration,
        now: Instant
    ) throws -> [LookupAnswer] {
        let pasted = try PastedRecord(text: text, configuration, now: now)
        return try inquiry.answers(to: text, asker: asker, mayBrowse: mayBrowse, pasted: pasted)
    }

    /// - Throws: `Failure` with `noInput` if the ledger does not exist or contains no night; `LedgerError`,
    ///   `SQLiteError`.
    static func inquiry(
        _ configuration: Configuration, now: Instant, in opened: Ledger? = nil
    ) throws -> Inquiry {
        let ledger = try opened ?? ledger(configuration)
        try ledger.requireEvidence(
            at: configuration.ledger,
            remedy: "No purchase can be looked up here. The last night's reports list all exceptions, also by key; "
                + "purchases without one are in the lake alone.")
        try ledger.checkSegments()
        let record = HandOutRecord(configuration, known: try ledger.handOuts())
        let handOuts = try record.standing()
        var settings = configuration.nightSettings
        settings.unknownRun = try PublishedRun.later(than: ledger, in: configuration.output)
        settings.lostHandOuts = try record.lost(asOf: now)
        guard var inquiry = try Inquiry(ledger, settings, now: now, handOuts: handOuts) else {
            throw Ledger.noNight(configuration.ledger)
        }
        inquiry.work = try WorkRecord(configuration).standing().work
        inquiry.withdrawn = try record.withdrawn()
        if let run = try ledger.lastRun() {
            let decided = try DecisionRecord(configuration).standing(since: run.asOf)
            inquiry.withdrawn += decided.withdrawn
            // A withdrawn record no longer counts as a decision.
            inquiry.decisions = decided.decisions.filter {
                decision in
                decision.kind != .given || decision.decidedAt == nil
                    || handOuts.contains { $0.transaction.text == decision.key }
            }
        }
        return inquiry
    }

    /// The desk's record with what the ledger knows of it.
    static func handOuts(_ configuration: Configuration, _ log: Log? = nil) throws -> HandOutRecord {
        HandOutRecord(configuration, log, known: try ledger(configuration).handOuts())
    }

    /// The ledger as the last night left it, whatever a night commits meanwhile.
    /// - Throws: as `inquiry`.
    static func ledger(_ configuration: Configuration) throws -> Ledger {
        if !exists(configuration.ledger), Publication.hasPublished(in: configuration.output) {
            throw Failure(
                .configuration, Publication.lostLedger(configuration),
                remedy: "Mount its disk, correct its path, or restore a backup.")
        }
        guard exists(configuration.ledger) else { throw Ledger.noNight(configuration.ledger) }
        let ledger = try Ledger.reading(path: configuration.ledger)
        try ledger.beginReading()
        guard try !ledger.isEmpty else { throw Ledger.noNight(configuration.ledger) }
        return ledger
    }
}

extension PastedRecord {
    /// A shorter text is an identifier.
    private static let bytesMin = 200

    /// Nil if the text neither looks like a signed record, a receipt or an answer of Apple's, nor has one in it.
    fileprivate init?(text whole: String, _ configuration: Configuration, now: Instant) throws {
        var text = whole.filter { !$0.isWhitespace }
        if text.utf8.count < Self.bytesMin { return nil }
        let verifier = FileVerifier(roots: try configuration.rootCertificates(), now: now)
        var message = ""
        if !["MI", "ew", "{"].contains(where: text.hasPrefix), let joined = Self(joining: whole, verifier) {
            self = joined
            return
        }
        if !["eyJ", "MI", "ew", "{"].contains(where: text.hasPrefix) {
            // Behind a label, or in a message: in one piece, because words could not be told from its parts.
            let pieces = whole.matches(of: /(?:eyJ|MI|ew)[A-Za-z0-9+\/_.-]*[A-Za-z0-9+\/_-]=*/)
            guard let piece = pieces.first(where: { $0.0.utf8.count >= Self.bytesMin }) else { return nil }
            text = String(piece.0)
            message = whole.replacing(text, with: " ")
        }
        self.init(Array(text.utf8).withUnsafeBytes { verifier.verify($0, name: "") }, in: message)
        // The message says more than what cannot be read.
        if transactions.isEmpty, !message.isEmpty { return nil }
    }

    /// The signed records in a message, also where line ends, blanks or the signs of a quotation break them. Nil if there
    /// are none, or one is not sound as joined.
    private init?(joining whole: String, _ verifier: FileVerifier) {
        let kept = whole.indices.filter { !whole[$0].isWhitespace && whole[$0] != ">" }
        let text = String(kept.map { whole[$0] })
        var (message, end) = ("", whole.startIndex)
        var results: [VerifyResult] = []
        // A signature has 86 characters. Whatever follows belongs to the message. A word without a record is read as a whole:
        // a search that begins at each `eyJ` in it would take the square of its length.
        let records =
            /(?:(?!eyJ)[A-Za-z0-9_-])*+(eyJ[A-Za-z0-9_-]++\.[A-Za-z0-9_-]++\.[A-Za-z0-9_-]{86})|[A-Za-z0-9_-]++/
        for record in text.matches(of: records).compactMap(\.1) {
            results += Array(record.utf8).withUnsafeBytes { verifier.verify($0, name: "") }
            let first = text.distance(from: text.startIndex, to: record.startIndex)
            message += whole[end..<kept[first]] + " "
            end = whole.index(after: kept[first + record.count - 1])
        }
        message = (message + whole[end...]).trimmingCharacters(in: .whitespacesAndNewlines)
        self.init(results, in: message)
        if transactions.isEmpty || outcome == .invalid { return nil }
    }

    private init(_ results: [VerifyResult], in message: String) {
        let transactions = results.flatMap(\.transactions).compactMap(\.transactionID)
        let outcomes = results.map { result -> PastedRecord.Outcome in
            switch result.outcome {
            case .verified: .verified
            case .unverifiable: .unverifiable
            case .invalid: .invalid
            }
        }
        let worst =
            outcomes.contains(.invalid) ? Outcome.invalid : outcomes.contains(.unverifiable) ? .unverifiable : .verified
        self.init(outcome: transactions.isEmpty ? .unreadable : worst, transactions: transactions)
        self.message = message
    }
}

extension [VerifyResult.Fact] {
    /// Nil if the record names none.
    fileprivate var transactionID: String? {
        guard case .text(let id)? = first(where: { $0.name == "transaction_id" })?.value else { return nil }
        return id
    }
}
