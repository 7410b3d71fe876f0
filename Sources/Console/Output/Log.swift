internal import Glibc

/// Messages about the program's work on standard error: one line per event, as text or JSON.
public struct Log: Sendable {
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
    var descriptor = STDERR_FILENO
    /// The file of `RECONCILE_REASONS`: each line is a reason to look at the night, and its message.
    var reasons = ""
    /// The progress line; nil if it is not shown.
    var progress: Progress?
    var clock: @Sendable () -> Instant

    public var isQuiet: Bool { level < .notice }

    /// Shows errors only, for what was said before.
    public mutating func silence() { level = .error }

    /// Why a person must look at a night. Its mail says it first.
    public enum Reason: String, Sendable {
        /// Rejected rows.
        case rows
        /// Another cause: what was delivered or set.
        case input
        /// What follows from the causes.
        case look
        /// Held retry entries.
        case held
    }

    /// Logs an event that needs attention.
    public func warning(_ message: String, for reason: Reason? = nil) {
        write(.warning, message)
        guard let reason, level >= .warning else { return }
        let file = open(reasons, O_WRONLY | O_APPEND | O_CLOEXEC)
        // Without the file, the mail has all warnings. With a part of the reasons, it would have the wrong ones.
        if writeAll(Array("\(reason.rawValue) \(display(message))\n".utf8), to: file) != 0 { unlink(reasons) }
        close(file)
    }
    /// Logs what the program did.
    public func notice(_ message: String) { write(.notice, message) }
    /// Logs a detail, which `--verbose` shows.
    public func detail(_ message: String) { write(.detail, message) }
    public func failure(_ failure: Failure) { write(.error, failure.line, code: failure.code) }

    private func write(_ level: Level, _ message: String, code: ExitCode? = nil) {
        guard level <= self.level else { return }
        let line = format == .text ? text(level, message) : json(level, message, code: code)
        // A failure to write the log is ignored: it cannot be reported, and the results do not depend on it.
        let bytes = Array((line + "\n").utf8)
        if let progress { progress.write(bytes) } else { _ = writeAll(bytes, to: descriptor) }
    }

    private func text(_ level: Level, _ message: String) -> String {
        switch level {
        case .error: head("reconcile: error: ") + display(message)
        case .warning: head("reconcile: warning: ") + display(message)
        case .notice, .detail: display(message)
        }
    }

    private func head(_ text: String) -> String { isColored ? bold(text) : text }

    private func json(_ level: Level, _ message: String, code: ExitCode?) -> String {
        var event: [String: JSON] = [
            "time": .text(clock().text), "level": .text(level.name), "message": .text(message),
        ]
        event["exit"] = code.map { .number(Int64($0.rawValue)) }
        return JSON.object(event).line
    }
}

extension Log {
    /// Creates a log on standard error.
    public init(clock: @escaping @Sendable () -> Instant) { self.init(level: .notice, clock: clock) }

    /// Applies `--quiet`, `--verbose`, `--log-format` and `--color`.
    public mutating func apply(_ invocation: Invocation, variables: [String: String]) {
        if invocation.isSet(.quiet) { level = .warning }
        if invocation.isSet(.verbose) { level = .detail }
        reasons = variables["RECONCILE_REASONS"] ?? ""
        format = invocation.value(.logFormat).flatMap(Format.init) ?? .text
        let color = invocation.value(.color).flatMap(ColorChoice.init) ?? .auto
        isColored = color.isOn(for: descriptor, variables: variables)
        if level >= .notice, format == .text { progress = Progress(on: descriptor, variables: variables) }
    }
}
