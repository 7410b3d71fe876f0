internal import AppleAPI
internal import Base
internal import Console
internal import Domain
internal import Settings

/// Whether Apple accepts the configured keys, for `reconcile check --online`. A line for each thing tried.
struct OnlineCheck {
    private let configuration: Configuration
    private let context: FetchContext

    init(_ configuration: Configuration, _ context: FetchContext) {
        self.configuration = configuration
        self.context = context
    }

    func print() throws -> ExitCode {
        let apple = try configuration.neededApple
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
        var problem: String?
        do { try attempt() } catch let error as AppleError { problem = error.message + ". " + error.remedy } catch let
            error as Failure
        { problem = error.line }
        try context.output.writeLine(JSON.object(["what": .text(what), "problem": JSON(problem)]).line)
    }
}
