/// The exit codes. Scheduled jobs depend on the numbers; see docs/spec/interfaces.md#exit-codes, sysexits.h.
public enum ExitCode: Int32, Sendable, CaseIterable {
    /// The command did its work.
    case done = 0
    /// The answer is no: not found, not verified, something is wrong, exceptions are open.
    case no = 1
    /// Done and published, but the result needs attention.
    case look = 3
    /// The command line is wrong.
    case usage = 64
    /// An input was refused.
    case inputRefused = 65
    /// The input is missing, or the id is unknown.
    case noInput = 66
    /// Apple could not be asked.
    case unavailable = 69
    /// The program has a defect.
    case internalError = 70
    /// Output cannot be created, or would overwrite something.
    case cannotCreate = 73
    /// Reading or writing failed, or stored data is damaged.
    case inputOutput = 74
    /// Another run holds the lock.
    case busy = 75
    /// The user lacks a permission.
    case noPermission = 77
    /// The configuration is wrong.
    case configuration = 78
    /// Ended by SIGINT.
    case interrupted = 130
    /// The reader of standard output has closed it. No message is printed.
    case closedPipe = 141
    /// Ended by SIGTERM or SIGHUP.
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
        case .unavailable: "Apple could not be asked; what was not fetched is missing"
        case .internalError: "internal error: nothing was published"
        case .cannotCreate: "output cannot be created, or would overwrite something"
        case .inputOutput: "reading or writing failed, or the ledger is damaged"
        case .busy: "another run is using the ledger"
        case .noPermission: "no permission"
        case .configuration: "the configuration is wrong, or the ledger is newer than the program"
        case .interrupted: "interrupted (SIGINT)"
        case .closedPipe: "the reader of the output has closed it"
        case .terminated: "terminated (SIGTERM, SIGHUP)"
        }
    }
}
