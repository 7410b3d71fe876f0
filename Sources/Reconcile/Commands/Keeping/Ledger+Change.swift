internal import Foundation
internal import Ledger

extension Ledger {
    /// Calls `body` with the ledger at `path` and its last run, in one transaction and while no night runs.
    ///
    /// - Parameter after: what to do after the commit, while the ledger is still locked.
    /// - Throws: `Failure` with `noInput` if no night was run yet, with `busy` while one is running; whatever `body`
    ///   throws.
    static func change<Outcome>(
        at path: String, clock: @Sendable () -> Instant, _ body: (Ledger, RunRecord) throws -> Outcome,
        after: (Ledger, Outcome) throws -> Void = { _, _ in }
    ) throws -> Outcome {
        // Opening the ledger would create it.
        guard FileManager.default.fileExists(atPath: path) else { throw noNight(path) }
        let lock = try RunLock(of: path, now: clock())
        defer { withExtendedLifetime(lock) {} }
        let ledger = try Ledger(path: path)
        guard try !ledger.isEmpty else { throw noNight(path) }
        try ledger.begin()
        let outcome: Outcome
        do {
            try ledger.checkHead()
            guard let last = try ledger.lastRun() else { throw noNight(path) }
            outcome = try body(ledger, last)
            try ledger.commit()
        } catch {
            try? ledger.rollback()
            throw error
        }
        try after(ledger, outcome)
        return outcome
    }

    /// The ledger as the last night left it, in one state whatever a night commits meanwhile. Nil where the first night
    /// is running, or was killed: what is in the file by then will be undone.
    static func committed(at path: String) throws -> Ledger? {
        // Only a first night writes a rollback journal.
        let hasJournal = exists(path + "-journal")
        do {
            let ledger = try Ledger.reading(path: path)
            try ledger.beginReading()
            return try ledger.hasNoSchema ? nil : ledger
        } catch let error where hasJournal && [.noPermission, .busy].contains(Failure(error).code) {
            return nil
        }
    }

    /// - Throws: `Failure` with `configuration` if the ledger is one of nights in stages, whose evidence lies elsewhere.
    func requireEvidence(at path: String, remedy: String) throws {
        guard try isBook else { return }
        try checkEvidenceRecord()
        throw Failure(
            .configuration, "the ledger \(quoted(path)) holds no evidence: its nights run in stages", remedy: remedy)
    }

    /// Makes a ledger's file under a temporary name. What an interrupted command left there is removed before, and the file
    /// itself where `make` fails.
    static func making<Result>(_ temporary: String, _ make: () throws -> Result) throws -> Result {
        remove(path: temporary)
        try createFile(temporary)
        do { return try make() } catch {
            remove(path: temporary)
            throw error
        }
    }

    static func noNight(_ path: String, _ when: String = "yet") -> Failure {
        Failure(
            .noInput, "the ledger \(quoted(path)) contains no night \(when)",
            remedy: "Run 'reconcile nightly' first, or check which ledger the configuration names.")
    }
}
