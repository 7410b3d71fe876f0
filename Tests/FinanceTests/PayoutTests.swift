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

    /// What is too little to be paid has neither rate nor proceeds.
    @Test func aRegionThatIsNotPaidYetIsRead() throws {
        let unpaid = "Canada (CAD),\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",\"0\",,,\"EUR\",\nJapan (JPY)"
        let payout = try payout(Self.sample.replacing("Japan (JPY)", with: unpaid))
        #expect(payout.isTied && payout.lines.count == 4 && payout.lines[2].expected == 0)
    }

    @Test func severalPaymentsAreOneSum() throws {
        let two = "\"1,200.00\" EUR,,\n,,,,,,,,,,\"34.58\" EUR,,"
        #expect(try payout(Self.sample.replacing("\"1,234.58\" EUR,,", with: two)).isTied)
    }

    @Test func itsMonthIsApples() throws {
        let report = try Payout(Self.sample, file: "", digest: "")
        #expect(report.isOf("2014-09") && !report.isOf("2014-10") && !report.isOf("2015-09"))
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
        ("Region (Currency)", "Region", "it has no column Region (Currency)"), (" EUR,,", " ,,", "what was paid"),
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
