internal import Glibc
internal import Reports

extension Screen {
    /// As `COLUMNS` says, else the terminal, else 80 columns; coloured as `--color` says.
    static func standardOutput(_ invocation: Invocation, _ variables: [String: String]) -> Screen {
        let color = invocation.value(.color).flatMap(ColorChoice.init) ?? .auto
        let columns = variables["COLUMNS"].flatMap { Int($0) } ?? terminalColumns(STDOUT_FILENO) ?? 80
        return Screen(columns: columns, isColored: color.isOn(for: STDOUT_FILENO, variables: variables))
    }
}

/// Nil where the descriptor is no terminal, or one that does not know.
func terminalColumns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : nil
}
