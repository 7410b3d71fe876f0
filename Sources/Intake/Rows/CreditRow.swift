extension RowReader {
    private static let withoutKind =
        "is empty, and other rows say credit, so this may be a reversal; write credit or reversal in each row, or, if an "
        + "empty field means credit, set columns: { kind: { words: { \"\": \"credit\" } } } in the feed"

    mutating func credit(_ source: Provenance) throws(RowFault) -> Credit {
        var credit = Credit(
            id: try requiredIdentifier(.creditID), account: try requiredIdentifier(.accountID),
            creditedAt: try requiredInstant(.creditedAt), source: source)
        if let kind = try word(.kind, Words.kinds) {
            credit.kind = kind
            if kind == .credit { kindsSaid += 1 }
        } else {
            if feed.needsKind { throw RowFault(.kind, Self.withoutKind, .missing) }
            kindsOmitted += 1
        }
        credit.origin = try word(.origin, Words.origins) ?? .auto
        credit.order = try identifier(.orderID)
        credit.transaction = try identifier(.transactionID)
        guard credit.order != nil || credit.transaction != nil else {
            throw RowFault(.orderID, "is empty, and so is transaction_id; a credit needs one of them", .missing)
        }
        credit.product = try identifier(.productID)
        credit.quantity = try quantity()
        credit.labels = labelSet()
        return credit
    }
}
