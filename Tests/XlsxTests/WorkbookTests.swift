import Foundation
import Glibc
import Testing

@testable import Reports

/// A folder for one test. It is deleted together with this value.
final class ScratchBuffer: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("xlsx-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a workbook of one sheet and returns the file's path.
    func workbook(
        sheet name: String = "Sheet", createdAt: Int = 1_763_514_000, _ write: (inout Sheet) -> Void
    ) throws -> String {
        let file = path + "/workbook-\(UUID().uuidString).xlsx"
        let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL, 0o600)
        defer { close(descriptor) }
        var workbook = try Workbook(temporaryFolder: path, createdAt: createdAt, title: "T")
        try workbook.addSheet(name, write)
        try workbook.close(into: descriptor)
        return file
    }

    /// A file inside a workbook, as text.
    func member(_ name: String, of file: String) throws -> String {
        let unzip = Process()
        unzip.executableURL = URL(fileURLWithPath: "/usr/bin/unzip")
        unzip.arguments = ["-p", file, name]
        let output = Pipe()
        unzip.standardOutput = output
        try unzip.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        unzip.waitUntilExit()
        try #require(unzip.terminationStatus == 0, "unzip cannot read \(name)")
        return String(decoding: data, as: UTF8.self)
    }

    /// The XML of one cell's text, written to A1.
    func cell(_ text: String) throws -> String {
        let file = try workbook { $0.write(text, row: 0, column: 0) }
        let sheet = try member("xl/worksheets/sheet1.xml", of: file)
        let start = try #require(sheet.range(of: "<t"))
        let end = try #require(sheet.range(of: "</t>"))
        return String(sheet[start.lowerBound..<end.lowerBound].drop { $0 != ">" }.dropFirst())
    }
}

