internal import Foundation
internal import Glibc

/// `reconcile fetch`: the days that are missing, then what the last manifest asks for. See docs/spec/interfaces.md#fetch.
struct FetchRun {
    let configuration: Configuration
    let apple: AppleSettings
    let context: FetchContext
    let client: AppleClient
    private(set) var tally = FetchTally()

    /// - Throws: `Failure`, `AppleError`, `Interrupted`.
    func perform() throws -> ExitCode {
        var run = self
        let lastDate = configuration.lastSettledDate(now: context.now)
        let example = try path(of: lastDate)
        try makeDayFolder(of: example)
        let folder = folderOf(example)
        let lock = try OpenFile(locking: folder + "/.fetch.lock")
        guard lock.lock(waits: false) else {
            throw Failure(.busy, "another fetch is going on", remedy: "Wait until it has ended and run again.")
        }
        defer { lock.unlock() }
        try sweep(folder)
        do {
            try run.fetchDays(through: lastDate)
            run.tally.asked = try ManifestEntries(run: self).answer(for: lastDate)
            run.leave(in: folder, code: .done)
            return .done
        } catch {
            run.leave(in: folder, code: Failure(fetching: error).code)
            throw error
        }
    }

    /// Removes what killed runs have left. Nothing that a feed could match is touched.
    private func sweep(_ folder: String) throws(Failure) {
        unlink(folder + "/.fetch.spool")
        let lock = try OpenFile(locking: folder + "/.append.lock")
        guard lock.lock(waits: false) else { return }
        defer { lock.unlock() }
        let feeds = [apple.notifications, apple.asked, apple.orders, apple.acks].compactMap(\.self)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(".") && name.hasSuffix(".part") {
            var inner = String(name.dropFirst().dropLast(5))
            if inner.hasPrefix("."), inner.hasSuffix(".unsigned") { inner = String(inner.dropFirst().dropLast(9)) }
            if feeds.contains(where: { $0.matches(inner) }) { unlink(folder + "/" + name) }
        }
    }

    func path(of date: BusinessDate) throws(Failure) -> String {
        guard let path = apple.notifications.path(of: date) else {
            preconditionFailure("the configuration admits no '*' there")
        }
        return path
    }

    /// Fetches from the newest day to the oldest, so that an interruption leaves out the old ones.
    private mutating func fetchDays(through last: BusinessDate) throws {
        var first = last.advanced(by: 1 - configuration.daysKept)
        for bound in [configuration.policy.historyFrom, apple.notifications.since] {
            first = max(first, bound ?? first)
        }
        var date = last
        while date >= first {
            let path = try path(of: date)
            // A day that was compressed afterwards is there.
            if !exists(path), !exists(path + ".gz") {
                tally.daysMissing += 1
                do { try fetch(date, as: path) } catch AppleError.tooOld {
                    context.log.warning("Apple no longer keeps the notifications of \(date.text) and before")
                    return
                }
                tally.daysMissing -= 1
            }
            date = date.advanced(by: -1)
        }
    }

    private mutating func fetch(_ date: BusinessDate, as path: String) throws {
        try makeDayFolder(of: path)
        let zone = configuration.policy.zone
        var spool = try NotificationSpool(in: folderOf(path))
        var unsigned = UnsignedItems()
        var failures: [String: Int] = [:]
        var pages = 0
        for bundle in configuration.bundles {
            pages += try client.notifications(
                of: bundle, on: configuration.server, from: zone.start(of: date), to: zone.end(of: date)
            ) { notification in
                try Interruption.process.check()
                if let payload = notification.signedPayload {
                    try spool.add(payload)
                } else {
                    try unsigned.add(notification.item)
                }
                if let reason = notification.failure { failures[reason, default: 0] += 1 }
            }
        }
        try unsigned.check(against: spool.count)
        // First, because a day whose file is there is not asked for again.
        try unsigned.publish(beside: path)
        let count = try spool.publish(as: path)
        tally.daysFetched += 1
        tally.notifications += count
        tally.unsigned += unsigned.count
        tally.failures.merge(failures, uniquingKeysWith: +)
        context.log.notice(
            "\(date.text): \(counted(count, "notification", "notifications")) from Apple"
                + " (\(counted(pages, "page", "pages")))")
        if unsigned.count > 0 {
            context.log.warning(
                "\(date.text): \(counted(unsigned.count, "notification has", "notifications have")) no signed payload and "
                    + "\(unsigned.count == 1 ? "was" : "were") set aside in \(UnsignedItems.path(beside: path)). "
                    + "No night reads that file; reconcile check says what to do")
        }
        guard !failures.isEmpty else { return }
        context.log.warning(
            "\(date.text): Apple could not deliver \(counted(failures.values.reduce(0, +), "notification", "notifications")) "
                + "to the shop's server: \(FetchTally.listed(failures)). Repair the server; these purchases are known now"
        )
    }

    private func leave(in folder: String, code: ExitCode) {
        do { try tally.write(to: folder + "/.fetch.prom", now: context.now, code: code) } catch {
            context.log.warning("no metrics: \(error.message)")
        }
    }
}

