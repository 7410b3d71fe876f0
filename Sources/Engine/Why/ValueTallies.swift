/// The purchases that share a value.
struct ValueTally {
    /// `Identifier.absent`: those without a value. Nil: those whose values are not listed, together.
    var value: Identifier?
    /// How many purchases there are of each fulfilment, by its raw value.
    var counts = Array(repeating: 0, count: fulfilments)
    /// What the lost orders among them are worth.
    var lostWorth = MoneySum()

    fileprivate static let fulfilments = Int(Fulfilment.allCases.map(\.rawValue).max()!) + 1
    var purchases: Int { counts.reduce(0, +) }
    subscript(_ fulfilment: Fulfilment) -> Int { counts[Int(fulfilment.rawValue)] }

    fileprivate mutating func add(_ other: ValueTally) {
        for index in counts.indices { counts[index] += other.counts[index] }
        lostWorth.add(other.lostWorth)
    }
}

extension Sequence<DateTable> {
    /// The purchases of these tables by their values, the most frequent first, equal ones in the order of their bytes.
    /// An orphan receipt is not a purchase.
    ///
    /// - Parameter limit: how many values are listed; the others follow as one.
    func tallies(by dimension: Dimension, limit: Int) -> [ValueTally] {
        var tallies: [Identifier: ValueTally] = [:]
        for table in self {
            for tally in table.tallies(by: dimension) {
                tallies[tally.value!, default: ValueTally(value: tally.value)].add(tally)
            }
        }
        var sorted = tallies.values.filter { $0.purchases > 0 }
        sorted.order { $0.purchases == $1.purchases ? $0.value! < $1.value! : $0.purchases > $1.purchases }
        guard sorted.count > limit else { return sorted }
        return sorted[..<limit] + [sorted[limit...].reduce(into: ValueTally()) { $0.add($1) }]
    }
}

extension DateTable {
    /// Monday is 1.
    var weekday: Identifier {
        let days = (Int(date.day) + 3) % 7
        return Identifier(String((days < 0 ? days + 7 : days) + 1))
    }

    /// One for each value of the dictionary. All purchases have the same weekday, and none has a label that the table lacks.
    fileprivate func tallies(by dimension: Dimension) -> [ValueTally] {
        let absent = dimension == .weekday ? weekday : .absent
        let column =
            dimensions.firstIndex(of: dimension).map { columns[Self.firstDimension + $0] }
            ?? Column(values: [absent.bits], codes: Array(repeating: 0, count: rows))
        let (fates, currencies) = (columns[Self.fate], columns[Self.currency])
        let outcomes = fates.values.map { PurchaseFate(packed: $0)?.fulfilment }
        let isLost = outcomes.map { $0?.isLost ?? false }
        /// For each value and fate, in this order.
        var counts = Array(repeating: 0, count: column.values.count * fates.values.count)
        var tallies = column.values.map { ValueTally(value: Identifier(bits: $0)) }
        for row in 0..<rows {
            let (value, fate) = (Int(column.codes[row]), Int(fates.codes[row]))
            counts[value * fates.values.count + fate] += 1
            if isLost[fate] {
                let name = Identifier(bits: currencies.values[Int(currencies.codes[row])]).text
                let minor = Int64(bitPattern: columns[Self.amount].values[Int(columns[Self.amount].codes[row])])
                if let currency = Currency(name) {
                    tallies[value].lostWorth.add(Money(minor: minor, currency: currency))
                }
            }
        }
        for value in tallies.indices {
            for (fate, outcome) in outcomes.enumerated() {
                guard let outcome else { continue }
                tallies[value].counts[Int(outcome.rawValue)] += counts[value * outcomes.count + fate]
            }
        }
        return tallies
    }
}
