/// How the goods of a purchase reached the customer: what the lost-order rate counts. See docs/spec/rules.md#lost-orders.
///
/// The raw values are stored.
public enum Fulfilment: UInt8, Sendable, CaseIterable, Codable {
    /// Given within an hour of the purchase.
    case withinHour = 1
    /// Given within 24 hours.
    case withinDay
    /// Given after more than 24 hours.
    case later
    case byHand
    /// Owed and not given.
    case lost
    /// Not given yet, and it is too early or data is missing to say more.
    case waiting

    /// The order was lost: its goods did not come by themselves within 24 hours.
    public var isLost: Bool { self == .later || self == .byHand || self == .lost }

    /// The name in files: `within_hour`.
    public var name: String { caseName(self) }
}

/// The business date of a purchase, and how its goods reached the customer.
@frozen
public struct PurchaseOutcome: Codable, Hashable, Comparable, Sendable {
    /// The day's number times 8, plus the raw value: a night has as many outcomes as purchases.
    @usableFromInline var packed: Int32

    /// Nil for a date that no purchase can have: before 1970, or after the year 700 000.
    @inlinable
    public init?(_ date: BusinessDate, _ fulfilment: Fulfilment) {
        guard 0..<(1 << 28) ~= date.day else { return nil }
        packed = date.day << 3 | Int32(fulfilment.rawValue)
    }

    @usableFromInline init(packed: Int32) { self.packed = packed }

    /// By date, then by what became of the purchase.
    public static func < (left: Self, right: Self) -> Bool { left.packed < right.packed }

    public var date: BusinessDate { BusinessDate(day: packed >> 3) }
    public var fulfilment: Fulfilment { Fulfilment(rawValue: UInt8(packed & 7)) ?? .waiting }
}

extension PurchaseOutcome: HasSentinel {
    @inlinable public static var absent: PurchaseOutcome { PurchaseOutcome(packed: -1) }
}
