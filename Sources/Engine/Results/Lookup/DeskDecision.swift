/// One step of a decision that a user of the desk's page made. See docs/spec/interfaces.md#desk-decisions.
public struct DeskDecision: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case waive, release, given, gap

        /// Whether a withdrawal on the forms of decisions says why. A hand-out has a form of its own.
        public func asksWhy(ofOther isOthers: Bool) -> Bool { self == .waive || self == .release && isOthers }
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
    /// The account that a lead named for a hand-out; nil for the payment's owner.
    public var account: String?
    /// The reason; nil for a withdrawal without one.
    public var note: String?
    public var step: Step

    public init(
        _ kind: Kind, _ key: String, _ step: Step, by: String, at: Instant, account: String? = nil, note: String? = nil
    ) {
        (self.kind, self.key, self.step, self.by, self.at) = (kind, key, step, by, at)
        (self.account, self.note) = (account, note)
    }
}

extension DeskDecision: MemberRecord {
    public static var blank: Self { Self(.waive, "", .wish, by: "", at: .absent) }

    public mutating func describe(_ members: inout Members) {
        members.value("account", &account)
        members.value("at", time: &at)
        members.value("by", &by)
        members.value("key", &key)
        members.value("kind", &kind)
        members.value("note", &note)
        members.value("step", &step)
    }
}

public struct StandingDecision: Hashable, Sendable {
    public var kind: DeskDecision.Kind
    public var key: String
    /// Who wished it first, and why.
    public var by: String
    /// The account that a lead named for a hand-out; nil for the payment's owner.
    public var account: String?
    public var note: String
    /// When it became a wish, or was decided.
    public var at: Instant
    /// The second person; nil if it needs none, or has none yet.
    public var confirmedBy: String?
    /// When it was decided. Nil while it is a wish.
    public var decidedAt: Instant?

    /// A wish to give the goods to another account than the payment's owner, who was not known then.
    public func isLapsed(owner: String?) -> Bool {
        guard decidedAt == nil, let owner, let account else { return false }
        return account != owner
    }

    /// Whether a second user may also refuse it, because the purchase's answer then says why. Where a lead named an account,
    /// leads alone do.
    public var isRefusable: Bool {
        decidedAt == nil && ([.waive, .release].contains(kind) || kind == .given && account == nil && note.isEmpty)
    }

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
                (wish.confirmedBy, wish.decidedAt, wish.at) = (step.by, step.at, step.at)
                append(wish)
            } else {
                append(
                    StandingDecision(
                        kind: step.kind, key: step.key, by: step.by, account: step.account, note: step.note ?? "",
                        at: step.at, decidedAt: isDecided ? step.at : nil))
            }
        }
    }
}

/// A hand-out, a waiver or a request for one that a person withdrew, or a request to give goods or to release them that another
/// person refused. Whoever reads the purchase next must know of it.
public struct WithdrawnDecision: Hashable, Sendable {
    public var decision: DeskDecision
    public var withdrawal: DeskDecision
    /// The second user, who confirmed the decision. Nil if there was none.
    public var confirmedBy: String?

    fileprivate init(_ decision: DeskDecision, _ withdrawal: DeskDecision, confirmedBy: String?) {
        (self.decision, self.withdrawal, self.confirmedBy) = (decision, withdrawal, confirmedBy)
    }

    public init(withdrawn handOut: HandOut, by withdrawal: HandOut) {
        self.init(
            DeskDecision(handOut, .decide), DeskDecision(withdrawal, .withdraw), confirmedBy: handOut.confirmedBy)
    }
}

extension DeskDecision {
    fileprivate init(_ handOut: HandOut, _ step: Step) {
        self.init(
            .given, handOut.transaction.text, step, by: handOut.by, at: handOut.at, account: handOut.account,
            note: handOut.note.isEmpty ? nil : handOut.note)
    }
}

extension [WithdrawnDecision] {
    /// The waivers and the requests for one that were withdrawn, the requests to give goods that another person refused, and
    /// the releases that another person refused or withdrew.
    public init(_ steps: [DeskDecision]) {
        self = steps.indices.filter { steps[$0].step == .withdraw }.compactMap { index in
            let (kind, key, by) = (steps[index].kind, steps[index].key, steps[index].by)
            let before = [StandingDecision](steps[..<index].filter { $0.kind == kind && $0.key == key }).first
            guard let before,
                kind.asksWhy(ofOther: before.by != by)
                    || kind == .given && before.decidedAt == nil && before.by != by
            else { return nil }
            let decision = DeskDecision(
                kind, key, before.decidedAt == nil ? .wish : .decide, by: before.by, at: before.at,
                account: before.account, note: before.note.isEmpty ? nil : before.note)
            return WithdrawnDecision(decision, steps[index], confirmedBy: before.confirmedBy)
        }
    }
}
