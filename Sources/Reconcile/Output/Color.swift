internal import Glibc

/// Whether a stream is coloured: `--color`, else `NO_COLOR`, else whether it is a terminal that can.
enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never

    func isOn(isTerminal: Bool, variables: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        // no-color.org: present and not empty.
        case .auto: isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
        }
    }

    func isOn(for descriptor: Int32, variables: [String: String]) -> Bool {
        isOn(isTerminal: isatty(descriptor) == 1, variables: variables)
    }
}

/// The few styles the program uses; the words say the same without them.
enum Style: String, Sendable {
    case bold = "1"

    func around(_ text: String) -> String { "\u{1B}[" + rawValue + "m" + text + "\u{1B}[0m" }
}
