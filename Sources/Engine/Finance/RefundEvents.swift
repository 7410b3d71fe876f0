/// When Apple refunded what share of a purchase, and when it took a refund back.
///
/// Apple's current record shows one refund: the last, with the share refunded in all. Each earlier version of the record on
/// file dates what was refunded until then, so each refund belongs to the month of its own record. A newer version that
/// shows less than an older one is a refund that Apple took back: an event of the day on which Apple signed it.
struct RefundEvents {
    /// A share of the purchase that moved.
    struct Event: Hashable {
        var at: Instant
        /// What was refunded in all before and after this event; nil where nothing was.
        var before: Revocation?
        var after: Revocation?

        /// Less is refunded after it than before.
        fileprivate var isReversal: Bool {
            guard let before else { return false }
            return after.map { !$0.isMore(than: before) } ?? true
        }
    }
    private(set) var events: [Event] = []

    init(_ subject: Subject, in file: Case, superseded: [Transaction]) {
        guard let leading = subject.leading else { return }
        let record = file.transactions[leading]
        let mates = Set(subject.lineMates.map { file.transactions[$0].id })
        let older = superseded.filter {
            mates.contains($0.id) && $0.proof >= .vouched && !$0.isFromReceipt && $0.environment == record.environment
                && $0.signedAt != nil
        }
        // The version that counts comes last, whatever its date: it may be better proven than a later one.
        for version in older.ordered(by: {
            ($0.signedAt!, $0.revocation?.at ?? .absent) < ($1.signedAt!, $1.revocation?.at ?? .absent)
        }) {
            step(to: version.refunded, signedAt: version.signedAt!)
        }
        let signedAt = subject.lineMates.compactMap { file.transactions[$0].signedAt }.max()
        step(to: subject.revocation, signedAt: signedAt ?? record.purchasedAt)
    }

    private mutating func step(to refund: Revocation?, signedAt: Instant) {
        let last = events.last?.after
        guard refund != last else { return }
        if let refund, last?.hasShare(of: refund) == true {
            // The same refund with another date: the newer record is right.
            events[events.count - 1].after = refund
            events[events.count - 1].at = refund.at
            return
        }
        var event = Event(at: signedAt, before: last, after: refund)
        if let refund, !event.isReversal { event.at = refund.at }
        events.append(event)
    }

    func legs(price: Money?, quantity: Int32) -> [Leg] {
        // The shares refunded in all and the day, one for each refund that stands.
        var standing: [(refund: Revocation, at: Instant)] = []
        return events.map { event in
            let former = standing
            standing = event.after.map { after in former.filter { after.isMore(than: $0.refund) } } ?? []
            // A refund that was only lowered keeps its day.
            if let after = event.after {
                let lowered = event.isReversal ? former.dropFirst(standing.count).first?.at : nil
                standing.append((after, lowered ?? event.at))
            }
            let before = Refunded(event.before, of: price, quantity: quantity)
            let after = Refunded(event.after, of: price, quantity: quantity)
            var value: Money?
            if let before = before.amount, let after = after.amount {
                value = Money(minor: after.minor &- before.minor, currency: after.currency)
            }
            let isReversal = value.map { $0.minor < 0 } ?? event.isReversal
            if isReversal { value?.minor.negate() }
            let ended =
                isReversal ? ends(former, left: after, standing: standing.count, price: price, quantity: quantity) : []
            return Leg(
                kind: isReversal ? .refundReversal : .refund, at: event.at, value: value,
                units: isReversal ? before.units - after.units : after.units - before.units,
                revocation: isReversal ? event.before : event.after, refunds: standing.count - former.count,
                ended: ended)
        }
    }

    /// What a reversal takes off each refund that stood before it.
    ///
    /// - Parameters:
    ///   - left: what is refunded in all after it.
    ///   - standing: how many refunds stand after it.
    private func ends(
        _ former: [(refund: Revocation, at: Instant)], left: Refunded, standing: Int, price: Money?, quantity: Int32
    ) -> [RefundEnd] {
        guard let left = left.amount?.minor else { return [] }
        var below: Int64 = 0
        return former.enumerated().compactMap { index, one in
            let total = Refunded(one.refund, of: price, quantity: quantity).amount?.minor ?? below
            defer { below = total }
            let end = RefundEnd(
                at: one.at, count: index < standing ? 0 : 1, minor: total &- max(below, min(left, total)))
            return end.count == 0 && end.minor == 0 ? nil : end
        }
    }
}

/// What is refunded of a purchase in all.
private struct Refunded {
    /// Nil if price or share are unknown.
    let amount: Money?
    /// Whole pieces.
    let units: Int64

    init(_ revocation: Revocation?, of price: Money?, quantity: Int32) {
        guard let revocation else {
            (amount, units) = (price.map { Money(minor: 0, currency: $0.currency) }, 0)
            return
        }
        amount = price.flatMap { revocation.amount(of: $0, quantity: quantity) }
        switch revocation.refund(ofQuantity: quantity) {
        case .none, .uncountable: units = 0
        case .full: units = Int64(quantity)
        case .partial(let kept): units = Int64(quantity) - kept
        }
    }
}

extension Transaction {
    /// What this version of the record shows as refunded. A withdrawal from family sharing moves no money.
    fileprivate var refunded: Revocation? { revocation?.type == .familyRevoke ? nil : revocation }
}

extension Revocation {
    /// In thousandths of a percent; nil if Apple does not say.
    private var share: Int32? {
        switch refund(ofQuantity: 1) {
        case .full: 100_000
        default: percentage
        }
    }

    /// Both refund the same share.
    fileprivate func hasShare(of other: Revocation) -> Bool { share == other.share }

    /// More is refunded than by `other`. What Apple does not state counts as more than nothing and less than anything else.
    fileprivate func isMore(than other: Revocation) -> Bool { (share ?? 0) > (other.share ?? 0) }

    /// The share of the price that was refunded; nil if nothing was, if the record does not state it, or if it
    /// overflows.
    ///
    /// Where the share is a whole number of pieces, it is the price less the worth of the pieces kept: of 10.00 for
    /// three pieces, one is 3.33. So money and goods of the same pieces are rounded alike, and a third is not 33.333 %.
    func amount(of price: Money, quantity: Int32) -> Money? {
        switch refund(ofQuantity: quantity) {
        case .none: return nil
        case .full: return price
        case .partial(let kept):
            return price.times(kept, over: Int64(quantity)).map {
                Money(minor: price.minor &- $0.minor, currency: price.currency)
            }
        case .uncountable: return percentage.flatMap { price.times(Int64($0), over: 100_000) }
        }
    }
}
