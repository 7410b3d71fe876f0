internal import Glibc

/// What one stage of a run took.
struct StageTime: Sendable {
    var stage: String
    /// Elapsed, and of all processors together, in milliseconds.
    var wall: Int64
    var processor: Int64
    /// Rows, cases or whatever the stage counts; 0 where it counts nothing.
    var items = 0
    /// Bytes read or written; 0 where the stage does neither.
    var bytes: Int64 = 0
}

/// Times the stages of a run, for the log and for metrics: never for a file that must be the same when run again.
final class StageClock {
    private(set) var times: [StageTime] = []
    private let log: Log

    init(log: Log) { self.log = log }

    /// Runs a stage and notes what it took. Stages do not nest.
    func time<Result>(_ stage: String, _ body: (inout StageTime) throws -> Result) rethrows -> Result {
        var time = StageTime(stage: stage, wall: 0, processor: 0)
        let start = (Self.milliseconds(CLOCK_MONOTONIC), Self.milliseconds(CLOCK_PROCESS_CPUTIME_ID))
        let result = try body(&time)
        time.wall = Self.milliseconds(CLOCK_MONOTONIC) - start.0
        time.processor = Self.milliseconds(CLOCK_PROCESS_CPUTIME_ID) - start.1
        times.append(time)
        log.detail(time.line)
        return result
    }

    /// The same where there is nothing to count.
    func time<Result>(_ stage: String, _ body: () throws -> Result) rethrows -> Result {
        try time(stage) { (_: inout StageTime) in try body() }
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }
}

extension StageTime {
    /// `read: 1.204 s, 2.310 s of processor, 4000000 rows, 1097 MB`
    fileprivate var line: String {
        var parts = ["\(stage): \(seconds(wall)) s", "\(seconds(processor)) s of processor"]
        if items > 0 { parts.append("\(items) items") }
        if bytes > 0 { parts.append("\(bytes / 1_000_000) MB") }
        return parts.joined(separator: ", ")
    }

    private func seconds(_ milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.utf8.count) + rest
    }
}
