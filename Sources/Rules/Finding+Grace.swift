internal import Domain

extension Finding {
    /// The finding as it stands tonight: waiting while its grace has not passed, undetermined where nobody could look or
    /// nothing but an unverifiable record speaks, closed where it has lapsed. RULES §3.
    func tonight(_ facts: Facts) -> Finding {
        var finding = self
        if let grace, anchor + grace > facts.horizon.instant {
            finding.become(.waiting, waitingCause)
        } else if verdict != .outOfScope, facts.subject.backing == .unverifiable {
            finding.become(.undetermined, .unverifiable)
        } else if let provenBy, facts.isBlind(provenBy, since: anchor) {
            finding.become(.undetermined, .feedMissing)
        } else if hasLapsed(facts) {
            finding.become(.closed, .receiptRejected)
        }
        return finding
    }

    private mutating func become(_ verdict: Verdict, _ cause: Cause) {
        self.verdict = verdict
        self.cause = cause
        short = .nobody
        differences = []
    }

    /// A refusal that was right: nothing was credited, and nobody came back to it.
    private func hasLapsed(_ facts: Facts) -> Bool {
        verdict == .orphanReceipt && cause == .rejected && anchor + facts.policy.receiptTTL <= facts.horizon.instant
    }

    private var waitingCause: Cause {
        switch verdict {
        case .refundedNotReversed: .waitsRefundedNotReversed
        case .paidNotCredited: .waitsPaidNotCredited
        case .creditedNotPaid: .waitsCreditedNotPaid
        case .orphanReceipt: .waitsOrphanReceipt
        case .orderUnverified: .waitsOrderUnverified
        default: .waitsClosed
        }
    }
}

extension Facts {
    /// Whether a day from the anchor's on is missing in that feed. RULES §3 "Coverage".
    func isBlind(_ feed: FeedKind, since anchor: Instant) -> Bool {
        if horizon.coverage.gaps.isEmpty { return false }
        return horizon.coverage.hasGap(feed, from: policy.zone.date(of: anchor), through: horizon.businessDate)
    }
}
