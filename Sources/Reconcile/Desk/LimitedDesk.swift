internal import Console
internal import Foundation
internal import Glibc
internal import Reports
internal import Settings

/// The same request, answered by a process of its own, which may use so much and no more. One question cannot take the
/// machine then. See docs/spec/interfaces.md#desk-limits.
struct LimitedDesk {
    /// Set in the environment of the process that answers.
    static let mark = "RECONCILE_DESK_LIMITED"
    let limits: DeskSettings.Limits

    /// What the process wrote, a whole response.
    ///
    /// - Throws: `DeskProblem.limit` where it met a limit; `Failure` where it ended in any other way than with 0.
    func response(_ variables: [String: String]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = Main.arguments
        process.environment = variables.merging([Self.mark: "1"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try Self.run(process, [(RLIMIT_CPU, limits.seconds), (RLIMIT_DATA, limits.megabytes << 20)])
        let most = limits.outputMegabytes << 20
        var said: [UInt8] = []
        while said.count <= most, let bytes = try output.fileHandleForReading.read(upToCount: 1 << 16), !bytes.isEmpty {
            said += bytes
        }
        if said.count > most { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        if said.count > most { throw DeskProblem.limit(.output, limits.outputMegabytes) }
        if process.terminationReason == .exit {
            guard process.terminationStatus == 0 else {
                throw Failure(.internalError, "the look-up ended with \(process.terminationStatus)")
            }
            return said
        }
        if process.terminationStatus == SIGXCPU { throw DeskProblem.limit(.seconds, limits.seconds) }
        var usage = rusage()
        getrusage(Int32(RUSAGE_CHILDREN.rawValue), &usage)
        // An array that grows needs its size three times for a moment, so the process ends well below the limit.
        if usage.ru_maxrss >> 10 > limits.megabytes / 4 { throw DeskProblem.limit(.memory, limits.megabytes) }
        throw Failure(.internalError, "the look-up ended with signal \(process.terminationStatus)")
    }

    /// Starts the process with these limits. It inherits them from this one, which has them only meanwhile.
    private static func run(_ process: Process, _ limits: [(kind: __rlimit_resource, most: Int)]) throws {
        var own: [rlimit] = []
        for (kind, most) in limits {
            var limit = rlimit()
            getrlimit(Int32(kind.rawValue), &limit)
            own.append(limit)
            limit.rlim_cur = min(limit.rlim_max, rlim_t(most))
            setrlimit(Int32(kind.rawValue), &limit)
        }
        defer { for (index, (kind, _)) in limits.enumerated() { setrlimit(Int32(kind.rawValue), &own[index]) } }
        try process.run()
    }
}
