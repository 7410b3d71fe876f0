extension Ledger {
    public func history(ofException id: ExceptionID) throws -> [LookupException.Step] {
        try read(EventRow.self, "WHERE exception = ?1 ORDER BY run, number", with: id.text).map { event in
            var step = LookupException.Step(
                date: try businessDate(of: event.run), state: event.state, verdict: event.verdict, cause: event.cause,
                amount: event.amount)
            if let by = event.by {
                (step.by, step.at, step.note) = (by, event.at, event.note)
            } else if let known = ExceptionEvent(rawValue: event.note ?? "") {
                step.event = known
            } else {
                throw LedgerError.damaged("the history of \(id) has the unknown event “\(event.note ?? "")”")
            }
            return step
        }
    }

    public func state(ofOpenException id: ExceptionID) throws -> ExceptionState {
        var row = try connection.prepare("SELECT state FROM v_exception_open WHERE id = ?1", id.text)
        guard try row.step(), let state = ExceptionState(rawValue: row.text(0)) else {
            throw LedgerError.damaged("\(id) has no state of an open exception")
        }
        return state
    }

    private func businessDate(of run: RunID) throws -> BusinessDate {
        var row = try connection.prepare("SELECT business_date FROM run WHERE id = ?1", run)
        guard try row.step() else { throw LedgerError.damaged("run \(run) is missing") }
        return try row.whole(BusinessDate(row.text(0)))
    }
}
