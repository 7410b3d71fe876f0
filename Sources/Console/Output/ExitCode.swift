/// The exit codes. Scheduled jobs depend on the numbers; see docs/spec/interfaces.md#exit-codes, sysexits.h.
/// `meaning` says what each one stands for.
public enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case no = 1
    case look = 3
    case usage = 64
    case inputRefused = 65
    case noInput = 66
    case unavailable = 69
    case internalError = 70
    case cannotCreate = 73
    case inputOutput = 74
    case busy = 75
    case noPermission = 77
    case configuration = 78
    case interrupted = 130
    /// No message is printed.
    case closedPipe = 141
    case terminated = 143

    /// The description for help and manual.
    public var meaning: String {
        switch self {
        case .done: "done"
        case .no: "the answer is no: something is wrong, unknown or open"
        case .look: "done and published, but attention is needed"
        case .usage: "the command line is wrong"
        case .inputRefused: "an input was refused"
        case .noInput: "no input, or no such id"
        case .unavailable: "Apple, or a feed's command, did not answer; what was not fetched is missing"
        case .internalError: "internal error: nothing was published"
        case .cannotCreate: "output cannot be created, or would overwrite something"
        case .inputOutput: "reading or writing failed, or the ledger is damaged"
        case .busy: "another run is going on"
        case .noPermission: "no permission"
        case .configuration: "the configuration, the clock or the ledger's version does not fit; nothing was changed"
        case .interrupted: "interrupted (SIGINT)"
        case .closedPipe: "the reader of the output has closed it"
        case .terminated: "terminated (SIGTERM, SIGHUP)"
        }
    }
}
