public import Domain
internal import SQLite

extension Ledger {
    /// What people decided about coverage gaps before run `run` took place, oldest first.
    public func gapDecisions(before run: RunID) throws -> [GapDecision] {
        var decisions: [GapDecision] = []
        var row = try TableReader<GapDecisionColumn>(self, "WHERE run < ?1 ORDER BY rowid")
        row.statement.bind(1, run)
        while try row.step() {
            guard let date = try row.date(.fileDate) else { throw LedgerError.damaged("a gap_decision has no date") }
            decisions.append(
                GapDecision(
                    feed: row.text(.feed), date: date, isAccepted: row.integer(.isAccepted) == 1,
                    by: row.text(.byWhom), at: row.integer(.at), note: row.text(.note)))
        }
        return decisions
    }

    /// Records a decision that was made after run `run`. The next night takes it into account.
    public func write(_ decision: GapDecision, run: RunID) throws {
        var row = try TableWriter<GapDecisionColumn>(self)
        row.set(.run, run)
        row.set(.feed, decision.feed)
        row.set(.fileDate, Int64(decision.date.day))
        row.set(.isAccepted, decision.isAccepted ? 1 : 0)
        row.set(.byWhom, decision.by)
        row.set(.at, decision.at)
        row.set(.note, decision.note)
        try row.write()
    }
}
