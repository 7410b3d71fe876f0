internal import Fetch
internal import Glibc
internal import Intake

/// `reconcile collect`: runs the commands of feeds whose file of a date is not there. See docs/spec/interfaces.md#collect.
struct Collect {
    private let configuration: Configuration
    private let variables: [String: String]
    private let now: Instant
    private let log: Log
    /// Whether files that are there are replaced.
    private let again: Bool

    /// How many commands run at the same time.
    private static let atOnce = 4
    /// How many missed dates are collected after a feed's newest file.
    private static let datesMax = 31

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        guard configuration.feeds.contains(where: { $0.command != nil }) else {
            throw Failure(
                .configuration, "no feed of the configuration has a command",
                remedy: "Add one, such as command: [\"psql\", \"--csv\", …, \"-f\", \"orders.sql\"]; feeds.md says how."
            )
        }
        let collect = Collect(
            configuration: configuration, variables: context.variables, now: context.clock(), log: context.log,
            again: invocation.isSet(.again))
        let lock = try OpenFile(locking: configuration.folder + "/.collect.lock")
        guard lock.lock(waits: false) else {
            throw Failure(.busy, "another collection is going on", remedy: "Wait until it has ended and run again.")
        }
        defer { lock.unlock() }
        return try collect.perform(date: try invocation.date(.date))
    }

    /// A file that is wanted.
    private struct Task: Sendable {
        var feed: Feed
        var command: FeedCommand
        var date: BusinessDate
        var path: String
        var since: Instant
    }

    /// Runs all commands, whatever becomes of the others.
    private func perform(date: BusinessDate?) throws -> ExitCode {
        let yesterday = configuration.policy.zone.date(of: now).advanced(by: -1)
        if let date, date > yesterday {
            throw Failure(.usage, "\(date) is not over yet", remedy: "Collect it when it is.")
        }
        let tasks = try configuration.feeds.flatMap { feed in
            try feed.command.map { try self.tasks(of: feed, $0, date: date, yesterday: yesterday) } ?? []
        }
        let failures = concurrently(threads: Self.atOnce, tasks.count) { number in
            Result { try collect(tasks[number]) }
        }
        var failed: [String] = []
        for (task, failure) in zip(tasks, failures) {
            guard let reason = try failure.get() else { continue }
            failed.append("\(task.feed.name) \(task.date) (\(reason))")
        }
        guard failed.isEmpty else {
            throw Failure(
                .unavailable,
                "\(failed.count) of \(counted(tasks.count, "command", "commands")) failed: \(failed.joined(separator: "; "))",
                remedy: again
                    ? "The old file stays. Correct them, then run '\(Self.again(tasks[0].date))' once more."
                    : "Correct them, then run 'reconcile collect' again. A night that runs without these files names them."
            )
        }
        if tasks.isEmpty { log.notice("every file is there; to replace one, run it with --date DATE --again") }
        return .done
    }

    /// The command that replaces the files of a date.
    static func again(_ date: BusinessDate) -> String { "reconcile collect --date \(date) --again" }

    /// The files that a feed lacks: of the date, or of yesterday and of the dates since its newest file.
    private func tasks(
        of feed: Feed, _ command: FeedCommand, date: BusinessDate?, yesterday: BusinessDate
    ) throws -> [Task] {
        let found = try findFiles(of: [feed], base: configuration.folder, through: yesterday).map(\.fileDate)
        let newest = found.filter { $0 < yesterday }.max() ?? yesterday
        let first = max(newest.advanced(by: 1), yesterday.advanced(by: 1 - Self.datesMax))
        var dates = [date ?? yesterday]
        if date == nil, first < yesterday {
            dates = (0..<(yesterday.day - first.day + 1)).map { first.advanced(by: Int($0)) }
        }
        return dates.compactMap { date in
            guard let path = feed.path(of: date) else { return nil }
            guard again && date == dates.last || !exists(path) && !exists(path + ".gz") else { return nil }
            var start = date
            if found.isEmpty, let history = configuration.policy.historyFrom { start = min(start, history) }
            let since = configuration.policy.zone.start(of: start.advanced(by: -command.overlapDays))
            return Task(feed: feed, command: command, date: date, path: path, since: since)
        }
    }

    /// Runs one command.
    /// - Returns: the reason for the failure, or nil if the file was written.
    /// - Throws: `Interrupted`.
    private func collect(_ task: Task) throws -> String? {
        let note = FailedCommand(of: task.path)
        let leftovers = Leftovers(path: task.path)
        var isDone = false
        defer { if !isDone { leftovers.end() } }
        do {
            if leftovers.end() > 0 {
                log.warning("\(task.feed.name) \(task.date): an earlier command was still running; it was ended")
            }
            try makeDayFolder(of: task.path)
            note.remove()
            let zone = configuration.policy.zone
            let words = task.command.words(
                date: task.date, since: task.since, until: zone.start(of: task.date.advanced(by: 1)))
            var file = try AtomicFile(task.path)
            let run = CommandRun(
                command: task.command, words: words, variables: environment(of: task), folder: configuration.folder,
                log: log,
                feed: task.feed.name)
            let written = try run.run(into: &file)
            try file.complete()
            var totals = try AtomicFile(task.path + ".totals")
            let text = "{ \"date\": \"\(task.date.text)\", \"sha256\": \"\(written.digest)\" }\n"
            try totals.write(Array(text.utf8))
            try totals.complete()
            // The old file would contradict the new totals.
            if again { unlink(task.path) }
            try totals.publish()
            try file.publish()
            isDone = true
            log.notice("\(display(task.path)): \(written.bytes) bytes from \(task.command.name)")
            return nil
        } catch let error as Interrupted {
            throw error
        } catch let error as CommandRun.Unsuccessful {
            note.write(error.reason)
            return error.reason
        } catch let error as Failure {
            note.write(error.line)
            return error.line
        }
    }

    /// The closed environment of a command.
    private func environment(of task: Task) -> [String: String] {
        let names = ["PATH", "HOME"] + task.command.environment
        var own = variables.filter { name, _ in
            names.contains(name) || name.hasPrefix("PG") || name.hasPrefix("MYSQL")
        }
        own["LANG"] = "C.UTF-8"
        own[Leftovers.variable] = task.path
        return own
    }
}

/// Why a command failed. A hidden file next to the missing one keeps the reason until the next attempt, so that the night
/// can report it.
struct FailedCommand {
    private let path: String

    /// - Parameter path: the path of the file that is not there.
    init(of path: String) {
        self.path = folderOf(path) + "/." + (path.split(separator: "/").last.map(String.init) ?? "") + ".failed"
    }

    func remove() { unlink(path) }

    /// Without the note the night still says that the file is missing.
    func write(_ reason: String) {
        guard var file = try? AtomicFile(path) else { return }
        try? file.write(Array(reason.utf8))
        try? file.publish()
    }

    /// The reason; nil if the command did not fail.
    var reason: String? {
        guard let content = try? WholeFile(path: path, bytesMax: 4096), case .read(let bytes, _) = content,
            !bytes.isEmpty
        else { return nil }
        return display(String(decoding: bytes, as: UTF8.self))
    }
}
