internal import Glibc

/// Why the program cannot do what was requested: one line that says what is wrong and what to do.
///
/// A failure is an operating failure or a wrong request. Facts about the data are values and never become failures.
public struct Failure: Error, Equatable, Sendable {
    public var code: ExitCode
    /// What is wrong, without a full stop: `reconcile.json:3:7: 'grase' is not a key of the configuration`.
    public var message: String
    /// What to do, as a sentence. Empty if nothing can be done or the message says it.
    public var remedy: String

    public init(_ code: ExitCode, _ message: String, remedy: String = "") {
        (self.code, self.message, self.remedy) = (code, message, remedy)
    }

    public var line: String {
        remedy.isEmpty ? message : message + (remedy.hasSuffix("。") ? "。" : ". ") + remedy
    }
}

extension Failure {
    /// The failure for a system call on a file.
    ///
    /// - Parameters:
    ///   - error: `errno` after the call.
    ///   - task: what was attempted, as a verb: `read`, `create`.
    ///   - otherwise: the exit code for errors without one of their own.
    public static func system(_ error: Int32, cannot task: String, _ path: String, otherwise: ExitCode) -> Failure {
        let reason = String(cString: strerror(error))
        let message = "cannot \(task) \(quoted(path)): \(reason)"
        switch error {
        case EACCES, EPERM, EROFS:
            return Failure(
                .noPermission, message, remedy: "Run as the user who owns it, or change its owner or permissions.")
        case ENOSPC, EDQUOT: return Failure(.inputOutput, message, remedy: "Make room on the disk and run again.")
        case EIO: return Failure(.inputOutput, message, remedy: "Check the disk before running again.")
        case ENOENT: return Failure(otherwise, message, remedy: "Check the path.")
        default: return Failure(otherwise, message)
        }
    }
}
