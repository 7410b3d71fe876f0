internal import Domain

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
    /// By delivery number: rows with some new evidence.
    private var accepted: [DeliveryID: Int] = [:]
    /// By delivery number: rows without anything new.
    private var duplicates: [DeliveryID: Int] = [:]

    init(of rows: RowOutcomes, delivered: Delivered, answers: Answers) {
        (accepted, duplicates) = (rows.accepted, rows.duplicates)
        for product in delivered.evidence.products { accepted[product.source.delivery, default: 0] += 1 }
        for answer in answers.fresh { accepted[answer.source.delivery, default: 0] += 1 }
        for answer in answers.repeated { duplicates[answer.source.delivery, default: 0] += 1 }
    }

    /// The delivery with its accepted and duplicate rows filled in.
    /// - Throws: `EngineError.unproven` where rows were lost or counted twice.
    func counted(_ delivery: Delivery) throws(EngineError) -> Delivery {
        var counted = delivery
        counted.duplicates = duplicates[delivery.number] ?? 0
        counted.accepted = accepted[delivery.number] ?? 0
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
