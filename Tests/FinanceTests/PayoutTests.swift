import Domain
import Testing

@testable import Engine

/// Apple's summary of payments, as its help shows it.
@Suite struct PayoutTests {
    private static let sample = """
        "iTunes Connect - Payments and Financial Reports\t(September, 2014)",,,,,,,,,,,,
        ,,,,,,,,,,,,
        Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,Exchange Rate,Proceeds,Bank Account Currency,
        Switzerland (CHF),"29","33.15","33.15","0","0","0","33.15","0.80030","26.53","EUR",
        Euro-Zone (EUR),"19","1,206.89","1,206.89","0","0","0","1,206.89","1.00000","1,206.89","EUR",
        Japan (JPY),"2","179","179","0","0","-37","142","0.00817","1.16","EUR",
        ,,,,,,,,,,,,
        ,,,,,,,,,,"1,234.58" EUR,,
        ,,,,,,,,,,Paid to FICTIONAL BANK -****1299,,
        """

    private static let header =
        "Region (Currency),Units Sold,Earned,Pre-Tax Subtotal,Input Tax,Adjustments,Withholding Tax,Total Owed,"
        + "Exchange Rate,Proceeds,Bank Account Currency"

    private func payout(_ text: String = sample) throws -> Payout {
        let rows = [
            appleRow("a", 29, price: "2.00", share: "1.1431", total: "33.15", "CHF", "CH"),
            appleRow("b", 19, price: "99.99", share: "63.52", total: "1206.89", "EUR", "DE"),
            appleRow("c", 2, price: "170", share: "89.5", total: "179", "JPY", "JP"),
        ]
        let report = try AppleReport(appleReport(rows, totals: appleTotals(rows)))
        let months = try #require(AppleMonths([report], collectDays: 40))
        return try Payout(text, file: "", digest: "").tied(to: months.own)
    }

    @Test func itLeadsFromTheReportToTheBank() throws {
        let payout = try payout()
        #expect(payout.isTied && payout.bankCurrency == "EUR" && payout.paid == 123_458)
        #expect(payout.lines.map(\.expected) == [2653, 120_689, 116])
        #expect(payout.lines[2].withholdingTax == -37 && payout.lines[2].owed == 142)
        #expect(payout.earned.map(\.difference) == [0, 0, 0])
    }

    @Test(arguments: ["Country or Region (Currency)", "Territory (Currency)", "\"Region (Currency)\""])
    func theFirstColumnHasHadSeveralNames(name: String) throws {
        let text = Self.sample.replacing("Region (Currency)", with: name)
        #expect(try Payout.isOne(text) && payout(text).isTied && payout(text).lines.count == 3)
    }

    /// Names in other languages: the columns' order is the same. The title's month is read in English and Chinese.
    @Test(arguments: ["September, 2014", "九月, 2014", "2014年9月"])
    func aChineseHeaderIsReadByItsOrder(month: String) throws {
        let names = "国家或地区 (货币),销量,收入,税前小计,进项税,调整,预扣税,总欠款,汇率,收入,银行账户币种"
        let text = Self.sample.replacing(Self.header, with: names).replacing("September, 2014", with: month)
            .replacing("Japan (JPY)", with: "日本（JPY）")
        let payout = try payout(text)
        #expect(Payout.isOne(text) && payout.isTied && payout.lines.count == 3 && payout.period == "2014-09")
        #expect(payout.lines[2].withholdingTax == -37 && payout.lines[2].currency == "JPY")
    }

    /// What is too little to be paid has neither rate nor proceeds.
    @Test func aRegionThatIsNotPaidYetIsRead() throws {
        let unpaid = "Canada (CAD),\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",,,\"EUR\",\nJapan (JPY)"
        let payout = try payout(Self.sample.replacing("Japan (JPY)", with: unpaid))
        #expect(payout.isTied && payout.lines.count == 4 && payout.lines[2].expected == 0)
    }

