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
