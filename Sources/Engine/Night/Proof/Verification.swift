internal import Matching

/// Matches and judges everything that a history holds again, as of its last run, and compares the result with the
/// verdicts on record. Cases are read in ranges, so memory does not grow with the history.
public struct Verification {
    private let history: any VerifiableHistory
    private let basis: Basis
    private let threads: Int
    public private(set) var subjects = 0
    /// The keys of subjects whose verdict differs; may contain a key twice.
    private var wrong: [String] = []
    /// How many cases the list of open cases has too many or too few.
    private var open = 0
    /// How many cases of the list of open cases were seen in some range.
    private var openSeen = 0
    private var missingEntries = 0
    /// The tables of counted purchases that differ from those on record, as they should be; empty where none should be.
    public private(set) var recounted: [TableKey: EncodedTable] = [:]
    /// Token owners: the sum of the hashes of all orders, less the sum that the history keeps. 0 if they agree.
    private var owners: UInt64 = 0
    private var unlinkedPurchases: [UnlinkedPurchase] = []
    private var unlinkedOrders: [UnlinkedOrder] = []
    private var exceptions: Set<SubjectKey> = []
    /// The suggestion flags on record, by subject.
    private var suggested: [SubjectKey: Flags] = [:]
    /// How many case numbers are read at a time: whole blocks of counted purchases.
    private static let rangeSize = 4 * Int(TableKey.casesPerBlock)

    /// - Throws: `Interrupted`; whatever the history throws.
    public init(
        _ history: some VerifiableHistory, _ basis: Basis, threads: Int = 1, work: WorkCount = WorkCount()
    ) throws {
        self.history = history
        self.basis = basis
        self.threads = threads
        let ranges = try history.ranges(ofCases: Self.rangeSize)
        work.expect(rows: ranges.reduce(0) { $0 + $1.count })
        for cases in ranges {
            try Interruption.process.check()
            try verify(cases)
            work.add(rows: cases.count)
        }
        // The rest are open cases without any evidence: no range contains them.
        open += try history.openCases().count - openSeen
        compareSuggestions()
        if basis.policy.tokenUse == .account { owners &-= try history.ownerSum() }
    }

    /// The keys of the subjects whose verdict is not the one on record, sorted.
    public var wrongSubjects: [String] { Set(wrong).ordered() }

    /// What is wrong with the indexes derived from verdicts, one sentence each.
    public var derivedIndexProblems: [String] {
        var problems: [String] = []
        if open > 0 {
            problems.append("the list of open cases has \(counted(open, "case", "cases")) too many or too few")
        }
        if missingEntries > 0 {
            problems.append(
                counted(missingEntries, "entry is", "entries are") + " missing from the index for suggestions")
        }
        problems += Set(recounted.keys.map(\.date)).ordered().map {
            "the counted purchases of \($0.text) do not match the cases"
        }
        if owners != 0 { problems.append("the stored owners of tokens do not match the orders") }
        return problems
    }

    private mutating func verify(_ range: Range<CaseID>) throws {
        let stored = try history.loadUnproven(cases: range)
        let versions = Versions(stored.evidence, policy: basis.policy, threads: threads)
        let owners = try tokenOwners(of: stored.evidence, versions)
        let judged = JudgedCases(versions, basis, stored: stored.cases, threads: threads, owner: owners.owner)
        let numbers = CaseNumbering(of: judged.cases, stored: stored).numbers
        let verdicts = try judged.verdicts(Observer(numbers: numbers), threads: threads)
        try compare(verdicts, with: history.storedVerdicts(ofCases: range))
        let known = try history.openCases(within: range)
        openSeen += known.count
        open += verdicts.openCases(numbers).symmetricDifference(known).count
        missingEntries += try history.countMissing(verdicts.suggestionEntries(numbers))
        unlinkedPurchases += verdicts.findings.unlinkedPurchases
        unlinkedOrders += verdicts.findings.unlinkedOrders
        try compare(verdicts.findings.tables, with: history.tables(ofBlocks: TableKey.blocks(of: range)))
    }

    private mutating func compare(_ pieces: TablePieces, with recorded: [TableKey: EncodedTable]) throws {
        let counted = try pieces.merged(
            with: [:], judged: [], changed: ChangedCases(known: [], firstNew: 0), threads: threads)
        for key in Set(counted.keys).union(recorded.keys) where counted[key] != recorded[key] {
            recounted[key] = counted[key] ?? .empty
        }
    }

    private mutating func tokenOwners(of evidence: Evidence, _ versions: Versions) throws -> TokenOwners {
        guard basis.policy.tokenUse == .account else { return TokenOwners() }
        versions.forEachTokenClaim { owners &+= history.ownerHash($0, $1) }
        return TokenOwners(try history.unprovenOwners(of: evidence.tokens))
    }

    private mutating func compare(_ verdicts: Verdicts, with recorded: Set<StoredVerdict>) {
        subjects += recorded.count
        var kept = Set<StoredVerdict>()
        for var verdict in recorded {
            let suggestion = verdict.flags.intersection(.suggestion)
            if !suggestion.isEmpty { suggested[verdict.subject] = suggestion }
            verdict.flags.subtract(.suggestion)
            kept.insert(verdict)
        }
        wrong += kept.symmetricDifference(verdicts.stored).map(\.subject.text)
        exceptions.formUnion(verdicts.all.lazy.map(\.stored).filter(\.verdict.isException).map(\.subject))
    }

    /// Compares suggestions at the end, because they depend on all cases together.
    private mutating func compareSuggestions() {
        let found = suggestions(for: unlinkedPurchases, among: unlinkedOrders, window: basis.policy.suggestionWindow)
        let expected = found.filter { exceptions.contains($0.key) }.mapValues { suggestion -> Flags in
            suggestion == .ambiguous ? .ambiguousOrder : .suggestedOrder
        }
        for subject in Set(expected.keys).union(suggested.keys) where expected[subject] != suggested[subject] {
            wrong.append(subject.text)
        }
    }
}

extension Flags {
    fileprivate static let suggestion: Flags = [.suggestedOrder, .ambiguousOrder]
}
