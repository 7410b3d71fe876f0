internal import Domain

/// One line of the catalogue: when a verdict applies, why, and what it costs whom. RULES §3.
///
/// A rule is a pure function of the facts. It does not know the rules before it: the catalogue's order does.
protocol Rule: SendableMetatype {
    /// Nil where the rule does not apply.
    static func finding(_ facts: Facts) -> Finding?
}

/// What a rule found.
struct Finding {
    var verdict: Verdict
    var cause: Cause = .none
    /// From when grace and age count.
    var anchor: Instant
    /// Until anchor + grace the subject waits. Nil: it stands at once.
    var grace: Milliseconds?
    /// The feed that could prove otherwise: while it lacks a day from the anchor's on, nobody can judge.
    var provenBy: FeedKind?
    var short: ShortParty = .nobody
    /// Value credited less value owed.
    var effect: Money?
    var differences: [Difference] = []
}
