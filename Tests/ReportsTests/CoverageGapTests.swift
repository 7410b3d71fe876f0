import Domain
import Engine
import Foundation
import Testing

@testable import Reports

/// Why a day's file is not there, in every file that says so.
@Suite struct CoverageGapTests {
    let scratch: ScratchBuffer
    private let gaps = [
        SampleNight.gap(.credits),
        SampleNight.gap(
            .receipts, .refused(file: "inbox/receipts.jsonl", feed: "inbox/receipts.jsonl", text: "it has no bytes")),
    ]
    private static let english = [
        "missing: inbox/credits-{date}.csv", "inbox/receipts.jsonl is refused: it has no bytes",
    ]
    private static let chinese = ["缺失：inbox/credits-{date}.csv", "inbox/receipts.jsonl 已拒收：it has no bytes"]

    init() throws { scratch = try ScratchBuffer() }

    private func words(_ language: Language) -> [String] { language == .english ? Self.english : Self.chinese }

    private func texts(of workbook: Data, sheet: Int) throws -> [String] {
        try scratch.sheets(workbook)[sheet].cells.values.map(\.text)
    }

    @Test(arguments: Language.allCases)
    func aNightSaysItInItsLanguage(language: Language) throws {
        var report = SampleNight(exceptions: 0).report
        report.coverageGaps = gaps
        let files = try scratch.render(report, language)
        for name in ["summary.txt", "report.html"] {
            let text = String(decoding: files[name]!, as: UTF8.self)
            for words in words(language) { #expect(text.contains(words), "\(name): \(words)") }
        }
        let cells = try texts(of: files["reconciliation.xlsx"]!, sheet: 0)
        for words in words(language) { #expect(cells.contains(words), "\(words)") }
    }

    @Test(arguments: Language.allCases)
    func aMonthSaysItInItsLanguage(language: Language) throws {
        var report = MonthReport(
            Period(calendarMonth: "2025-11")!, timeZone: "Asia/Shanghai",
            asOf: Instant(milliseconds: 1_764_600_000_000), run: 1,
            lastNight: BusinessDate("2025-11-30")!, version: "1")
        report.coverageGaps = gaps
        let path = scratch.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try writeMonthReport(report, texts: try Texts(language: language), into: path, fileMode: 0o600)
        let cells = try texts(of: Data(contentsOf: URL(fileURLWithPath: path + "/month.xlsx")), sheet: 0)
        // The page that is signed names the file itself.
        for words in words(language).map({ $0.replacing("{date}", with: "2025-11-16") }) {
            #expect(cells.contains(words), "\(words)")
        }
        let json = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/month.json")), as: UTF8.self)
        for words in Self.english { #expect(json.contains("\"why\": \"\(words)\""), "\(words)") }
    }

    /// JSON is read by machines: the reports' language does not change it.
    @Test(arguments: Language.allCases)
    func jsonSaysItInEnglish(language: Language) throws {
        var report = SampleNight(exceptions: 0).report
        report.coverageGaps = gaps
        let json = String(decoding: try scratch.render(report, language)["summary.json"]!, as: UTF8.self)
        for words in Self.english { #expect(json.contains("\"why\": \"\(words)\""), "\(words)") }
    }

    @Test func whatIsStoredIsReadBack() throws {
        let stored = try JSONEncoder().encode(gaps)
        #expect(try JSONDecoder().decode([CoverageGap].self, from: stored) == gaps)
        let unknown = Data(#"{"date":"2025-11-16","feed":"credits","reason":{"code":"lost","feed":"x"}}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(CoverageGap.self, from: unknown) }
    }
}
