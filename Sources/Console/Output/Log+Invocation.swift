extension Log {
    /// Applies `--quiet`, `--verbose`, `--log-format` and `--color`.
    public mutating func apply(_ invocation: Invocation, variables: [String: String]) {
        if invocation.isSet(.quiet) { level = .warning }
        if invocation.isSet(.verbose) { level = .detail }
        format = invocation.value(.logFormat).flatMap(Format.init) ?? .text
        let color = invocation.value(.color).flatMap(ColorChoice.init) ?? .auto
        isColored = color.isOn(for: descriptor, variables: variables)
        if level >= .notice, format == .text { progress = Progress(on: descriptor, variables: variables) }
    }
}
