internal import Glibc
internal import Reports

extension Screen {
    /// The width is that of `COLUMNS`, else of the terminal, else 80 columns. `--color` decides about colour.
    static func standardOutput(_ invocation: Invocation, _ variables: [String: String]) -> Screen {
        let color = invocation.value(.color).flatMap(ColorChoice.init) ?? .auto
        let columns = variables["COLUMNS"].flatMap { Int($0) } ?? terminalColumns(STDOUT_FILENO) ?? 80
        return Screen(columns: columns, isColored: color.isOn(for: STDOUT_FILENO, variables: variables))
    }
}

/// Nil if the descriptor is not a terminal, or the terminal does not know its width.
func terminalColumns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : nil
}
