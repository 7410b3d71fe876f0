import Domain
import Foundation
import Testing

@testable import Engine
@testable import Reports

@Suite struct MonthWorkbookTests {
    let scratch: ScratchBuffer

    init() throws { scratch = try ScratchBuffer() }

    /// A month with one sale, one refund and one difference, all for a product of that name.
    func report(product: String = "coins") -> MonthReport {
        let month = Period(calendarMonth: "2025-11")!
        var report = MonthReport(
            month, timeZone: "Asia/Shanghai", asOf: Instant(milliseconds: 1_764_600_000_000), run: 1,
            lastNight: BusinessDate("2025-11-30")!, version: "1")
        let movements = Movements(purchases: 1200, refunds: 600, credited: 1200, reversed: 0)
        report.money = [
            MoneyLine(
                currency: "CNY", movements: movements,
                explained: [.init(reason: .verdict(.refundedNotReversed), minor: -600)], unexplained: 0)
        ]
        report.money[0].bookings = BookedMoney(
            booked: 1100, parts: [.init(reason: .amount, count: 1, minor: 100)])
        report.money[0].closing = Balance(owed: 0, givenFree: 600)
        report.register = [
            RegisterLine(
                subject: "2000000000000001", verdict: .refundedNotReversed, reason: .later, currency: "CNY", money: 600,
                effect: 0)
        ]
        report.bookings = [
            BookingLine(
                subject: "2000000000000001", reason: .amount, product: product, order: "O1", orderedAt: nil,
                purchasedAt: nil, currency: "CNY", minor: 100)
        ]
        report.sales = [
            SalesLine(
                product: product, storefront: "CHN", currency: "CNY", unitsSold: 2, unitsRefunded: 1,
                movements: movements)
        ]
        report.differences = [
            DifferenceLine(
                subject: "2000000000000001", reason: .verdict(.refundedNotReversed), verdict: .refundedNotReversed,
                cause: .notReversed, product: product, account: "a", currency: "CNY", minor: -600)
        ]
        report.refunds = [
            RefundLine(
                transaction: "2000000000000001", product: product, storefront: "CHN",
                purchasedAt: Instant(milliseconds: 1_763_000_000_000),
                revokedAt: Instant(milliseconds: 1_763_100_000_000), kind: .full, verdict: .refundedNotReversed,
                cause: .notReversed)
        ]
        report.refunds[0].price = Money(minor: 600, currency: "CNY")
        report.refunds[0].amount = Money(minor: 600, currency: "CNY")
        return report
    }

    func sheets(_ report: MonthReport, _ language: Language) throws -> [(
        name: String, cells: [String: SheetCell]
    )] {
        let path = scratch.path + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try writeMonthReport(report, texts: try Texts(language: language), into: path, fileMode: 0o600)
        let data = try Data(contentsOf: URL(fileURLWithPath: path + "/month.xlsx"))
        return try scratch.sheets(data).map { ($0.name, $0.cells) }
    }

    @Test func sheetsHaveTheNamesThatFinanceKnows() throws {
        let names = [
            "Tie-out", "Charts", "By product", "By storefront", "Bookings", "Refunds", "Exceptions open at period end",
            "Cleared in period", "Work on exceptions", "Aging", "Cut-off", "Differences", "Money and register",
            "Nights",
            "Apple report bridge",
            "Restated", "Year to date", "Refunds by purchase month", "Accounts and entries", "Sources", "Notes",
        ]
        #expect(try sheets(report(), .english).map(\.name) == names)
        let chinese = try sheets(report(), .chinese)
        #expect(chinese[0].name == "对账总表")
        // A header never breaks off its last character.
        #expect(chinese[0].cells.values.contains { $0.text == "已收款未发放\n（期末）" })
    }

