import Foundation
import Testing

@testable import Domain
@testable import Ledger
@testable import Reconcile

/// What a month must satisfy before it is closed, and what a closing puts on record.
@Suite struct ClosingTests {
    typealias Sale = MonthFolder.Sale

    /// Nights on the last days of months, with one sale each.
    private func folder(_ dates: String..., configuration: String = "") throws -> MonthFolder {
        let folder = try MonthFolder()
        if !configuration.isEmpty { try configure(folder, configuration) }
        for (index, date) in dates.enumerated() {
            let sale = Sale(id: index + 1, minor: 600, at: date + " 12:00:00")
            try folder.deliver(
                date, orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)],
                transactions: [folder.record(sale)])
            try folder.night(date)
        }
        return folder
    }

    private func configure(_ folder: MonthFolder, _ text: String) throws {
        let old = try folder.nights.folder.read("reconcile.json")
        try folder.nights.folder.write(old.replacing("feeds: [", with: text + ",\n feeds: ["), to: "reconcile.json")
    }

    private func close(_ month: String, _ options: String..., in folder: MonthFolder) throws -> NightFolder.Outcome {
        try folder.nights.run(["monthly", month, "--close", "--by", "li"] + options)
    }

    @Test(arguments: [
        ["--close"], ["--close", "--by", " "], ["--by", "li"], ["--approver", "wang"], ["--note", "x"],
        ["--accept-unexplained", "x"], ["--close", "--by", "li", "--approver", ""],
    ])
    func aClosingNamesAPerson(options: [String]) throws {
        let folder = try folder("2026-01-31")
        let outcome = try folder.nights.run(["monthly", "2026-01"] + options)
        #expect(outcome.code == .usage)
        #expect(try folder.nights.ledger().monthSeals().isEmpty)
    }

    @Test func theClosingIsOnRecord() throws {
        let folder = try folder("2026-01-31")
        #expect(try close("2026-01", "--approver", "wang", "--note", "three late files", in: folder).code == .done)
        let seal = try #require(try folder.nights.ledger().monthSeals().first)
        let closing = try #require(try folder.read("2026-01").closing)
        #expect(closing.by == "li" && closing.approver == "wang" && closing.note == "three late files")
        #expect(closing.seal == seal.digest && closing.segregated && closing.at == "1970-01-01T00:00:00Z")
        #expect(try folder.strings("2026-01").contains(seal.digest))
        #expect(try folder.nights.run(["check"]).output.contains("ok     files of the closed month 2026-01"))
    }

    @Test func oneWhoApprovesTheOwnClosingIsNamed() throws {
        let folder = try folder("2026-01-31")
        #expect(try close("2026-01", "--approver", "LI", in: folder).code == .done)
        #expect(try folder.read("2026-01").closing?.segregated == false)
        #expect(try folder.strings("2026-01").contains("LI: the person who closed it"))
    }

    @Test func monthsJoinOn() throws {
        let folder = try folder("2026-01-31", "2026-02-28", "2026-03-31")
        #expect(try close("2026-02", in: folder).code == .done)
        let hole = try close("2026-04", in: folder)
        #expect(hole.code == .usage && hole.errors.contains("has not begun"))
        // One before, then one after.
        #expect(try close("2026-01", in: folder).code == .done)
        #expect(try close("2026-03", in: folder).code == .done)
    }

    @Test(arguments: [("2025-12", "2026-01-01 to 2026-01-31"), ("2026-04", "2026-03-01 to 2026-03-31")])
    func aHoleBetweenMonthsIsRefused(month: String, days: String) throws {
        let folder = try folder("2025-12-31", "2026-02-28", "2026-04-30")
        #expect(try close("2026-02", in: folder).code == .done)
        let hole = try close(month, in: folder)
        #expect(hole.code == .usage && hole.errors.contains(days) && hole.errors.contains("in between first"))
        #expect(try folder.nights.ledger().monthSeals().count == 1)
        try configure(folder, #"language: "zh-Hans""#)
        let chinese = try close(month, in: folder).errors
        #expect(chinese.contains(days.replacing(" to ", with: " 至 ") + " 夹在已关账的月份之间"), "\(chinese)")
        // The language is no setting that judges a month; the beginning of the history is one.
        #expect(try close("2026-05", in: folder).errors.contains("2026-05 尚未开始：最近一次对账是 2026-04-30"))
        let text = try folder.nights.folder.read("reconcile.json")
        let other = text.replacing(/historyFrom: "[^"]*"/, with: #"historyFrom: "2025-01-01""#)
        try folder.nights.folder.write(other, to: "reconcile.json")
        let changed = try close("2026-03", in: folder).errors
        #expect(changed.contains("而 2026-03 是按原配置核对的：") && changed.contains("请先完成下一次夜间对账"), "\(changed)")
    }

    @Test func aLedgerHasOneCalendar() throws {
        let folder = try folder("2026-01-31", "2026-02-28")
        let other = try close("2026-01", "--fiscal", in: folder)
        #expect(other.code == .usage && other.errors.contains("finance.calendar"))
        #expect(try close("2026-01", in: folder).code == .done)
        // Afterwards the choice cannot be changed.
        try configure(folder, "finance: { calendar: \"fiscal\" }")
        let changed = try close("2026-02", in: folder)
        #expect(changed.code == .cannotCreate && changed.errors.contains("\"calendar\" again"))
    }

    @Test func aLedgerOfFiscalMonthsNeedsNoOption() throws {
        let folder = try folder("2026-01-31", "2026-02-28", configuration: "finance: { calendar: \"fiscal\" }")
        #expect(try close("2026-01", in: folder).code == .done)
        #expect(try folder.nights.ledger().monthSeals().map(\.isFiscal) == [true])
        let next = try close("2026-02", in: folder)
        let title = "Monthly tie-out 2026-02 · Apple's fiscal month, 2026-02-01 to 2026-02-28"
        #expect(next.code == .done && next.output.hasPrefix(title + " · "), "\(next)")
        #expect(try folder.strings("2026-02").contains("fiscal month, 2026-02-01 to 2026-02-28"))
    }

    @Test func theOtherMonthOfAClosedNameGoesToAnotherFolder() throws {
        let folder = try folder("2026-01-31", "2026-02-28")
        #expect(try close("2026-01", in: folder).code == .done)
        let refused = try folder.nights.run(["monthly", "2026-01", "--fiscal"])
        #expect(refused.code == .cannotCreate && refused.errors.contains("another folder with --output"))
        for _ in 0..<2 {
            let shown = try folder.nights.run(["monthly", "2026-01", "--fiscal", "--output", "other"])
            #expect(shown.code != .cannotCreate && shown.output.contains("fiscal month, 2025-12-28"), "\(shown)")
        }
    }

    /// The closing of the calendar's January is not what fiscal February follows, and the other way round.
    @Test(arguments: [false, true]) func aMonthOfTheOtherCalendarIsForALookOnly(isFiscal: Bool) throws {
        let own = isFiscal ? "fiscal" : "calendar"
        let folder = try folder("2026-01-31", "2026-02-28", configuration: "finance: { calendar: \"\(own)\" }")
        #expect(try close("2026-01", in: folder).code == .done)
        let late = Sale(id: 7, minor: 9900, at: "2026-01-20 12:00:00")
        try folder.deliver(
            "2026-03-01", orders: [folder.order(late)], credits: [folder.credit(late, at: late.at)],
            transactions: [folder.record(late)])
        try folder.night("2026-03-01")
        #expect(try folder.month("2026-02").file.journal.isEmpty == false)
        if isFiscal {
            let text = try folder.nights.folder.read("reconcile.json")
            try folder.nights.folder.write(
                text.replacing("calendar: \"fiscal\"", with: "calendar: \"calendar\""), to: "reconcile.json")
        }
        let shown = try folder.nights.run(["monthly", "2026-02"] + (isFiscal ? [] : ["--fiscal"]))
        let said = "This ledger closes \(isFiscal ? "Apple's fiscal months" : "calendar months") (2026-01)."
        #expect(shown.code == .done && shown.output.contains(said), "\(shown)")
        // On page 1, Restated, Year to date, and Accounts and entries.
        let strings = try folder.strings("2026-02")
        #expect(strings.contains(said) && !strings.contains("Later evidence has not changed"))
        #expect(!strings.contains("Continues from closing"))
        #expect(try folder.text("2026-02", "month-journal.csv").split(separator: "\n").count == 1)
        #expect(try folder.text("2026-02", "month-journal.ledger").isEmpty)
        #expect(try folder.text("2026-02", "month.json").contains("closed_by_other_calendar"))
        #expect(try folder.read("2026-02").accounts.isEmpty)
    }

    @Test func aMonthSaysWhoseItIs() throws {
        let folder = try folder("2026-01-31")
        #expect(try close("2026-01", in: folder).code == .done)
        let bundle = "com.example.game"
        let sealed = try folder.nights.ledger().report(of: folder.nights.ledger().monthSeals()[0])
        #expect(sealed.report.bundles == [bundle] && sealed.text.contains(bundle), "the seal binds the app")
        #expect(try folder.text("2026-01", "month.json").contains("\"environment\": \"Production\""))
        let strings = try folder.strings("2026-01")
        #expect(strings.contains(">App<") && strings.contains("\(bundle), Production"))
        // Each printed page says the sheet and the month, but for the first sheet, whose title does.
        let headers = strings.components(separatedBy: "<oddHeader>&amp;L&amp;B&amp;A&amp;B · Monthly tie-out 2026-01<")
        let pages = strings.components(separatedBy: "<oddFooter>").count
        #expect(headers.count == pages - 1 && pages > 20)
    }

    /// A Chinese title has no blanks, so its column is as wide as the title.
    @Test func aHeaderIsAsHighAsItsTitles() throws {
        let folder = try folder("2026-01-31")
        let text = try folder.nights.folder.read("reconcile.json")
        try folder.nights.folder.write("{language: \"zh-Hans\"," + text.dropFirst(), to: "reconcile.json")
        #expect(try folder.month("2026-01").code == .done)
        let strings = try folder.strings("2026-01")
        #expect(try strings.contains(Regex(#"<row r="1"[^>]* ht="17" "#)), "one line")
        #expect(try strings.contains(Regex(#"<row r="1"[^>]* ht="32" "#)), "a time has its zone below")
    }

    @Test func theLedgerIsProvenBeforeAMonthIsClosed() throws {
        let folder = try folder("2026-01-31")
        do {
            let ledger = try Ledger(path: folder.nights.folder.path + "/ledger.sqlite")
            try ledger.connection.execute("UPDATE packed_subject SET flags = flags + 1")
        }
        #expect(try folder.month("2026-01").code == .done)
        let closed = try close("2026-01", in: folder)
        #expect(closed.code == .inputOutput && closed.errors.contains("rows of packed_subject were changed"))
        #expect(try folder.nights.ledger().monthSeals().isEmpty)
    }

    @Test func whatIsUnexplainedIsAcceptedWithANoteOrNotAtAll() throws {
        let folder = try MonthFolder()
        var sale = Sale(id: 1, minor: 600, at: "2026-01-10 12:00:00")
        sale.more = folder.refund("2026-01-11 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [folder.order(sale)],
            credits: [folder.credit(sale, at: sale.at)]
                + [2, 3].map { folder.credit(sale, at: "2026-01-12 12:00:00", "reversal", number: $0) },
            transactions: [folder.record(sale, signed: "2026-01-11 12:00:00")])
        try folder.night("2026-01-31")
        let look = try folder.month("2026-01")
        #expect(look.file.money["CNY"]?.unexplained == "6.00" && look.code == .look)
        let refused = try close("2026-01", in: folder)
        #expect(refused.code == .usage && refused.errors.contains("6.00 CNY of 2026-01 is unexplained"))
        #expect(refused.errors.contains("--accept-unexplained"))
        #expect(try folder.nights.ledger().monthSeals().isEmpty)
        #expect(try close("2026-01", "--accept-unexplained", "booked twice, mended in May", in: folder).code == .done)
        #expect(try folder.read("2026-01").closing?.accepted_unexplained == "booked twice, mended in May")
    }

    @Test func aToleranceIsAnAmount() throws {
        let folder = try MonthFolder()
        try configure(folder, "finance: { tolerance: { CNY: \"6.00\" } }")
        var sale = Sale(id: 1, minor: 600, at: "2026-01-10 12:00:00")
        sale.more = folder.refund("2026-01-11 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [folder.order(sale)],
            credits: [folder.credit(sale, at: sale.at)]
                + [2, 3].map { folder.credit(sale, at: "2026-01-12 12:00:00", "reversal", number: $0) },
            transactions: [folder.record(sale, signed: "2026-01-11 12:00:00")])
        try folder.night("2026-01-31")
        #expect(try close("2026-01", in: folder).code == .done)
        #expect(try folder.text("2026-01", "month.json").contains("\"tolerated\": \"6.00 CNY\""))
        let page = try folder.strings("2026-01")
        #expect(page.contains("Differences within finance.tolerance") && page.contains("6.00 CNY (unexplained 6.00)"))
    }

    @Test func theFirstSheetNamesTheMonthsThatChangedSince() throws {
        let folder = try folder("2026-01-31")
        #expect(try close("2026-01", in: folder).code == .done)
        let late = Sale(id: 7, minor: 9900, at: "2026-01-20 12:00:00")
        try folder.deliver(
            "2026-02-28", orders: [folder.order(late)], credits: [folder.credit(late, at: late.at)],
            transactions: [folder.record(late)])
        try folder.night("2026-02-28")
        #expect(try close("2026-02", in: folder).code == .done)
        #expect(try folder.strings("2026-02").contains("Closed months that later evidence has changed"))
        #expect(try folder.read("2026-02").restated.first?.change["net"] == "99.00")
        #expect(try !folder.strings("2026-01").contains("Closed months that later evidence has changed"))
    }
}

extension MonthFolder {
    /// All texts of a month's workbook.
    func strings(_ name: String) throws -> String {
        let path = nights.folder.path + "/out/" + name + "/month.xlsx"
        return try Program.shell("unzip -p '\(path)' 'xl/*.xml' 'xl/worksheets/*.xml'", in: nights.folder.path).output
    }
}
