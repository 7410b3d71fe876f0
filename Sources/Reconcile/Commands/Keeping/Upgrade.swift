internal import Glibc
internal import Ledger

/// Brings the ledger of an older release to this program's version: `reconcile upgrade`, and every night before it begins.
/// A proven copy of before stays beside the ledger, because the older program cannot read the new one.
enum Upgrade {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        guard exists(configuration.ledger) else { throw Ledger.noNight(configuration.ledger) }
        try perform(on: configuration.ledger, context)
        // A ledger that cannot be used is no ledger of this version.
        let version = try Ledger.reading(path: configuration.ledger).version
        context.announce("\(display(configuration.ledger)) is of this program's version (\(version)).\n")
        return .done
    }

    /// Does nothing where there is no ledger of an older release.
    static func perform(on path: String, _ context: CommandContext, by steps: UpgradeSteps = .all) throws {
        guard try isOutdated(path, by: steps) else { return }
        let lock = try RunLock(of: path, now: context.clock())
        defer { withExtendedLifetime(lock) {} }
        let ledger = try Ledger(path: path, upgradableBy: steps)
        guard try ledger.isOutdated else { return }
        let clock = StageClock(log: context.log)
        try ledger.begin()
        let change = "from version \(try ledger.version)"
        let copy = try keep(ledger, at: path, clock, by: steps)
        var isCommitting = false
        do {
            try clock.time("upgrade") {
                try ledger.upgrade(by: steps) { try Interruption.process.check() }
                try ledger.writeMaintenance(
                    .upgraded, run: ledger.lastRun()?.id ?? 0, by: nil, at: context.clock(), note: change)
                isCommitting = true
                try ledger.commit()
            }
        } catch {
            // After a failed COMMIT, the transaction may still turn out to be in the ledger.
            if !isCommitting || Failure.leavesNothing(error) { unlink(copy) }
            throw error
        }
        context.log.notice(
            "the ledger was brought to version \(try ledger.version); \(quoted(copy)) is the ledger of before")
    }

    private static func isOutdated(_ path: String, by steps: UpgradeSteps) throws -> Bool {
        // Only a first night writes a rollback journal. What is in the file by then will be undone.
        guard exists(path), !exists(path + "-journal") else { return false }
        return try Ledger.reading(path: path, upgradableBy: steps).isOutdated
    }

    /// Copies the ledger and proves the copy.
    /// - Returns: the copy's path.
    private static func keep(
        _ ledger: Ledger, at path: String, _ clock: StageClock, by steps: UpgradeSteps
    ) throws -> String {
        let copy = try "\(path).version-\(ledger.version)-\(ledger.lastDate)"
        let temporary = copy + ".new"
        // A killed upgrade may have left it. The ledger holds all that the copy holds.
        Ledger.remove(path: copy)
        try Ledger.making(temporary) {
            try clock.time("copy") { work in
                // Not by the connection that holds the transaction: SQLite refuses that.
                try Ledger.reading(path: path, upgradableBy: steps)
                    .backUp(to: temporary, work: work) { try Interruption.process.check() }
            }
            try clock.time("prove") { try Ledger.copy(path: temporary, upgradableBy: steps).checkOutdated() }
            try sync(temporary)
            guard rename(temporary, copy) == 0 else {
                throw Failure.system(errno, cannot: "create", copy, otherwise: .cannotCreate)
            }
            try sync(folderOf(copy))
        }
        return copy
    }
}
