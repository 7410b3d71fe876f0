public import Domain

/// The answer to a look-up of one identifier: facts, without words. See docs/spec/interfaces.md#lookup-json.
public struct LookupAnswer: Sendable {
    /// The identifier that was looked up.
    public var identifier: String
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

    /// An answer without subjects.
    public init(identifier: String, covers: ClosedRange<BusinessDate>, knowsUpTo: Instant) {
        self.identifier = identifier
        self.covers = covers
        self.knowsUpTo = knowsUpTo
    }
}
