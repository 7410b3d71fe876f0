internal import Foundation
internal import Glibc
internal import Reports

/// Why the program cannot do what it was asked, for a person: one line, what is wrong and what to do.
///
/// An operating failure or a wrong request. Facts about the data are values and never end up here.
struct Failure: Error, Equatable, Sendable {
    var code: ExitCode
    /// What is wrong, no full stop: `reconcile.json:3:7: 'grase' is no key of the configuration`.
    var message: String
    /// What to do, as a sentence. Empty where nothing can be done, or all is said.
    var remedy: String

    init(_ code: ExitCode, _ message: String, remedy: String = "") {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    var line: String { remedy.isEmpty ? message : message + ". " + remedy }
}

extension Failure {
    /// A system call that failed on a file.
    ///
    /// - Parameters:
    ///   - error: `errno` as the call left it.
    ///   - task: what was tried, an infinitive without "to": `read`, `create`.
    ///   - otherwise: the code for errors that have none of their own.
    static func system(_ error: Int32, cannot task: String, _ path: String, otherwise: ExitCode) -> Failure {
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
