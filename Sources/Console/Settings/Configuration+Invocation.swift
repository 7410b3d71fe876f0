/// The options that name the configuration or override parts of it.
extension Option {
    public static let config = Option(
        name: "config", value: .file, help: "the configuration; default: RECONCILE_CONFIG")
    public static let ledger = Option(
        name: "ledger", value: .file, help: "use this ledger, not the configuration's")
    public static let output = Option(
        name: "output", value: .folder, help: "use this output folder, not the configuration's")

    public static let configuration = [config, ledger, output]
}

extension Configuration {
    /// The configuration named by the command line or `RECONCILE_CONFIG`, with the ledger and output folder of the
    /// command line.
    ///
    /// - Throws: `Failure` with `usage` if none is named, otherwise with `configuration`.
    ///
    /// - Parameter folder: the working folder, where relative paths of the command line start.
    public static func load(
        for invocation: Invocation, in folder: String, variables: [String: String]
    ) throws(Failure) -> Configuration {
        let variable = variables["RECONCILE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        guard let named = invocation.value(.config) ?? variable else {
            throw invocation.usage(
                "\(invocation.command.name) needs a configuration: --config FILE, or RECONCILE_CONFIG in the environment"
            )
        }
        var configuration = try read(absolute(named, in: folder), shownAs: named)
        if let ledger = invocation.value(.ledger) { configuration.ledger = absolute(ledger, in: folder) }
        if let output = invocation.value(.output) { configuration.output = absolute(output, in: folder) }
        return configuration
    }
}
