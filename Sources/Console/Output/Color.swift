internal import Glibc

/// Whether a stream is coloured: by `--color`, otherwise by `NO_COLOR`, otherwise if it is a terminal that supports it.
public enum ColorChoice: String, Sendable, CaseIterable {
    /// By the environment and the terminal.
    case auto
    case always
    case never

    func isOn(isTerminal: Bool, variables: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        // https://no-color.org: set and not empty.
        case .auto: isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb"
        }
    }

    public func isOn(for descriptor: Int32, variables: [String: String]) -> Bool {
        isOn(isTerminal: isatty(descriptor) == 1, variables: variables)
    }
}

/// Bold text. Styles never carry information that the words do not.
func bold(_ text: String) -> String { "\u{1B}[1m" + text + "\u{1B}[0m" }

/// Nil if the descriptor is not a terminal, or the terminal does not know its width.
public func terminalColumns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : nil
}
