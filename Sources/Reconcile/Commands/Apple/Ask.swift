internal import AppStore
internal import Fetch
internal import Reports

/// `reconcile ask ID…`: Apple's answer, verified and kept for the next night, and what the ledger knows.
/// See docs/spec/interfaces.md#ask.
struct Ask {
    let configuration: Configuration
    let apple: AppleSettings
    let now: Instant
    let log: Log

    init(_ configuration: Configuration, now: Instant, log: Log) throws {
        (self.configuration, self.now, self.log) = (configuration, now, log)
        apple = try configuration.neededApple
    }

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        let ask = try Ask(configuration, now: context.clock(), log: context.log)
        var words = ["answers", "--config", configuration.file]
        for option in [Option.quiet, .verbose] where invocation.isSet(option) { words.append(option.dashed) }
        let answers: [AppleAnswer]
        do {
            answers = try FetchProcess().records(words + ["--"] + invocation.operands)
        } catch let error as FetchEnded { return error.code }
        var isGood = true
        var (known, proven): ([String], Set<String>) = ([], [])
        for answer in answers {
            let (lines, transactions) = try ask.take(answer)
            let ids = transactions.map(\.id.text)
            isGood = isGood && !ids.isEmpty
            known += ids.isEmpty ? [answer.id] : ids
            proven.formUnion(ids)
            try context.output.write(lines.map { $0 + "\n" }.joined())
        }
        try ask.show(known, proven: proven, invocation, context)
        return isGood ? .done : .no
    }

    /// Verifies an answer, keeps it, and says what it is.
    ///
    /// - Returns: lines to print, and the transactions that Apple's signature proves.
    func take(_ answer: AppleAnswer) throws -> (lines: [String], proven: [Transaction]) {
        let name = display(answer.id)
        guard !answer.signed.isEmpty else {
            if answer.isOrder { try keep(answer) }
            let what = answer.isOrder ? "order of this app has this id" : "transaction of this app has this id"
            return (["\(name): Apple says that no \(what)."], [])
        }
        let reader = TransactionLineReader(settings: try configuration.appStoreSettings(now: now))
        var lines: [String] = []
        var proven: [Transaction] = []
        for signed in answer.signed {
            var outcome = LineOutcome()
            Array(signed.utf8).withUnsafeBytes {
                reader.read($0, isBackendTrusted: false, source: .none, into: &outcome)
            }
            for transaction in outcome.transactions {
                guard transaction.proof == .verified else {
                    lines.append("\(name): what came is not used: \(transaction.failure.reason)")
                    continue
                }
                proven.append(transaction)
                lines.append("\(name): " + transaction.line)
            }
            lines += outcome.rejects.map { "\(name): what came is not used: \($0.reason)" }
        }
        if !proven.isEmpty { try keep(answer).map { lines.append("Kept in \($0) for the next night.") } }
        return (lines, proven)
    }

    /// Adds the answer to its feed's file of today, which the next night reads.
    ///
    /// - Returns: the file; nil if no feed takes it.
    @discardableResult
    private func keep(_ answer: AppleAnswer) throws -> String? {
        let today = configuration.policy.zone.date(of: now)
        guard let path = (answer.isOrder ? apple.orders : apple.asked)?.path(of: today), let row = answer.row else {
            log.warning(
                "no feed takes this answer, so the night will not see it. Add the feed "
                    + (answer.isOrder ? "apple-orders" : "apple-asked") + " of reconcile.json")
            return nil
        }
        try LineSetFile(path).add([row])
        return display(path)
    }

    /// The ledger's answers, each once. Without a night there are none.
    private func show(_ ids: [String], proven: Set<String>, _ invocation: Invocation, _ context: CommandContext) throws
    {
        guard exists(configuration.ledger) else { return }
        let language = invocation.value(.lang).flatMap(Language.init) ?? configuration.language
        let texts = try Texts(language: language, folder: configuration.templates)
        let inquiry = try Lookup.inquiry(configuration, now: now)
        let screen = Screen.standardOutput(invocation, context.variables)
        var shown = Set<String>()
        for id in ids where shown.insert(id).inserted {
            let answer = try inquiry.answer(id)
            guard answer.isFound else {
                let what = proven.contains(id) ? "not on record yet; the next night judges it" : "not on record"
                try context.output.write("\(display(id)): \(what).\n")
                continue
            }
            let visible = invocation.isSet(.mask) ? answer.masked : answer
            let zone = configuration.policy.zone
            try context.output.write("\n" + visible.text(zone: zone, texts: texts, screen: screen))
        }
    }
}

extension Transaction {
    /// `2000000123456789, coins_60 × 1, 6.00 CNY, bought 2025-11-18T12:00:00Z, Production`
    fileprivate var line: String {
        var parts = [id.text, "\(product.text) × \(quantity)"]
        if let price { parts.append(price.money.description) }
        parts += ["bought " + purchasedAt.text, environment.name]
        if let revocation { parts.append("refunded or revoked " + revocation.at.text) }
        return parts.joined(separator: ", ")
    }
}

extension ProofFailure {
    fileprivate var reason: String {
        switch self {
        case .none, .badSignature: "its signature does not hold"
        case .untrustedChain: "its certificates end in no trusted root"
        case .wrongBundle: "it is another app's"
        }
    }
}