    @Test(arguments: [
        (["CNY", "USD", "USD", "JPY"], "A3:A4"), (["USD", "CNY", "JPY", "USD"], "A2:A2"),
        (["CNY", "USD", "CNY", "USD"], "A3:A3"),
    ])
    func aFigureLeadsToItsRowsWhereTheyStandTogether(currencies: [String], cells: String) {
        let table = Table(columns: [Column<String>("currency") { Cell($0) }], rows: currencies)
        guard case .link(_, "List", let found) = DetailRange("List", table, rowsMax: 100).link("10", to: "USD") else {
            Issue.record("no link to the sheet")
            return
        }
        #expect(found == cells)
    }

    @Test func theWorkOfAMonthIsCountedWithItsDays() throws {
        var report = report()
        var line = RollForwardLine(verdict: .paidNotCredited, currency: "CNY")
        line.new.count = 3
        line.resolved.count = 3
        report.rollForward = [line]
        let first = BusinessDate("2025-11-01")!
        report.nights = [NightMovement(date: first, run: 1, line: line)]
        report.cleared = [1, 2, 9].map { days in
            ExceptionRow(
                facts: ExceptionFacts(
                    verdict: .paidNotCredited, cause: .noOrder, severity: .high, eventAt: Instant(milliseconds: 0)),
                id: ExceptionID(bits: UInt64(days)), state: .resolved, firstSeen: first,
                lastSeen: first.advanced(by: days - 1), ageDays: days)
        }
        let sheet = try #require(try sheets(report, .english).first { $0.name == "Work on exceptions" })
        let texts = sheet.cells.filter { !$0.value.text.isEmpty }.mapValues(\.text)
        #expect(["C6", "D6", "E6", "H6", "J6"].map { texts[$0] } == ["0", "3", "0", "3", "0"], "\(texts)")
        #expect(["C10", "D10", "E10"].map { texts[$0] } == ["3", "2", "9"], "\(texts)")
    }

