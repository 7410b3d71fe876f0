internal import Foundation
internal import Glibc

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

/// The program `reconcile-fetch`, which speaks to Apple so that this one needs no network. It stands beside this one.
struct FetchProcess {
    private let path: String

    /// - Throws: `Failure` with `configuration` if it is not installed.
    init() throws(Failure) {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        path = own + "/reconcile-fetch"
        guard access(path, X_OK) == 0 else {
            throw Failure(
                .configuration, "\(quoted(path)) is not installed",
                remedy: "Install it beside reconcile; it asks Apple.")
        }
    }

    /// Replaces this program by it.
    func replaceThis(_ arguments: [String]) throws(Failure) -> Never {
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        throw .system(errno, cannot: "start", path, otherwise: .internalError)
    }

    /// Runs it and returns the records that it prints, one a line. Its messages go to standard error.
    ///
    /// - Throws: `FetchEnded` if it ends with an error; `Failure` with `internalError` if a line cannot be read.
    func records<Record: MemberRecord>(_ arguments: [String]) throws -> [Record] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let status =
                process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
            throw FetchEnded(code: ExitCode(rawValue: status) ?? .internalError)
        }
        return try String(decoding: said, as: UTF8.self).split(separator: "\n").map { try Self.record(String($0)) }
    }

    static func record<Record: MemberRecord>(_ line: String) throws(Failure) -> Record {
        do { return try Record(recordText: line) } catch {
            throw Failure(
                .internalError, "reconcile-fetch printed a line that this program cannot read: \(error.text)",
                remedy: "Install reconcile and reconcile-fetch of the same version.")
        }
    }
}

/// `reconcile-fetch` ended with an error, which it has reported itself.
struct FetchEnded: Error {
    var code: ExitCode
}
