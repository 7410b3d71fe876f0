import Console
import Foundation
import Testing

@testable import Reconcile

private let least = "{ app: { bundleIDs: ['a.b'] }, feeds: [{ kind: 'orders', path: 'o' }] }"

/// Loads the configuration as a command in `folder` does.
private func load(_ words: [String], in folder: TestFolder, _ variables: [String: String] = [:]) throws -> Configuration
{
    guard case .run(let invocation) = try Parser(commands: Command.all).parse(["check"] + words) else {
        preconditionFailure("a test line without command")
    }
    var context = CommandContext.process()
    context.variables = variables
    context.folder = folder.path
    return try context.configuration(for: invocation)
}

private func failure(_ words: [String], in folder: TestFolder, _ variables: [String: String] = [:]) -> Failure? {
    #expect(throws: Failure.self) { try load(words, in: folder, variables) }
}

@Test func theFlagOutranksTheEnvironment() throws {
    let folder = TestFolder()
    try folder.write(least, to: "a.json")
    try folder.write(least, to: "b.json")
    let variables = ["RECONCILE_CONFIG": "b.json"]
    #expect(try load(["--config", "a.json"], in: folder, variables).file == folder.path + "/a.json")
    #expect(try load([], in: folder, variables).file == folder.path + "/b.json")
    #expect(try load(["--config", folder.path + "/a.json"], in: folder).file == folder.path + "/a.json")
}

@Test func ledgerAndOutputOfTheCommandLineStartAtTheWorkingFolder() throws {
    let folder = TestFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/sub", withIntermediateDirectories: false)
    try folder.write(least, to: "sub/c.json")
    let plain = try load(["--config", "sub/c.json"], in: folder)
    #expect(plain.ledger == folder.path + "/sub/ledger.sqlite" && plain.output == folder.path + "/sub/out")
    let other = try load(["--config", "sub/c.json", "--ledger", "l", "--output", "/o"], in: folder)
    #expect(other.ledger == folder.path + "/l" && other.output == "/o" && other.feeds[0].path == folder.path + "/sub/o")
}

@Test func withoutAConfigurationTheCommandLineIsWrong() {
    let folder = TestFolder()
    #expect(failure([], in: folder)?.code == .usage)
    #expect(failure([], in: folder, ["RECONCILE_CONFIG": ""])?.code == .usage)
}

@Test func aMissingConfigurationIsNamedAsTyped() {
    let missing = failure(["--config", "no\u{1B}such.json"], in: TestFolder())
    #expect(
        missing?.code == .configuration && missing?.message == "the configuration 'no\\u{1b}such.json' does not exist")
    #expect(missing?.remedy.contains("reconcile init") == true)
}

@Test func aProblemIsNamedWithFileLineAndColumn() throws {
    let folder = TestFolder()
    try folder.write("{\n  app: { bundleIDs: ['a.b'] },\n  fedes: []\n}", to: "c.json")
    let problem = failure(["--config", "c.json"], in: folder)
    #expect(
        problem
            == Failure(
                .configuration, "c.json:3:3: 'fedes' is not a key of the configuration", remedy: "Did you mean 'feeds'?"
            ))
}

@Test func whatIsNoTextOrTooLongIsRefused() throws {
    let folder = TestFolder()
    try Data([0x7B, 0x0A, 0x2F, 0x2F, 0xFF, 0x0A, 0x7D]).write(to: URL(fileURLWithPath: folder.path + "/bytes"))
    #expect(failure(["--config", "bytes"], in: folder)?.message == "bytes:2:1: this line is not UTF-8")
    try folder.write(String(repeating: " ", count: 1 << 20 + 1), to: "long")
    #expect(
        failure(["--config", "long"], in: folder)?.message == "'long' is larger than a configuration can be (1 MiB)")
    let unread = failure(["--config", "."], in: folder)
    #expect(unread?.code == .configuration && unread?.message.hasPrefix("cannot read '.'") == true)
    #expect(failure(["--config", "/dev/zero"], in: folder)?.code == .configuration)
    #expect(failure(["--config", "/dev/null"], in: folder)?.code == .configuration)
}
