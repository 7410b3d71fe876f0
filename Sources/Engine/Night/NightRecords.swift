public import Matching

/// What the history keeps about the cases of one night: evidence, verdicts, and what is derived from them.
public struct NightRecords: Sendable {
    /// The cases, stored evidence first. They take most of a night's memory: once they are written, the caller may
    /// replace them with an empty set.
    public var cases = CaseSet()
    /// The ledger's number of each case, and which cases to write.
    public private(set) var numbering = CaseNumbering()
    /// The verdicts of all cases judged tonight: those of `cases`, then of cases judged apart.
    public internal(set) var verdicts = Verdicts()
    /// The history's cases that were judged again.
    public private(set) var judgedAgain: Set<CaseID> = []
    /// Of these, the cases whose evidence is in `cases`.
    let loaded: Set<CaseID>
    /// Whether the verdicts are those of every case of the history, and nothing else is on record after tonight.
    public let isRebuilt: Bool
    /// The verdicts on record of the cases that were judged again. Empty if every case was.
    public private(set) var recorded: [CaseID: [StoredVerdict]] = [:]
    /// The owners of tokens after tonight.
    public private(set) var owners = TokenOwners()
    /// Facts about the whole history after tonight.
    public let facts: LedgerFacts
    /// The counted purchases that tonight changes; empty where none is left.
    public internal(set) var tables: [TableKey: EncodedTable] = [:]

    /// - Parameter tonight: consumed, because `verdicts` are changed later, and changing a shared array copies it.
    init(of tonight: consuming NightCases, in history: some History) throws {
        cases = tonight.cases
        numbering = tonight.numbering
        verdicts = tonight.verdicts
        owners = tonight.owners
        facts = tonight.facts
        judgedAgain = tonight.ids
        loaded = tonight.prior.ids
        isRebuilt = tonight.prior.isEverything
        recorded = isRebuilt ? [:] : try history.verdicts(of: judgedAgain)
    }

    /// For a history whose evidence lies elsewhere: nothing but the facts.
    init(_ facts: LedgerFacts) {
        self.facts = facts
        loaded = []
        isRebuilt = true
    }

    /// The cases that the next night must judge again.
    public var openCases: Set<CaseID> { verdicts.openCases(numbering.numbers) }

    /// The keys under which later nights find the unlinked evidence and the stray credits of these cases.
    public var suggestionEntries: [SuggestionEntry] { verdicts.suggestionEntries(numbering.numbers) }

    /// The cases on record, and of tonight's new ones, whose evidence or verdicts are not those on record.
    var changedCases: Set<CaseID> {
        var changed = numbering.cleared
        if judgedAgain.isEmpty { return changed }
        for index in numbering.dirty { changed.insert(numbering.numbers[Int(index)]) }
        var start = 0
        while start < verdicts.all.count {
            let own = verdicts.all.ofCase(at: start)
            let caseID = numbering.numbers[Int(verdicts.all[start].caseIndex)]
            if let known = recorded[caseID], known != own.map(\.stored) { changed.insert(caseID) }
            start = own.endIndex
        }
        return changed
    }
}

extension [SubjectVerdict] {
    /// The verdicts of the case whose first verdict is at `start`.
    public func ofCase(at start: Int) -> ArraySlice<SubjectVerdict> {
        var end = start + 1
        while end < count, self[end].caseIndex == self[start].caseIndex { end += 1 }
        return self[start..<end]
    }
}