@Suite struct WorkbookTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    @Test func theSameCallsGiveTheSameBytes() throws {
        let files = try (0..<5).map { _ in
            try scratch.workbook { sheet in
                sheet.write("name", row: 0, column: 0)
                sheet.write(6.01, row: 1, column: 0)
            }
        }
        let contents = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(Set(contents).count == 1)
    }

    @Test func workbooksOfSeveralThreadsKeepTheirDates() throws {
        let scratch = self.scratch
        @Sendable func workbook(_ thread: Int) throws -> Data {
            let file = try scratch.workbook(createdAt: 1_763_514_000 + 86_400 * thread) { _ in }
            defer { unlink(file) }
            return try Data(contentsOf: URL(fileURLWithPath: file))
        }
        let alone = try (0..<4).map(workbook)
        let differ = concurrently(threads: 4, 4) { thread in
            (0..<500).count { _ in (try? workbook(thread)) != alone[thread] }
        }
        #expect(differ == [0, 0, 0, 0])
    }

    @Test func theFilesDateIsTheOneGiven() throws {
        let file = try scratch.workbook { $0.write("name", row: 0, column: 0) }
        #expect(try scratch.member("docProps/core.xml", of: file).contains(">2025-11-19T01:00:00Z<"))
    }

    @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "=cmd|' /C calc'!A0", "＝1+1", "http://x.example"])
    func textIsNeverAFormulaNorALink(text: String) throws {
        let file = try scratch.workbook { $0.write(text, row: 0, column: 0) }
        let sheet = try scratch.member("xl/worksheets/sheet1.xml", of: file)
        #expect(sheet.contains("t=\"inlineStr\""))
        #expect(!sheet.contains("<f>") && !sheet.contains("hyperlink"))
    }

    @Test func whatXMLForbidsIsShownEscaped() throws {
        #expect(try scratch.cell("a\u{1B}[2J\u{0}b\u{FFFE}") == "a\\u{1b}[2J\\u{0}b\\u{fffe}")
    }

    @Test func textThatLooksLikeAnEscapeIsReadBackAsItIs() throws {
        #expect(try scratch.cell("_x0041_ _xyz paid_not") == "_x005F_x0041_ _xyz paid_not")
    }

    @Test func markupIsText() throws {
        #expect(try scratch.cell("</t><f>1</f>&") == "&lt;/t&gt;&lt;f&gt;1&lt;/f&gt;&amp;")
    }

    @Test func textOfExcelsLimitIsWholeAndLongerIsCut() throws {
        let longest = String(repeating: "字", count: 32_767)
        #expect(try scratch.cell(longest) == longest)
        let cut = try scratch.cell(longest + "字")
        #expect(cut.utf16.count == 32_767 && cut.hasSuffix("字…"))
        let pairs = try scratch.cell(String(repeating: "😀", count: 20_000))
        #expect(pairs.utf16.count == 32_767 && pairs.hasSuffix("😀…"))
    }

    @Test func aFullDiskIsAnError() throws {
        let full = open("/dev/full", O_RDWR)
        defer { close(full) }
        let error = #expect(throws: XlsxError.self) {
            var workbook = try Workbook(temporaryFolder: scratch.path, createdAt: 1, title: "T")
            try workbook.addSheet("Sheet") { $0.write("text", row: 0, column: 0) }
            try workbook.close(into: full)
        }
        #expect(error?.description.contains("check that the output's disk has room") == true)
    }

    @Test func aFolderThatIsGoneIsAnError() throws {
        let gone = scratch.path + "/gone"
        try FileManager.default.createDirectory(atPath: gone, withIntermediateDirectories: true)
        let descriptor = open(scratch.path + "/workbook.xlsx", O_RDWR | O_CREAT | O_EXCL, 0o600)
        defer { close(descriptor) }
        let error = #expect(throws: XlsxError.self) {
            var workbook = try Workbook(temporaryFolder: gone, createdAt: 1, title: "T")
            try workbook.addSheet("Sheet") { $0.write("text", row: 0, column: 0) }
            try FileManager.default.removeItem(atPath: gone)
            try workbook.close(into: descriptor)
        }
        #expect(error == .cannotWrite(code: ENOENT))
    }

    @Test func aPartThatEndsTooEarlyIsNotWhole() {
        let whole = Array("<?xml version=\"1.0\"?>\n<a><b c=\"1\"/><d>t</d></a>".utf8)
        #expect(isWholeXML(whole) && isWholeXML(whole + [10]))
        for count in whole.indices { #expect(!isWholeXML(Array(whole.prefix(count))), "\(count) bytes") }
        for hole in [22..<26, 30..<40, 37..<41] {
            var part = whole
            part.removeSubrange(hole)
            #expect(!isWholeXML(part), "without \(hole)")
        }
    }

    @Test func rowsOutOfOrderAreAnErrorAndNotSilence() throws {
        #expect(throws: XlsxError.self) {
            _ = try scratch.workbook { sheet in
                sheet.write("second", row: 1, column: 0)
                sheet.write("first", row: 0, column: 0)
            }
        }
    }

    @Test func noTemporaryFileIsLeft() throws {
        let file = try scratch.workbook { $0.write("text", row: 0, column: 0) }
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(files == [URL(fileURLWithPath: file).lastPathComponent])
    }

    @Test func aDroppedWorkbookLeavesNothing() throws {
        do {
            var workbook = try Workbook(temporaryFolder: scratch.path, createdAt: 1, title: "T")
            try workbook.addSheet("Sheet") { $0.write("text", row: 0, column: 0) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    }

    @Test func formatsAreNumberedInTheOrderOfCreationAndNotOfUse() throws {
        let file = scratch.path + "/formats.xlsx"
        let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL, 0o600)
        defer { close(descriptor) }
        var workbook = try Workbook(temporaryFolder: scratch.path, createdAt: 1, title: "T")
        let styles = try ["0.0", "0.00", "0.000"].map { try workbook.style(.number($0)) }
        for (number, style) in styles.reversed().enumerated() {
            try workbook.addSheet("Sheet \(number)") { $0.write(1, row: 0, column: 0, style: style) }
        }
        try workbook.close(into: descriptor)
        // Number 0 is the format of plain cells.
        #expect(try scratch.member("xl/worksheets/sheet1.xml", of: file).contains("<c r=\"A1\" s=\"3\">"))
        #expect(try scratch.member("xl/worksheets/sheet3.xml", of: file).contains("<c r=\"A1\" s=\"1\">"))
    }

    @Test func oneBadSheetOfManyIsAnError() throws {
        let error = #expect(throws: XlsxError.self) {
            var workbook = try Workbook(temporaryFolder: scratch.path, createdAt: 1, title: "T")
            for number in 0..<4 {
                try workbook.addSheet("Sheet \(number)") { sheet in
                    sheet.write("second", row: 1, column: 0)
                    if number == 2 { sheet.write("first", row: 0, column: 0) }
                }
            }
        }
        #expect(error?.description.contains("Sheet 2") == true)
    }

    @Test func barsAreDrawnFromTheirOwnSheet() throws {
        let file = try scratch.workbook(sheet: "Summary") { sheet in
            for row in 0...1 {
                sheet.write("掉单", row: row, column: 0)
                sheet.write(3, row: row, column: 1)
            }
            sheet.add(
                BarChart(rows: 0...1, values: 1, title: "T", row: 2, column: 2, size: (400, 200), color: 0x2F5597))
        }
        let chart = try scratch.member("xl/charts/chart1.xml", of: file)
        #expect(chart.contains("<c:f>Summary!$A$1:$A$2</c:f>") && chart.contains("<c:f>Summary!$B$1:$B$2</c:f>"))
    }

    @Test(arguments: [
        ("Paid not credited", true), ("掉单", true), ("", false), ("a/b", false), ("'a", false), ("a[1]", false),
        (String(repeating: "x", count: 31), true), (String(repeating: "x", count: 32), false), ("a\u{7}b", false),
    ])
    func sheetNamesAreExcels(name: String, isName: Bool) {
        #expect(isSheetName(name) == isName)
    }
}
