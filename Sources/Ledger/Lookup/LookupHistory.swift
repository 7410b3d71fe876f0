public import Domain
public import Engine
internal import SQLite

extension Ledger {
    public func history(ofException id: ExceptionID) throws -> [LookupException.Step] {
        var steps: [LookupException.Step] = []
        var row = try TableReader<ExceptionEventColumn>(self, "WHERE exception = ?1 ORDER BY run, number")
        row.statement.bind(1, id.text)
        while try row.step() {
            guard let state = ExceptionState(rawValue: row.text(.state)),
                let verdict = Verdict(rawValue: row.text(.verdict)), let cause = Cause(rawValue: row.text(.cause))
            else { throw LedgerError.damaged("the history of \(id) names an unknown state or verdict") }
            var step = LookupException.Step(
                date: try businessDate(of: RunID(row.integer(.run))), state: state, verdict: verdict, cause: cause,
                amount: row.currency(.currency).map { Money(minor: row.integer(.amount), currency: $0) })
            if let by = row.optionalText(.byWhom) {
                step.by = by
                step.at = try row.instant(.at)
                step.note = row.optionalText(.note)
            } else if let event = ExceptionEvent(rawValue: row.text(.note)) {
                step.event = event
            } else {
                throw LedgerError.damaged("the history of \(id) has the unknown event “\(row.text(.note))”")
            }
            steps.append(step)
        }
        return steps
    }

    public func state(ofOpenException id: ExceptionID) throws -> ExceptionState {
        var row = try connection.prepare("SELECT state FROM v_exception_open WHERE id = ?1")
        row.bind(1, id.text)
        guard try row.step(), let state = ExceptionState(rawValue: row.text(0)) else {
            throw LedgerError.damaged("\(id) has no state of an open exception")
        }
        return state
    }

    private func businessDate(of run: RunID) throws -> BusinessDate {
        var row = try TableReader<RunColumn>(self, only: [.businessDate], "WHERE id = ?1")
        row.statement.bind(1, run)
        guard try row.step() else { throw LedgerError.damaged("run \(run) is missing") }
        return try row.whole(BusinessDate(row.text(.businessDate)))
    }
}
