/// The control totals of the stored rows of one delivery.
private struct KeptRows {
    var rows = 0
    var hashTotal: UInt64 = 0
    var amounts = MoneySum()

    mutating func add(_ hash: UInt64, _ amount: Money?) {
        rows += 1
        hashTotal &+= hash
        if let amount { amounts.add(amount) }
    }

    /// What is wrong with the stored rows. Nil if they agree with the file's control totals, or cannot be compared.
    func problem(comparedWith file: FileLine) -> String? {
        if rows > file.counts.accepted {
            return counted(rows, "row is", "rows are") + " stored, but \(file.counts.accepted) accepted"
        }
        guard file.counts.duplicates == 0, rows == file.counts.accepted else { return nil }
        let isSame = hexadecimal(hashTotal) == file.hashTotal && amounts.amounts == file.amounts
        return isSame ? nil : "the stored rows do not add up to its control totals"
    }
}

extension Ledger {
    /// Deliveries, or evidence stored from them, that differ from what their runs counted; one sentence each.
    ///
    /// The rows of a file are compared with its control totals (keys and amounts) only if the file had no duplicates
    /// and all its rows are stored. Otherwise the totals cannot agree: a copy in an earlier file is stored in the place
    /// of the row.
    public func controlTotalProblems() throws -> [String] {
        var counted: [RunID: [String: FileLine]] = [:]
        for run in try runs() {
            for file in try outline(of: run).files {
                counted[run.id, default: [:]][file.feed.rawValue + ":" + file.name] = file
            }
        }
        let kept = try keptRows()
        var problems: [String] = []
        var row = try connection.prepare(
            "SELECT id, run, kind, name, digest, rows, accepted, duplicates, rejected FROM delivery ORDER BY id")
        while try row.step() {
            let name = row.text(3)
            guard let file = counted[RunID(row.integer(1))]?.removeValue(forKey: row.text(2) + ":" + name) else {
                problems.append("\(name) is not in any run's list of files")
                continue
            }
            let counts = [file.counts.rows, file.counts.accepted, file.counts.duplicates, file.counts.rejected]
            let stored = [row.integer(5), row.integer(6), row.integer(7), row.integer(8)]
            if file.digest != row.text(4) || counts.map(Int64.init) != stored {
                problems.append("\(name) does not match what its run counted")
            }
            if let rows = kept[try row.delivery(0)], let problem = rows.problem(comparedWith: file) {
                problems.append("\(name): \(problem)")
            }
        }
        problems += counted.values.flatMap { $0.values }.map { "\($0.name) is missing" }.sorted()
        return problems
    }

    /// The control totals of all stored orders, credits and receipts, by delivery.
    private func keptRows() throws -> [DeliveryID: KeptRows] {
        var kept: [DeliveryID: KeptRows] = [:]
        var row = try connection.prepare(
            """
            SELECT delivery, order_id, amount, currency, NULL FROM backend_order
            UNION ALL SELECT delivery, credit_id, NULL, NULL, NULL FROM backend_credit
            UNION ALL SELECT delivery, receipt_id, NULL, NULL, content FROM client_receipt
            """)
        while try row.step() {
            let content = row.blob(4)
            guard [0, 32].contains(content.count) else {
                throw LedgerError.damaged("a receipt's content is not a digest")
            }
            // A receipt without an id goes by its content.
            let isNamed = content.isEmpty || !row.isNull(1)
            let hash = isNamed ? row.withText(1) { StableHash.of($0) } : Digest256(bytes: content).words.0
            let amount = Currency(row.text(3)).map { Money(minor: row.integer(2), currency: $0) }
            kept[try row.delivery(0), default: KeptRows()].add(hash, amount)
        }
        return kept
    }
}
