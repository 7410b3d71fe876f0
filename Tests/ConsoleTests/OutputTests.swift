import Base
import Domain
import Glibc
import Testing

@testable import Console

/// Both ends of a pipe; what is written into one end is read from the other.
private func pipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    precondition(Glibc.pipe(&ends) == 0)
    return (ends[0], ends[1])
}

private func everything(from descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var result: [UInt8] = []
    while case let count = Glibc.read(descriptor, &bytes, bytes.count), count > 0 { result += bytes[..<count] }
    return String(decoding: result, as: UTF8.self)
}

@Test func outputArrivesWholeAndInOrder() throws {
    let (read, write) = pipe()
    let output = Output(descriptor: write)
    try output.write("a")
    try output.writeLine("b")
    try output.flush()
    close(write)
    #expect(everything(from: read) == "ab\n")
    close(read)
}

@Test func aFullDeviceIsAFailure() throws {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let output = Output(descriptor: full)
    try output.write("x")
    let failure = #expect(throws: Failure.self) { try output.flush() }
    #expect(failure?.code == .inputOutput)
    #expect(failure?.message == "cannot write 'standard output': No space left on device")
}

@Test func aLongTextFailsBeforeTheFlush() {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let output = Output(descriptor: full)
    #expect(throws: Failure.self) { try output.write(String(repeating: "x", count: 1 << 17)) }
}

private func logged(_ log: (Log) -> Void, _ change: (inout Log) -> Void = { _ in }) -> String {
    let (read, write) = pipe()
    var subject = Log(descriptor: write, clock: { Instant(milliseconds: 1_763_496_000_250) })
    change(&subject)
    log(subject)
    close(write)
    defer { close(read) }
    return everything(from: read)
}

/// The mail would name a part of the reasons.
@Test func reasonsThatCannotBeWrittenAreTakenAway() {
    let file = (getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/reconcile-reasons-\(getpid())"
    symlink("/dev/full", file)
    #expect(access(file, F_OK) == 0)
    #expect(logged({ $0.warning("w", for: .look) }) { $0.reasons = file } == "reconcile: warning: w\n")
    #expect(access(file, F_OK) != 0)
}

private func everyLevel(_ log: Log) {
    log.failure(Failure(.busy, "e", remedy: "Wait."))
    log.warning("w")
    log.notice("n")
    log.detail("d")
}

@Test func theLogSaysAsMuchAsItIsAskedTo() {
    let loud = "reconcile: error: e. Wait.\nreconcile: warning: w\n"
    #expect(logged(everyLevel) == loud + "n\n")
    #expect(logged(everyLevel) { $0.level = .warning } == loud)
    #expect(logged(everyLevel) { $0.level = .detail } == loud + "n\nd\n")
}

@Test func anEventIsOneLineInEitherForm() {
    #expect(logged { $0.warning("a\nb\u{1B}") } == "reconcile: warning: a\\u{a}b\\u{1b}\n")
    let failure = Failure(.busy, "a\n\"b\u{1B}\"")
    let json = logged({ $0.failure(failure) }, { $0.format = .json })
    #expect(
        json == #"{"exit":75,"level":"error","message":"a\n\"b\u001b\"","time":"2025-11-18T20:00:00.250Z"}"# + "\n")
}

@Test(
    arguments: [
        (ColorChoice.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
        (.auto, true, ["NO_COLOR": ""], true), (.auto, true, ["TERM": "dumb"], false), (.never, true, [:], false),
        (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
    ] as [(ColorChoice, Bool, [String: String], Bool)])
func colourFollowsTheFlagThenTheEnvironmentThenTheTerminal(
    _ choice: ColorChoice, _ isTerminal: Bool, _ variables: [String: String], _ isOn: Bool
) {
    #expect(choice.isOn(isTerminal: isTerminal, variables: variables) == isOn)
}

@Test(arguments: [
    (EACCES, ExitCode.noPermission), (EPERM, .noPermission), (EROFS, .noPermission), (ENOSPC, .inputOutput),
    (EDQUOT, .inputOutput), (EIO, .inputOutput), (ENOENT, .cannotCreate), (ENOTDIR, .cannotCreate),
])
func aSystemErrorHasItsExitCode(_ error: Int32, _ code: ExitCode) {
    let failure = Failure.system(error, cannot: "create", "x\ny", otherwise: .cannotCreate)
    #expect(failure.code == code && failure.message.hasPrefix("cannot create 'x\\u{a}y': "))
}

@Test func exitCodesAreAPromise() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 3, 64, 65, 66, 69, 70, 73, 74, 75, 77, 78, 130, 141, 143])
}

@Test func aSignalEndsTheRunAtTheNextSafePoint() throws {
    let interruption = Interruption()
    try interruption.check()
    #expect(!interruption.isRequested)
    for (signal, code) in [(SIGINT, ExitCode.interrupted), (SIGTERM, .terminated), (SIGHUP, .terminated)] {
        interruption.request(signal)
        let error = try #require(#expect(throws: Interrupted.self) { try interruption.check() })
        #expect(Failure(error).code == code && interruption.isRequested)
    }
}

/// Threads of the concurrency runtime, including those of tests, block all signals.
private func takeSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
}

@Test(.enabled(if: getenv("EXIT_TESTS") != nil), arguments: [SIGINT, SIGTERM, SIGHUP])
func aCaughtSignalIsARequestAndASecondOneEndsTheProgram(_ number: Int32) async {
    await #expect(processExitsWith: .exitCode(number == SIGINT ? 130 : 143)) { [number] in
        Interruption.install()
        takeSignals()
        raise(number)
        guard Interruption.process.isRequested else { exit(1) }
        raise(number)
        exit(2)
    }
}

@Test(.enabled(if: getenv("EXIT_TESTS") != nil)) func aSignalThatTheParentIgnoresStaysIgnored() async {
    await #expect(processExitsWith: .success) {
        Glibc.signal(SIGHUP, SIG_IGN)
        Interruption.install()
        takeSignals()
        raise(SIGHUP)
        raise(SIGPIPE)
        exit(Interruption.process.isRequested ? 1 : 0)
    }
}
