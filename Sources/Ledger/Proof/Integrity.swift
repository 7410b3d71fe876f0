extension Ledger {
    /// Everything that can be found wrong without judging cases again, one sentence each. Empty if all is well.
    public func problems() throws -> [String] {
        let file = try fileProblems() + schemaProblems().map(\.description)
        // If the file itself is damaged, all other findings would only repeat that.
        if !file.isEmpty { return file }
        return try referenceProblems() + conservationProblems() + chainProblems() + checksumProblems()
            + controlTotalProblems() + retryProblems() + sealProblems() + ownerProblems()
    }

    /// Tokens whose rows are not what was written. Each carries its own proof, so that a night need not read them all.
    private func ownerProblems() throws -> [String] {
        var tokens: [String] = []
        try forEachOwner({ _ in }, failing: { tokens.append($0) })
        return tokens.map(OwnerProof.problem)
    }

    /// What SQLite finds wrong with the file. Empty if all is well.
    public func fileProblems() throws -> [String] {
        try all("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
    }

    /// Tables with rows that refer to rows which do not exist.
    public func referenceProblems() throws -> [String] {
        try all(
            """
            SELECT count(*) || ' rows of ' || "table" || ' refer to a ' || parent || ' that is not there'
            FROM pragma_foreign_key_check GROUP BY "table", parent
            """
        ) { $0.text(0) }
    }

    /// Files whose rows do not add up, and verdicts whose tally does not match the subjects.
    public func conservationProblems() throws -> [String] {
        let problems = try all("SELECT name FROM delivery WHERE rows <> accepted + duplicates + rejected") {
            "\($0.text(0)): its rows are not accepted + duplicates + rejected"
        }
        // A book has no subjects.
        return try isBook ? problems : problems + totalProblems()
    }

    private func totalProblems() throws -> [String] {
        try all(
            """
            SELECT verdict || '/' || cause || ' ' || currency FROM (
                -- In halves, modulo 2^64 as the tally adds up: sum() fails where it overflows.
                SELECT verdict, cause, currency, subjects, low & 0xFFFFFFFF, high + (low >> 32) & 0xFFFFFFFF FROM (
                    SELECT verdict, cause, ifnull(currency, '') AS currency, count(*) AS subjects,
                        sum(ifnull(amount, 0) & 0xFFFFFFFF) AS low, sum(ifnull(amount, 0) >> 32) AS high
                    FROM subject GROUP BY 1, 2, 3)
                EXCEPT SELECT verdict, cause, currency, subjects, amount & 0xFFFFFFFF, amount >> 32 & 0xFFFFFFFF
                FROM tally)
            """
        ) { "the tally of \($0.text(0)) does not match its subjects" }
            + all(
                """
                SELECT verdict || '/' || cause || ' ' || currency FROM (
                    SELECT verdict, cause, currency FROM tally
                    EXCEPT SELECT verdict, cause, ifnull(currency, '') FROM subject)
                """
            ) { "the tally of \($0.text(0)) has no subjects" }
            + all(
                """
                SELECT purchase_date || '/' || fulfilment || ' ' || currency FROM (
                    SELECT purchase_date, fulfilment, ifnull(currency, '') AS currency, count(*) AS purchases
                        FROM subject WHERE purchase_date IS NOT NULL GROUP BY 1, 2, 3
                    EXCEPT SELECT purchase_date, fulfilment, currency, purchases FROM purchase_tally)
                UNION SELECT purchase_date || '/' || fulfilment || ' ' || currency FROM (
                    SELECT purchase_date, fulfilment, currency, purchases FROM purchase_tally
                    EXCEPT SELECT purchase_date, fulfilment, ifnull(currency, ''), count(*)
                        FROM subject GROUP BY 1, 2, 3)
                """
            ) { "the count of purchases of \($0.text(0)) does not match the subjects" }
    }

    public func storedVerdicts(ofCases range: Range<CaseID>) throws -> Set<StoredVerdict> {
        Set(try verdicts(ofCases: range).values.joined())
    }
}
