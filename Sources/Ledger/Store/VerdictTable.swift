extension Ledger {
    public func tally() throws -> SubjectTally {
        var tally = SubjectTally()
        var row = try connection.prepare("SELECT verdict, cause, currency, subjects, amount FROM tally")
        while try row.step() {
            guard let verdict = Verdict(rawValue: row.text(0)), let cause = Cause(rawValue: row.text(1)) else {
                throw LedgerError.damaged("the tally names an unknown verdict")
            }
            let key = VerdictKey(verdict: verdict, cause: cause, currency: Currency(row.text(2)) ?? .absent)
            let subjects = try row.whole(1..<1 << 48 ~= row.integer(3) ? Int(row.integer(3)) : nil)
            tally.entries[key] = CountAndAmount(count: subjects, minor: row.integer(4))
        }
        return tally
    }

    func replaceTally(_ tally: SubjectTally) throws {
        try delete(from: .tally)
        var row = try TableWriter(self, .tally)
        for (key, value) in tally.entries {
            try row.write(key.verdict.rawValue, key.cause.rawValue, key.currency.text, value.count, value.minor)
        }
    }

    public func purchases(since date: BusinessDate) throws -> PurchaseTally {
        var tally = PurchaseTally()
        var row = try connection.prepare(
            "SELECT purchase_date, fulfilment, currency, purchases, amount FROM purchase_tally WHERE purchase_date >= ?1",
            Int64(date.day))
        while try row.step() {
            let fulfilment = try row.whole(UInt8(exactly: row.integer(1)).flatMap(Fulfilment.init))
            let outcome = try row.whole(PurchaseOutcome(row.date(0), fulfilment))
            tally.entries[PurchaseKey(outcome, Currency(row.text(2)) ?? .absent)] = CountAndAmount(
                count: try row.whole(Int(exactly: row.integer(3))), minor: row.integer(4))
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
        let ofKey = " WHERE purchase_date = ?1 AND fulfilment = ?2 AND currency = ?3"
        var known = try connection.prepare("SELECT purchases, amount FROM purchase_tally" + ofKey)
        var row = try TableWriter(self, .purchases)
        // Sorted, so that the same night writes the same bytes.
        for (key, change) in purchases.entries.sorted(by: { $0.key < $1.key }) {
            let (date, fulfilment) = (Int64(key.outcome.date.day), Int64(key.outcome.fulfilment.rawValue))
            known.start(date, fulfilment, key.currency.text)
            var sum = change
            if try known.step() {
                sum += CountAndAmount(count: Int(known.integer(0)), minor: known.integer(1))
                known.reset()
                try delete(from: .purchases, ofKey, date, fulfilment, key.currency.text)
            }
            if sum.count == 0 { continue }
            try row.write(date, fulfilment, key.currency.text, sum.count, sum.minor)
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
        var row = try FieldReader(
            StoredVerdict.self, "WHERE id >= ?1 AND id < ?2 ORDER BY id", of: self,
            with: Unpacker(self))
        for range in ranges {
            row.statement.bind(rowsOf: range)
            while try row.step() { found[row.caseID, default: []].append(try row.row(from: 1)) }
        }
        return found
    }

    func clearVerdicts(of cases: some Sequence<CaseID>) throws { try delete(rowsOf: cases, from: .subject) }

    func clearAllVerdicts() throws {
        try connection.execute("DELETE FROM packed_subject")
        checksums.change(.subject) { $0 = TableSum() }
    }

    /// Sets which cases are open: `open`, and no longer any other of `cases`. If `cases` is nil, no other
    /// case at all.
    func setOpen(_ open: Set<CaseID>, among cases: Set<CaseID>?) throws {
        let before = try openCases()
        var old = try connection.prepare("DELETE FROM watch WHERE case_file = ?1" + SummedTable.watch.returning)
        for number in (cases?.intersection(before) ?? before).subtracting(open).sorted() {
            old.start(number)
            try remove(&old, from: .watch)
        }
        var row = try TableWriter(self, .watch)
        for number in open.subtracting(before).sorted() { try row.write(number) }
    }
}
