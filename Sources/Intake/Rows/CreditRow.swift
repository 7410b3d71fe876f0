internal import Domain

extension RowReader {
    mutating func credit(_ source: Provenance) throws(RowFault) -> Credit {
        var credit = Credit(
            id: try requiredIdentifier(.creditID), account: try requiredIdentifier(.accountID),
            creditedAt: try requiredInstant(.creditedAt), source: source)
        credit.kind = try word(.kind, Words.kinds) ?? .credit
        credit.origin = try word(.origin, Words.origins) ?? .auto
        credit.order = try identifier(.orderID)
        credit.transaction = try identifier(.transactionID)
        guard credit.order != nil || credit.transaction != nil else {
            throw RowFault(.orderID, "is empty, and so is transaction_id; a credit needs one of them")
        }
        credit.product = try identifier(.productID)
        credit.quantity = try quantity()
        return credit
    }
}
