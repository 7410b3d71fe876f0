extension RowReader {
    mutating func order(_ source: Provenance) throws(RowFault) -> Order {
        var order = Order(
            id: try requiredIdentifier(.orderID), account: try requiredIdentifier(.accountID),
            product: try requiredIdentifier(.productID), status: try orderStatus(),
            createdAt: try requiredInstant(.createdAt), source: source)
        order.quantity = try quantity() ?? 1
        order.amount = try money()
        order.token = token(.appAccountToken)
        order.transaction = try identifier(.transactionID)
        order.updatedAt = try instant(.updatedAt)
        order.bundle = try identifier(.bundleID)
        order.labels = labelSet()
        return order
    }

    private mutating func orderStatus() throws(RowFault) -> OrderStatus {
        if let status = try word(.status, Words.statuses) { return status }
        throw absent(.status)
    }
}
