public struct LookupException: Sendable {
    /// One entry of its history. State, verdict, cause and amount are those after it.
    public struct Step: Sendable {
        public var date: BusinessDate
        public var state: ExceptionState
        public var verdict: Verdict
        public var cause: Cause
        public var amount: Money?
        /// Who made the change, and when; nil if it was made by a night.
        public var by: String?
        public var at: Instant?
        /// That person's note; nil if the step was made by a night.
        public var note: String?
        /// What the night did; nil if a person made the step.
        public var event: ExceptionEvent?

        public init(
            date: BusinessDate, state: ExceptionState, verdict: Verdict, cause: Cause, amount: Money? = nil
        ) {
            self.date = date
            self.state = state
            self.verdict = verdict
            self.cause = cause
            self.amount = amount
        }
    }
    public var id: ExceptionID
    public var state: ExceptionState
    public var firstSeen: BusinessDate
    /// The history, oldest first.
    public var history: [Step]
}
