import Console
import Foundation
import Testing

@testable import Reconcile
@testable import Rules

/// Opens descriptor 5 as a pipe whose reader has ended.
private let toNobody = "exec 5> >(:); wait $!"

@Test(
    arguments: [
        ("$R --help", 0), ("$R -h", 0), ("$R help init", 0), ("$R init --help", 0), ("$R --version", 0), ("$R", 64),
        ("$R frobnicate", 64), ("$R init --frobnicate", 64), ("$R init a b", 64), ("$R --help >/dev/full", 74),
        ("$R --help >&-", 74), ("$R --version 2>&-", 0), ("$R frobnicate 2>/dev/full", 64), ("$R --version <&-", 0),
        ("\(toNobody); $R --help >&5", 141), ("$R init /dev/null/x", 73), ("$R init /proc/x", 73), ("$R ''", 64),
        ("$R $'\\xff\\xfe'", 64), ("$R init --quiet --verbose", 64),
    ] as [(String, Int32)])
func theProgramEndsWithItsCode(_ line: String, _ code: Int32) throws {
    let ended = try Program.shell(line)
    #expect(ended.code == code, "\(ended.errors)")
    #expect(ended.errors.split(separator: "\n").count <= 1)
}

@Test func theVersionSaysWhatTheProgramIsMadeOf() throws {
    let answer = try Program.shell("$R --version --json").output
    let facts = try #require(JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
    let libraries = try #require(facts["libraries"] as? [String: String])
    #expect(facts["version"] as? String == version)
    #expect(facts["rules_version"] as? Int == RuleSet.version)
    #expect(facts["commit"] as? String == "unknown")
    #expect(try Program.shell("sqlite3 :memory: 'SELECT sqlite_version()'").output == libraries["sqlite"]! + "\n")
    #expect(libraries.keys.sorted() == ["glibc", "libxlsxwriter", "openssl", "sqlite", "zlib"])
    #expect(libraries.values.allSatisfy { $0.wholeMatch(of: /[0-9]+(\.[0-9]+)+/) != nil }, "\(libraries)")
}

@Test func aFileTooLargeToBeReadWholeIsNotVerified() throws {
    let folder = TestFolder()
    let line = "truncate -s 3G big.jsonl; $R verify big.jsonl"
    let ended = try Program.shell(line, in: folder.path)
    #expect(ended.code == 65 && ended.errors.contains("is larger than 256 MiB"), "\(ended.errors)")
    let piped = try Program.shell("printf 'no receipt' | $R verify -", in: folder.path)
    #expect(piped.code == 1 && piped.output.contains("unverifiable"), "\(piped)")
}

@Test func resultsAndErrorsKeepToTheirStreams() throws {
    let help = try Program.shell("$R --help")
    #expect(help.errors.isEmpty && help.output.contains("Exit codes"))
    let wrong = try Program.shell("$R intt")
    #expect(wrong.output.isEmpty)
    #expect(
        wrong.errors == "reconcile: error: unknown command 'intt'. Did you mean 'init'? See 'reconcile --help'.\n")
    #expect(try Program.shell("\(toNobody); $R --help >&5").errors.isEmpty)
}

@Test func aPipedHelpHasNoColours() throws {
    #expect(!(try Program.shell("$R --help").output.contains("\u{1B}")))
}

@Test func initWritesAConfigurationThatReads() throws {
    let folder = TestFolder()
    let ended = try Program.shell("umask 000; $R init new/night", in: folder.path)
    #expect(ended.code == 0 && ended.errors.isEmpty && ended.output.contains("Next:"))
    let made = folder.path + "/new/night"
    _ = try Configuration.read(made + "/reconcile.json", shownAs: "reconcile.json")
    for (name, mode) in [("", 0o700), ("/inbox", 0o700), ("/out", 0o700), ("/reconcile.json", 0o600)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: made + name)
        #expect(attributes[.posixPermissions] as? Int == mode)
    }
}

@Test func initOverwritesNothing() throws {
    let folder = TestFolder()
    try folder.write("mine", to: "reconcile.json")
    #expect(try Program.shell("$R init", in: folder.path).code == 73)
    #expect(try folder.read("reconcile.json") == "mine")
    try FileManager.default.removeItem(atPath: folder.path + "/reconcile.json")
    let target = folder.path + "/elsewhere"
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/reconcile.json", withDestinationPath: target)
    #expect(try Program.shell("$R init", in: folder.path).code == 73)
    #expect(!FileManager.default.fileExists(atPath: target))
}

@Test func initWithoutRoomForItsFoldersLeavesNoConfiguration() throws {
    let folder = TestFolder()
    try folder.write("", to: "out")
    #expect(try Program.shell("$R init", in: folder.path).code == 73)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/reconcile.json"))
}

@Test func whatIsDoneStandsEvenIfNobodyCanBeTold() throws {
    let folder = TestFolder()
    let full = try Program.shell("$R init a >/dev/full", in: folder.path)
    #expect(full.code == 0)
    #expect(
        full.errors
            == "reconcile: warning: the work is done, but cannot write 'standard output': No space left on device\n")
    #expect(
        try Program.shell("\(toNobody); $R init b >&5", in: folder.path)
            == Ended(code: 0, output: "", errors: ""))
}

@Test func initLeavesNoHalfConfigurationWhenTheDiskIsFull() throws {
    let folder = TestFolder()
    let ended = try Program.shell("ulimit -f 1; env --default-signal=XFSZ $R init", in: folder.path)
    #expect(ended.code == 74)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
}
