internal import Foundation
internal import Glibc

/// Measures the stages of a run for the log and the metrics, and never for a file that must be the same when the run is
/// repeated. On a terminal, it shows the progress of the current stage.
public final class StageClock: StageTimer {
    public private(set) var times: [StageTime] = []
    private let log: Log

    /// Creates a clock that shows figures and progress in `log`.
    public init(log: Log) { self.log = log }

    /// Runs a stage and notes what it cost. Stages do not nest.
    ///
    /// `body` counts its work as it goes on. If it counts no bytes, the bytes that the process read and wrote meanwhile
    /// are taken.
    public func time<Result>(
        _ stage: String, of unit: String = "rows", _ body: (WorkCount) throws -> Result
    ) rethrows -> Result {
        let work = WorkCount()
        let start = Self.milliseconds(CLOCK_MONOTONIC)
        let (processor, moved) = (Self.milliseconds(CLOCK_PROCESS_CPUTIME_ID), Self.bytesMoved())
        log.progress?.begin(ProgressLine(stage: stage, unit: unit, start: start), work)
        defer { log.progress?.end() }
        let result = try body(work)
        let done = work.amount
        note(
            StageTime(
                stage: stage, unit: unit, wall: Self.milliseconds(CLOCK_MONOTONIC) - start,
                processor: Self.milliseconds(CLOCK_PROCESS_CPUTIME_ID) - processor, items: done.rows,
                bytes: done.bytes > 0 ? done.bytes : Self.bytesMoved().flatMap { now in moved.map { now - $0 } } ?? 0))
        return result
    }

    /// The same for a stage without anything to count.
    public func time<Result>(_ stage: String, _ body: () throws -> Result) rethrows -> Result {
        try time(stage) { (_: WorkCount) in try body() }
    }

    /// Begins a stage that runs beside others until `finish` is called. If only one core may be used, it runs in
    /// `finish`.
    public func begin(
        _ stage: String, isConcurrent: Bool, _ body: @escaping @Sendable (WorkCount) throws -> Void
    ) -> ConcurrentStage {
        let work = WorkCount()
        let start = Self.milliseconds(CLOCK_MONOTONIC)
        return ConcurrentStage(
            line: ProgressLine(stage: stage, unit: "rows", start: start), work: work,
            wall: BackgroundTask(isConcurrent: isConcurrent) {
                let start = Self.milliseconds(CLOCK_MONOTONIC)
                try body(work)
                return Self.milliseconds(CLOCK_MONOTONIC) - start
            })
    }

    /// Waits for the stage. Its elapsed time is its own. The processor time that it used while other stages ran counts
    /// as theirs.
    public func finish(_ stage: ConcurrentStage) throws {
        let processor = Self.milliseconds(CLOCK_PROCESS_CPUTIME_ID)
        log.progress?.begin(stage.line, stage.work)
        defer { log.progress?.end() }
        let wall = try stage.wall.value()
        let done = stage.work.amount
        note(
            StageTime(
                stage: stage.line.stage, unit: stage.line.unit, wall: wall,
                processor: Self.milliseconds(CLOCK_PROCESS_CPUTIME_ID) - processor,
                items: done.rows, bytes: done.bytes))
    }

    /// Not inlined, because Benchmarks/instructions.sh separates the stages by the calls of this function.
    @inline(never)
    private func note(_ time: StageTime) {
        times.append(time)
        log.detail(time.line)
    }

    static func milliseconds(_ clock: clockid_t) -> Int64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// The bytes that the process has read and written by system calls so far, including the few for this. Nil if Linux
    /// does not say. https://docs.kernel.org/filesystems/proc.html#proc-pid-io-display-the-io-accounting-fields
    private static func bytesMoved() -> Int64? {
        guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else { return nil }
        let fields = text.split(separator: "\n").filter { $0.hasPrefix("rchar:") || $0.hasPrefix("wchar:") }
        return fields.reduce(0) { $0 + (Int64($1.dropFirst("rchar: ".count)) ?? 0) }
    }
}

/// A stage that runs beside others.
public struct ConcurrentStage {
    fileprivate let line: ProgressLine
    fileprivate let work: WorkCount
    /// The elapsed time in milliseconds.
    fileprivate let wall: BackgroundTask<Int64, any Error>
}

extension StageTime {
    /// `read: 1.204 s, 2.310 s of processor, 4000000 rows, 1097 MB`
    fileprivate var line: String {
        var parts = ["\(stage): \(decimal(wall, exponent: 3)) s", "\(decimal(processor, exponent: 3)) s of processor"]
        if items > 0 { parts.append("\(items) \(unit)") }
        if bytes >= 1_000_000 { parts.append("\(bytes / 1_000_000) MB") }
        return parts.joined(separator: ", ")
    }
}