extension Configuration {
    /// The last business date that is over, and for which Apple has had time to file everything.
    fileprivate func lastSettledDate(now: Instant) -> BusinessDate {
        let settled = Instant(milliseconds: now.milliseconds - Milliseconds.minutes(15).count)
        return policy.zone.date(of: settled).advanced(by: -1)
    }

    /// Apple keeps 180 days, of the sandbox 30.
    fileprivate var daysKept: Int { server == .sandbox ? 30 : 180 }

    /// The days that Apple still keeps of which notifications were set aside, because they have no signed payload: the path
    /// of the day's file, and of the file with these notifications. Newest first.
    public func daysWithUnsigned(now: Instant) -> [(day: String, unsigned: String)] {
        let last = lastSettledDate(now: now)
        return (0..<daysKept).compactMap { age in
            guard let day = apple?.notifications.path(of: last.advanced(by: -age)) else { return nil }
            let unsigned = UnsignedItems.path(beside: day)
            return exists(unsigned) ? (day, unsigned) : nil
        }
    }

    /// The folder of the files that a fetch writes now; nil if Apple is not asked.
    public func fetchFolder(now: Instant) -> String? {
        apple?.notifications.path(of: lastSettledDate(now: now)).map(folderOf)
    }
}

/// What a run fetched, for metrics.
struct FetchTally {
    var daysFetched = 0
    var daysMissing = 0
    var notifications = 0
    /// Notifications without a signed payload, which were set aside.
    var unsigned = 0
    /// Notifications that Apple could not deliver to the shop's server, by reason.
    var failures: [String: Int] = [:]
    /// Answers to retry entries, by outcome.
    var asked: [AckOutcome: Int] = [:]

    /// `NO_RESPONSE 12, TIMED_OUT 3`, the most frequent first.
    static func listed(_ counts: [String: Int]) -> String {
        counts.ordered { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
            .joined(separator: ", ")
    }

    /// Prometheus' text format. `cron/reconcile-nightly` adds the app's label.
    func write(to path: String, now: Instant, code: ExitCode) throws(Failure) {
        var lines: [String] = []
        func gauge(_ name: String, _ help: String, values: [(label: String, value: Int)]) {
            guard !values.isEmpty else { return }
            lines += ["# HELP reconcile_fetch_\(name) \(help)", "# TYPE reconcile_fetch_\(name) gauge"]
            lines += values.map { "reconcile_fetch_\(name)\($0.label) \($0.value)" }
        }
        gauge("timestamp_seconds", "When Apple was last asked.", values: [("", Int(now.milliseconds / 1000))])
        gauge("exit_code", "How that ended.", values: [("", Int(code.rawValue))])
        gauge(
            "days", "Days that were missing.",
            values: [("{state=\"fetched\"}", daysFetched), ("{state=\"missing\"}", daysMissing)])
        gauge("notifications", "Notifications fetched.", values: [("", notifications)])
        gauge("unsigned", "Notifications without a signed payload, which were set aside.", values: [("", unsigned)])
        gauge(
            "undelivered", "Notifications that Apple could not deliver to the shop's server.",
            values: failures.ordered().map { ("{reason=\"\($0.key)\"}", $0.value) })
        gauge(
            "answers", "Retry entries that Apple was asked about.",
            values: asked.ordered { $0.key.rawValue < $1.key.rawValue }.map {
                ("{outcome=\"\($0.key.rawValue)\"}", $0.value)
            })
        var file = try AtomicFile(path)
        try file.write(Array((lines.joined(separator: "\n") + "\n").utf8))
        try file.publish()
    }
}

/// A day's notifications without a signed payload. No night can read them, and the rest of the day need not wait for
/// them, so they are kept for a person, byte for byte. See docs/spec/app-store.md#apple-unsigned.
struct UnsignedItems {
    private var items: Set<[UInt8]> = []
    private static let most = 100

    var count: Int { items.count }

    /// - Throws: `AppleError` where they are too many for an answer of Apple's.
    mutating func add(_ item: UnsafeRawBufferPointer) throws(AppleError) {
        items.insert(Array(item))
        if count > Self.most { throw tooMany("more than \(Self.most)") }
    }

    /// - Parameter signed: how many notifications of the day have a signed payload.
    /// - Throws: `AppleError` where most of the day has none.
    func check(against signed: Int) throws(AppleError) {
        if count > signed { throw tooMany("\(count) of \(count + signed)") }
    }

    private func tooMany(_ what: String) -> AppleError {
        let first = String(decoding: items.first?.prefix(500) ?? [], as: UTF8.self)
        return .senseless("\(what) notifications of a day have no signed payload. One begins with \(quoted(first))")
    }

    /// Writes them beside the file of the day, a line feed after each. A day without such items has no such file.
    func publish(beside day: String) throws(Failure) {
        let path = Self.path(beside: day)
        guard !items.isEmpty else {
            unlink(path)
            return
        }
        var file = try AtomicFile(path)
        for item in items.ordered(by: { $0.lexicographicallyPrecedes($1) }) {
            try file.write(item + [UInt8(ascii: "\n")])
        }
        try file.publish()
    }

    /// The hidden file, which no feed matches, that belongs to the file of a day.
    static func path(beside day: String) -> String {
        folderOf(day) + "/." + (day.split(separator: "/").last ?? "") + ".unsigned"
    }
}
