public import Domain
public import Engine
internal import SQLite

extension Ledger {
    public func tally() throws -> SubjectTally {
        var tally = SubjectTally()
        var row = try TableReader<TallyColumn>(self)
        while try row.step() {
            guard let verdict = Verdict(rawValue: row.text(.verdict)), let cause = Cause(rawValue: row.text(.cause))
            else {
                throw LedgerError.damaged("the tally names an unknown verdict")
            }
            let key = VerdictKey(
                verdict: verdict, cause: cause, currency: Currency(row.text(.currency)) ?? .absent)
            let subjects = try row.whole(1..<1 << 48 ~= row.integer(.subjects) ? Int(row.integer(.subjects)) : nil)
            tally.entries[key] = CountAndAmount(count: subjects, minor: row.integer(.amount))
        }
        return tally
    }

    /// Replaces the whole tally.
    public func replaceTally(_ tally: SubjectTally) throws {
        var old = try connection.prepare("DELETE FROM tally" + SummedTable.tally.returning)
        try remove(&old, from: .tally)
        var row = try TableWriter<TallyColumn>(self)
        for (key, value) in tally.entries {
            row.set(.verdict, key.verdict.rawValue)
            row.set(.cause, key.cause.rawValue)
            row.set(.currency, key.currency.text)
            row.set(.subjects, Int64(value.count))
            row.set(.amount, value.minor)
            try row.write()
        }
    }

    public func purchases(since date: BusinessDate) throws -> PurchaseTally {
        var tally = PurchaseTally()
        var row = try TableReader<PurchaseTallyColumn>(self, "WHERE purchase_date >= ?1")
        row.statement.bind(1, Int64(date.day))
        while try row.step() {
            let outcome = PurchaseOutcome(try row.requiredDate(.purchaseDate), try row.requiredWord(.fulfilment))
            let key = PurchaseKey(try row.whole(outcome), Currency(row.text(.currency)) ?? .absent)
            tally.entries[key] = CountAndAmount(
                count: try row.whole(Int(exactly: row.integer(.purchases))), minor: row.integer(.amount))
        }
        return tally
    }

    /// Adds these purchases to those on record.
    /// - Parameter isRebuilt: whether they replace those on record.
    public func add(_ purchases: PurchaseTally, isRebuilt: Bool) throws {
        if isRebuilt {
            try connection.execute("DELETE FROM purchase_tally")
            checksums.change(.purchases) { $0 = TableSum() }
        }
        let key = " WHERE purchase_date = ?1 AND fulfilment = ?2 AND currency = ?3"
        var known = try TableReader<PurchaseTallyColumn>(self, key)
        var old = try connection.prepare("DELETE FROM purchase_tally" + key + SummedTable.purchases.returning)
        var row = try TableWriter<PurchaseTallyColumn>(self)
        // Sorted, so that the same night writes the same bytes.
        for (key, change) in purchases.entries.sorted(by: { $0.key < $1.key }) {
            let (date, fulfilment) = (Int64(key.outcome.date.day), Int64(key.outcome.fulfilment.rawValue))
            known.statement.bind(1, date)
            known.statement.bind(2, fulfilment)
            known.statement.bind(3, key.currency.text)
            var sum = change
            if try known.step() {
                sum += CountAndAmount(count: Int(known.integer(.purchases)), minor: known.integer(.amount))
                old.bind(1, date)
                old.bind(2, fulfilment)
                old.bind(3, key.currency.text)
                try remove(&old, from: .purchases)
            }
            known.reset()
            if sum.count == 0 { continue }
            row.set(.purchaseDate, date)
            row.set(.fulfilment, fulfilment)
            row.set(.currency, key.currency.text)
            row.set(.purchases, Int64(sum.count))
            row.set(.amount, sum.minor)
            try row.write()
        }
    }

    public func verdicts(of cases: Set<CaseID>) throws -> [CaseID: [StoredVerdict]] {
        try verdicts(of: cases.sorted().map { $0..<$0.advanced(by: 1) })
    }

    public func verdicts(ofCases range: Range<CaseID>) throws -> [CaseID: [StoredVerdict]] {
        try verdicts(of: [range])
    }

    private func verdicts(of ranges: [Range<CaseID>]) throws -> [CaseID: [StoredVerdict]] {
        var found: [CaseID: [StoredVerdict]] = [:]
        found.reserveCapacity(min(ranges.reduce(0) { $0 + $1.count }, 1 << 16))
        var row = try FieldReader(StoredVerdict.self, "WHERE id >= ?1 AND id < ?2 ORDER BY id", Unpacker(self))
        for range in ranges {
            row.statement.bind(rowsOf: range)
            while try row.step() { found[row.caseID, default: []].append(try row.verdict()) }
        }
        return found
    }

    /// Deletes the verdicts of these cases.
    public func clearVerdicts(of cases: some Sequence<CaseID>) throws { try delete(rowsOf: cases, from: .subject) }

    /// Deletes all verdicts.
    public func clearAllVerdicts() throws {
        try connection.execute("DELETE FROM packed_subject")
        checksums.change(.subject) { $0 = TableSum() }
    }

    /// Sets which cases are open: `open`, and no longer any other of `cases`. If `cases` is nil, no other
    /// case at all.
    public func setOpen(_ open: Set<CaseID>, among cases: Set<CaseID>?) throws {
        let before = try openCases()
        var old = try connection.prepare("DELETE FROM watch WHERE case_file = ?1" + SummedTable.watch.returning)
        for number in (cases?.intersection(before) ?? before).subtracting(open).sorted() {
            old.bind(1, number)
            try remove(&old, from: .watch)
        }
        var row = try TableWriter<WatchColumn>(self)
        for number in open.subtracting(before).sorted() {
            row.set(.caseFile, number)
            try row.write()
        }
    }
}
