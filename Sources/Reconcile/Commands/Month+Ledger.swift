internal import Base
internal import Console
internal import Domain
internal import Engine
internal import Ledger

extension Month {
    /// The ledger as it was known at `asOf`. Nil: as it is known now.
    ///
    /// - Throws: `Failure` with `noInput` if no night had been run by then.
    init(_ ledger: Ledger, _ configuration: Configuration, asOf: Instant?, isFiscal: Bool) throws {
        guard try !ledger.isEmpty, let last = try ledger.lastRun(),
            let run = try asOf.map({ try ledger.lastRun(knownAt: $0) }) ?? last
        else { throw Self.noNight(configuration) }
        self.init(
            ledger, configuration.nightSettings, run: run, isLatest: run.id == last.id,
            seals: try ledger.monthSeals().filter { $0.isFiscal == isFiscal && $0.run <= run.id })
    }

    static func noNight(_ configuration: Configuration) -> Failure {
        Failure(
            .noInput, "the ledger \(quoted(configuration.ledger)) contains no night that was run by then",
            remedy: "Run 'reconcile nightly' first, or name the ledger with --ledger.")
    }
}
