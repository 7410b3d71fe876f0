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
}
