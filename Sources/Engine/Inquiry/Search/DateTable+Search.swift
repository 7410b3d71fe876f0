/// Finds purchases in the tables of counted purchases, which have the case of each and the ends of its ids. So a search needs
/// no index of its own.
extension DateTable {
    /// Adds the cases with a purchase that fits, as far as the table says.
    ///
    /// - Parameters:
    ///   - hours: in the shop's zone.
    ///   - open: receives those whose goods are missing or in doubt.
    func addCases(
        fitting asked: PurchaseDescription, hours: Set<Int>, to others: inout [CaseID], open: inout [CaseID]
    ) {
        let values = { (column: Int) in self.columns[column].values }
        let dimension = { (dimension: Dimension) in Self.firstDimension + Dimension.stored.firstIndex(of: dimension)! }
        let (product, storefront, hour) = (dimension(.product), dimension(.storefront), dimension(.hour))
        let products = Set(asked.products.map(\.bits))
        let fitsProduct = values(product).map { products.isEmpty || products.contains($0) }
        let place = asked.storefront.map { Identifier($0).bits }
        let fitsPlace = values(storefront).map { place == nil || place == $0 }
        let hourBits = Set(hours.map { CountedPurchase.hours[$0].bits })
        let fitsHour = values(hour).map { hours.count == 24 || hourBits.contains($0) }
        let currencies = values(Self.currency).map { Currency(text: Identifier(bits: $0).text) ?? .absent }
        let fitsAmount = values(Self.amount).map { minor in
            currencies.map { asked.fits(Money(minor: Int64(bitPattern: minor), currency: $0)) }
        }
        let isOpen = values(Self.fate).map { bits in
            PurchaseFate(packed: bits)?.fulfilment.map { $0 == .lost || $0 == .waiting } ?? true
        }
        let end = asked.ending.flatMap(IdentifierEnd.init(of:))
        let fitsEnd = [Self.transactionEnd, Self.orderEnd].map { column in
            values(column).map { number in end.map { IdentifierEnd(number: UInt8(number)).fits($0) } ?? true }
        }
        for row in cases.indices
        where
            (fitsEnd[0][Int(columns[Self.transactionEnd].codes[row])]
            || fitsEnd[1][Int(columns[Self.orderEnd].codes[row])])
            && fitsHour[Int(columns[hour].codes[row])] && fitsProduct[Int(columns[product].codes[row])]
            && fitsPlace[Int(columns[storefront].codes[row])]
            && fitsAmount[Int(columns[Self.amount].codes[row])][Int(columns[Self.currency].codes[row])]
        {
            if isOpen[Int(columns[Self.fate].codes[row])] { open.append(cases[row]) } else { others.append(cases[row]) }
        }
    }
}
