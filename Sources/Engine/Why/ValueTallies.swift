/// The purchases that share a value.
public struct ValueTally: Sendable {
    /// `Identifier.absent`: those without a value. Nil: those whose values are not listed, together.
    public var value: Identifier?
    /// By date, fulfilment and currency.
    public var tally: PurchaseTally
    /// How many purchases.
    var count: Int { tally.entries.values.reduce(0) { $0 + $1.count } }
}

extension Sequence<DateTable> {
    /// The purchases of these dates by their values, the most frequent first, equal ones in the order of their bytes.
    /// An orphan receipt is not a purchase.
    ///
    /// - Parameter limit: how many values are listed; the others follow as one.
    public func tallies(by dimension: Dimension, limit: Int = 1000) -> [ValueTally] {
        var tallies: [Identifier: PurchaseTally] = [:]
        for table in self { table.add(to: &tallies, by: dimension) }
        var sorted = tallies.map { ValueTally(value: $0.key, tally: $0.value) }
        sorted.removeAll { $0.tally.entries.isEmpty }
        sorted.sort { $0.count == $1.count ? $0.value! < $1.value! : $0.count > $1.count }
        guard sorted.count > limit else { return sorted }
        let others = sorted[limit...].reduce(into: PurchaseTally()) { $0.add($1.tally) }
        return sorted[..<limit] + [ValueTally(value: nil, tally: others)]
    }
}

extension DateTable {
    /// Monday is 1.
    var weekday: Identifier {
        let days = (Int(date.day) + 3) % 7
        return Identifier(String((days < 0 ? days + 7 : days) + 1))
    }

    fileprivate func add(to tallies: inout [Identifier: PurchaseTally], by dimension: Dimension) {
        let names = dimensions
        let column = names.firstIndex(of: dimension).map { columns[Self.firstDimension + $0] }
        let currencies = columns[Self.firstDimension + names.firstIndex(of: .currency)!]
        var sums: [SIMD3<UInt32>: CountAndAmount] = [:]
        for (row, count) in counts.enumerated() {
            let key = SIMD3(column?.codes[row] ?? 0, columns[Self.fate].codes[row], currencies.codes[row])
            let amount = Int64(bitPattern: columns[Self.amount].values[Int(columns[Self.amount].codes[row])])
            sums[key, default: CountAndAmount()] += CountAndAmount(count: count, minor: amount &* Int64(count))
        }
        for (key, sum) in sums {
            let fate = PurchaseFate(packed: columns[Self.fate].values[Int(key.y)])
            guard let outcome = fate?.fulfilment.flatMap({ PurchaseOutcome(date, $0) }) else { continue }
            let currency = Currency(Identifier(bits: currencies.values[Int(key.z)]).text) ?? .absent
            let value =
                column.map { Identifier(bits: $0.values[Int(key.x)]) } ?? (dimension == .weekday ? weekday : .absent)
            tallies[value, default: PurchaseTally()].add(sum, to: PurchaseKey(outcome, currency))
        }
    }
}
