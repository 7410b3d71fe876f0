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
