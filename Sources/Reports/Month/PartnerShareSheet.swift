internal import Domain
internal import ReportData
internal import Xlsx

/// Apple's share of the customer prices, for information, and the payment from the report to the bank.
struct PartnerShareSheet {
    private let writer: SheetWriter
    private let texts: Texts
    private(set) var page = Page()
    static let widths: [Double] = [30, 11, 11] + Array(repeating: 14, count: 9)

    init(_ bridge: AppleBridge, _ writer: SheetWriter) {
        self.writer = writer
        texts = writer.texts
        page.add([.text(texts.monthSheet(.partnerShare), writer.styles.title)])
        page.add([.text(texts.month(.forInformation))])
        page.addTotal(of: .text(texts.month(.allChecks), writer.styles.label), column: 3)
        addProceeds(bridge.proceeds)
        if let payout = bridge.payout { add(payout) }
    }

    private mutating func heading(_ title: String, _ ids: [String], _ figures: [MonthLabel]) {
        page.add()
        page.add([.text(title, writer.styles.heading)])
        page.add(
            ids.map { .text($0.isEmpty ? "" : texts.column($0), writer.styles.header) }
                + figures.map { .text(texts.month($0), writer.styles.figureHeader) }, height: 32)
    }

    private func money(_ minor: Int64, _ currency: Currency) -> Page.Entry {
        .cell(.money(Money(minor: minor, currency: currency)))
    }

    private mutating func addProceeds(_ lines: [ProceedsLine]) {
        heading(
            texts.month(.partnerShare), ["product_id", "customer_currency", "partner_currency"],
            [.units, .customerPrice, .partner, .kept])
        for line in lines {
            let row = page.next
            let name = { (column: Int) in cellName(row: row, column: column) }
            let kept = line.kept.map {
                Page.Entry.formula(
                    "\(name(4))-\(name(5))", .money(Money(minor: $0, currency: line.customerCurrency)))
            }
            page.add([
                .text(line.product), .text(line.customerCurrency.text), .text(line.partnerCurrency.text),
                .cell(.integer(line.units)), money(line.customer, line.customerCurrency),
                money(line.partner, line.partnerCurrency), kept ?? .text(""),
            ])
        }
    }

    private mutating func add(_ payout: Payout) {
        heading(texts.month(.payout, payout.month), ["currency", "", ""], [.payoutReported, .earned, .difference])
        for line in payout.earned {
            page.add([
                .text(line.currency.text), .text(""), .text(""), money(line.reported, line.currency),
                money(line.earned, line.currency), money(line.difference, line.currency),
            ])
        }
        heading(
            payout.file, ["region", "currency", ""],
            [.earned, .inputTax, .adjustments, .withholdingTax, .owed, .rate, .expected, .proceeds, .difference])
        for line in payout.lines {
            page.add(
                [.text(line.region), .text(line.currency.text), .text("")]
                    + [line.earned, line.inputTax, line.adjustments, line.withholdingTax, line.owed].map {
                        money($0, line.currency)
                    }
                    + [
                        .text(line.rate), money(line.expected, payout.bankCurrency),
                        money(line.proceeds, payout.bankCurrency), money(line.rateDifference, payout.bankCurrency),
                    ])
        }
        page.add()
        page.add([
            .text(texts.month(.paid), writer.styles.label), .text(payout.bankCurrency.text), .text(""),
            money(payout.paid, payout.bankCurrency), .text(""), money(payout.paidDifference, payout.bankCurrency),
        ])
    }
}
