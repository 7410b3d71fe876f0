internal import Base
internal import Console
internal import Domain
internal import Engine
internal import Foundation
internal import Ledger
internal import Settings

/// `reconcile prune --reports --older-than DAYS`: removes the reports of old nights. The ledger keeps the nights, and
/// `nightly --date` renders their reports again.
enum PruneReports {
    /// - Parameter date: reports from before it are removed; never those of the last night, nor those of months.
    static func run(
        _ configuration: Configuration, before date: BusinessDate, isDryRun: Bool, _ context: CommandContext
    ) throws -> ExitCode {
        guard exists(configuration.ledger) else { throw Ledger.noNight(configuration.ledger) }
        let lock = try RunLock(of: configuration.ledger, now: context.clock())
        defer { withExtendedLifetime(lock) {} }
        let ledger = try Ledger.reading(path: configuration.ledger)
        try ledger.beginReading()
        guard let last = try ledger.lastRun() else { throw Ledger.noNight(configuration.ledger) }
        try ledger.checkHead()
        let publication = try Publication(output: configuration.output, group: configuration.group)
        let dates = Set(try ledger.runs().map(\.businessDate)).sorted().filter {
            $0 < date && $0 < last.businessDate && publication.target(of: $0.text) != nil
        }
        if !isDryRun { for date in dates { try publication.withdraw(date) } }
        let span = dates.isEmpty ? "" : ": \(dates[0]) to \(dates[dates.count - 1])"
        context.announce(
            (isDryRun ? "To be removed from before \(date): " : "Removed from before \(date): ")
                + "the reports of \(counted(dates.count, "night", "nights"))\(span).\n"
                + (isDryRun ? "Nothing was changed.\n" : "'reconcile nightly --date DATE' renders them again.\n"))
        return .done
    }
}
