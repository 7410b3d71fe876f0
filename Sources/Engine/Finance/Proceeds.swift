internal import Domain

extension ApplePeriod {
    /// The customers' currencies that the reports have.
    var currencies: Set<Currency> { Set(rows.map(\.currency)) }

    /// Apple's share by product and currencies.
    var proceeds: [ProceedsLine] {
        var lines: [ProceedsKey: ProceedsLine] = [:]
        for row in rows {
            let key = ProceedsKey(product: row.product, customer: row.currency, partner: row.partnerCurrency)
            var line =
                lines[key]
                ?? ProceedsLine(
                    product: row.product, customerCurrency: row.currency, partnerCurrency: row.partnerCurrency)
            line.units &+= row.units
            line.customer &+= row.minor
            line.partner &+= row.partner
            lines[key] = line
        }
        return lines.sorted { $0.key < $1.key }.map { _, line in
            var line = line
            line.partner = line.partner.inMinorUnits(of: line.partnerCurrency)
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

private struct ProceedsKey: Hashable, Comparable {
    var product: String
    var customer: Currency
    var partner: Currency

    static func < (left: Self, right: Self) -> Bool {
        (left.product, left.customer, left.partner) < (right.product, right.customer, right.partner)
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
