internal import Domain
internal import Ledger
internal import Matching
internal import Rules

/// One subject's verdict, as small as the ledger keeps it: there are as many as purchases.
struct SubjectVerdict: Sendable {
    var subject: SubjectKey
    var flags: Flags
    /// Tonight's number of the case.
    var caseIndex: Int32
    @PackedOptional var amount: Money?
    var verdict: Verdict
    var cause: Cause
}

/// What the rules say of tonight's cases.
struct Verdicts: Sendable {
    /// All subjects, by case, then as the case has them.
    var all: [SubjectVerdict] = []
    /// The whole judgement of those that the book must see, in the same order, with their positions in `all`.
    var kept: [(judgement: Judgement, position: Int)] = []
    var unlinkedPurchases: [(purchase: UnlinkedPurchase, caseIndex: Int32)] = []
    var unlinkedOrders: [(order: UnlinkedOrder, caseIndex: Int32)] = []
    var strayCredits: [StrayCredit] = []
    var refunds: [RefundLine] = []
    /// What a machine may do, by the subject's position in `all`.
    var demands: [Int: RetryDemand] = [:]
    /// Cases in which an order's word for a credit counts until a credits file comes, or does not.
    var awaitingCredits: [Int32] = []
    /// When the purchases were made that have no credit at all, and the transactions of other apps.
    var uncredited: [Instant] = []
    var foreign: [Instant] = []

    mutating func append(_ other: Verdicts) {
        uncredited += other.uncredited
        foreign += other.foreign
        for (position, demand) in other.demands { demands[position + all.count] = demand }
        kept += other.kept.map { ($0.judgement, $0.position + all.count) }
        all += other.all
        unlinkedPurchases += other.unlinkedPurchases
        unlinkedOrders += other.unlinkedOrders
        strayCredits += other.strayCredits
        refunds += other.refunds
        awaitingCredits += other.awaitingCredits
    }
}

extension Verdicts {
    var stored: Set<StoredVerdict> {
        Set(all.map(\.record))
    }

    /// The ledger's numbers of the cases to look at every night.
    func openCases(_ numbering: CaseNumbering) -> Set<Int64> {
        var cases = Set(awaitingCredits.map { numbering.numbers[Int($0)] })
        for ruling in all where ruling.isOpenCase { cases.insert(numbering.numbers[Int(ruling.caseIndex)]) }
        return cases
    }

    /// What may be suggested for evidence of other cases, or may have been meant for it.
    func suggestionKeys(_ numbering: CaseNumbering, _ ledger: Ledger) -> [SuggestionKey] {
        unlinkedPurchases.map { loose in
            SuggestionKey(
                key: ledger.suggestionHash(account: loose.purchase.owner, product: loose.purchase.product),
                caseID: numbering.numbers[Int(loose.caseIndex)])
        }
            + unlinkedOrders.map { unused in
                SuggestionKey(
                    key: ledger.suggestionHash(account: unused.order.account, product: unused.order.product),
                    caseID: numbering.numbers[Int(unused.caseIndex)])
            }
            + strayCredits.flatMap { stray in
                stray.keys(ledger).map { SuggestionKey(key: $0, caseID: numbering.numbers[Int(stray.caseIndex)]) }
            }
    }
}

extension SubjectVerdict {
    var record: StoredVerdict {
        StoredVerdict(subject: subject, verdict: verdict, cause: cause, flags: flags, amount: amount)
    }

    fileprivate var isOpenCase: Bool { verdict.isException || verdict == .waiting || verdict == .undetermined }
}

/// Judges every case of a book, on all cores; the result does not depend on how many there are.
struct CaseJudge: Sendable {
    let book: CaseSet
    let policy: Policy
    let horizon: Horizon
    let tokens: TokenBook
    /// Evidence from this delivery on is tonight's.
    let firstDelivery: Int32
    /// Cases of which some exception is known: the book must see all their subjects.
    let followed: Set<Int32>

    func verdicts(threads: Int, work: WorkCount = WorkCount()) throws -> Verdicts {
        work.expect(rows: book.count)
        let chunk = 4096
        let count = (book.count + chunk - 1) / chunk
        var none = Verdicts()
        none.all.reserveCapacity(book.count + book.count / 64)
        let joined = OrderedReducer<Verdicts, Verdicts>(into: none) { $0.append($1) }
        _ = concurrently(threads: threads, count) { index in
            if Interruption.process.isRequested { return }
            let range = index * chunk..<min(book.count, (index + 1) * chunk)
            work.add(rows: range.count)
            joined.add(verdicts(of: range), at: index)
        }
        try Interruption.process.check()
        return joined.result().whole
    }

