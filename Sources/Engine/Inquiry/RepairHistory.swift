public import Domain

/// What was done about an exception: by nights, by people and by the consumer of the retry manifest.
public protocol RepairHistory {
    /// The events of an exception, oldest first.
    func history(ofException id: ExceptionID) throws -> [HistoryStep]
    /// Whether the consumer ever acknowledged under one of these keys that it gave the goods.
    func wasApplied(_ keys: Set<String>) throws -> Bool
    /// Whether the consumer ever acknowledged one of these keys.
    func wasAnswered(_ keys: Set<String>) throws -> Bool
}

/// One event in the history of an exception.
public struct HistoryStep: Sendable {
    /// The business date of its run.
    public var date: BusinessDate
    public var state: ExceptionState
    public var verdict: Verdict
    public var cause: Cause
    /// What the subject was worth. Nil if no price was known.
    public var amount: Money?
    /// What the night did. Nil if a person caused it.
    public var event: ExceptionEvent?
    /// The person who caused it. Nil if the night did.
    public var by: String?
    /// When that person did. Nil if the night caused it.
    public var at: Instant?
    /// That person's note. Nil if the night caused it.
    public var note: String?

    /// A step of which neither the event nor the person is set yet.
    public init(date: BusinessDate, state: ExceptionState, verdict: Verdict, cause: Cause, amount: Money?) {
        self.date = date
        self.state = state
        self.verdict = verdict
        self.cause = cause
        self.amount = amount
    }
}
