extension FetchTask {
    /// Whether Apple accepts the configured keys, for `reconcile check --online`. A line for each thing tried.
    func checkKeys() throws -> ExitCode {
        for bundle in configuration.bundles {
            try note("Apple's answer for \(bundle) with the key \(apple.key.keyID)") {
                let client = try AppleClient(apple.key, credential: "apple-key", context)
                let now = context.now
                let before = Instant(milliseconds: now.milliseconds - Milliseconds.minutes(1).count)
                _ = try client.notifications(of: bundle, on: configuration.server, from: before, to: now) { _ in }
            }
        }
        guard let finance = apple.finance else { return .done }
        try note("App Store Connect's answer with the key \(finance.key.keyID)") {
            let client = try AppleClient(finance.key, credential: "apple-finance-key", context)
            // A month that is over for long; whether its report exists does not matter.
            let year = configuration.policy.zone.date(of: context.now).advanced(by: -90).yearMonthDay.year
            _ = try client.financialReport("\(year)-01", vendor: finance.vendor, region: finance.region)
        }
        return .done
    }

    private func note(_ what: String, _ attempt: () throws -> Void) throws {
        var trial = KeyTrial(what: what)
        do {
            try attempt()
        } catch let error as AppleError {
            trial.problem = error.message + ". " + error.remedy
        } catch let error as Failure {
            trial.problem = error.line
        }
        try context.output.writeLine(trial.recordText)
    }
}

/// What became of trying a key. `reconcile-fetch` writes it as a line, and `reconcile check --online` reads it.
public struct KeyTrial: MemberRecord {
    /// Nil if Apple accepts the key.
    public var problem: String?
    /// What was tried.
    public var what: String

    public static var blank: KeyTrial { KeyTrial(what: "") }

    public mutating func describe(_ members: inout Members) {
        members.value("problem", &problem)
        members.value("what", &what)
    }
}
