internal import Intake

/// The program `reconcile-fetch`, without its process.
public enum FetchProgram {
    /// Runs a command line and reports a failure.
    public static func run(_ arguments: [String], in context: inout FetchContext) -> ExitCode {
        do {
            let code = try perform(arguments, in: &context)
            try context.output.flush()
            return code
        } catch {
            let failure = Failure(fetching: error)
            if failure.code != .closedPipe { context.log.failure(failure) }
            return failure.code
        }
    }

    private static func perform(_ arguments: [String], in context: inout FetchContext) throws -> ExitCode {
        let commands: [Command] = [.fetch, .answers, .online]
        guard case .run(let invocation) = try Parser(commands: commands).parse(arguments) else {
            throw Failure(.usage, "reconcile-fetch is started by reconcile", remedy: "See 'reconcile fetch --help'.")
        }
        context.log.apply(invocation, variables: context.variables)
        let configuration = try Configuration.load(
            for: invocation, in: context.folder, variables: context.variables)
        let task = FetchTask(configuration: configuration, apple: try configuration.neededApple, context: context)
        switch invocation.command {
        case .answers: return try task.printAnswers(invocation.operands)
        case .online: return try task.checkKeys()
        default:
            let rate = try invocation.count(.rate, in: 1...1000) ?? 25
            if let month = invocation.value(.finance) { return try task.fetchReport(of: month, invocation) }
            let client = try AppleClient(task.apple.key, credential: "apple-key", context, rate: rate)
            return try FetchRun(configuration: configuration, apple: task.apple, context: context, client: client)
                .perform()
        }
    }
}

/// What a command of `reconcile-fetch` works with.
struct FetchTask {
    let configuration: Configuration
    let apple: AppleSettings
    let context: FetchContext
}

extension Configuration {
    /// The section `apple`.
    /// - Throws: `Failure` with `configuration` if it is missing.
    public var neededApple: AppleSettings {
        get throws(Failure) {
            guard let apple else {
                throw Failure(
                    .configuration, "the configuration has no 'apple', so Apple cannot be asked",
                    remedy: "apple.md says which key it needs and where to get it.")
            }
            return apple
        }
    }

    var server: Server { policy.environment == .sandbox ? .sandbox : .production }

    /// The apps, in a fixed order.
    var bundles: [String] { policy.bundles.map(\.text).ordered() }
}

extension AppleClient {
    /// A client with a key of the configuration.
    ///
    /// - Parameter credential: the name of systemd's credential that replaces the key's file.
    /// - Throws: `Failure` as `PrivateKey.read` does.
    convenience init(
        _ key: AppleSettings.Key, credential: String, _ context: FetchContext, rate: Int = 25
    ) throws(Failure) {
        let file = try PrivateKey.read(key.file, credential: credential, context.variables)
        let log = context.log
        var surroundings = context.surroundings
        surroundings.note = { log.detail($0) }
        self.init(
            Credentials(issuerID: key.issuerID, keyID: key.keyID, key: file), transport: context.transport,
            surroundings: surroundings, rate: rate)
    }
}

extension Failure {
    public init(fetching error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as AppleError: self.init(.unavailable, error.message, remedy: error.remedy)
        case let error as Interrupted:
            self.init(error)
            remedy = "Whole files are kept; the next run goes on."
        default:
            self.init(
                .internalError, "internal error: \(display(String(describing: error)))",
                remedy: "Please report it with this line.")
        }
    }
}
