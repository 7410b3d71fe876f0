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
            if feed.needsKind { throw RowFault(.kind, Self.withoutKind) }
            kindsOmitted += 1
        }
        credit.origin = try word(.origin, Words.origins) ?? .auto
        credit.order = try identifier(.orderID)
        credit.transaction = try identifier(.transactionID)
        guard credit.order != nil || credit.transaction != nil else {
            throw RowFault(.orderID, "is empty, and so is transaction_id; a credit needs one of them")
        }
        credit.product = try identifier(.productID)
        credit.quantity = try quantity()
        credit.labels = labelSet()
        return credit
    }
}

extension RowReader {
    mutating func product(_ source: Provenance) throws(RowFault) -> Product {
        var product = Product(id: try requiredIdentifier(.productID), source: source)
        product.type = try word(.type, Words.types)
        product.name = value(.productName).map { String(decoding: $0, as: UTF8.self) }
        product.price = try money()
        product.validFrom = try date(.validFrom)
        product.validTo = try date(.validTo)
        if let from = product.validFrom, let to = product.validTo, to < from {
            throw RowFault(.validTo, "is before valid_from; swap them")
        }
        return product
    }

    /// The acknowledgement of a retry entry in the current row.
    mutating func acknowledgement(_ source: Provenance) throws(RowFault) -> Acknowledgement {
        guard let key = value(.key) else { throw absent(.key) }
        guard let outcome = try word(.outcome, Words.outcomes) else { throw absent(.outcome) }
        return Acknowledgement(
            key: String(decoding: key, as: UTF8.self), outcome: outcome, at: try requiredInstant(.at),
            message: value(.message).map { String(decoding: $0, as: UTF8.self) }, source: source)
    }
}
