/// Finds purchases in the tables of counted purchases, which have the case of each and the ends of its ids. So a search needs
/// no index of its own.
extension DateTable {
    private static func column(of dimension: Dimension) -> Int {
        firstDimension + Dimension.stored.firstIndex(of: dimension)!
    }

    /// The columns that a search reads.
    static func columns(for asked: PurchaseDescription, hours: Set<Int>) -> Set<Int> {
        var columns: Set = [fate]
        if asked.ending != nil { columns.formUnion([transactionEnd, orderEnd]) }
        if !asked.amounts.isEmpty || !asked.currencies.isEmpty { columns.formUnion([amount, currency]) }
        if !asked.products.isEmpty { columns.insert(column(of: .product)) }
        if asked.storefront != nil { columns.insert(column(of: .storefront)) }
        if hours.count < 24 { columns.insert(column(of: .hour)) }
        return columns
    }

    /// Adds the cases with a purchase that fits, as far as the table says. It has at least the columns of the search.
    ///
    /// - Parameters:
    ///   - hours: in the shop's zone.
    ///   - open: receives those whose goods are missing or in doubt.
    func addCases(
        fitting asked: PurchaseDescription, hours: Set<Int>, to others: inout [CaseID], open: inout [CaseID]
    ) {
        let searched = Self.columns(for: asked, hours: hours)
        var fits = Array(repeating: true, count: rows)
        /// Leaves out the rows whose value does not fit.
        func keep(_ column: Int, where isFitting: (UInt64) -> Bool) {
            guard searched.contains(column) else { return }
            let fitting = columns[column].values.map(isFitting)
            if fitting.allSatisfy(\.self) { return }
            for (row, code) in columns[column].codes.enumerated() where !fitting[Int(code)] { fits[row] = false }
        }
        let products = Set(asked.products.map(\.bits))
        keep(Self.column(of: .product)) { products.contains($0) }
        let place = asked.storefront.map { Identifier($0).bits }
        keep(Self.column(of: .storefront)) { $0 == place }
        let hourBits = Set(hours.map { CountedPurchase.hours[$0].bits })
        keep(Self.column(of: .hour)) { hourBits.contains($0) }
        if searched.contains(Self.amount) {
            let (amounts, currencies) = (columns[Self.amount], columns[Self.currency])
            let known = currencies.values.map { Currency(text: Identifier(bits: $0).text) ?? .absent }
            let fitting = amounts.values.map { minor in
                known.map { asked.fits(Money(minor: Int64(bitPattern: minor), currency: $0)) }
            }
            for row in fits.indices where !fitting[Int(amounts.codes[row])][Int(currencies.codes[row])] {
                fits[row] = false
            }
        }
        if searched.contains(Self.transactionEnd), let end = asked.ending.flatMap(IdentifierEnd.init(of:)) {
            let ends = [Self.transactionEnd, Self.orderEnd].map { columns[$0] }
            let fitting = ends.map { $0.values.map { IdentifierEnd(number: UInt8($0)).fits(end) } }
            for row in fits.indices
            where !fitting[0][Int(ends[0].codes[row])] && !fitting[1][Int(ends[1].codes[row])] {
                fits[row] = false
            }
        }
        let fates = columns[Self.fate]
        let isOpen = fates.values.map { bits in
            PurchaseFate(packed: bits)?.fulfilment.map { $0 == .lost || $0 == .waiting } ?? true
        }
        for row in cases.indices where fits[row] {
            if isOpen[Int(fates.codes[row])] { open.append(cases[row]) } else { others.append(cases[row]) }
        }
    }
}
