extension Ledger {
    /// The cases that share a linking identifier with this evidence, or contain an earlier version of it.
    /// See docs/spec/rules.md#links.
    ///
    /// They are found by hash, so occasionally a case is found that shares nothing. It is judged again without a
    /// change.
    public func cases(touchedBy evidence: Evidence, policy: Policy) throws -> Set<CaseID> {
        var keys = Set<Int64>()
        var names = NamedIdentifiers()
        func touch(_ rows: [some DescribedEvidence]) {
            for row in rows {
                names.read(row)
                for (kind, id) in names.ids where kind != .account { keys.insert(identifiers.key(kind, id)) }
                if let content = names.content { keys.insert(IdentifierKind.receipt.hash(content.words.0)) }
                guard policy.tokenUse == .order, let token = names.token,
                    !policy.facts.crowdedTokens.contains(token)
                else { continue }
                keys.insert(IdentifierReader.key(of: token))
            }
        }
        touch(evidence.orders)
        touch(evidence.credits)
        touch(evidence.transactions)
        touch(evidence.receipts)
        return try cases(withKeys: keys)
    }

    public func cases(naming orders: Set<Identifier>) throws -> Set<CaseID> {
        try cases(withKeys: Set(orders.map { identifiers.key(.order, $0) }))
    }

    public func cases(withTokens tokens: Set<Token>) throws -> Set<CaseID> {
        try cases(withKeys: Set(tokens.map(IdentifierReader.key(of:))))
    }

    public func openCases() throws -> Set<CaseID> {
        Set(try all("SELECT case_file FROM watch") { CaseID($0.integer(0)) })
    }

    /// Reads all subjects.
    public func cases(judged verdict: Verdict, _ cause: Cause) throws -> Set<CaseID> {
        let sql = "SELECT id FROM subject WHERE verdict = ?1 AND cause = ?2"
        return Set(try all(sql, verdict.rawValue, cause.rawValue) { CaseID(ofRow: $0.integer(0)) })
    }

    /// The number for the next new case.
    /// - Throws: `LedgerError.damaged` if a row belongs to a case whose number cannot exist.
    public func nextCase() throws -> CaseID {
        var next: CaseID = 1
        for table in SummedTable.evidence {
            if let last = try connection.integer("SELECT max(id) FROM " + table.rawValue) {
                next = max(next, CaseID(ofRow: last).advanced(by: 1))
            }
        }
        guard CaseID.possible.contains(next) else {
            throw LedgerError.damaged("case \(next.advanced(by: -1)) cannot exist")
        }
        return next
    }

    /// Each range begins with a number in use, so gaps between case numbers, which may be huge in a damaged ledger, cost
    /// nothing.
    public func ranges(ofCases size: Int) throws -> [Range<CaseID>] {
        let tables = (SummedTable.evidence + [.subject]).map(\.rawValue)
        var statement = try connection.prepare(
            "SELECT min(id) FROM ("
                + tables.map { "SELECT min(id) AS id FROM " + $0 + " WHERE id >= ?1" }.joined(separator: " UNION ALL ")
                + ")")
        let last = try tables.compactMap { try connection.integer("SELECT max(id) FROM " + $0) }.max() ?? 0
        let numbers = CaseID.possible.clamped(to: 0..<max(0, CaseID(ofRow: last)).advanced(by: 1))
        var pieces: [Range<CaseID>] = []
        var next = numbers.lowerBound
        while next < numbers.upperBound {
            statement.start(next.row(0))
            guard try statement.step(), let first = statement.optionalInteger(0).map(CaseID.init(ofRow:)),
                first < numbers.upperBound
            else { break }
            next = min(CaseID((first.rawValue / Int64(size) + 1) * Int64(size)), numbers.upperBound)
            pieces.append(first..<next)
        }
        return pieces
    }
}
