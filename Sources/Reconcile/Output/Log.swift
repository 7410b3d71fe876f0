internal import Domain
internal import Foundation
internal import JSON
internal import Reports

/// Messages about the program's work on standard error: one line per event, as text or JSON.
struct Log: Sendable {
    /// The levels, most important first.
    enum Level: Int, Sendable, Comparable {
        case error, warning, notice, detail
        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
        var name: String { String(describing: self) }
    }
    enum Format: String, Sendable, CaseIterable { case text, json }

    /// The least important level that is shown.
    var level = Level.notice
    var format = Format.text
    var isColored = false
    var descriptor: Int32 = STDERR_FILENO
    /// The progress line; nil if it is not shown.
    var progress: Progress?
    var clock: @Sendable () -> Instant

    func warning(_ message: String) { write(.warning, message) }
    func notice(_ message: String) { write(.notice, message) }
    func detail(_ message: String) { write(.detail, message) }
    func failure(_ failure: Failure) { write(.error, failure.line, code: failure.code) }

    private func write(_ level: Level, _ message: String, code: ExitCode? = nil) {
        guard level <= self.level else { return }
        let line = format == .text ? text(level, message) : json(level, message, code)
        // A failure to write the log is ignored: it cannot be reported, and the results do not depend on it.
        let bytes = Array((line + "\n").utf8)
        if let progress { progress.write(bytes) } else { _ = writeAll(bytes, to: descriptor) }
    }

    private func text(_ level: Level, _ message: String) -> String {
        switch level {
        case .error: paint("reconcile: error: ", .bold) + display(message)
        case .warning: paint("reconcile: warning: ", .bold) + display(message)
        case .notice, .detail: display(message)
        }
    }

    private func paint(_ text: String, _ style: Style) -> String { isColored ? style.around(text) : text }

    private func json(_ level: Level, _ message: String, _ code: ExitCode?) -> String {
        var event: [String: JSON] = [
            "time": .text(clock().text), "level": .text(level.name), "message": .text(message),
        ]
        event["exit"] = code.map { .number(Int64($0.rawValue)) }
        return JSON.object(event).line
    }
}
