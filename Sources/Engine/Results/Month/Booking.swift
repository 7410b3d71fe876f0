/// Why the amount that the backend booked for a subject differs from the customer price that Apple reports.
public enum BookingReason: String, Hashable, Sendable, Codable, OrderedCases {
    /// Both are on record, but fall into different months.
    case cutOff = "booking_cut_off"
    /// An order is booked, and no purchase of the configured environment is proven.
    case notPaid = "booked_not_paid"
    /// A renewal of a subscription without an order. It needs none.
    case renewal = "renewal_without_order"
    /// A purchase without an order that is booked.
    case notBooked = "paid_not_booked"
    /// A purchase whose orders have no amount.
    case noAmount = "order_without_amount"
    /// Several booked orders for one purchase.
    case bookedTwice = "booked_twice"
    /// The order's amount is in another currency than the price.
    case otherCurrency = "other_currency"
    /// A purchase whose price nothing states.
    case noPrice = "purchase_without_price"
    /// The order's amount is not the price.
    case amount = "other_amount"
}

extension BookingReason {
    /// Each such difference is listed. Orders without amounts, and renewals, may be most of a shop's purchases, and are
    /// only counted.
    public var isListed: Bool { self != .noAmount && self != .renewal }
}

/// A difference between the backend's booked amount and Apple's customer price, of one subject in one currency.
public struct BookingLine: Hashable, Sendable, Codable {
    /// The id of the subject's key, without its kind.
    public var subject: String
    public var reason: BookingReason
    public var product: String?
    /// The earliest booked order; nil without one.
    public var order: String?
    /// When that order was placed.
    public var orderedAt: Instant?
    /// When it was bought by Apple's record; nil without a purchase.
    public var purchasedAt: Instant?
    public var currency: Currency
    /// In minor units: the customer price less the amount booked.
    public var minor: Int64
}

/// What the backend booked in a month in one currency, and the way from there to the purchases.
public struct BookedMoney: Hashable, Sendable, Codable {
    /// The part of the difference that one reason explains.
    public struct Part: Hashable, Sendable, Codable {
        public var reason: BookingReason
        public var count: Int
        /// In minor units: customer prices less amounts booked.
        public var minor: Int64
    }
    /// The sum of the amounts of booked orders, in minor units.
    public var booked: Int64 = 0
    /// In the order of `BookingReason.allCases`; reasons without an amount are left out.
    public var parts: [Part] = []

    /// The purchases, worked out from the bookings.
    public var purchases: Int64 { parts.reduce(booked) { $0 &+ $1.minor } }
}
