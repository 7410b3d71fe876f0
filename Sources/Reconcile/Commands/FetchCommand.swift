internal import Console
internal import Fetch
internal import Settings

/// `reconcile fetch`: checks the command line and becomes `reconcile-fetch`.
enum FetchCommand {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        try FetchProcess().replaceThis(["fetch"] + words(of: invocation, configuration))
    }

    /// The options as typed; the configuration by its absolute path, because the other program may not see the variable.
    static func words(of invocation: Invocation, _ configuration: Configuration) -> [String] {
        var words = ["--config", configuration.file]
        let options: [Option] = invocation.command.options.filter { $0 != .config } + [.quiet, .verbose]
        for option in options + [.logFormat, .color] {
            for value in invocation.values(option) {
                words += option.placeholder == nil ? [option.dashed] : [option.dashed + "=" + value]
            }
        }
        return words
    }
}
