/// The purchases of dates by hour and product.
struct SoldByDate {
    typealias Sold = (of: [Identifier: Int], all: Int)
    typealias Share = (lost: Int, purchases: Int, dates: Int)
    let tonights: () throws -> [TableKey: EncodedTable]
    let history: any History
    /// All dates that are summed.
    let dates: [BusinessDate]
    private var tallies: [BusinessDate: [Dimension: [Identifier: ValueTally]]] = [:]
    private var known: [Dimension: [[BusinessDate]: Sold]] = [:]
    private var shares: [[BusinessDate]: Share] = [:]

    init(tonights: @escaping () throws -> [TableKey: EncodedTable], history: any History, dates: [BusinessDate]) {
        (self.tonights, self.history, self.dates) = (tonights, history, dates)
    }

    func sums(_ date: BusinessDate) -> Bool { dates.first.map { $0 <= date } ?? false }

    mutating func of(_ date: BusinessDate, by dimension: Dimension) throws -> [Identifier: ValueTally] {
        if let known = tallies[date] { return known[dimension]! }
        let tables = try history.tables(in: date...date).merging(tonights().filter { $0.key.date == date }) { $1 }
            .decoded(threads: 1)
        let read = [Dimension.hour, .product].map { dimension in
            let tallies = tables.tallies(by: dimension, limit: .max)
            return (dimension, Dictionary(uniqueKeysWithValues: tallies.map { ($0.value!, $0) }))
        }
        tallies[date] = Dictionary(uniqueKeysWithValues: read)
        return tallies[date]![dimension]!
    }

    /// How many do not wait.
    mutating func settled(on dates: [BusinessDate], by dimension: Dimension) throws -> Sold {
        if let known = known[dimension]?[dates] { return known }
        var sold: Sold = ([:], 0)
        for tally in try dates.flatMap({ try of($0, by: dimension).values }) {
            sold.of[tally.value!, default: 0] += tally.settled
            sold.all += tally.settled
        }
        known[dimension, default: [:]][dates] = sold
        return sold
    }

    mutating func usual(of dates: [BusinessDate], _ read: () throws -> Share) rethrows -> Share {
        if let known = shares[dates] { return known }
        let share = try read()
        shares[dates] = share
        return share
    }
}

extension ValueTally {
    /// The purchases that do not wait.
    var settled: Int { purchases - self[.waiting] }
}
