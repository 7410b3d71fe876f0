internal import Glibc

/// Whether a stream is coloured: by `--color`, otherwise by `NO_COLOR`, otherwise if it is a terminal that supports it.
public enum ColorChoice: String, Sendable, CaseIterable {
    /// By the environment and the terminal.
    case auto
    /// Coloured.
    case always
    /// Plain.
    case never

    func isOn(isTerminal: Bool, variables: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        // https://no-color.org: set and not empty.
        case .auto: isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
        }
    }

    /// Whether the stream of this descriptor is coloured.
    public func isOn(for descriptor: Int32, variables: [String: String]) -> Bool {
        isOn(isTerminal: isatty(descriptor) == 1, variables: variables)
    }
}

/// The styles that the program uses. They never carry information that the words do not.
enum Style: String, Sendable {
    case bold = "1"

    func around(_ text: String) -> String { "\u{1B}[" + rawValue + "m" + text + "\u{1B}[0m" }
}
