public import Domain
public import Engine
internal import SQLite

extension Ledger {
    /// The events of an exception, oldest first.
    public func history(ofException id: ExceptionID) throws -> [HistoryStep] {
        var steps: [HistoryStep] = []
        var statement = try connection.prepare(
            """
            SELECT r.business_date, e.state, e.verdict, e.cause, e.amount, e.currency, e.by_whom, e.at, e.note
            FROM exception_event e JOIN run r ON r.id = e.run WHERE e.exception = ?1 ORDER BY e.run, e.number
            """)
        statement.bind(1, id.text)
        while try statement.step() {
            guard let state = ExceptionState(rawValue: statement.text(1)),
                let verdict = Verdict(rawValue: statement.text(2)), let cause = Cause(rawValue: statement.text(3))
            else { throw LedgerError.damaged("the history of \(id) names an unknown state or verdict") }
            var step = HistoryStep(
                date: try statement.whole(BusinessDate(statement.text(0))), state: state, verdict: verdict,
                cause: cause,
                amount: statement.currency(5).map { Money(minor: statement.integer(4), currency: $0) })
            if let by = statement.optionalText(6) {
                step.by = by
                step.at = try statement.instant(7)
                step.note = statement.optionalText(8)
            } else if let event = ExceptionEvent(rawValue: statement.text(8)) {
                step.event = event
            } else {
                throw LedgerError.damaged("the history of \(id) has the unknown event “\(statement.text(8))”")
            }
            steps.append(step)
        }
        return steps
    }
}