    @Test(arguments: [(Language.english, "Tie-out"), (.chinese, "对账总表")])
    func figuresHaveNamesThatOtherWorkbooksCanUse(language: Language, name: String) throws {
        let folder = scratch.path + "/named-" + language.rawValue
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try writeMonthReport(report(), texts: try Texts(language: language), into: folder, fileMode: 0o600)
        let file = folder + "/month.xlsx"
        let workbook = String(decoding: try scratch.member("xl/workbook.xml", of: file), as: UTF8.self)
        let sheet = try scratch.sheets(try Data(contentsOf: URL(fileURLWithPath: file)))[0]
        for (figure, amount) in [("purchases", "12"), ("difference", "-6"), ("unexplained", "0")] {
            let place = try #require(
                workbook.firstMatch(of: try Regex("\"CNY_\(figure)\">'?\(name)'?!\\$(C)\\$([0-9]+)<")))
            let cell = String(place.output[1].substring!) + String(place.output[2].substring!)
            #expect(sheet.name == name && sheet.cells[cell]?.text == amount, "\(figure) \(cell)")
        }
    }

    @Test(arguments: Language.allCases) func everyWordOfAMonthIsThere(language: Language) throws {
        let texts = try Texts(language: language)
        for label in MonthLabel.allCases { #expect(!texts.month(label).isEmpty) }
        for note in texts.monthNotes { #expect(!note.term.isEmpty && note.meaning.count > 5, "\(note.term)") }
        for reason in DifferenceClass.explanations { #expect(!texts.title(reason).contains("_")) }
        for role in AccountRole.allCases { #expect(texts.account(role, role.rawValue) != role.rawValue) }
        for step in BridgeStep.allCases { #expect(!texts.title(step).contains("_")) }
    }

    @Test(arguments: ["=1+1", "@SUM(A1)", "-1+1", "'!A1", "*", "?", "\u{1B}[2J"])
    func nothingFromDataIsAFormula(product: String) throws {
        let sheet = try #require(try sheets(report(product: product), .english).first { $0.name == "By product" })
        #expect(sheet.cells["A2"]?.isText == true)
    }

    @Test func amountsInCSVAndJSONAreExact() throws {
        let csv = String(decoding: monthCSV(report()), as: UTF8.self)
        #expect(csv.contains("\nmoney,CNY,,,purchases,,12.00\n"))
        #expect(csv.contains("\nexplained,CNY,refunded_not_reversed,,amount,,-6.00\n"))
        let json = monthJSON(report()).page
        #expect(json.contains("\"difference\": \"-6.00\"") && json.contains("\"unexplained\": \"0.00\""))
    }

    /// What Apple sells in: 45 currencies, 56 storefronts of each, ten verdicts. Excel's limit for a formula is 8192.
    @Test func formulasStayShortWhateverAMonthHolds() throws {
        let currencies = """
            AED AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KRW KZT MXN MYR NGN NOK NZD PEN \
            PHP PKR PLN QAR RON RUB SAR SEK SGD THB TRY TWD TZS UAH USD VND ZAR
            """.split(separator: " ").map { Currency(String($0))! }
        #expect(currencies.count == 45)
        let one = report()
        var report = one
        (report.money, report.sales, report.differences, report.refunds) = ([], [], [], [])
        (report.bookings, report.register) = ([], [])
        for currency in currencies {
            var line = one.money[0]
            line.currency = currency
            line.movements = Movements(purchases: 56 * 1200, refunds: 600, credited: 56 * 1200)
            line.bookings.booked = 56 * 1200 - 100
            report.money.append(line)
            for storefront in 0..<56 {
                var sale = one.sales[0]
                sale.storefront = "S\(storefront)"
                sale.currency = currency
                sale.movements = Movements(purchases: 1200, refunds: storefront == 0 ? 600 : 0, credited: 1200)
                report.sales.append(sale)
            }
            var (difference, refund, booking) = (one.differences[0], one.refunds[0], one.bookings[0])
            (difference.currency, booking.currency) = (currency, currency)
            refund.price = Money(minor: 600, currency: currency)
            refund.amount = refund.price
            report.differences.append(difference)
            var item = one.register[0]
            item.currency = currency
            report.register.append(item)
            report.refunds.append(refund)
            report.bookings.append(booking)
            for verdict in Verdict.allCases.filter(\.isException) {
                var line = RollForwardLine(verdict: verdict, currency: currency)
                line.new = CountAndAmount(count: 1, minor: 600)
                line.resolved = line.new
                report.rollForward.append(line)
                report.nights.append(NightMovement(date: report.last, run: 1, line: line))
            }
        }
        let path = scratch.path + "/many"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try writeMonthReport(report, texts: try Texts(language: .english), into: path, fileMode: 0o600)
        let formulas = try scratch.formulas(Data(contentsOf: URL(fileURLWithPath: path + "/month.xlsx")))
        #expect(formulas.count > 2000)
        #expect(formulas.allSatisfy { $0.utf8.count <= 1000 }, "\(formulas.map(\.utf8.count).max() ?? 0)")
    }

    @Test(arguments: [
        (Language.english, "1 movement has no price and is excluded from totals: Refunds 1", "Reviewed by"),
        (.chinese, "1 笔变动没有价格，不计入任何合计：退款 1", "复核"),
    ])
    func thePageThatIsSignedNamesWhatHasNoPrice(language: Language, text: String, signature: String) throws {
        var report = report()
        report.unpriced.refunds = 1
        let cells = try sheets(report, language)[0].cells
        func row(of text: String) -> Int? { cells.first { $0.value.text == text }.flatMap { Int($0.key.dropFirst()) } }
        #expect(try #require(row(of: text)) < #require(row(of: signature)))
    }

    @Test func aMonthWithACheckThatIsNotNothingIsNotWritten() throws {
        var report = report()
        report.differences[0].minor = -599
        let path = scratch.path + "/wrong"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect {
            try writeMonthReport(report, texts: try Texts(language: .english), into: path, fileMode: 0o600)
        } throws: { error in
            guard case .unproven(_, let checks) = error as? ReportError else { return false }
            // The reason itself, and the tie to the register.
            return checks.count == 2 && checks[0].hasPrefix("Tie-out!E") && checks[0].hasSuffix(" is 0.01")
        }
    }

    /// Prices differ by 3.00 in both directions, one sale and one return are late, and Apple alone sold in euros.
    @Test func thePageThatIsSignedHidesNoOppositeDifference() throws {
        func line(
            _ product: String, _ currency: Currency, _ kind: BridgeLine.Kind, _ step: BridgeStep, _ minor: Int64
        ) -> BridgeLine {
            var line = BridgeLine(product: product, country: "CN", currency: currency, kind: kind)
            let sum = UnitsAndValue(units: step.hasUnits ? minor.signum() : 0, minor: minor)
            (line.ledger, line.steps) = (sum, [step: sum])
            return line
        }
        var (report, transit) = (report(), line("d", "CNY", .returns, .closingInTransit, -3300))
        transit.aging = [InTransit(soldUntil: report.first, isLate: true, sum: transit.ledger)]
        report.apple = AppleBridge(
            files: [],
            lines: [
                line("a", "CNY", .sales, .priceDifference, 300), line("b", "CNY", .sales, .priceDifference, -300),
                line("c", "CNY", .sales, .closingInTransit, 6600), transit,
                line("e", "EUR", .sales, .unknownProduct, -39960),
                line("f", "CNY", .returns, .neverCollected, -100),
            ])
        report.apple?.summed = ["CNY"]
        report.apple?.lines[0].undecided = [
            InExcess(price: 600, source: "r.txt:3", sum: UnitsAndValue(units: 1, minor: 600))
        ]
        report.apple?.lines[1].undecided = [
            InExcess(soldOn: report.first, price: 700, source: "z.txt:8", sum: UnitsAndValue(minor: 300))
        ]
        report.thresholds = ["finance.collect": "40d", "finance.otherProducts": "", "finance.tolerance": "CNY 6.00"]
        report.closing = MonthClosing(by: "li")
        report.closing?.acceptedUnexplained = "case 7"
        report.closing?.acceptedAmount = "7.00 CNY, 399.60 EUR"
        let cells = try sheets(report, .english)[0].cells
        func rows(below heading: String) throws -> [[String]] {
            let row = try #require(cells.first { $0.value.text == heading }?.key.dropFirst()).description
            return try [2, 3].map { offset in
                let own = try #require(Int(row)) + offset
                return "ACDEFGHIJ".map { cells["\($0)\(own)"]?.text ?? "" }
            }
        }
        #expect(try rows(below: "The month at a glance").map { Array($0.prefix(2)) } == [["CNY", "6"], ["EUR", "0"]])
        #expect(
            try rows(below: "Apple report bridge") == [
                ["CNY", "—", "6", "1", "0", "66", "0", "-33", "-33"],
                ["EUR", "0", "0", "0", "399.6", "0", "0", "0", "0"],
            ])
        // Nothing is wider than the roll-forward of exceptions, so the page is printed no smaller with a bridge.
        #expect(cells.keys.allSatisfy { $0.prefix { $0.isLetter } <= "M" && !$0.hasPrefix("AA") })
        let texts = cells.values.map(\.text)
        let accepted = [
            "7.00 CNY (price difference 6.00: a 3.00, b -3.00; never collected 1.00: f -1.00), 399.60 EUR (product not in",
            "the ledger 399.60: e -399.60): case 7",
        ]
        #expect(accepted.allSatisfy(texts.contains), "the product of each, on lines of the page's width")
        #expect(texts.contains { $0.hasPrefix("Apple's report of the month has totals only.") })
        let used =
            "Settings of the comparison: finance.collect 40 days, finance.otherProducts not set, finance.tolerance CNY 6.00"
        let bridge = try #require(try sheets(report, .english).first { $0.name == "Apple report bridge" }).cells
        #expect(texts.contains(used) && bridge.values.contains { $0.text == used })
        #expect(texts.contains("Unexplained in the bridge → In transit by day"))
        let days = try #require(try sheets(report, .english).first { $0.name == "In transit by day" }).cells
        let undecided = "wrong estimate, or sale missing from the ledger"
        #expect(days.values.contains { $0.text == undecided + " · r.txt:3" })
        #expect(days.values.contains { $0.text == "Price differences · z.txt:8" }, "of a detail report")
        // The screen has the same, and nobody collects a return.
        let screen = monthText(report, texts: try Texts(language: .english))
        #expect(
            screen.contains(
                "CNY: unexplained not determinable by sums, price differences 6.00, never collected 1.00, not in the ledger 0.00"
            ), "\(screen)")
        #expect(screen.contains("a, CN, sale: \(undecided) 3.00"))
        #expect(screen.contains("b, CN, sale: price differences -3.00"))
        #expect(screen.contains("f, CN, return: never reported -1.00"))
    }

    @Test func whatIsWithheldAndWhatAClosedMonthHadOtherwiseStandOnTheSignedPage() throws {
        var report = report()
        var line = BridgeLine(product: "gem", country: "CN", currency: "CNY", kind: .sales)
        let sum = UnitsAndValue(units: 12, minor: 30000)
        line.undecided = [InExcess(price: 2500, source: "s.txt:2", sum: sum, isWithheld: true)]
        report.apple = AppleBridge(files: [], lines: [line])
        var then = TransitLine(first: report.first, last: report.last, currency: "CNY", kind: .sales)
        then.reported.minor = 70000
        var now = then
        (now.reported.minor, now.closing.minor, now.unexplained.minor) = (62500, 7500, -15000)
        // Detail in place of totals.
        let earlier = report.first.advanced(by: -1)
        let same = BridgeLine.Kind.allCases.map {
            TransitLine(first: earlier, last: earlier, currency: "CNY", kind: $0)
        }
        report.apple?.changes =
            [BridgeChange(then: then, now: now, isOtherFile: true)]
            + same.map { BridgeChange(then: $0, now: $0, isOtherFile: true) }
        report.closing = MonthClosing(by: "li")
        report.closing?.acceptedUnexplained = "case 7"
        report.closing?.acceptedAmount = "300.00 CNY"
        let words = "in transit, or missing from the ledger"
        let days = "\(report.first) to \(report.last)"
        let lines = [
            "gem, CN, sale: \(words) 300.00",
            "Apple's report \(days), sale, CNY: file replaced since closing; reported amount 700.00 → 625.00",
            "Sales in transit at \(report.last), CNY: 0.00 at closing, 75.00 now",
            "Unexplained in Apple's period to \(report.last), sale, CNY: 0.00 at closing, -150.00 now",
            "Apple's report \(earlier) to \(earlier): file replaced since closing; same amounts",
        ]
        let screen = monthText(report, texts: try Texts(language: .english))
        let all = try sheets(report, .english)
        let page = all[0].cells.values.map(\.text)
        for line in lines { #expect(screen.contains("  \(line)\n") && page.contains(line), "\(line)") }
        #expect(page.contains("300.00 CNY (\(words) 300.00: gem): case 7"))
        // A time in a column of amounts is printed as ###.
        #expect(page.contains { $0.hasSuffix(" · li") })
        let restated = try #require(all.first { $0.name == "Restated" }).cells.values.map(\.text)
        #expect(lines.dropFirst().allSatisfy(restated.contains))
        #expect(restated.count { $0.hasSuffix("same amounts") } == 1)
        #expect(!restated.contains("Later evidence has not changed any closed month."))
        let aging = try #require(all.first { $0.name == "In transit by day" }).cells.values.map(\.text)
        #expect(aging.contains("\(words) · s.txt:2"))
    }

    @Test func aTableThatGoesOnInAnotherSheetIsAddedUpOverBoth() {
        let table = Table(columns: [Column<Int>("amount") { Cell($0) }], rows: Array(1...5))
        let range = DetailRange("It's long, and its name goes on", table, rowsMax: 4)
        #expect(
            range.sum("amount", where: [("amount", .cell(row: 8, column: 0))]).text
                == "SUMIFS('It''s long, and its name goes on'!$A$2:$A$4,'It''s long, and its name goes on'!$A$2:$A$4,$A$9)"
                + "+SUMIFS('It''s long, and its name (2)'!$A$2:$A$3,'It''s long, and its name (2)'!$A$2:$A$3,$A$9)")
    }
}
