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
