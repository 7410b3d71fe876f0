import Domain
import Engine
import Foundation
import Testing

@testable import Reports

/// The shop's own columns in a night's reports, whatever a client wrote into them. See docs/spec/why.md#labels.
@Suite struct LabelReportTests {
    private static let hostile = [
        "=HYPERLINK(\"http://x\")", "@SUM(A1)", "a;=1+1", "</script><script>alert(1)</script>", "<b>\"&'",
        "\u{202E}gnp.exe",
        "\u{1B}[31m\u{0}\u{7}", "'--;", "{0}", "7",
    ]
    private let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    private var plain: NightReport { SampleNight().report }

    private var labelled: NightReport {
        var report = plain
        report.labels = ["server", "version"]
        for place in report.exceptions.indices where place % 3 > 0 {
            let text = Identifier(Self.hostile[place % Self.hostile.count])
            let values = [LabelSet.Value(name: "version", text: text), .init(name: "gone", text: "x")]
            report.exceptions[place].facts.labels = LabelSet(values)
        }
        return report
    }

    private func texts(_ report: NightReport, _ name: String, _ language: Language = .english) throws -> String {
        String(decoding: try #require(try scratch.render(report, language)[name]), as: UTF8.self)
    }

    @Test func theLabelsStandBehindTheOtherColumns() throws {
        let csv = try texts(labelled, "exceptions.csv")
        #expect(csv.prefix { $0 != "\n" }.hasSuffix(",evidence,note,label_server,label_version,assignee,ticket"))
        #expect(csv.contains(",,\"'=HYPERLINK(\"\"http://x\"\")\",,\n") && csv.contains(",,'@SUM(A1),,\n"))
        #expect(csv.contains(",,a;'=1+1,,\n") && csv.contains(",,7,,\n") && !csv.contains("label_gone"))
    }

    /// The most frequent values come first. Only open exceptions can be found.
    @Test func thePageOffersTheValuesOfOpenExceptions() throws {
        var report = plain
        report.labels = ["version"]
        let open = report.exceptions.indices.filter { report.exceptions[$0].state.isOpen }
        let resolved = try #require(report.exceptions.indices.first { !report.exceptions[$0].state.isOpen })
        func label(_ place: Int, _ text: Identifier) {
            report.exceptions[place].facts.labels = LabelSet([.init(name: "version", text: text)])
        }
        for (number, place) in open.prefix(11).enumerated() {
            label(place, Identifier(number < 2 ? "b&1" : "v\(number)"))
        }
        label(resolved, "gone")
        let page = try texts(report, "report.html").replacing("\n", with: "")
        #expect(page.contains("<p class=\"values\">version: <a href=\"#version%3Db%261\">b&amp;1</a> (2) "))
        #expect(page.contains(">v10</a> (1) <a href=\"#version%3Dv2\">v2</a> (1) "))
        #expect(page.contains(">v7</a> (1) </p>") && !page.contains("#version%3Dgone") && !page.contains(">v8</a>"))
    }

    @Test func withoutLabelsNothingIsAdded() throws {
        let (one, other) = (try scratch.render(plain), try scratch.render(labelled))
        for name in one.keys
        where !["exceptions.csv", "report.html", "reconciliation.xlsx", "SHA256SUMS"].contains(name) {
            #expect(one[name] == other[name], "\(name)")
        }
        var none = labelled
        none.labels = []
        let bare = try scratch.render(none)
        for name in ["exceptions.csv", "report.html"] { #expect(bare[name] == one[name]) }
    }

    @Test(arguments: [(Language.english, "Label version", "Paid not credited"), (.chinese, "标签 version", "掉单（已付款未发放）")])
    func theWorkbooksListsHaveThem(_ language: Language, _ title: String, _ name: String) throws {
        let workbook = try scratch.render(labelled, language)["reconciliation.xlsx"]!
        let sheets = try scratch.sheets(workbook)
        let sheet = try #require(sheets.first { $0.name == name }).cells
        let head = try #require(sheet.first { $0.value.text == title })
        let column = head.key.prefix { $0.isLetter }
        let values = sheet.filter { $0.key.hasPrefix(column) && $0.key.dropFirst(column.count).first?.isNumber == true }
        #expect(values.count > 2 && values.allSatisfy { $0.value.isText && !$0.value.isFormula })
        #expect(sheets.filter { $0.cells.contains { $0.value.text == title } }.count == 12)
        #expect(
            try scratch.formulas(workbook) == scratch.formulas(scratch.render(plain, language)["reconciliation.xlsx"]!))
    }

    @Test func thePageFindsThemAndRunsNoneOfThem() throws {
        let (page, old) = (try texts(labelled, "report.html"), try texts(plain, "report.html"))
        for tag in ["<script", "</script", "<b>"] {
            #expect(page.components(separatedBy: tag).count == old.components(separatedBy: tag).count, "\(tag)")
        }
        #expect(page.contains(#""labels":["server","version"]"#) && !old.contains(#""labels""#))
        #expect(page.contains("type a value, or server=value"))
        #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
    }
}
