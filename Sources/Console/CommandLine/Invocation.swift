/// The parsed command line: a command with its operands and options. It conforms to the command table; values are not
/// interpreted yet.
public struct Invocation: Sendable, Equatable {
    public var command: Command
    /// The operands, in the order typed.
    public var operands: [String] = []
    /// The values of each option by its name, in the order typed. A flag has one empty value.
    public var typed: [String: [String]] = [:]

    public func isSet(_ option: Option) -> Bool { !values(option).isEmpty }
    /// The option's first value; nil if it was not given.
    public func value(_ option: Option) -> String? { values(option).first }
    /// All values of an option that the command must accept.
    public func values(_ option: Option) -> [String] {
        precondition(command.takes(option), "\(command.name) takes no \(option.dashed)")
        return typed[option.name] ?? []
    }

    /// The value of an option that the command requires.
    public func required(_ option: Option) throws(Failure) -> String {
        guard let value = value(option) else { throw usage("\(command.name) needs \(option.synopsis)") }
        return value
    }

    public func date(_ option: Option) throws(Failure) -> BusinessDate? {
        guard let text = value(option) else { return nil }
        guard let date = BusinessDate(text) else {
            throw usage("\(option.dashed) takes a date as YYYY-MM-DD, not \(quoted(text))")
        }
        return date
    }

    /// The value as an instant with an explicit offset.
    public func instant(_ option: Option) throws(Failure) -> Instant? {
        guard let text = value(option) else { return nil }
        guard let instant = Instant(strict: text) else {
            throw usage(
                "\(option.dashed) takes a time with its offset, such as 2025-11-19T04:00:00+08:00 or "
                    + "2025-11-18T20:00:00Z, not \(quoted(text))")
        }
        return instant
    }

    /// The value as a whole number in plain digits.
    public func count(_ option: Option, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(option) else { return nil }
        let isPlain = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        guard isPlain, let number = Int(text), range.contains(number) else {
            throw usage(
                "\(option.dashed) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \(quoted(text))"
            )
        }
        return number
    }

    /// The failure for a wrong command line, which refers to this command's help.
    public func usage(_ message: String) -> Failure { .usage(message, command: command) }
}

extension Failure {
    /// The failure for a wrong command line, which refers to the command's help, or to the program's.
    public static func usage(_ message: String, suggestion: String? = nil, command: Command? = nil) -> Failure {
        let hint = suggestion.map { "Did you mean \(quoted($0))? " } ?? ""
        let help = command.map { "reconcile \($0.name) --help" } ?? "reconcile --help"
        return Failure(.usage, message, remedy: hint + "See '\(help)'.")
    }
}
