import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reports

/// What a month says about changes of closed months, and how it is printed.
extension MonthWorkbookTests {
    @Test(arguments: [
        (true, "no new row: a wait or a gap ended, or a record"), (false, "no new row: a gap in the files"),
    ])
    func aGapIsTheCauseOnlyWhereOtherDaysLackFiles(isSame: Bool, said: String) throws {
        var report = restated("undetermined")
        report.hasSameGaps = isSame
        let sheet = try #require(try sheets(report, .english).first { $0.name == "Restated" })
        #expect(sheet.cells.values.contains { $0.text.hasPrefix(said) })
    }

    /// A change that no purchase explains is the rules' where their version differs, and a setting's where one changed.
    @Test(arguments: [
        (true, true, "changed setting: grace.credit"), (true, false, "not traced to a row or a setting"),
        (false, true, "changed rules of this program's version; changed setting: grace.credit"),
        (false, false, "changed rules of this program's version"),
    ])
    func whatNoPurchaseExplainsSaysWhatIsKnownOfIt(hasSameRules: Bool, isSet: Bool, said: String) throws {
        var report = report()
        report.restatedSubjects = [
            RestatedSubject(
                period: "2025-10", subject: "", product: nil, currency: "CNY", change: Movements(purchases: 100))
        ]
        report.hasSameRules = hasSameRules
        if isSet { report.settingsChanged = [SettingChange(setting: "grace.credit", old: "1h", new: "2h")] }
        let sheet = try #require(try sheets(report, .english).first { $0.name == "Restated" })
        #expect(sheet.cells.values.contains { $0.text == said })
    }

    /// A price list names the product that was given in place of the purchase's; a grace moves one of two figures; of too many
    /// settings, all are named.
    @Test(arguments: [
        (["waiting": ["grace.credit"]], ["changed setting: grace.credit", "no new row: a gap in the files"]),
        (["waiting": [], "undetermined": []], ["changed settings, one or more of: grace.credit, timeZone"]),
        (
            ["waiting": ["products: gems"], "undetermined": ["timeZone"]],
            ["changed setting: products: gems", "changed setting: timeZone"]
        ),
    ])
    func aFigureNamesTheSettingsThatMovedIt(settings: [String: [String]], said: [String]) throws {
        var report = report()
        var subject = RestatedSubject(
            period: "2025-10", subject: "CR1", product: "coins", settings: settings, currency: "CNY",
            change: Movements())
        subject.figures = ["undetermined": -175, "waiting": 175]
        report.restatedSubjects = [subject]
        report.restatedFigures = subject.figures.ordered().map {
            RestatedFigure(period: "2025-10", currency: "CNY", figure: $0, reported: 0, change: $1)
        }
        report.hasSameGaps = false
        report.settingsChanged = ["grace.credit", "timeZone"].map { SettingChange(setting: $0, old: "1", new: "2") }
        let sheet = try #require(try sheets(report, .english).first { $0.name == "Restated" })
        let texts = sheet.cells.values.map(\.text)
        for cause in said { #expect(texts.contains { $0.hasPrefix(cause) }, "\(cause)") }
        #expect(!texts.contains { $0.contains("no new row: a wait or") })
    }

    /// With five currencies, a table of closed months between summary and signatures moved these to the second page.
    @Test func signaturesFollowTheSummary() throws {
        var report = restated("waiting")
        report.settingsChanged = [SettingChange(setting: "grace.credit", old: "1h", new: "2h")]
        let cells = try sheets(report, .english)[0].cells
        let changed = "Closed months that "
        let rows = try [
            "The month at a glance", changed, "All checks", "Prepared by", "Reviewed by", "Settings changed",
        ].map { text in
            try #require(cells.filter { $0.value.text.hasPrefix(text) }.compactMap { Int($0.key.dropFirst()) }.min())
        }
        #expect(rows == rows.sorted() && rows[4] == rows[2] + 4, "\(rows)")
        #expect(cells.values.contains { $0.text.hasPrefix(changed) && $0.text.hasSuffix(" → Restated") })
    }

    /// Ten causes in one closed month, and 25 new prices. The page that is signed stays as wide as its table, and has room.
    @Test func theFirstSheetBreaksLongListsOfChanges() throws {
        var report = report()
        let figures = BookingReason.allCases.map(\.rawValue) + ["waiting", "undetermined", "booked"]
        report.restatedFigures = figures.map {
            RestatedFigure(period: "2025-10", currency: "CNY", figure: $0, reported: 0, change: 175)
        }
        var subject = RestatedSubject(
            period: "2025-10", subject: "CR1", product: nil, currency: "CNY", change: Movements())
        subject.figures = Dictionary(uniqueKeysWithValues: figures.map { ($0, 175) })
        report.restatedSubjects = [subject]
        report.settingsChanged = (10..<35).map {
            SettingChange(
                setting: "products: p\($0)", old: "consumable 1.00 CNY 2025-11-01–",
                new: "consumable 1.00 CNY 2025-11-01–; consumable 2.00 CNY 2026-02-01–")
        }
        let sheets = try sheets(report, .english)
        let first = sheets[0].cells.values.map(\.text)
        let texts = try Texts(language: .english)
        for figure in figures {
            let amount = texts.title(ofFigure: figure) + " +1.75"
            let line = try #require(first.first { $0.contains(amount) }, "\(amount)")
            #expect(line.count <= 80)
        }
        // Of the prices the page that is signed has one line, and *Restated* all: also where they restate nothing.
        let prices = first.filter { $0.hasPrefix("Settings changed") }
        #expect(
            prices.map { $0.hasSuffix(": 25 products have other prices, types or dates: sheet Restated") } == [true])
        for changed in [
            report,
            {
                report.restatedFigures = []; report.restatedSubjects = []; return report
            }(),
        ] {
            let sheet = try #require(try self.sheets(changed, .english).first { $0.name == "Restated" })
            let restated = sheet.cells.values.map(\.text)
            for number in 10..<35 {
                let line = "products: p\(number): new 2.00 CNY from 2026-02-01; 1 as before"
                #expect(restated.contains { $0.hasSuffix(line) }, "\(line)")
            }
        }
    }

