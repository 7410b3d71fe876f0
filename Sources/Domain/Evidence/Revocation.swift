/// Apple's refund or withdrawal of a transaction.
public struct Revocation: Hashable, Sendable {
    public var at: Instant
    public var type: RevocationType
    /// Apple's code: 0 other, 1 an issue within the app. Nil if Apple gave none.
    @PackedOptional public var reason: Int32?
    /// The share refunded, in thousandths of a percent of the price, 0…100 000. Nil if Apple's record does not say.
    @PackedOptional public var percentage: Int32?

    @inlinable
    public init(at: Instant, type: RevocationType = .unnamed, reason: Int32? = nil, percentage: Int32? = nil) {
        (self.at, self.type, self.reason, self.percentage) = (at, type, reason, percentage)
    }
}

extension Revocation: HasSentinel {
    public static var absent: Revocation { Revocation(at: .absent) }
}

extension Revocation {
    /// What it means for a purchase of that quantity. A withdrawal from family sharing moves no money and is not a
    /// refund.
    public func refund(ofQuantity quantity: Int32) -> Refund {
        switch type {
        case .familyRevoke: return .none
        case .refundFull: return .full
        case .refundProrated: break
        case .unnamed, .other: if (percentage ?? 100_000) >= 100_000 { return .full }
        }
        guard let percentage else { return .uncountable }
        if percentage >= 100_000 { return .full }
        let refunded = pieces(of: Int64(quantity), percentage: Int64(percentage))
        return refunded.map { .partial(expected: Int64(quantity) - $0) } ?? .uncountable
    }

    /// The pieces of `quantity` that the percentage stands for; nil if it stands for no whole number of them.
    ///
    /// Apple states the share in thousandths of a percent, so a third is 33.333. A number of pieces fits where its share
    /// of the quantity, rounded or truncated to thousandths, is the percentage stated.
    private func pieces(of quantity: Int64, percentage: Int64) -> Int64? {
        guard quantity > 0 else { return nil }
        let pieces = (quantity * percentage + 50_000) / 100_000
        let truncated = pieces * 100_000 / quantity
        let rounded = (2 * pieces * 100_000 + quantity) / (2 * quantity)
        return percentage == truncated || percentage == rounded ? pieces : nil
    }
}
