/// What a machine may do about one exception: facts that its consumer checks again before it acts.
/// See docs/spec/rules.md#retry-entries. The fields are shared, so that handing them on copies one reference.
public typealias RetryFacts = Shared<RetryFields>

extension RetryFacts {
    public init(action: Action, environment: String, verdict: Verdict, cause: Cause) {
        self.init(
            fields: RetryFields(action: action, environment: environment, verdict: verdict, cause: cause))
    }
}
