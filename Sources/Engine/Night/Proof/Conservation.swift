/// Proves that every row is accounted for. See docs/spec/rules.md#conservation.
///
/// For each file: rows = accepted + duplicates + rejected. Intake counts the rows and the rejected ones. The accepted
/// rows and the duplicates are counted from the other end: from the evidence that came out of matching, by the
/// delivery that each piece names as its source. A row that was lost on the way, or used twice, upsets the equation.
///
/// `RowOutcomes` says when a row is accepted or a duplicate. A row of transactions may hold no transaction: records that are
/// not purchases yield no evidence. Rows missing from a transactions or look-up file are therefore accepted rows that
/// yield nothing; in any other file they are an error. A surplus is always an error.
struct Conservation {
    /// What became of the rows of all kinds of feeds.
    private var rows: RowOutcomes

    /// - Parameter rows: of orders, credits, transactions and receipts.
    init(of rows: RowOutcomes, delivered: Delivered, answers: Answers) {
        self.rows = rows
        for product in delivered.evidence.products { self.rows.add(product.source.delivery, isNew: true) }
        for answer in answers.fresh { self.rows.add(answer.source.delivery, isNew: true) }
        for answer in answers.repeated { self.rows.add(answer.source.delivery, isNew: false) }
    }

    /// The delivery with its accepted and duplicate rows filled in.
    /// - Throws: `EngineError.unproven` where rows were lost or counted twice.
    func counted(_ delivery: Delivery) throws(EngineError) -> Delivery {
        var counted = delivery
        counted.duplicates = rows.duplicates[delivery.number] ?? 0
        counted.accepted = rows.accepted[delivery.number] ?? 0
        let missing = delivery.totals.rows - delivery.totals.rejected - counted.accepted - counted.duplicates
        // A genuine record that is not a purchase (renewal information, a response with another status) counts as
        // accepted, but yields no evidence.
        let mayBeBarren = delivery.kind == .transactions || delivery.kind == .orderLookups
        if missing > 0, mayBeBarren {
            counted.accepted += missing
        } else if missing != 0 {
            throw .unproven(
                "\(delivery.name) has \(Domain.counted(delivery.totals.rows, "row", "rows")), but \(counted.accepted) accepted, "
                    + "\(counted.duplicates) duplicates, \(delivery.totals.rejected) rejected")
        }
        return counted
    }
}
