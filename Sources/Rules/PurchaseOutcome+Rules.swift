extension PurchaseOutcome {
    /// What the lost-order rate counts a subject as; nil if the subject is not a purchase that counts.
    /// See docs/spec/rules.md#lost-orders.
    public init?(_ subject: Subject, _ judgement: Judgement, in evidence: Case, policy: Policy) {
        guard subject.backing == .purchase, let leading = subject.leading, judgement.verdict.countsAsPurchase else {
            return nil
        }
        let purchase = evidence.transactions[leading]
        let fulfilment: Fulfilment
        switch judgement.verdict {
        case .paidNotCredited, .creditedToWrongAccount: fulfilment = .lost
        default:
            if let first = subject.position.credits.first {
                fulfilment = Fulfilment(of: purchase.purchasedAt, creditedAt: first.creditedAt, by: first.origin)
            } else if !judgement.verdict.isFinal {
                fulfilment = .waiting
            } else {
                return nil  // Nothing is owed: refunded before the goods were given.
            }
        }
        self.init(policy.zone.date(of: purchase.purchasedAt), fulfilment)
    }

    /// The outcome of a purchase whose case matches cleanly.
    ///
    /// - Parameter origin: who gave the credit.
    public init?(_ purchasedAt: Instant, creditedAt: Instant, by origin: CreditOrigin, in zone: Zone) {
        self.init(
            zone.date(of: purchasedAt), Fulfilment(of: purchasedAt, creditedAt: creditedAt, by: origin))
    }
}

extension Fulfilment {
    /// - Parameter creditedAt: when the first credit of the purchase was given.
    fileprivate init(of purchasedAt: Instant, creditedAt: Instant, by origin: CreditOrigin) {
        if origin == .desk {
            self = .byHand
        } else if creditedAt <= purchasedAt + .hours(1) {
            self = .withinHour
        } else if creditedAt <= purchasedAt + .hours(24) {
            self = .withinDay
        } else {
            self = .later
        }
    }
}

extension Verdict {
    /// Whether a proven purchase with this verdict counts for the lost-order rate: not one of another environment or from
    /// before the records begin, and none that is not genuine.
    fileprivate var countsAsPurchase: Bool {
        switch self {
        case .invalidTransaction, .outOfScope, .creditedNotPaid, .orphanReceipt, .orderUnverified: false
        default: true
        }
    }
}
