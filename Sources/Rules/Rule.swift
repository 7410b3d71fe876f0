/// One rule of the catalogue: when a verdict applies, why, and who is short by how much.
/// See docs/spec/rules.md#verdicts.
///
/// A rule is a pure function of the facts. It does not know the rules before it; the catalogue's order takes care of
/// that.
protocol Rule: SendableMetatype {
    /// Nil if the rule does not apply.
    static func finding(_ facts: Facts) -> Finding?
}

struct Finding {
    var verdict: Verdict
    var cause: Cause = .none
    /// The instant from which grace and age count.
    var anchor: Instant
    /// The subject waits until anchor + grace. Nil: the finding holds at once.
    var grace: Milliseconds?
    /// The feed that could prove otherwise. While it has a gap since the anchor's day, the subject is undetermined.
    /// Nil: none.
    var provenBy: FeedKind?
    var short: ShortParty = .nobody
    /// The effect: value credited less value owed. Nil if unknown.
    var effect: Money?
    /// Fields in which the evidence disagrees.
    var differences: [Difference] = []
}
