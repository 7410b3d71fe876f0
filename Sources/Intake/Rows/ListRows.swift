internal import Domain

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
