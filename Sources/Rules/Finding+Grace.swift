extension Finding {
    /// The finding as it stands tonight: `waiting` while its grace has not passed; `undetermined` where the subject
    /// rests on an unverifiable record or a feed that could prove otherwise has a gap; `closed` where it has lapsed.
    /// See docs/spec/rules.md#verdict-order.
    func tonight(_ facts: Facts) -> Finding {
        var finding = self
        if let grace, anchor + grace > facts.horizon.instant {
            finding.become(.waiting, waitingCause)
        } else if verdict != .outOfScope, facts.subject.backing == .unverifiable {
            finding.become(.undetermined, .unverifiable)
        } else if let provenBy, facts.hasGap(provenBy, since: anchor) {
            finding.become(.undetermined, .feedMissing)
        } else if hasLapsed(facts) {
            finding.become(.closed, .receiptRejected)
        }
        return finding
    }

    /// Replaces the verdict. Nobody is short any more, and there are no differences to show.
    private mutating func become(_ verdict: Verdict, _ cause: Cause) {
        self.verdict = verdict
        self.cause = cause
        short = .nobody
        differences = []
    }

    /// A receipt was rejected, nothing was credited, and nothing followed: the rejection was right.
    private func hasLapsed(_ facts: Facts) -> Bool {
        verdict == .orphanReceipt && cause == .rejected && anchor + facts.policy.receiptTTL <= facts.horizon.instant
    }

    /// The cause of `waiting` that names this verdict.
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
    /// Whether the feed has a gap between the anchor's day and tonight. See docs/spec/rules.md#coverage.
    func hasGap(_ feed: FeedKind, since anchor: Instant) -> Bool {
        if horizon.coverage.gaps.isEmpty { return false }
        return horizon.coverage.hasGap(feed, from: policy.zone.date(of: anchor), through: horizon.businessDate)
    }
}
