extension Ledger {
    /// What people decided and what still stands, as the command that decides it, with its reason: waivers, releases, accepted gaps.
    public func standingDecisions() throws -> [String] {
        if try isEmpty { return [] }
        let rows = try all(
            """
            SELECT 'waive ' || id, by_whom, note, max(run * 1000000 + number) FROM exception
            JOIN exception_event e ON e.exception = id
            WHERE exception.state = 'waived' AND e.state = 'waived' AND by_whom IS NOT NULL GROUP BY id
            UNION ALL SELECT 'release ' || entry_key, by_whom, note, 0 FROM retry_release
            UNION ALL SELECT 'release --held', by_whom, note, 0 FROM upkeep WHERE kind = ?1
            """, MaintenanceKind.guardReleased.rawValue
        ) { ($0.text(0), $0.text(1), $0.text(2)) }
        let gaps = try gapDecisions(before: RunID(.max)).accepted.map {
            ("gap accept \($0.feed) \($0.date)", $0.by, $0.note)
        }
        return (rows + gaps).map { "\($0) (\($1): \($2))" }
    }
}
