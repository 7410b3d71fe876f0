import Console
import Domain
import Testing

@testable import Reconcile

private func nightly(_ words: String...) throws -> NightlyRequest {
    guard case .run(let invocation) = try Parser(commands: Command.all).parse(["nightly"] + words) else {
        preconditionFailure("a test line without command")
    }
    return try NightlyRequest(invocation)
}

private func demo(_ words: String...) throws -> DemoRequest {
    guard case .run(let invocation) = try Parser(commands: Command.all).parse(["demo"] + words) else {
        preconditionFailure("a test line without command")
    }
    return try DemoRequest(invocation)
}

private let shanghai = Zone("Asia/Shanghai")!

@Test func theBusinessDateIsYesterdayInTheBusinessTimeZone() throws {
    let now = Instant(strict: "2025-11-18T20:00:00Z")!  // 4 a.m. of the 19th in Shanghai
    let here = try nightly().moment(now: now, zone: shanghai)
    #expect(here.businessDate.text == "2025-11-18" && here.asOf == now)
    #expect(try nightly().moment(now: now, zone: .utc).businessDate.text == "2025-11-17")
}

@Test func asOfReplacesTheClock() throws {
    let moment = try nightly("--as-of", "2025-03-01T00:30:00+08:00").moment(
        now: Instant(milliseconds: 0), zone: shanghai)
    #expect(moment.asOf.text == "2025-02-28T16:30:00Z")
    #expect(moment.businessDate.text == "2025-02-28")
}

@Test func aBusinessDateThatHasNotBegunIsRefused() throws {
    let now = Instant(strict: "2025-11-18T15:59:59Z")!
    #expect(try nightly("--date", "2025-11-18").moment(now: now, zone: shanghai).businessDate.text == "2025-11-18")
    let tomorrow = try nightly("--date", "2025-11-19")
    #expect(throws: Failure.self) { try tomorrow.moment(now: now, zone: shanghai) }
}

@Test(arguments: [
    "2025-02-30", "2025-13-01", "2025-11-18T00:00:00Z", "18.11.2025", "2025-1-1", "20251118", " 2025-11-18",
    "２025-11-18",
    "+025-11-18", "2025-11-1é",
])
func aDateIsADayOfTheCalendar(_ text: String) {
    #expect(throws: Failure.self) { try nightly("--date", text) }
}

@Test(arguments: ["", "2025-11-19", "2025-11-19T04:00:00", "1763496000"])
func anInstantThatIsNotExactlyOneIsRefused(_ text: String) {
    #expect(throws: Failure.self) { try nightly("--as-of=\(text)") }
}

@Test func aPreviewGoesWithADryRun() throws {
    #expect(throws: Failure.self) { try nightly("--preview", "p") }
    let request = try nightly("--preview", "p", "--dry-run")
    #expect(request.preview == "p" && request.isDryRun && !request.reportsOpenExceptions)
    #expect(try nightly("--exit-code").reportsOpenExceptions)
}

@Test func aDemoHasDefaults() throws {
    #expect(try demo().directory == "demo-night")
    #expect(try demo().orders == 2000)
    let request = try demo("d", "--orders", "5", "--seed", "0")
    #expect(request.directory == "d" && request.orders == 5 && request.seed == 0)
}

@Test(arguments: ["0", "+5", "5x", "1e3", "10000001", "99999999999999999999", "٣", "0x10"])
func aCountIsAWholeNumberInRange(_ text: String) {
    #expect(throws: Failure.self) { try demo("--orders", text) }
}
