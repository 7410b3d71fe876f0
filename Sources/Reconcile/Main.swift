internal import Foundation

/// The program's version, for `--version` and the reports.
let version = "1.0.0"

/// Runs a command.
///
/// - Throws: `Failure`, or another module's error, to which `Failure.init(_:)` gives an exit code.
typealias Runner = @Sendable (Invocation, CommandContext) throws -> ExitCode

@main
struct Main {
    /// The commands, in the order of help.
    static let offered: [(command: Command, run: Runner)] = [
        (.nightly, Nightly.run), (.monthly, Monthly.run), (.demo, DemoCommand.run), (.initialize, Initialize.run),
        (.collect, Collect.run), (.fetch, FetchCommand.run), (.ask, Ask.run), (.lookup, Lookup.run), (.find, Find.run),
        (.why, Why.run), (.desk, Desk.run), (.verify, Verify.run),
        (.waive, Waive.run), (.unwaive, Waive.withdraw), (.given, Given.run), (.ungiven, Given.withdraw),
        (.release, Release.run), (.gap, Gap.run), (.check, Check.run), (.settings, ShowSettings.run),
        (.backup, Backup.run), (.restore, Restore.run), (.upgrade, Upgrade.run), (.prune, Prune.run),
        (.cluster, Cluster.run), (.generate, Generate.run),
    ]

    static func main() {
        prepareProcess()
        var context = CommandContext.process()
        exit(run(arguments, in: &context).rawValue)
    }

    /// The words on the command line after the program's name.
    ///
    /// With libraries that move the environment (libfaketime), the Swift runtime looks for them in memory and finds
    /// none; the kernel has them.
    static var arguments: [String] {
        if !CommandLine.arguments.isEmpty { return Array(CommandLine.arguments.dropFirst()) }
        let line = FileManager.default.contents(atPath: "/proc/self/cmdline") ?? Data()
        let words = line.dropLast().split(separator: 0, omittingEmptySubsequences: false)
        return words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Parses and runs a command line, and reports a failure. It does everything but start and end the process.
    static func run(_ arguments: [String], in context: inout CommandContext) -> ExitCode {
        do {
            let code = try perform(arguments, in: &context)
            try context.output.flush()
            return code
        } catch {
            let failure = Failure(error)
            if failure.code != .closedPipe { context.log.failure(failure) }
            return failure.code
        }
    }

    private static func perform(_ arguments: [String], in context: inout CommandContext) throws -> ExitCode {
        let commands = offered.map(\.command)
        switch try Parser(commands: commands).parse(arguments) {
        case .help(let command):
            let isColored = ColorChoice.auto.isOn(for: STDOUT_FILENO, variables: context.variables)
            let help = Help(.reconcile(commands), isColored: isColored)
            try context.output.write(command.map(help.of) ?? help.text)
            return .done
        case .version(let isJSON):
            try context.output.write(isJSON ? buildFacts.page : "reconcile \(version)\n")
            return .done
        case .run(let invocation):
            context.log.apply(invocation, variables: context.variables)
            guard let runner = offered.first(where: { $0.command == invocation.command }) else {
                preconditionFailure("the parser knows only commands on offer")
            }
            return try runner.run(invocation, context)
        }
    }
}
