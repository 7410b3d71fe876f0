internal import Domain
internal import Ledger
internal import Matching
internal import Rules

/// One subject's verdict, as small as the ledger keeps it: there are as many as purchases.
struct Ruling: Sendable {
    var subject: SubjectKey
    var flags: Flags
    /// Tonight's number of the case.
    var caseNumber: Int32
    @Compact var amount: Money?
    var verdict: Verdict
    var cause: Cause
}

/// What the rules say of tonight's cases.
struct Rulings: Sendable {
    /// All subjects, by case, then as the case has them.
    var all: [Ruling] = []
    /// The whole judgement of those that the book must see, in the same order, with their positions in `all`.
    var kept: [(judgement: Judgement, position: Int)] = []
    var loosePurchases: [(purchase: LoosePurchase, caseNumber: Int32)] = []
    var unusedOrders: [(order: UnusedOrder, caseNumber: Int32)] = []
    var strayCredits: [StrayCredit] = []
    var refunds: [RefundLine] = []
    /// What a machine may do, by the subject's position in `all`.
    var demands: [Int: RetryDemand] = [:]
    /// Cases in which an order's word for a credit counts until a credits file comes, or does not.
    var awaitingCredits: [Int32] = []
    /// When the purchases were made that have no credit at all, and the transactions of other apps.
    var uncredited: [Instant] = []
    var foreign: [Instant] = []

    mutating func append(_ other: Rulings) {
        uncredited += other.uncredited
        foreign += other.foreign
        for (position, demand) in other.demands { demands[position + all.count] = demand }
        kept += other.kept.map { ($0.judgement, $0.position + all.count) }
        all += other.all
        loosePurchases += other.loosePurchases
        unusedOrders += other.unusedOrders
        strayCredits += other.strayCredits
        refunds += other.refunds
        awaitingCredits += other.awaitingCredits
    }
}

extension Rulings {
    var verdicts: Set<RecordedVerdict> {
        Set(all.map(\.record))
    }

    /// The ledger's numbers of the cases to look at every night.
    func watched(_ numbering: CaseNumbering) -> Set<Int64> {
        var cases = Set(awaitingCredits.map { numbering.numbers[Int($0)] })
        for ruling in all where ruling.isWatched { cases.insert(numbering.numbers[Int(ruling.caseNumber)]) }
        return cases
    }

    /// What may be suggested for evidence of other cases, or may have been meant for it.
    func looseEnds(_ numbering: CaseNumbering, _ ledger: Ledger) -> [LooseEnd] {
        loosePurchases.map { loose in
            LooseEnd(
                key: ledger.looseKey(account: loose.purchase.owner, product: loose.purchase.product),
                caseFile: numbering.numbers[Int(loose.caseNumber)])
        }
            + unusedOrders.map { unused in
                LooseEnd(
                    key: ledger.looseKey(account: unused.order.account, product: unused.order.product),
                    caseFile: numbering.numbers[Int(unused.caseNumber)])
            }
            + strayCredits.flatMap { stray in
                stray.keys(ledger).map { LooseEnd(key: $0, caseFile: numbering.numbers[Int(stray.caseNumber)]) }
            }
    }
}

extension Ruling {
    var record: RecordedVerdict {
        RecordedVerdict(subject: subject, verdict: verdict, cause: cause, flags: flags, amount: amount)
    }

    fileprivate var isWatched: Bool { verdict.isException || verdict == .waiting || verdict == .undetermined }
}

/// Judges every case of a book, on all cores; the result does not depend on how many there are.
struct Judging: Sendable {
    let book: CaseBook
    let policy: Policy
    let horizon: Horizon
    let tokens: TokenBook
    /// Evidence from this delivery on is tonight's.
    let firstDelivery: Int32
    /// Cases of which some exception is known: the book must see all their subjects.
    let followed: Set<Int32>

    func rulings(threads: Int, work: WorkCount = WorkCount()) throws -> Rulings {
        work.expect(rows: book.count)
        let chunk = 4096
        let count = (book.count + chunk - 1) / chunk
        var none = Rulings()
        none.all.reserveCapacity(book.count + book.count / 64)
        let joined = Joined<Rulings, Rulings>(into: none) { $0.append($1) }
        _ = concurrently(threads: threads, count) { index in
            if Interruption.process.isRequested { return }
            let range = index * chunk..<min(book.count, (index + 1) * chunk)
            work.add(rows: range.count)
            joined.add(rulings(of: range), at: index)
        }
        try Interruption.process.check()
        return joined.result().whole
    }

    private func rulings(of range: Range<Int>) -> Rulings {
        var file = CaseFile()
        var rulings = Rulings()
        rulings.all.reserveCapacity(range.count)
        let settled = Settled(policy: policy)
        for number in range {
            if let ruling = ruling(ofSettled: number, settled) {
                rulings.all.append(ruling)
                continue
            }
            book.load(number, into: &file)
            judge(file, number: Int32(number), into: &rulings)
        }
        return rulings
    }

    /// Nil where the case is to be judged by the rules.
    private func ruling(ofSettled number: Int, _ settled: Settled) -> Ruling? {
        guard let sole = book.sole(number), followed.isEmpty || !followed.contains(Int32(number)) else { return nil }
        let transaction = book.transactions[sole.transaction]
        guard
            let amount = settled.amount(
                transaction, book.orders[sole.order], book.credits[sole.credit], sole.receipt.map { book.receipts[$0] },
                owner: tokens.owner)
        else { return nil }
        return Ruling(
            subject: SubjectKey(.transaction, transaction.id), flags: [], caseNumber: Int32(number), amount: amount,
            verdict: .matched, cause: .none)
    }

    private func judge(_ file: CaseFile, number: Int32, into rulings: inout Rulings) {
        let subjects = subjects(of: file, policy: policy, horizon: horizon, owner: tokens.owner)
        for subject in subjects {
            let judgement = Rules.judge(Facts(subject: subject, file: file, policy: policy, horizon: horizon))
            if judgement.verdict.isException || followed.contains(number) {
                rulings.kept.append((judgement, rulings.all.count))
            }
            rulings.demands[rulings.all.count] = RetryDemand(
                judgement, of: subject, in: file, policy: policy, horizon: horizon)
            rulings.all.append(
                Ruling(
                    subject: judgement.subject, flags: judgement.flags, caseNumber: number, amount: judgement.amount,
                    verdict: judgement.verdict, cause: judgement.cause))
            if let leading = subject.leading, !file.transactions[leading].isFromReceipt {
                let purchasedAt = file.transactions[leading].purchasedAt
                if judgement.verdict == .paidNotCredited, subject.credits.isEmpty {
                    rulings.uncredited.append(purchasedAt)
                } else if judgement.verdict == .invalidTransaction, judgement.cause == .wrongBundle {
                    rulings.foreign.append(purchasedAt)
                }
            }
            if let loose = subject.loosePurchase(in: file, policy: policy) {
                rulings.loosePurchases.append((loose, number))
            }
            rulings.strayCredits += file.strayCredits(of: subject, number: number)
            if let refund = RefundLine(subject, judgement, in: file, since: firstDelivery) {
                rulings.refunds.append(refund)
            }
        }
        if file.awaitsCredits(horizon: horizon, zone: policy.zone) { rulings.awaitingCredits.append(number) }
        for order in file.unusedOrders(policy: policy) { rulings.unusedOrders.append((order, number)) }
    }
}

extension RefundLine {
    /// Nil unless the subject is revoked and tonight's evidence told of it.
    init?(_ subject: Subject, _ judgement: Judgement, in file: CaseFile, since delivery: Int32) {
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
