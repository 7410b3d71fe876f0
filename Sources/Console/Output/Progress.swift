internal import Dispatch
internal import Glibc
internal import Synchronization

/// A line at the bottom of the terminal that shows the progress of the current stage. It is rewritten in place, cleared
/// before a log message, and removed when the stage ends.
final class Progress: Sendable {
    private struct State {
        var stage: (line: ProgressLine, work: WorkCount)?
        var isShown = false
    }
    private let state = Mutex(State())
    private let descriptor: Int32
    private static let interval: Int64 = 250
    private static let clearing = "\r\u{1B}[K"

    /// Nil if `descriptor` is not a terminal, or one that cannot erase a line.
    init?(on descriptor: Int32, variables: [String: String]) {
        guard isatty(descriptor) == 1, variables["TERM"] != "dumb" else { return nil }
        self.descriptor = descriptor
        // A serial queue has a thread of its own, even if all cores are busy.
        redraw(on: DispatchQueue(label: "progress"))
    }

    func begin(_ line: ProgressLine, _ work: WorkCount) { state.withLock { $0.stage = (line, work) } }

    func end() {
        state.withLock { state in
            state.stage = nil
            clear(&state)
        }
    }

    /// Writes a permanent line in place of the progress line.
    func write(_ bytes: [UInt8]) {
        state.withLock { state in
            clear(&state)
            _ = writeAll(bytes, to: descriptor)
        }
    }

    private func redraw(on queue: DispatchQueue) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(Self.interval))) { [weak self] in
            guard let self else { return }
            state.withLock { self.draw(&$0) }
            redraw(on: queue)
        }
    }

    private func draw(_ state: inout State) {
        let now = StageClock.milliseconds(CLOCK_MONOTONIC)
        guard let stage = state.stage, now - stage.line.start >= Self.interval, isInForeground else { return }
        // A character in the last column of a terminal may wrap.
        let columns = (terminalColumns(descriptor) ?? 80) - 1
        let text = stage.line.text(of: stage.work.amount, now: now, columns: columns)
        _ = writeAll(Array((Self.clearing + text).utf8), to: descriptor)
        state.isShown = true
    }

    private func clear(_ state: inout State) {
        if state.isShown { _ = writeAll(Array(Self.clearing.utf8), to: descriptor) }
        state.isShown = false
    }

    /// A background job (`&`) must not overwrite the lines of the foreground job.
    private var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }
}
