internal import Domain

/// What was typed: a command, its operands and options, with the table's promises kept, not yet what they mean.
struct Invocation: Sendable, Equatable {
    var command: Command
    var operands: [String] = []
    /// By name of the option, in the order typed; a flag has one empty text.
    var typed: [String: [String]] = [:]

    func isSet(_ option: Option) -> Bool { !values(option).isEmpty }
    func value(_ option: Option) -> String? { values(option).first }
    func values(_ option: Option) -> [String] {
        precondition(command.takes(option), "\(command.name) takes no \(option.dashed)")
        return typed[option.name] ?? []
    }

    /// The value of an option that the command cannot do without.
    func required(_ option: Option) throws(Failure) -> String {
        guard let value = value(option) else { throw usage("\(command.name) needs \(option.synopsis)") }
        return value
    }

    func date(_ option: Option) throws(Failure) -> BusinessDate? {
        guard let text = value(option) else { return nil }
        guard let date = BusinessDate(text) else {
            throw usage("\(option.dashed) takes a day of the calendar as YYYY-MM-DD, not \(quoted(text))")
        }
        return date
    }

    func instant(_ option: Option) throws(Failure) -> Instant? {
        guard let text = value(option) else { return nil }
        guard let instant = Instant(strict: text) else {
            throw usage(
                "\(option.dashed) takes an instant with its offset, such as 2025-11-19T04:00:00+08:00 or "
                    + "2025-11-18T20:00:00Z, not \(quoted(text))")
        }
        return instant
    }

    /// A whole number in plain digits.
    func count(_ option: Option, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(option) else { return nil }
        let isPlain = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        guard isPlain, let number = Int(text), range.contains(number) else {
            throw usage(
                "\(option.dashed) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(quoted(text))"
            )
        }
        return number
    }

    /// A wrong command line, with the way to this command's help.
    func usage(_ message: String) -> Failure { .usage(message, command: command) }
}

extension Failure {
    static func usage(_ message: String, suggestion: String? = nil, command: Command? = nil) -> Failure {
        let hint = suggestion.map { "Did you mean \(quoted($0))? " } ?? ""
        let help = command.map { "reconcile \($0.name) --help" } ?? "reconcile --help"
        return Failure(.usage, message, remedy: hint + "See '\(help)'.")
    }
}
