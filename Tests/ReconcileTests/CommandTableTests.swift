import Console
import Testing

@testable import Reconcile

extension Command {
    /// The commands that help lists.
    static let all = Main.offered.map(\.command).filter { !$0.isHidden }
}

@Test func anOptionTakesTheSameKindOfValueInEveryCommand() {
    var known: [String: Option] = [:]
    for option in Option.common + Command.all.flatMap(\.options) {
        #expect((known[option.name] ?? option).meaning("") == option.meaning(""))
        known[option.name] = option
    }
}

@Test(arguments: [
    ("init", "--config FILE  with --from: the file to write; default: reconcile.json"),
    ("init", "--from FILE    a file that the shop exported"), ("find", "the date of the purchase"),
    ("find", "15 to 1440"), ("waive", "a CSV of ids and notes"), ("nightly", "the business date; default: yesterday"),
])
func helpSaysWhatAnOptionMeansToItsCommand(_ name: String, _ words: String) throws {
    let command = try #require(Command.all.first { $0.name == name })
    #expect(
        Help(.reconcile(Command.all)).of(command).split(separator: /\s+/).joined(separator: " ").contains(
            words.split(separator: /\s+/).joined(separator: " ")))
}

@Test(arguments: Command.all)
func aCommandIsFullyDescribed(_ command: Command) throws {
    #expect(!command.summary.isEmpty && !command.description.isEmpty && !command.examples.isEmpty)
    #expect(!command.summary.hasSuffix(".") && command.description.hasSuffix("."))
    #expect(Set(command.options.map(\.name)).count == command.options.count)
    #expect(Command.all.filter { $0.name == command.name }.count == 1)
    for option in command.options { #expect(!option.help.isEmpty && !option.help.hasSuffix(".")) }
}

@Test(arguments: Command.all)
func everyExampleOfHelpIsAcceptedByTheParser(_ command: Command) throws {
    for (line, _) in command.examples {
        let words = line.replacing(/'[^']*'/, with: "text").split(separator: " ").map(String.init)
        guard case .run(let invocation) = try Parser(commands: Command.all).parse(words) else {
            Issue.record("The parser does not accept: \(line)")
            continue
        }
        #expect(invocation.command == command)
    }
}

@Test(arguments: Command.all)
func helpFitsAScreen(_ command: Command) {
    let lines = Help(.reconcile(Command.all)).of(command).split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines { #expect(line.count <= 80) }
    #expect(lines.count <= 36)
    for option in command.options { #expect(lines.contains { $0.hasPrefix("  " + option.synopsis) }) }
}

@Test func helpOfTheProgramFitsAScreenAndNamesEveryCommandAndExitCode() {
    let text = Help(.reconcile(Command.all)).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines { #expect(line.count <= 80) }
    for command in Command.all { #expect(lines.contains { $0.hasPrefix("  " + command.name + " ") }) }
    for code in ExitCode.allCases where code != .closedPipe {
        #expect(lines.contains { $0.hasPrefix("  \(code.rawValue) ") })
    }
}

@Test func coloursAddNothingButStyle() {
    let plain = Help(.reconcile(Command.all)).text
    let colored = Help(.reconcile(Command.all), isColored: true).text
    #expect(plain != colored)
    #expect(colored.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain)
}

@Test func aCommandNotOnOfferIsNoCommand() {
    let parser = Parser(commands: [.demo])
    #expect(throws: Failure.self) { try parser.parse(["nightly"]) }
    #expect(throws: Never.self) { try parser.parse(["demo"]) }
}
