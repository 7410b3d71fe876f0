/// Apple's refund or withdrawal of a transaction.
public struct Revocation: Hashable, Sendable {
    public var at: Instant
    public var type: RevocationType
    /// Apple's code: 0 other, 1 an issue within the app.
    @PackedOptional public var reason: Int32?
    /// Thousandths of a percent of the price, 0…100 000.
    @PackedOptional public var percentage: Int32?

    public init(at: Instant, type: RevocationType = .unnamed, reason: Int32? = nil, percentage: Int32? = nil) {
        self.at = at
        self.type = type
        self.reason = reason
        self.percentage = percentage
    }
}

extension Revocation: HasSentinel {
    public static var absent: Revocation { Revocation(at: .absent) }
}

extension Revocation {
    /// Of a purchase of that quantity. A family's withdrawal moves no money and is no refund.
    public func refund(ofQuantity quantity: Int32) -> Refund {
        switch type {
        case .familyRevoke: return .none
        case .refundFull: return .full
        case .refundProrated: break
        case .unnamed, .other: if (percentage ?? 100_000) >= 100_000 { return .full }
        }
        guard let percentage else { return .uncountable }
        if percentage >= 100_000 { return .full }
        let kept = Int64(quantity) * Int64(100_000 - percentage)
        return kept % 100_000 == 0 ? .partial(expected: kept / 100_000) : .uncountable
    }
}
