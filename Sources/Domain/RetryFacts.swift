/// What a machine may do about one exception: facts that its consumer re-checks before it acts. RULES §5.
public typealias RetryFacts = Shared<RetryFields>

extension RetryFacts {
    public init(action: Action, environment: String, verdict: Verdict, cause: Cause) {
        self.init(
            fields: RetryFields(action: action, environment: environment, verdict: verdict, cause: cause))
    }
}
