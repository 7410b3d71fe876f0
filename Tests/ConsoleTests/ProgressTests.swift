import Foundation
import Glibc
import Testing

@testable import Base
@testable import Console
@testable import Domain

private let line = ProgressLine(stage: "read", unit: "rows", start: 5000)

/// - Parameter elapsed: in milliseconds.
private func text(_ done: WorkAmount, after elapsed: Int64, columns: Int = 200) -> String {
    line.text(of: done, now: 5000 + elapsed, columns: columns)
}

@Test func aLineTellsPartTimeLeftRowsAndPace() {
    let done = WorkAmount(rows: 1_234_567, bytes: 250_000_000, bytesExpected: 1_000_000_000)
    #expect(
        text(done, after: 4000) == "read 25 %, 12 s left, 1,234,567 rows, 308,641 rows/s, 250 of 1,000 MB")
    #expect(text(WorkAmount(rows: 50, rowsExpected: 200), after: 2000) == "read 25 %, 6 s left, 50 rows, 25 rows/s")
}

@Test func nothingIsForetoldOfWhatNobodyKnows() {
    #expect(text(WorkAmount(), after: 0) == "read 0 s")
    #expect(text(WorkAmount(), after: 7999) == "read 7 s")
    #expect(text(WorkAmount(rows: 20_000), after: 2000) == "read 2 s, 20,000 rows, 10,000 rows/s")
    #expect(text(WorkAmount(bytes: 16_000_000), after: 2000) == "read 2 s, 16 MB")
    // It is too early to estimate a speed.
    #expect(text(WorkAmount(rows: 50, rowsExpected: 200), after: 999) == "read 25 %, 50 rows")
    #expect(text(WorkAmount(rowsExpected: 200), after: 5000) == "read 0 %")
}

@Test func moreThanExpectedIsAllOfIt() {
    #expect(text(WorkAmount(bytes: 3_000_000, bytesExpected: 2_000_000), after: 2000) == "read 100 %, 3 of 2 MB")
    #expect(line.text(of: WorkAmount(), now: 4000, columns: 80) == "read 0 s")
}

@Test(
    arguments: [
        (59_999, "59 s"), (60_000, "1 min 00 s"), (125_000, "2 min 05 s"), (3_599_000, "59 min 59 s"),
        (3_600_000, "1 h 00 min"), (360_060_000, "100 h 01 min"),
    ] as [(Int64, String)])
func longTimesHaveTwoUnits(_ elapsed: Int64, _ told: String) {
    #expect(text(WorkAmount(), after: elapsed) == "read " + told)
}

@Test func aLineIsNeverWiderThanTheTerminal() {
    let done = WorkAmount(rows: 1_234_567, bytes: 250_000_000, bytesExpected: 1_000_000_000)
    for columns in 0...80 { #expect(text(done, after: 4000, columns: columns).count <= columns) }
    // The most important part remains.
    #expect(text(done, after: 4000, columns: 24) == "read 25 %, 12 s left")
    #expect(text(done, after: 4000, columns: 6) == "read 2")
}

@Test func workIsCountedOnAllThreads() {
    let work = WorkCount()
    _ = concurrently(threads: 4, 1000) { number in work.add(rows: number, bytes: 2) }
    work.expect(rows: 3)
    work.expect(rows: 4, bytes: 5)
    #expect(work.amount == WorkAmount(rows: 499_500, bytes: 2000, rowsExpected: 7, bytesExpected: 5))
}

/// Both ends of a terminal.
private final class Terminal {
    let person: Int32
    let program: Int32

    init() throws {
        var (person, program): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&person, &program, nil, nil, &size) == 0)
        (self.person, self.program) = (person, program)
    }

    deinit { for descriptor in [person, program] { close(descriptor) } }

    /// Waits for the next output. Nil if none comes.
    func read(withinMilliseconds wait: Int32 = 20_000) -> String? {
        var ready = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, wait) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(person, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Everything that is shown until it ends as wanted.
    func read(until isWanted: (String) -> Bool) throws -> String {
        var shown = ""
        while !isWanted(shown) { shown += try #require(read(), "after \(shown.debugDescription)") }
        return shown
    }
}

@Test func aTerminalShowsTheStageUntilItEnds() throws {
    let terminal = try Terminal()
    var log = Log(level: .detail, descriptor: terminal.program, clock: { Instant(milliseconds: 0) })
    log.progress = Progress(on: terminal.program, variables: ["TERM": "xterm"])
    // On a busy machine, the line may be drawn at any moment, and more than once.
    let clearing = "\r\u{1B}[K"
    func drawnLast(_ shown: String) -> Substring { shown.split(separator: clearing).last ?? "" }
    try StageClock(log: log).time("read") { work in
        work.expect(rows: 4)
        work.add(rows: 1)
        let shown = try terminal.read { drawnLast($0).hasPrefix("read 25 %") }
        #expect(shown.hasPrefix(clearing) && shown.split(separator: clearing).allSatisfy { $0.utf8.count <= 39 })
        log.notice("look")
        #expect(try terminal.read { $0.utf8.last == 10 }.hasSuffix(clearing + "look\r\n"))
        _ = try terminal.read { drawnLast($0).hasPrefix("read 25 %") }
    }
    let last = drawnLast(try terminal.read { $0.utf8.last == 10 })
    #expect(last.hasPrefix("read: ") && !last.contains("%"))
    #expect(terminal.read(withinMilliseconds: 0) == nil)
}

@Test func aStageThatFailsLeavesNoLineBehind() throws {
    let terminal = try Terminal()
    var log = Log(descriptor: terminal.program, clock: { Instant(milliseconds: 0) })
    log.progress = Progress(on: terminal.program, variables: [:])
    #expect(throws: Failure.self) {
        try StageClock(log: log).time("read") { _ in
            #expect(terminal.read() != nil)
            throw Failure(.noInput, "it failed")
        }
    }
    _ = try terminal.read { $0.hasSuffix("\r\u{1B}[K") }
}

@Test(arguments: [([], true), (["--verbose"], true), (["--quiet"], false), (["--log-format", "json"], false)])
func progressIsForPersonsAtATerminal(_ options: [String], _ isShown: Bool) throws {
    let terminal = try Terminal()
    let command = Command(name: "check", summary: "", description: "", examples: [:])
    guard case .run(let invocation) = try Parser(commands: [command]).parse(["check"] + options) else { return }
    var log = Log(descriptor: terminal.program, clock: { Instant(milliseconds: 0) })
    log.apply(invocation, variables: ["TERM": "xterm"])
    #expect((log.progress != nil) == isShown)
    log.progress = nil
    log.apply(invocation, variables: ["TERM": "dumb"])
    #expect(log.progress == nil)
    let file = open("/dev/null", O_WRONLY)
    defer { close(file) }
    log.descriptor = file
    log.apply(invocation, variables: ["TERM": "xterm"])
    #expect(log.progress == nil)
}
