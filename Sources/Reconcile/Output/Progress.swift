internal import Dispatch
internal import Domain
internal import Glibc
internal import Parallel
internal import Synchronization

/// One line at the foot of the terminal that says how far the stage at work is: rewritten in place, out of the way of
/// what the log says, and gone when the stage ends.
final class Progress: Sendable {
    private struct State {
        var stage: (line: ProgressLine, work: WorkCount)?
        var isShown = false
    }
    private let state = Mutex(State())
    private let descriptor: Int32
    private static let interval: Int64 = 250
    private static let clearing = "\r\u{1B}[K"

    /// Nil where nobody would see it, or where it would do harm: `descriptor` is no terminal that can erase a line.
    init?(on descriptor: Int32, variables: [String: String]) {
        guard isatty(descriptor) == 1, variables["TERM"] != "dumb" else { return nil }
        self.descriptor = descriptor
        // A serial queue has a thread of its own, however busy the cores are.
        redraw(on: DispatchQueue(label: "progress"))
    }

    func begin(_ line: ProgressLine, _ work: WorkCount) { state.withLock { $0.stage = (line, work) } }

    func end() {
        state.withLock { state in
            state.stage = nil
            clear(&state)
        }
    }

    /// Writes a line that stays, in the place of the one that does not.
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
        // In a terminal's last column a letter may wrap.
        let columns = (terminalColumns(descriptor) ?? 80) - 1
        let text = stage.line.text(of: stage.work.amount, now: now, columns: columns)
        _ = writeAll(Array((Self.clearing + text).utf8), to: descriptor)
        state.isShown = true
    }

    private func clear(_ state: inout State) {
        if state.isShown { _ = writeAll(Array(Self.clearing.utf8), to: descriptor) }
        state.isShown = false
    }

    /// A job that its shell has put aside (`&`) must not write over the next one's lines.
    private var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }
}
