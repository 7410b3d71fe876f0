internal import Domain

extension RowReader {
    /// The order in the current row.
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
        return order
    }

    /// The status, by the feed's own words or the standard ones.
    private func orderStatus() throws(RowFault) -> OrderStatus {
        do {
            if let status = try word(.status, statuses) { return status }
        } catch {
            throw RowFault(.status, error.reason + "; map the backend's own words under statuses in the configuration")
        }
        throw RowFault(.status, "is empty; every row needs a value")
    }
}
