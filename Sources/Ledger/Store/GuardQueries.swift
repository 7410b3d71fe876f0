extension Ledger {
    public func guardFindings(of run: RunRecord) throws -> [GuardFinding] {
        let findings = try outline(of: run).guarded
        return try findings.isEmpty || releasedGuards().contains(run.id) ? [] : findings
    }

    /// All findings that people have released, in any run so far.
    public func releasedFindings() throws -> [GuardFinding] {
        var findings: [GuardFinding] = []
        for id in try releasedGuards() {
            guard let run = try run(id: id) else { continue }
            findings += try outline(of: run).guarded
        }
        return findings
    }

    public func marks(ofLast count: Int) throws -> [NightMarks] {
        let runs = try runs("ORDER BY id DESC LIMIT ?1", Int64(count))
        return try runs.filter { $0.rulesVersion == runs[0].rulesVersion }.map { run in
            let outline = try outline(of: run)
            var marks = NightMarks(flags: outline.flags, guarded: outline.guarded)
            marks.flags[.statusOnly]? -= outline.statusOnlyAwaited ?? 0
            return marks
        }
    }

    public func forEachPurchase(
        in span: Range<Instant>, _ policy: Policy, except cases: Set<CaseID>,
        _ body: (_ purchasedAt: Instant, _ isForeign: Bool) -> Void
    ) throws {
        var row = try connection.prepare(
            """
            SELECT id, purchased_at, proof, failure, bundle_id, delivery FROM apple_transaction
            WHERE standing = 1 AND is_from_receipt = 0 AND environment = ?1 AND purchased_at >= ?2 AND purchased_at < ?3
            AND (proof >= ?4 OR failure = ?5)
            """, Int64(policy.environment.rawValue), span.lowerBound.milliseconds, span.upperBound.milliseconds,
            Int64(Proof.vouched.rawValue), Int64(ProofFailure.wrongBundle.rawValue))
        while try row.step() {
            if cases.contains(CaseID(ofRow: row.integer(0))) { continue }
            guard let proof = Proof(rawValue: UInt8(row.integer(2))),
                let failure = ProofFailure(rawValue: UInt8(row.integer(3)))
            else { throw LedgerError.damaged("a transaction has an unknown proof") }
            let bundle = row.isNull(4) ? nil : Identifier(row.text(4))
            let now = try policy.proof(proof, failure, of: bundle, in: row.delivery(5))
            if now.proof >= .vouched || now.failure == .wrongBundle {
                body(Instant(milliseconds: row.integer(1)), now.failure == .wrongBundle)
            }
        }
    }

    public func rowCounts(
        of kind: FeedKind, on dates: Set<BusinessDate>
    ) throws -> [(name: String, date: BusinessDate, rows: RowCount)] {
        guard let first = dates.min(), let last = dates.max() else { return [] }
        return try all(
            """
            SELECT name, file_date, rows - rejected, accepted FROM delivery
            WHERE kind = ?1 AND file_date BETWEEN ?2 AND ?3
            """, kind.rawValue, Int64(first.day), Int64(last.day)
        ) {
            ($0.text(0), try $0.date(1), RowCount(usable: Int($0.integer(2)), new: Int($0.integer(3))))
        }.filter { dates.contains($0.date) }
    }

    public func files(of kind: FeedKind, since date: BusinessDate) throws -> [FileLine] {
        try runs("WHERE business_date >= ?1 ORDER BY id", date.text).flatMap { try outline(of: $0).files }
            .filter { $0.feed == kind }
    }

    /// The runs whose findings were released.
    private func releasedGuards() throws -> [RunID] {
        let kind = MaintenanceKind.guardReleased.rawValue
        return try all("SELECT DISTINCT run FROM upkeep WHERE kind = ?1 ORDER BY run", kind) { RunID($0.integer(0)) }
    }
}
