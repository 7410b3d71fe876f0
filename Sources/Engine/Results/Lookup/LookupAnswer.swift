/// The answer to a look-up of one identifier: facts, without words. See docs/spec/interfaces.md#lookup-json.
public struct LookupAnswer: Sendable {
    /// The identifier that was looked up.
    public var identifier: String
    /// What was found, where it is not the text as typed: another spelling, or the identifiers in a sentence or in a
    /// pasted record.
    public var readAs: [String] = []
    /// The signed record that was pasted instead of an identifier; nil if none was.
    public var pasted: PastedRecord?
    /// If the identifier is unknown: what the agent can do next.
    public var route: LookupRoute?
    /// The business date of the last night, and how many hours ago it ended. Nil while it is recent.
    public var staleness: LookupStaleness?
    /// The first and last business date in the ledger.
    public var covers: ClosedRange<BusinessDate>
    /// The horizon of the last night. Nothing later is known.
    public var knowsUpTo: Instant
    /// Files of required feeds that are missing.
    public var coverageGaps: [CoverageGap] = []
    /// What the identifier belongs to, newest first.
    public var subjects: [LookupSubject] = []
    /// How many older subjects are not included.
    public var subjectsMore = 0
    /// If the identifier is unknown: similar ones, without any facts about them.
    public var near: [NearIdentifier] = []
    /// Whether the identifier is an account or a token, which a masked answer hides.
    public var isPersonal = false

    /// Whether the identifier is known.
    public var isFound: Bool { !subjects.isEmpty }
}