    /// Apple pays fractions of a yen. In whole yen the parts came to one more than what is owed, and the proceeds to 0.02 less.
    @Test(arguments: [("179.20", true), ("179.90", false)]) func fractionsOfAYenTie(owed: String, isTied: Bool) throws {
        let from = "\"179\",\"179\",\"0\",\"0\",\"-37\",\"142\",\"0.00817\",\"1.16\""
        let text = Self.sample.replacing(
            from, with: "\"178.60\",\"178.60\",\"0.60\",\"0\",\"0\",\"\(owed)\",\"0.10000\",\"17.92\""
        ).replacing("1,234.58", with: "1,251.34")
        let payout = try payout(text)
        let line = payout.lines[2]
        #expect(payout.isTied == isTied && (line.owedDifference == 0) == isTied)
        #expect(line.fractions?.first == 1_786_000 && payout.lines[0].fractions == nil)
        #expect(!isTied || line.expected == 1792 && line.rateDifference == 0)
    }

    /// Apple's file has two decimals, and the dinar three. Half of its last decimal may be left, and no more.
    @Test(arguments: [
        ("12.35", "40.10", true), ("12.34", "40.06", true), ("12.36", "40.13", false), ("12.346", "40.11", false),
        ("12.35", "40.12", true),  // half a cent of dinars is two cents of euros
        ("12", "38.96", false),  // Apple leaves out zeros at the end, no other decimals
        ("12.35", "40.14", false),
    ])
    func aFileWithFewerDecimalsTiesToItsOwn(earned: String, proceeds: String, isTied: Bool) throws {
        let row = "Kuwait (KWD),1,\(earned),\(earned),0,0,0,\(earned),3.2467,\(proceeds),EUR,"
        let text = "\"(September, 2014)\",\n" + Self.header + ",\n\(row)\n,,,,,\(proceeds) EUR,,\n"
        let rows = [appleRow("a", 1, price: "17.640", share: "12.345", total: "12.345", "KWD", "KW")]
        let months = try #require(
            AppleMonths([AppleReport(appleReport(rows, totals: appleTotals(rows)))], collectDays: 40))
        let payout = try Payout(text, file: "", digest: "").tied(to: months.own)
        #expect(payout.isTied == isTied, "\(payout)")
        #expect(payout.earned.map(\.rounding) == [earned == "12.346" ? nil : 5])
    }

    @Test func severalPaymentsAreOneSum() throws {
        let two = "\"1,200.00\" EUR,,\n,,,,,,,,,,\"34.58\" EUR,,"
        #expect(try payout(Self.sample.replacing("\"1,234.58\" EUR,,", with: two)).isTied)
    }

    @Test func itsMonthIsApples() throws {
        #expect(try Payout(Self.sample, file: "", digest: "").period == "2014-09")
        #expect(Payout.isOne(Self.sample) && !Payout.isOne("Start Date\tEnd Date\n"))
    }

    @Test(arguments: [
        // Earned differs from the report, owed from its parts, the rate from the proceeds, the payment from their sum.
        ("\"33.15\",\"33.15\"", "\"30.15\",\"30.15\""), ("\"-37\",\"142\"", "\"-37\",\"179\""),
        ("\"26.53\"", "\"26.43\""), ("1,234.58", "1,134.58"),
    ])
    func aShortPaymentIsSeen(from: String, to: String) throws {
        #expect(try !payout(Self.sample.replacing(from, with: to)).isTied)
    }

    @Test(arguments: [
        (header, "国家或地区 (货币),销量,收入", "in English"), (" EUR,,", " ,,", "what was paid"),
        ("(September, 2014)", "(septembre 2014)", "in English"),
        ("(JPY)", "JPY", "in parentheses"), ("Proceeds", "Procedes", "“Proceeds” is missing"),
        ("\"0.80030\"", "\"n/a\"", "Exchange Rate must be a number"),
        ("(September, 2014)", "", "does not name a month"),
        ("\"26.53\",\"EUR\"", "\"26.53\",\"USD\"", "the same three letters"),
    ])
    func whatCannotBeReadIsRefused(from: String, to: String, reason: String) {
        let problem = #expect(throws: AppleReportProblem.self) {
            try Payout(Self.sample.replacing(from, with: to), file: "", digest: "")
        }
        #expect(problem?.reason.contains(reason) == true, "\(String(describing: problem))")
    }
}
