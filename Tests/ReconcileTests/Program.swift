import Foundation
import Glibc

/// A command's exit code and output.
struct Ended: Equatable {
    var code: Int32
    var output: String
    var errors: String
}

/// Prints the last messages of a command that ended with an error, so that the log of a failed test says why.
func noteEnd(_ command: String, _ code: Int32, _ errors: String) {
    if [0, 1, 3].contains(code) { return }
    print("ended with \(code): \(command.prefix(300))\n\(errors.suffix(2000))")
}

enum Program {
    /// The path of the built `reconcile`, beside the test bundle.
    static let path =
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path + "/reconcile"

    /// The repository's folder.
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Runs a line of shell in which `$R` is the program. Standard input is empty.
    static func shell(_ line: String, in folder: String = "/", _ variables: [String: String] = [:]) throws -> Ended {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let own = ["R": path, "SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin"]
        process.environment = own.merging(variables) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both are short enough for a pipe's buffer, so that reading one after the other cannot block.
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let code = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        let ended = Ended(
            code: code, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
        noteEnd(line, code, ended.errors)
        return ended
    }
}
