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
    private var watched = 0
    private var watchedSeen = 0
    private var looseEnds = 0
    /// Of the owners of tokens: what the orders say less what the ledger keeps, as a sum of hashes.
    private var owners: UInt64 = 0
    private var loosePurchases: [LoosePurchase] = []
    private var unusedOrders: [UnusedOrder] = []
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
            configuration, Gathered(), known: ledger.outline(of: run).blindSpots, ledger: ledger,
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
        watched += try ledger.watchedCases().count - watchedSeen
        compareSuggestions()
        if policy.tokenUse == .account { owners &-= try ledger.ownerSum() }
    }

    /// Subjects whose verdict is not the one kept.
    var wrongSubjects: [String] { Set(wrong).sorted() }

    /// What nights go by and is not as it should be.
    var wrongGuides: [String] {
        var problems: [String] = []
        if watched > 0 { problems.append("\(watched) cases are looked at every night, or not, for no reason") }
        if looseEnds > 0 { problems.append("\(looseEnds) cases would not be found for suggestions") }
        if owners != 0 { problems.append("owners of tokens are not what the orders say") }
        return problems
    }

    private mutating func look(at cases: Range<Int64>, next: Int64) throws {
        let recalled = try ledger.recall(cases: cases, through: .max, isProven: false)
        let copies = Copies(recalled.evidence, policy: policy, threads: threads)
        let tokens = try tokens(of: recalled.evidence, copies)
        let book = CaseBook(
            copies, policy: policy, threads: threads, stored: recalled.stored, owner: tokens.owner)
        let numbering = CaseNumbering(book, recalled: recalled, next: next)
        let rulings = try Judging(
            book: book, policy: policy, horizon: horizon, tokens: tokens,
            firstDelivery: .max, followed: []
        ).rulings(threads: threads)
        try compare(rulings, with: ledger.recordedVerdicts(ofCases: cases))
        let known = try ledger.watchedCases(within: cases)
        watchedSeen += known.count
        watched += rulings.watched(numbering).symmetricDifference(known).count
        looseEnds += try ledger.missing(rulings.looseEnds(numbering, ledger))
        loosePurchases += rulings.loosePurchases.map(\.purchase)
        unusedOrders += rulings.unusedOrders.map(\.order)
    }

    private mutating func tokens(of evidence: Evidence, _ copies: Copies) throws -> TokenBook {
        guard policy.tokenUse == .account else { return TokenBook() }
        for (token, account) in copies.tokenOrders { owners &+= ledger.ownerHash(token, account) }
        let all = evidence.orders.compactMap(\.token) + evidence.transactions.compactMap(\.token)
        return try TokenBook(ledger.owners(of: Set(all), isProven: false))
    }

    private mutating func compare(_ rulings: Rulings, with recorded: Set<RecordedVerdict>) {
        subjects += recorded.count
        var kept = Set<RecordedVerdict>()
        for var verdict in recorded {
            let suggestion = verdict.flags.intersection(.suggestion)
            if !suggestion.isEmpty { suggested[verdict.subject] = suggestion }
            verdict.flags.subtract(.suggestion)
            kept.insert(verdict)
        }
        wrong += kept.symmetricDifference(rulings.verdicts).map(\.subject.text)
        exceptions.formUnion(rulings.kept.map(\.judgement.subject))
    }

    /// Which order an exception may belong to is told by all cases together.
    private mutating func compareSuggestions() {
        let found = suggestions(for: loosePurchases, among: unusedOrders, window: policy.suggestionWindow)
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
