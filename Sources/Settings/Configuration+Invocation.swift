internal import Base
public import Console

/// The options that name the configuration or override parts of it.
extension Option {
    /// `--config`
    public static let config = Option(
        name: "config", value: .file, help: "the configuration; default: RECONCILE_CONFIG")
    /// `--ledger`
    public static let ledger = Option(
        name: "ledger", value: .file, help: "use this ledger, not the configuration's")
    /// `--output`
    public static let output = Option(
        name: "output", value: .folder, help: "use this output folder, not the configuration's")

    /// All of them.
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

    /// Reads a configuration file.
    ///
    /// - Parameter name: the file's name in messages, as the user wrote it.
    public static func read(_ file: String, shownAs name: String) throws(Failure) -> Configuration {
        do { return try Configuration(file: file) } catch { throw Failure(error, of: name) }
    }
}

extension Configuration {
    /// The configuration that a file's text is.
    ///
    /// - Parameter file: the file's absolute path. It is not read.
    public static func parsed(_ text: String, file: String) throws(Failure) -> Configuration {
        do { return try Configuration(text: text, file: file) } catch { throw Failure(error, of: file) }
    }
}

extension Failure {
    /// The failure for a configuration file.
    ///
    /// - Parameter name: the file's name, as the user wrote it.
    fileprivate init(_ error: ConfigurationFileError, of name: String) {
        switch error {
        case .missing:
            self.init(
                .configuration, "the configuration \(quoted(name)) does not exist",
                remedy: "Check the path, or start one with 'reconcile init'.")
        case .isPipe:
            self.init(
                .configuration, "\(quoted(name)) is a pipe", remedy: "Name a file: paths are relative to its folder.")
        case .cannotRead(let code): self = .system(code, cannot: "read", name, otherwise: .configuration)
        case .tooLarge:
            self.init(
                .configuration, "\(quoted(name)) is larger than a configuration can be (1 MiB)",
                remedy: "Check the path.")
        case .problem(let problem):
            let place = "\(display(name)):\(problem.position.line):\(problem.position.column): "
            self.init(.configuration, place + problem.message, remedy: problem.remedy)
        }
    }
}
