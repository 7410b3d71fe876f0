internal import Domain
internal import Engine
internal import Xlsx

/// Apple's share of the customer prices, for information, and the payment from the report to the bank.
struct PartnerShareSheet {
    private let texts: Texts
    private(set) var page: Page

    init(_ bridge: AppleBridge, _ texts: Texts) {
        self.texts = texts
        page = Page(title: texts.monthSheet(.partnerShare), widths: [30, 11, 11] + Array(repeating: 14, count: 9))
        page.add([.text(texts.month(.forInformation))])
        page.addTotal(of: texts.month(.allChecks), column: 3)
        addProceeds(bridge.proceeds)
        if let payout = bridge.payout { add(payout) }
    }

    private mutating func heading(_ title: String, _ ids: [String], _ figures: [MonthLabel]) {
        page.addHeading(
            title, ids.map { $0.isEmpty ? "" : texts.column($0) }, figures.map { texts.month($0) })
    }

    private mutating func addProceeds(_ lines: [ProceedsLine]) {
        heading(
            texts.month(.partnerShare), ["product_id", "customer_currency", "partner_currency"],
            [.units, .customerPrice, .partner, .kept])
        for line in lines {
            let cells = [4, 5].map { cellName(row: page.next, column: $0) }
            page.add([
                .text(line.product), .text(line.customerCurrency.text), .text(line.partnerCurrency.text),
                .integer(line.units), .money(line.customer, line.customerCurrency),
                .money(line.partner, line.partnerCurrency),
                line.kept == nil ? .text("") : .formula("\(cells[0])-\(cells[1])", line.customerCurrency),
            ])
        }
    }

    private mutating func add(_ payout: Payout) {
        let bank = payout.bankCurrency
        heading(texts.month(.payout, payout.month), ["currency", "", ""], [.payoutReported, .earned, .difference])
        for line in payout.earned {
            page.add(
                [.text(line.currency.text), .text(""), .text("")]
                    + [line.reported, line.earned, line.difference].map { .money($0, line.currency) })
        }
        heading(
            payout.file, ["region", "currency", ""],
            [.earned, .inputTax, .adjustments, .withholdingTax, .owed, .rate, .expected, .proceeds, .difference])
        for line in payout.lines {
            page.add(
                [.text(line.region), .text(line.currency.text), .text("")]
                    + [line.earned, line.inputTax, line.adjustments, line.withholdingTax, line.owed].map {
                        .money($0, line.currency)
                    }
                    + [.text(line.rate)]
                    + [line.expected, line.proceeds, line.rateDifference].map { .money($0, bank) })
        }
        page.add()
        page.add([
            .label(texts.month(.paid)), .text(bank.text), .text(""), .money(payout.paid, bank), .text(""),
            .money(payout.paidDifference, bank),
        ])
    }
}
