/// What the first sheet says about the month's closing, and about closed months that were restated since.
extension TieOutSheet {
    mutating func addClosing() {
        guard let closing = report.closing else { return }
        let approver = closing.approver.map { closing.isSegregated ? $0 : texts.month(.samePerson, $0) }
        // The labels are longer than the first column, so the second one stays empty.
        page.add([
            .label(texts.month(.closedBy)), .text(""),
            .text(closing.user.map { texts.month(.closedAs, closing.by, $0) } ?? closing.by),
            .cell(.instant(closing.at)),
        ])
        let facts: [(MonthLabel, String?)] = [
            (.approvedBy, approver), (.approval, texts.month(.approvalElsewhere, report.period)), (.note, closing.note),
            (.acceptedUnexplained, closing.acceptedUnexplained),
            (.seal, closing.seal),
        ]
        // The files stay as they were sealed, so they cannot say whether the month was approved.
        for case (let label, let fact?) in facts { page.add([.label(texts.month(label)), .text(""), .text(fact)]) }
    }

    mutating func addRestated() {
        if report.restated.isEmpty { return }
        page.addHeading(
            texts.month(.restatedSince), texts: ["closed_month", "currency"].map(texts.column),
            figures: [MonthLabel.net, .netCredited, .difference].map { texts.month($0) })
        for line in report.restated {
            page.add(
                [.text(line.period), .text(line.currency.text)]
                    + [line.change.net, line.change.netCredited, line.change.difference].map {
                        .money($0, line.currency)
                    })
        }
    }
}
