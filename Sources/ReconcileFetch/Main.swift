internal import Base
internal import Console
internal import Fetch
internal import Foundation

/// `reconcile-fetch`: the program that speaks to Apple. `reconcile fetch`, `ask` and `check --online` start it.
@main
struct Main {
    static func main() {
        prepareProcess()
        exit(run().rawValue)
    }

    private static func run() -> ExitCode {
        let clock: @Sendable () -> Instant = { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
        let log = Log(clock: clock)
        let variables = ProcessInfo.processInfo.environment
        do {
            let standIn = try StandIn(variables)
            if let standIn { log.warning("asking the stand-in \(standIn.address), not Apple: this is a test") }
            var context = FetchContext(
                variables: variables, folder: FileManager.default.currentDirectoryPath,
                transport: HTTPClient(
                    agent: "reconcile", standIn: standIn, isCancelled: { Interruption.process.isRequested }),
                surroundings: Surroundings(now: clock, sleep: sleep, chance: { Double.random(in: 0...1) }),
                output: Output(), log: log)
            return FetchProgram.run(Array(CommandLine.arguments.dropFirst()), in: &context)
        } catch {
            log.failure(error)
            return error.code
        }
    }

    /// Waits in short steps, so that a request to end is heard.
    private static func sleep(_ duration: Milliseconds) throws {
        var left = duration.count
        repeat {
            try Interruption.process.check()
            let step = min(left, 200)
            if step > 0 { usleep(UInt32(step * 1000)) }
            left -= step
        } while left > 0
    }
}
