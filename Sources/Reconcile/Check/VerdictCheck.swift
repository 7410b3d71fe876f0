internal import Domain
internal import Ledger
internal import Matching

/// Everything the ledger holds, matched and judged as of a run, beside what it keeps of that: piece by piece, so that
/// memory does not grow with the ledger.
struct VerdictCheck {
    private let ledger: Ledger
    private let policy: Policy
    private let horizon: Horizon
    private let threads: Int
    private(set) var subjects = 0
    private var wrong: [String] = []
    private var openCases = 0
    private var watchedSeen = 0
    private var suggestionKeys = 0
    /// Of the owners of tokens: what the orders say less what the ledger keeps, as a sum of hashes.
    private var owners: UInt64 = 0
    private var unlinkedPurchases: [UnlinkedPurchase] = []
    private var unlinkedOrders: [UnlinkedOrder] = []
    private var exceptions: Set<SubjectKey> = []
    private var suggested: [SubjectKey: Flags] = [:]
    /// Cases a piece.
    private static let pieceSize: Int64 = 1 << 16

    init(
        _ ledger: Ledger, _ configuration: Configuration, products: [Product], run: RunRecord, threads: Int,
        work: WorkCount = WorkCount()
    ) throws {
        self.ledger = ledger
        self.threads = threads
        var policy = configuration.policy
        policy.products = ProductList(products)
        policy.facts = try ledger.facts()
        self.policy = policy
        let coverage = try Night.coverage(
            configuration, Delivered(), known: ledger.outline(of: run).coverageGaps, ledger: ledger,
            through: run.businessDate)
        horizon = Horizon(instant: run.horizon, businessDate: run.businessDate, coverage: coverage.coverage)
        let end = try ledger.nextCase()
        let pieces = try ledger.pieces(ofCases: Self.pieceSize)
        work.expect(rows: pieces.reduce(0) { $0 + $1.count })
        for cases in pieces {
            try Interruption.process.check()
            try look(at: cases, next: end)
            work.add(rows: cases.count)
        }
        // Cases of which no evidence is left, or never was.
        openCases += try ledger.openCases().count - watchedSeen
        compareSuggestions()
        if policy.tokenUse == .account { owners &-= try ledger.ownerSum() }
    }

    /// Subjects whose verdict is not the one kept.
    var wrongSubjects: [String] { Set(wrong).sorted() }

    /// What nights go by and is not as it should be.
    var derivedIndexProblems: [String] {
        var problems: [String] = []
        if openCases > 0 { problems.append("the list of open cases has \(openCases) cases too many or too few") }
        if suggestionKeys > 0 { problems.append("\(suggestionKeys) cases are missing from the index for suggestions") }
        if owners != 0 { problems.append("the stored owners of tokens do not match the orders") }
        return problems
    }

    private mutating func look(at cases: Range<Int64>, next: Int64) throws {
        let prior = try ledger.load(cases: cases, through: .max, isProven: false)
        let versions = Versions(prior.evidence, policy: policy, threads: threads)
        let tokens = try tokens(of: prior.evidence, versions)
        let book = CaseSet(
            versions, policy: policy, threads: threads, stored: prior.stored, owner: tokens.owner)
        let numbering = CaseNumbering(book, prior: prior, next: next)
        let verdicts = try CaseJudge(
            book: book, policy: policy, horizon: horizon, tokens: tokens,
            firstDelivery: .max, followed: []
        ).verdicts(threads: threads)
        try compare(verdicts, with: ledger.recordedVerdicts(ofCases: cases))
        let known = try ledger.openCases(within: cases)
        watchedSeen += known.count
        openCases += verdicts.openCases(numbering).symmetricDifference(known).count
        suggestionKeys += try ledger.missing(verdicts.suggestionKeys(numbering, ledger))
        unlinkedPurchases += verdicts.unlinkedPurchases.map(\.purchase)
        unlinkedOrders += verdicts.unlinkedOrders.map(\.order)
    }

    private mutating func tokens(of evidence: Evidence, _ versions: Versions) throws -> TokenBook {
        guard policy.tokenUse == .account else { return TokenBook() }
        for (token, account) in versions.tokenOrders { owners &+= ledger.ownerHash(token, account) }
        let all = evidence.orders.compactMap(\.token) + evidence.transactions.compactMap(\.token)
        return try TokenBook(ledger.owners(of: Set(all), isProven: false))
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
        exceptions.formUnion(verdicts.kept.map(\.judgement.subject))
    }

    /// Which order an exception may belong to is told by all cases together.
    private mutating func compareSuggestions() {
        let found = suggestions(for: unlinkedPurchases, among: unlinkedOrders, window: policy.suggestionWindow)
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
