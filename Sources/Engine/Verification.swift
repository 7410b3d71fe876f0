public import Domain
internal import Exceptions
internal import Matching
public import Parallel

/// What a verification needs of a history besides what a night does.
public protocol VerifiableHistory: History {
    /// The evidence of a range of cases, without proving that it is what was written.
    func loadUnproven(cases: Range<Int64>) throws -> StoredEvidence
    /// The owners of these tokens, without proving the same.
    func unprovenOwners(of tokens: Set<Token>) throws -> [Token: TokenAccounts]
    func storedVerdicts(ofCases range: Range<Int64>) throws -> Set<StoredVerdict>
    func openCases(within range: Range<Int64>) throws -> Set<Int64>
    /// How many of these entries the history lacks.
    func countMissing(_ entries: [SuggestionEntry]) throws -> Int
    /// A hash of an order's token and account, and the sum of such hashes over all orders counted as owners.
    func ownerHash(_ token: Token, _ account: Identifier) -> UInt64
    func ownerSum() throws -> UInt64
}

/// A second opinion: everything a history holds, matched and judged again as of its last run, and compared with the
/// verdicts it keeps. It goes range by range, so that memory does not grow with the history.
public struct Verification {
    private let history: any VerifiableHistory
    private let basis: Basis
    private let threads: Int
    public private(set) var subjects = 0
    private var wrong: [String] = []
    private var open = 0
    private var openSeen = 0
    private var missingEntries = 0
    /// Of the owners of tokens: what the orders say less what the history keeps, as a sum of hashes.
    private var owners: UInt64 = 0
    private var unlinkedPurchases: [UnlinkedPurchase] = []
    private var unlinkedOrders: [UnlinkedOrder] = []
    private var exceptions: Set<SubjectKey> = []
    private var suggested: [SubjectKey: Flags] = [:]
    /// Case numbers in one range.
    private static let rangeSize: Int64 = 1 << 16

    /// - Throws: `Interrupted`; what the history throws.
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
        // Cases of which no evidence is left, or never was.
        open += try history.openCases().count - openSeen
        compareSuggestions()
        if basis.policy.tokenUse == .account { owners &-= try history.ownerSum() }
    }

    /// Subjects whose verdict is not the one kept.
    public var wrongSubjects: [String] { Set(wrong).sorted() }

    /// Indexes derived from verdicts that are not as they should be.
    public var derivedIndexProblems: [String] {
        var problems: [String] = []
        if open > 0 { problems.append("the list of open cases has \(open) cases too many or too few") }
        if missingEntries > 0 { problems.append("\(missingEntries) cases are missing from the index for suggestions") }
        if owners != 0 { problems.append("the stored owners of tokens do not match the orders") }
        return problems
    }

    private mutating func verify(_ range: Range<Int64>) throws {
        let stored = try history.loadUnproven(cases: range)
        let versions = Versions(stored.evidence, policy: basis.policy, threads: threads)
        let owners = try tokenOwners(of: stored.evidence, versions)
        let judged = JudgedCases(versions, basis, stored: stored.cases, threads: threads, owner: owners.owner)
        let numbers = CaseNumbering(of: judged.cases, stored: stored).numbers
        let verdicts = try judged.verdicts(threads: threads)
        try compare(verdicts, with: history.storedVerdicts(ofCases: range))
        let known = try history.openCases(within: range)
        openSeen += known.count
        open += verdicts.openCases(numbers).symmetricDifference(known).count
        missingEntries += try history.countMissing(verdicts.suggestionEntries(numbers))
        unlinkedPurchases += verdicts.unlinkedPurchases.map(\.purchase)
        unlinkedOrders += verdicts.unlinkedOrders.map(\.order)
    }

    private mutating func tokenOwners(of evidence: Evidence, _ versions: Versions) throws -> TokenOwners {
        guard basis.policy.tokenUse == .account else { return TokenOwners() }
        for (token, account) in versions.tokenOrders { owners &+= history.ownerHash(token, account) }
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
        exceptions.formUnion(verdicts.all.lazy.filter(\.verdict.isException).map(\.subject))
    }

    /// Which order an exception may belong to depends on all cases together.
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