    private func verdicts(of range: Range<Int>) -> Verdicts {
        var file = Case()
        var verdicts = Verdicts()
        verdicts.all.reserveCapacity(range.count)
        let settled = CleanMatch(policy: policy)
        for number in range {
            if let ruling = ruling(ofSettled: number, settled) {
                verdicts.all.append(ruling)
                continue
            }
            book.load(number, into: &file)
            judge(file, number: Int32(number), into: &verdicts)
        }
        return verdicts
    }

    /// Nil where the case is to be judged by the rules.
    private func ruling(ofSettled number: Int, _ settled: CleanMatch) -> SubjectVerdict? {
        guard let singleton = book.singleton(number), followed.isEmpty || !followed.contains(Int32(number)) else {
            return nil
        }
        let transaction = book.transactions[singleton.transaction]
        guard
            let amount = settled.amount(
                transaction, book.orders[singleton.order], book.credits[singleton.credit],
                singleton.receipt.map { book.receipts[$0] },
                owner: tokens.owner)
        else { return nil }
        return SubjectVerdict(
            subject: SubjectKey(.transaction, transaction.id), flags: [], caseIndex: Int32(number), amount: amount,
            verdict: .matched, cause: .none)
    }

    private func judge(_ file: Case, number: Int32, into verdicts: inout Verdicts) {
        let subjects = subjects(of: file, policy: policy, horizon: horizon, owner: tokens.owner)
        for subject in subjects {
            let judgement = Rules.judge(Facts(subject: subject, file: file, policy: policy, horizon: horizon))
            if judgement.verdict.isException || followed.contains(number) {
                verdicts.kept.append((judgement, verdicts.all.count))
            }
            verdicts.demands[verdicts.all.count] = RetryDemand(
                judgement, of: subject, in: file, policy: policy, horizon: horizon)
            verdicts.all.append(
                SubjectVerdict(
                    subject: judgement.subject, flags: judgement.flags, caseIndex: number, amount: judgement.amount,
                    verdict: judgement.verdict, cause: judgement.cause))
            if let leading = subject.leading, !file.transactions[leading].isFromReceipt {
                let purchasedAt = file.transactions[leading].purchasedAt
                if judgement.verdict == .paidNotCredited, subject.credits.isEmpty {
                    verdicts.uncredited.append(purchasedAt)
                } else if judgement.verdict == .invalidTransaction, judgement.cause == .wrongBundle {
                    verdicts.foreign.append(purchasedAt)
                }
            }
            if let loose = subject.unlinkedPurchase(in: file, policy: policy) {
                verdicts.unlinkedPurchases.append((loose, number))
            }
            verdicts.strayCredits += file.strayCredits(of: subject, number: number)
            if let refund = RefundLine(subject, judgement, in: file, since: firstDelivery) {
                verdicts.refunds.append(refund)
            }
        }
        if file.awaitsCredits(horizon: horizon, zone: policy.zone) { verdicts.awaitingCredits.append(number) }
        for order in file.unlinkedOrders(policy: policy) { verdicts.unlinkedOrders.append((order, number)) }
    }
}

extension RefundLine {
    /// Nil unless the subject is revoked and tonight's evidence told of it.
    init?(_ subject: Subject, _ judgement: Judgement, in file: Case, since delivery: Int32) {
        guard let revocation = subject.revocation, let leading = subject.leading,
            subject.transactions.contains(where: { file.transactions[$0].source.delivery >= delivery })
        else { return nil }
        let transaction = file.transactions[leading]
        let isPartial = revocation.type == .refundProrated || (revocation.percentage ?? 100_000) < 100_000
        self.init(
            transaction: transaction.id.text, product: transaction.product.text, account: subject.owner?.text,
            purchasedAt: transaction.purchasedAt.milliseconds, revokedAt: revocation.at.milliseconds,
            reason: revocation.reason,
            kind: revocation.type == .familyRevoke ? "family" : isPartial ? "partial" : "full",
            percentage: revocation.percentage, amount: judgement.amount.map(Amount.init), verdict: judgement.verdict,
            cause: judgement.cause)
    }
}
