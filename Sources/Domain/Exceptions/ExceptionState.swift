/// The state of an exception in a run. See docs/spec/rules.md#exception-lifecycle.
///
/// `new`: first seen in this run. `open`: unchanged since the last run. `changed`: its verdict or cause changed.
/// `reopened`: it was resolved or waived and is back. `resolved`: its subject is in order now. `waived`: a person
/// accepted it as it is.
public enum ExceptionState: String, Sendable, CaseIterable, Codable {
    case new, open, changed, reopened, resolved, waived

    /// Whether an exception in this state still waits for someone.
    public var isOpen: Bool { self != .resolved && self != .waived }
}
