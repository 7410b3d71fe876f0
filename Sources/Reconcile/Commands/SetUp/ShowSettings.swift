/// `reconcile settings`: prints the effective settings, for scripts such as the wrapper of the night.
enum ShowSettings {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        var lines = [
            ("bundle_ids", configuration.policy.bundles.map(\.text).ordered().joined(separator: ",")),
            ("language", configuration.language.rawValue), ("ledger", configuration.ledger),
            ("output", configuration.output), ("time_zone", configuration.policy.zone.name),
        ]
        if let folder = configuration.fetchFolder(now: context.clock()) { lines.append(("apple", folder)) }
        let commands = configuration.feeds.count { $0.command != nil }
        if commands > 0 { lines.append(("commands", String(commands))) }
        if exists(configuration.desk.folder) { lines.append(("desk", configuration.desk.folder)) }
        for (name, value) in lines { try context.output.write("\(name)=\(display(value))\n") }
        try context.output.flush()
        return .done
    }
}
