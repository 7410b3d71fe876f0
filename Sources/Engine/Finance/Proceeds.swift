extension ApplePeriod {
    /// The customers' currencies that the reports have.
    var currencies: Set<Currency> { Set(rows.map(\.currency)) }

    /// Apple's share by product and currencies.
    var proceeds: [ProceedsLine] {
        let groups = Dictionary(grouping: rows) { [$0.product, $0.currency.text, $0.partnerCurrency.text] }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { _, rows in
            var line = ProceedsLine(
                product: rows[0].product, customerCurrency: rows[0].currency, partnerCurrency: rows[0].partnerCurrency)
            line.units = rows.reduce(0) { $0 &+ $1.units }
            line.customer = rows.reduce(0) { $0 &+ $1.minor }
            line.partner = rows.reduce(0) { $0 &+ $1.partner }.inMinorUnits(of: line.partnerCurrency)
            return line
        }
    }

    /// The partner share by currency, in minor units.
    var earned: [Currency: Int64] {
        var sums: [Currency: Int64] = [:]
        for row in rows { sums[row.partnerCurrency, default: 0] &+= row.partner }
        return Dictionary(uniqueKeysWithValues: sums.map { ($0.key, $0.value.inMinorUnits(of: $0.key)) })
    }
}

extension Int64 {
    /// From ten-thousandths of a currency, rounded half away from zero.
    func inMinorUnits(of currency: Currency) -> Int64 {
        let scale = powerOfTen(4 - Swift.min(4, currency.exponent))
        let half = (self < 0 ? -scale : scale) / 2
        return (self &+ half) / scale
    }
}
