internal import Domain

/// When Apple refunded what share of a purchase, and when it took a refund back.
///
/// Apple's current record shows one refund: the last, with the share refunded in all. Each earlier version of the record on
/// file dates what was refunded until then, so each refund belongs to the month of its own record. A newer version that
/// shows less than an older one is a refund that Apple took back: an event of the day on which Apple signed it.
struct RefundEvents {
    /// A share of the purchase that moved.
    struct Event: Hashable {
        var at: Instant
        /// What was refunded before and after this event.
        var before: Share
        var after: Share
    }
    /// What is refunded of a purchase, in all.
    enum Share: Hashable {
        case nothing
        case some(Revocation)
    }
    private(set) var events: [Event] = []

    init(_ subject: Subject, in file: Case, superseded: [Transaction]) {
        guard let leading = subject.leading else { return }
        let record = file.transactions[leading]
        let current = subject.revocation.map(Share.some) ?? .nothing
        let mates = Set(subject.lineMates.map { file.transactions[$0].id })
        let older = superseded.filter {
            mates.contains($0.id) && $0.proof >= .vouched && !$0.isFromReceipt && $0.environment == record.environment
                && $0.signedAt != nil
        }
        var last = Share.nothing
        // The version that counts comes last, whatever its date: it may be better proven than a later one.
        for version in older.sorted(by: {
            ($0.signedAt!, $0.revocation?.at ?? .absent) < ($1.signedAt!, $1.revocation?.at ?? .absent)
        }) {
            step(to: version.refunded, signedAt: version.signedAt!, from: &last)
        }
        let signedAt = subject.lineMates.compactMap { file.transactions[$0].signedAt }.max()
        step(to: current, signedAt: signedAt ?? record.purchasedAt, from: &last)
    }

    private mutating func step(to share: Share, signedAt: Instant, from last: inout Share) {
        guard share != last else { return }
        switch (last, share) {
        case (.some(let old), .some(let new)) where old.hasShare(of: new):
            // The same refund with another date: the newer record is right.
            if let index = events.lastIndex(where: { $0.after == last }) {
                events[index].after = share
                events[index].at = new.at
            }
        case (.some(let old), .some(let new)) where !new.isMore(than: old):
            events.append(Event(at: signedAt, before: last, after: share))
        case (_, .some(let new)): events.append(Event(at: new.at, before: last, after: share))
        case (_, .nothing): events.append(Event(at: signedAt, before: last, after: share))
        }
        last = share
    }

    /// The movements of money.
    func legs(price: Money?, quantity: Int32) -> [Leg] {
        events.map { event in
            let (before, after) = (event.before.units(of: quantity), event.after.units(of: quantity))
            let amounts = price.map { price in
                (event.before.amount(of: price, quantity), event.after.amount(of: price, quantity))
            }
            var value: Money?
            if let price, let before = amounts?.0, let after = amounts?.1 {
                value = Money(minor: after.minor &- before.minor, currency: price.currency)
            }
            let isReversal = value.map { $0.minor < 0 } ?? event.isReversal
            if isReversal { value?.minor.negate() }
            var leg = Leg(
                isReversal ? .refundReversal : .refund, at: event.at, value: value,
                units: isReversal ? before - after : after - before)
            leg.revocation = (isReversal ? event.before : event.after).revocation
            return leg
        }
    }
}

extension RefundEvents.Event {
    /// Less is refunded after it than before.
    var isReversal: Bool {
        switch (before, after) {
        case (.some(let old), .some(let new)): !new.isMore(than: old)
        case (.some, .nothing): true
        case (.nothing, _): false
        }
    }
}

extension RefundEvents.Share {
    fileprivate var revocation: Revocation? {
        if case .some(let revocation) = self { return revocation }
        return nil
    }

    /// The part of the price; nil if Apple does not state it.
    func amount(of price: Money, _ quantity: Int32) -> Money? {
        switch self {
        case .nothing: price.times(0, over: 1)
        case .some(let revocation): revocation.amount(of: price, quantity: quantity)
        }
    }

    /// Whole pieces refunded.
    func units(of quantity: Int32) -> Int64 {
        guard case .some(let revocation) = self else { return 0 }
        switch revocation.refund(ofQuantity: quantity) {
        case .none, .uncountable: return 0
        case .full: return Int64(quantity)
        case .partial(let kept): return Int64(quantity) - kept
        }
    }
}

extension Transaction {
    /// What this version of the record shows as refunded. A withdrawal from family sharing moves no money.
    fileprivate var refunded: RefundEvents.Share {
        guard let revocation, revocation.type != .familyRevoke else { return .nothing }
        return .some(revocation)
    }
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
