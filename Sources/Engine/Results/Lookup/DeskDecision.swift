/// One step of a decision that a user of the desk's page made. See docs/spec/interfaces.md#desk-decisions.
public struct DeskDecision: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case waive, release, given, gap
    }
    public enum Step: String, Sendable {
        /// It needs a second person, and does nothing yet.
        case wish
        case decide, withdraw
    }
    public var at: Instant
    public var by: String
    /// What it is about: an exception, a retry entry, a transaction, or `FEED DATE`.
    public var key: String
    public var kind: Kind
    /// The reason; nil for a withdrawal.
    public var note: String?
    public var step: Step

    public init(_ kind: Kind, _ key: String, _ step: Step, by: String, at: Instant, note: String? = nil) {
        (self.kind, self.key, self.step, self.by, self.at, self.note) = (kind, key, step, by, at, note)
    }
}

extension DeskDecision: MemberRecord {
    public static var blank: Self { Self(.waive, "", .wish, by: "", at: .absent) }

    public mutating func describe(_ members: inout Members) {
        members.value("at", time: &at)
        members.value("by", &by)
        members.value("key", &key)
        members.value("kind", &kind)
        members.value("note", &note)
        members.value("step", &step)
    }
}

extension Members {
    /// An instant as text, as people read it.
    mutating func value(_ name: StaticString, time: inout Instant) {
        var text = time.text
        value(name, &text)
        let read = Array(text.utf8).withUnsafeBytes { Parse.instant($0, zone: .utc) }
        check(read != nil, name)
        time = read ?? .absent
    }
}

/// A decision as it stands.
public struct StandingDecision: Hashable, Sendable {
    public var kind: DeskDecision.Kind
    public var key: String
    /// Who wished it first, and why.
    public var by: String
    public var note: String
    /// The second person; nil if it needs none, or has none yet.
    public var confirmedBy: String?
    /// When it was decided. Nil while it is a wish.
    public var decidedAt: Instant?

    /// The reason, with the second person.
    public var fullNote: String { note + (confirmedBy.map { " (confirmed by \($0))" } ?? "") }
}

extension [StandingDecision] {
    /// What stands after these steps, in the order of the first wishes.
    public init(_ steps: [DeskDecision]) {
        self = []
        for step in steps {
            let known = firstIndex { $0.kind == step.kind && $0.key == step.key }
            let wish = known.map { remove(at: $0) }
            if step.step == .withdraw { continue }
            let isDecided = step.step == .decide
            if isDecided, var wish, wish.decidedAt == nil {
                (wish.confirmedBy, wish.decidedAt) = (step.by, step.at)
                append(wish)
            } else {
                append(
                    StandingDecision(
                        kind: step.kind, key: step.key, by: step.by, note: step.note ?? "",
                        decidedAt: isDecided ? step.at : nil))
            }
        }
    }
}
