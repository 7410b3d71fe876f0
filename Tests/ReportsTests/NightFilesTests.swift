import Domain
import Engine
import Foundation
import Glibc
import Reports
import Testing

@Suite struct NightFilesTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    private func write(_ report: NightReport, into folder: String, mode: mode_t = 0o600) throws {
        try writeNightReport(report, texts: try Texts(language: .english), into: folder, fileMode: mode)
    }

    @Test(arguments: Language.allCases)
    func fiveRendersGiveTheSameBytes(language: Language) throws {
        let report = SampleNight().report
        let first = try scratch.render(report, language)
        for _ in 1..<5 { #expect(try scratch.render(report, language) == first) }
        #expect(
            first.keys.sorted() == [
                "SHA256SUMS", "exceptions.csv", "reconciliation.xlsx", "rejected.jsonl", "report.html", "summary.json",
                "summary.txt",
            ])
    }

    @Test func theSumsAreThoseOfTheFiles() throws {
        let folder = try scratch.folder("night")
        try write(SampleNight().report, into: folder)
        let check = Process()
        check.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        check.arguments = ["--check", "--strict", "--quiet", "SHA256SUMS"]
        check.currentDirectoryURL = URL(fileURLWithPath: folder)
        try check.run()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0)
        let sums = try String(contentsOfFile: folder + "/SHA256SUMS", encoding: .utf8)
        #expect(sums.split(separator: "\n").count == 6)
    }

    @Test(arguments: [0o600, 0o640, 0o666] as [mode_t])
    func filesHaveTheModeThatWasAskedFor(mode: mode_t) throws {
        let folder = try scratch.folder("night")
        try write(SampleNight().report, into: folder, mode: mode)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            var status = stat()
            #expect(stat(folder + "/" + name, &status) == 0 && status.st_mode & 0o7777 == mode, "\(name)")
        }
    }

    @Test(arguments: ["exceptions.csv", "reconciliation.xlsx", "report.html", "summary.txt", "SHA256SUMS"])
    func aPlantedLinkIsNeverFollowed(name: String) throws {
        let folder = try scratch.folder("night")
        let victim = scratch.path + "/victim"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: victim))
        try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: victim)
        let error = #expect(throws: ReportError.self) { try write(SampleNight().report, into: folder) }
        #expect(error == .cannotCreate(path: folder + "/" + name, code: EEXIST))
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "mine")
    }

    @Test func aFolderThatIsALinkOrAbsentIsRefused() throws {
        let link = scratch.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: try scratch.folder("night"))
        let absent = scratch.path + "/absent"
        #expect(throws: ReportError.cannotCreate(path: link, code: ENOTDIR)) {
            try write(SampleNight().report, into: link)
        }
        #expect(throws: ReportError.cannotCreate(path: absent, code: ENOENT)) {
            try write(SampleNight().report, into: absent)
        }
    }
}
