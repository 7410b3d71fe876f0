extension Ledger {
    /// Contradictions between retry entries, their lists, the consumer's acknowledgements and the last run's figures;
    /// one sentence each.
    public func retryProblems() throws -> [String] {
        guard let last = try lastRun() else { return [] }
        var entries: [String: RetryEntry] = [:]
        var problems: [String] = []
        for entry in try allRetryEntries() {
            entries[entry.key] = entry
            // The key is a digest of what the entry asks for, so it shows an edited entry.
            if entry.facts.permanentKey != entry.key {
                problems.append("retry entry \(entry.key) does not match its key")
            }
        }
        let lists = try retryLists(of: last.id)
        for (state, lines) in [
            (RetryEntry.State.waiting, lists.emitted), (.held, lists.held), (.dead, lists.dead),
        ] {
            for line in lines {
                guard let entry = entries[line.facts.key] else {
                    problems.append("retry entry \(line.facts.key) is missing")
                    continue
                }
                // An entry that a person has released since is waiting for the next night.
                let isRight = entry.state == state || entry.isReleased && entry.state == .waiting
                if !isRight || entry.facts != line.facts {
                    problems.append("retry entry \(entry.key) does not match the last night's list")
                }
            }
        }
        let report = try outline(of: last)
        let counts = [report.retry.emitted, report.retry.held, report.retry.dead]
        if report.retryLists != nil, counts != [lists.emitted.count, lists.held.count, lists.dead.count] {
            problems.append("the retry files of \(last.businessDate) had different numbers of entries")
        }
        problems += try strayRetries()
        return problems.sorted()
    }

    private func strayRetries() throws -> [String] {
        try all(
            """
            SELECT count || what FROM (
                SELECT count(*) AS count, ' acknowledgements belong to no delivered file' AS what FROM retry_answer
                    WHERE delivery NOT IN (SELECT id FROM delivery)
                UNION ALL SELECT count(*), ' retry entries are stored under a wrong key' FROM retry_entry
                    WHERE entry_key IS NOT json_extract(facts, '$.key'))
            WHERE count > 0
            """
        ) { $0.text(0) }
    }
}
