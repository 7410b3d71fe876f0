import Base
import Domain
import Engine
import Foundation
import Testing

@testable import Reports

@Suite struct NightPageTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    private func page(_ report: NightReport, _ language: Language = .english) throws -> String {
        String(decoding: try #require(try scratch.render(report, language)["report.html"]), as: UTF8.self)
    }

    /// The block of data that the search reads.
    private func rows(_ page: String) throws -> [[Any]] {
        let start = try #require(page.range(of: "id=\"data\">"))
        let end = try #require(page[start.upperBound...].range(of: "</script>"))
        let data = Data(page[start.upperBound..<end.lowerBound].utf8)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return object?["rows"] as? [[Any]] ?? []
    }

    @Test func thePageNamesNothingOutsideItself() throws {
        // The digests of its own style and script may contain two slashes.
        let page = try page(SampleNight().report).replacing(/'sha256-[^']+'/, with: "")
        for outside in ["http:", "https:", "//", "src=", "href=", "url(", "@import"] {
            let found = page.replacing("// report.html#2000000123456789", with: "").contains(outside)
            #expect(!found, "\(outside)")
        }
    }

    @Test func onlyItsOwnScriptAndStyleMayRun() throws {
        let page = try page(SampleNight().report)
        #expect(page.components(separatedBy: "<script").count == 3 && page.components(separatedBy: "<style").count == 2)
        #expect(!page.contains("unsafe-inline") && !page.contains(" style=\"") && !page.contains(" onclick"))
        for (tag, content) in [("script", searchScript), ("style", pageStyle)] {
            let openssl = Process()
            openssl.executableURL = URL(fileURLWithPath: "/bin/bash")
            openssl.arguments = ["-c", "openssl dgst -sha256 -binary | base64"]
            let (input, output) = (Pipe(), Pipe())
            openssl.standardInput = input
            openssl.standardOutput = output
            try openssl.run()
            try input.fileHandleForWriting.write(contentsOf: Data(content.utf8))
            try input.fileHandleForWriting.close()
            let hash = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(page.contains("\(tag)-src 'sha256-\(hash.trimmingCharacters(in: .newlines))'"), "\(tag)")
            #expect(page.contains("<\(tag)>\(content)</\(tag)>"))
        }
    }

    @Test func theSearchKnowsEveryOpenExceptionByEveryId() throws {
        let report = SampleNight().report
        let open = report.exceptions.filter { $0.state != .resolved && $0.state != .waived }
        let rows = try rows(try page(report))
        #expect(rows.count == open.count)
        for (row, exception) in zip(rows, open) {
            let cells = row.dropFirst().prefix(9).compactMap { $0 as? String }
            let ids =
                [exception.id.text] + exception.accounts + exception.orders + exception.transactions
                + exception.receipts + exception.credits
            for id in ids { #expect(cells.contains { $0.contains(display(id)) }, "\(id)") }
        }
    }

    @Test func whatStrangersWroteEndsNoBlock() throws {
        var report = SampleNight().report
        report.exceptions[0].state = .new
        report.exceptions[0].accounts = ["</script><script>alert(1)</script>", "<!--", "\u{202E}\u{1B}[0m", "a\"b&c"]
        report.files[0].name = "<img src=x onerror=alert(1)>"
        let page = try page(report)
        #expect(!page.contains("<script>alert") && !page.contains("<img") && !page.contains("<!--"))
        #expect(!page.contains("\u{202E}") && !page.contains("\u{1B}"))
        let accounts = try #require(try rows(page)[0][2] as? String)
        #expect(accounts == #"</script><script>alert(1)</script> <!-- \u{202e}\u{1b}[0m a"b&c"#)
    }

    @Test(arguments: Language.allCases)
    func aNightWithoutExceptionsHasItsPage(language: Language) throws {
        var report = SampleNight().report
        report.exceptions = []
        let page = try page(report, language)
        #expect(page.contains("<html lang=\"\(language.rawValue)\">") && page.hasSuffix("</html>\n"))
        #expect(try rows(page).isEmpty)
    }
}
