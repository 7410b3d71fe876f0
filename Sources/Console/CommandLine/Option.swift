/// An option of the command line. Parser, help, manual and shell completions are all made from this description.
///
/// A name takes the same kind of value in every command that accepts it.
public struct Option: Sendable, Equatable {
    /// What follows the option's name.
    public enum Value: Sendable, Equatable {
        /// Nothing: the option is a flag.
        case none
        /// Any text, described by a placeholder.
        case text(String)
        case file
        case folder
        case choice([String])
    }
    /// The name without dashes.
    public var name: String
    /// What follows the name.
    public var value: Value
    /// What it does, for help, without a capital or a full stop.
    public var help: String
    public var isRepeatable: Bool

    /// Creates an option. By default it is a flag that may be given once.
    public init(name: String, value: Value = .none, help: String, isRepeatable: Bool = false) {
        (self.name, self.value, self.help, self.isRepeatable) = (name, value, help, isRepeatable)
    }

    /// The same option with the help of a command to which it means something of its own.
    public func meaning(_ help: String) -> Option {
        Option(name: name, value: value, help: help, isRepeatable: isRepeatable)
    }

    public var dashed: String { "--" + name }
    /// The placeholder for the value in help: `FILE`, `text|json`. Nil for a flag.
    public var placeholder: String? {
        switch value {
        case .none: nil
        case .text(let placeholder): placeholder
        case .file: "FILE"
        case .folder: "DIR"
        case .choice(let words): words.joined(separator: "|")
        }
    }
    public var synopsis: String { dashed + (placeholder.map { " " + $0 } ?? "") }
}

/// The options of every command, before or after its name.
extension Option {
    public static let help = Option(name: "help", help: "show help and end; -h for short")
    public static let version = Option(
        name: "version", help: "show the version and end; with --json, commit and libraries too")
    public static let quiet = Option(name: "quiet", help: "show only warnings and errors")
    public static let verbose = Option(name: "verbose", help: "show more details")
    public static let logFormat = Option(
        name: "log-format", value: .choice(Log.Format.allCases.map(\.rawValue)), help: "format of messages")
    public static let color = Option(
        name: "color", value: .choice(ColorChoice.allCases.map(\.rawValue)), help: "colours; NO_COLOR is honoured")

    /// All of them, in the order of help.
    public static let common = [help, version, quiet, verbose, logFormat, color]
}
