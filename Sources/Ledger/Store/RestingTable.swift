public import Domain
public import Engine
internal import SQLite

/// Open cases that a night need not judge.
extension Ledger {
    public func restingCases() throws -> [CaseID: RestingCase] {
        var found: [CaseID: RestingCase] = [:]
        var row = try TableReader<RestingColumn>(self)
        while try row.step() {
            let counts = try row.whole(DateCounts(bits: row.integer(.counts)))
            found[CaseID(row.integer(.caseFile))] = RestingCase(
                purchasedAt: try row.instant(.purchasedAt), counts: counts)
        }
        return found
    }

    /// Sets which cases rest: `resting`, and no longer any other of `cases`. If `cases` is nil, no other case at all.
    func setResting(_ resting: [CaseID: RestingCase], instead cases: Set<CaseID>?) throws {
        let before = try restingCases()
        var old = try connection.prepare(
            "DELETE FROM resting_case WHERE case_file = ?1" + SummedTable.resting.returning)
        for (number, found) in before.sorted(by: { $0.key < $1.key })
        where cases?.contains(number) ?? true && resting[number] != found {
            old.bind(1, number)
            try remove(&old, from: .resting)
        }
        var row = try TableWriter<RestingColumn>(self)
        for (number, found) in resting.sorted(by: { $0.key < $1.key }) where before[number] != found {
            row.set(.caseFile, number)
            row.set(.purchasedAt, found.purchasedAt?.milliseconds)
            row.set(.counts, found.counts.bits)
            try row.write()
        }
    }
}

extension DateCounts {
    private static var columns: [WritableKeyPath<DateCounts, Int>] { [\.uncredited, \.invalid, \.proven, \.foreign] }

    /// A bit for each figure. A resting case counts none of them more than once.
    fileprivate var bits: Int64 {
        zip(Self.columns, 0...).reduce(0) { $0 | Int64(self[keyPath: $1.0]) << $1.1 }
    }

    fileprivate init?(bits: Int64) {
        self.init()
        guard 0..<16 ~= bits else { return nil }
        for (column, shift) in zip(Self.columns, 0...) { self[keyPath: column] = Int(bits >> shift & 1) }
    }
}
