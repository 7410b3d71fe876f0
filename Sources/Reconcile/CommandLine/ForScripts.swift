internal import CBuild
internal import Ledger
internal import Rules

/// `reconcile --version --json`.
let buildFacts: JSON = {
    func text(_ words: UnsafePointer<CChar>) -> JSON { .text(String(cString: words)) }
    return .object([
        "version": .text(version), "commit": text(build_commit()), "compiler": text(build_compiler()),
        "schema_version": .number(Ledger.schemaVersion), "rules_version": JSON(RuleSet.version),
        "libraries": .object([
            "glibc": text(running_glibc()), "libxlsxwriter": text(running_xlsxwriter()),
            "openssl": text(running_openssl()), "sqlite": text(running_sqlite()), "zlib": text(running_zlib()),
        ]),
    ])
}()

/// `reconcile generate KIND`: writes the manual page or shell completions, for packagers.
enum Generate {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws(Failure) -> ExitCode {
        let commands = Main.offered.map(\.command)
        let kinds: [String: ([Command]) -> String] = [
            "man": { manual(of: .reconcile($0.filter { !$0.isHidden })) }, "bash": bashCompletions,
            "zsh": zshCompletions,
            "fish": fishCompletions,
        ]
        guard let make = kinds[invocation.operands[0]] else {
            throw invocation.usage("generate takes \(alternatives(kinds.keys.ordered()))")
        }
        try context.output.write(make(commands))
        return .done
    }
}

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
