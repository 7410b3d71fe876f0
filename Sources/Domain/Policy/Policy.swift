/// How far the clocks of two systems may differ: a credit may appear to be that much earlier than its purchase, and a
/// record to be signed that much later than now.
public let clockSkewTolerance = Milliseconds.minutes(5)

/// What the rules use in addition to the evidence: the configuration, the product list and facts about the whole
/// ledger. It holds no clock; "now" is the horizon.
public struct Policy: Sendable {
    /// Our apps' bundle ids. A transaction of any other app is invalid.
    public var bundles: Set<Identifier> = []
    /// The bundle ids that were configured when a delivery was read, where they were not `bundles`.
    public var formerBundles: [DeliveryID: Set<Identifier>] = [:]
    /// The App Store environment that is reconciled. Transactions of others are out of scope, or suspicious where
    /// credited.
    public var environment: AppEnvironment = .production
    /// What an `appAccountToken` identifies in this app.
    public var tokenUse: TokenUse = .account
    /// How long a purchase may stay uncredited before it is an exception.
    public var graceCredit: Milliseconds = .hours(1)
    /// How long goods may stay with the customer after a refund.
    public var graceRefund: Milliseconds = .hours(24)
    /// How long a receipt may wait for its purchase.
    public var graceReceipt: Milliseconds = .hours(24)
    /// How long Apple's record may take to arrive.
    public var graceApple: Milliseconds = .hours(168)
    /// An unpaid order is closed after this time.
    public var orderTTL: Milliseconds = .hours(72)
    /// A rejected receipt without credits is closed after this time.
    public var receiptTTL: Milliseconds = .hours(720)
    /// How long before a purchase an order may have been created to be suggested for it.
    public var suggestionWindow: Milliseconds = .hours(24)
    /// A credit later than this after its purchase is flagged.
    public var lateAfter: Milliseconds = .hours(1)
    /// Subjects that began earlier are out of scope. Nil: the records say where they begin (`recordsFrom`).
    public var historyFrom: BusinessDate?
    /// The fields in which transaction, order and credits are compared.
    public var compare: Set<ComparedField> = Set(ComparedField.allCases)
    /// Whether retry entries may take goods back after a refund.
    public var reverseRefunds = false
    /// The business time zone.
    public var zone: Zone = .utc
    public var products = ProductList()
    /// A token per order that more orders than this carry links nothing.
    public var tokenFanOut = 16
    /// Facts about the whole ledger.
    public var facts = LedgerFacts()

    public init() {}

    /// The date from which goods are on record: the first business date, or an earlier one if goods were given regularly since
    /// then (see `TimeSpans`). A payment before it that lacks its goods was probably served before the records begin. Nil
    /// with `historyFrom`, or before any goods are on record.
    ///
    /// - Parameter firstDate: see `Coverage`.
    public func recordsFrom(_ firstDate: BusinessDate?) -> BusinessDate? {
        guard historyFrom == nil, let firstDate, !facts.goods.isEmpty else { return nil }
        return facts.goods.beginning(until: zone.start(of: firstDate)).map { min(firstDate, zone.date(of: $0)) }
            ?? firstDate
    }

    /// The times after the oldest goods on record and before `recordsFrom` in which orders are on record. A payment of then
    /// that lacks its goods may be a lost order: perhaps only the goods of that time are not on record, or they failed.
    ///
    /// - Parameter firstDate: see `Coverage`.
    public func breaks(_ firstDate: BusinessDate?) -> [Range<Instant>] {
        guard let oldest = facts.goods.spans.first?.lowerBound, let date = recordsFrom(firstDate) else { return [] }
        let end = zone.start(of: date)
        return facts.orders.spans.compactMap { span in
            let range = (max(oldest, span.lowerBound), min(end, span.upperBound + suggestionWindow))
            return range.0 < range.1 ? range.0..<range.1 : nil
        }
    }
}
