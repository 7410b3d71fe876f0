public import Domain

/// A verdict before graces and coverage gaps are applied.
struct Ruling {
    var verdict: Verdict
    var cause: Cause = .none
    var anchor: Instant
    /// How long it waits from the anchor. Nil if it does not wait.
    var grace: Milliseconds?
    /// The feed that could prove it wrong. Nil if none could.
    var provingFeed: FeedKind?
    var short: ShortParty = .nobody
    /// Value credited less value owed.
    var effect: Money?
}

extension Verdict {
    /// Every verdict with each of its causes, as `ruling` writes them.
    public static var allRulings: [String] {
        allCases.flatMap { verdict in verdict.causes.map { verdict.ruling($0) } }
    }
}

extension Ruling {
    /// The verdict after graces and coverage gaps: `waiting` first, then `undetermined`, then what changes with age.
    func tonight(_ subject: Subject, _ night: Night) -> Ruling {
        var ruling = self
        if let grace, !night.hasPassed(grace, since: anchor) {
            ruling.cause = waitingCause
            ruling.verdict = .waiting
            ruling.short = .nobody
        } else if verdict != .outOfScope, subject.hasOnlyUnverifiableProof {
            ruling.verdict = .undetermined
            ruling.cause = .unverifiable
            ruling.short = .nobody
        } else if let provingFeed, night.isBlind(provingFeed, since: anchor) {
            ruling.verdict = .undetermined
            ruling.cause = .feedMissing
            ruling.short = .nobody
        } else if verdict == .orphanReceipt, cause == .rejected, night.hasPassed(night.policy.receiptTTL, since: anchor)
        {
            ruling.verdict = .closed
            ruling.cause = .receiptRejected
        }
        return ruling
    }

    private var waitingCause: Cause {
        switch verdict {
        case .refundedNotReversed: .waitsRefundedNotReversed
        case .paidNotCredited: .waitsPaidNotCredited
        case .creditedNotPaid: .waitsCreditedNotPaid
        case .orphanReceipt: .waitsOrphanReceipt
        case .orderUnverified: .waitsOrderUnverified
        case .closed: .waitsClosed
        default: preconditionFailure("\(verdict) has no grace")
        }
    }
}

extension Subject {
    /// There is only an unverifiable transaction. Whatever else there is, no better proof was offered. READINGS 17.
    fileprivate var hasOnlyUnverifiableProof: Bool {
        purchase == nil && unprovenTransactions.contains { $0.proof == .unverifiable }
    }
}

/// The verdict of the first rule that applies.
func ruling(on subject: Subject, _ night: Night) -> Ruling {
    guard let purchase = subject.purchase else { return rulingWithoutPurchase(subject, night) }
    let bench = PurchaseBench(subject: subject, purchase: purchase, night: night)
    let rules = [
        bench.invalidTransaction, bench.outOfScope, bench.otherEnvironment, bench.partlyRefunded, bench.fullyRefunded,
        bench.creditedTwice, bench.wrongAccount, bench.paidNotCredited, bench.valueMismatch, bench.orderMissing,
        bench.matched,
    ]
    return rules.lazy.compactMap { $0() }.first!
}