    /// A product that is sold in 40 currencies gets one new price. The page that is signed stays as wide as its table.
    @Test func ofALongListOnlyWhatDiffersIsNamed() throws {
        var report = report()
        let prices = (0..<40).map { "consumable \($0).00 CNY" }
        func change(_ new: [String]) -> SettingChange {
            SettingChange(
                setting: "products: coins", old: prices.joined(separator: "; "), new: new.joined(separator: "; "))
        }
        report.settingsChanged = [change(["consumable 7.50 CNY"] + prices.dropFirst())]
        let brief = "products: coins: no longer 0.00 CNY; new 7.50 CNY; 39 as before"
        let screen = monthText(report, texts: try Texts(language: .english))
        #expect(screen.contains(brief + "\n"), "\(screen)")
        report.settingsChanged = [change(prices.map { $0 + " 2026-01-01–" })]
        let wide = try sheets(report, .english)[0].cells.values.map(\.text)
        #expect(wide.contains { $0.contains("39.00 CNY from 2026-01-01") } && wide.allSatisfy { $0.count <= 200 })
    }

    /// Of another kind, and with a last day.
    @Test(arguments: [
        (
            Language.english,
            "products: coins: no longer consumable 6.00 CNY; new non_consumable 7.00 CNY until 2026-03-01"
        ),
        (.chinese, "商品：coins：删除：consumable 6.00 CNY；新增：non_consumable 7.00 CNY 至 2026-03-01 止"),
    ])
    func aProductsKindIsNamedWhereItChanged(language: Language, said: String) throws {
        var report = report()
        report.settingsChanged = [
            SettingChange(
                setting: "products: coins", old: "consumable 6.00 CNY; consumable 1.00 USD",
                new: "non_consumable 7.00 CNY –2026-03-01; consumable 1.00 USD")
        ]
        let screen = monthText(report, texts: try Texts(language: language))
        #expect(screen.contains(said), "\(screen)")
    }

    /// A gap that a person decided is among the decisions. Of several gaps, any may have changed a purchase.
    @Test func theGapsThatChangedAreNamedInTheirRows() throws {
        var report = report()
        var subject = RestatedSubject(
            period: "2025-10", subject: "CR1", product: nil, currency: "CNY", change: Movements())
        subject.figures = ["undetermined": -175]
        report.restatedSubjects = [subject]
        report.hasSameGaps = false
        let gap = { (feed: FeedKind, day: Int, hasBegun: Bool, isDecided: Bool) in
            GapChange(
                feed: feed, date: BusinessDate("2025-10-1\(day)")!, hasBegun: hasBegun, isDecided: isDecided,
                night: BusinessDate("2025-11-0\(day)"))
        }
        report.gapChanges = [
            gap(.credits, 1, false, true), gap(.orders, 2, true, false), gap(.orders, 3, false, false),
            gap(.receipts, 4, true, true),
        ]
        report.restatedFigures = subject.figures.ordered().map {
            RestatedFigure(period: "2025-10", currency: "CNY", figure: $0, reported: 0, change: $1)
        }
        let sheets = try sheets(report, .english)
        let row = "no new row: gaps, one or more of: credits 2025-10-11, orders 2025-10-12, orders 2025-10-13, 1 more"
        #expect(try #require(sheets.first { $0.name == "Restated" }).cells.values.contains { $0.text == row })
        let first = sheets[0].cells.values.map(\.text)
        let found = "Gap found later: orders 2025-10-12 (missing since the night of 2025-11-02)"
        let ended = "orders 2025-10-13 (no file of that day came; it does not count since the night of 2025-11-03)"
        #expect(
            first.filter { $0.hasPrefix("Gap ") }.sorted() == [found, "Gap no longer counted: " + ended], "\(first)")
    }

    /// What fits on the width of one page in letters like those of the first sheet goes on one page. A long text is wrapped for
    /// that.
    @Test(arguments: [(1, false), (8, false), (20, true)])
    func aTableIsPrintedOnOnePageWhereItsLettersStayLargeEnough(times: Int, isWide: Bool) throws {
        let path = scratch.path + "/printed-\(times)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        var report = report()
        let long = Array(repeating: "coins", count: times).joined(separator: " ")
        report.refunds[0].product = long
        if times == 20 { (report.refunds[0].account, report.refunds[0].transaction) = (long, long) }
        try writeMonthReport(report, texts: try Texts(language: .english), into: path, fileMode: 0o600)
        // Refunds are the sixth sheet.
        let sheet = try scratch.member("xl/worksheets/sheet6.xml", of: path + "/month.xlsx")
        let printed = try #require(String(decoding: sheet, as: UTF8.self).firstMatch(of: /<pageSetup [^>]*>/)).output
        #expect(printed.contains("fitToWidth=\"2\"") == isWide, "\(printed)")
    }

    @Test func allMonthsWithoutAnApprovalAreNamed() throws {
        let said = unapprovedText(["2025-10", "2025-11"], texts: try Texts(language: .english))
        #expect(said.contains("2025-10") && said.contains("2025-11"), "\(said)")
    }

    /// A credit changed this figure of October.
    private func restated(_ figure: String) -> MonthReport {
        var report = report()
        var subject = RestatedSubject(
            period: "2025-10", subject: "CR1", product: nil, currency: "CNY", change: Movements())
        subject.figures = [figure: 175]
        report.restatedSubjects = [subject]
        report.restatedFigures = [
            RestatedFigure(period: "2025-10", currency: "CNY", figure: figure, reported: 0, change: 175)
        ]
        return report
    }
}
