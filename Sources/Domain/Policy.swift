/// How much earlier than its purchase a credit may be, because clocks differ.
public let clockSkewTolerance = Milliseconds.minutes(5)

/// What the rules are told besides the evidence. No clock: "now" is the horizon.
public struct Policy: Sendable {
    public var bundles: Set<Identifier> = []
    public var environment: AppEnvironment = .production
    public var tokenUse: TokenUse = .account
    /// How long a purchase may stay uncredited, a refund unreversed, a receipt unexplained, Apple's record away.
    public var graceCredit: Milliseconds = .hours(1)
    public var graceRefund: Milliseconds = .hours(24)
    public var graceReceipt: Milliseconds = .hours(24)
    public var graceApple: Milliseconds = .hours(168)
    public var orderTTL: Milliseconds = .hours(72)
    public var receiptTTL: Milliseconds = .hours(720)
    public var suggestionWindow: Milliseconds = .hours(24)
    public var lateAfter: Milliseconds = .hours(1)
    public var historyFrom: BusinessDate?
    public var compare: Set<ComparedField> = Set(ComparedField.allCases)
    public var reverseRefunds = false
    public var zone: Zone = .utc
    public var products = ProductList()
    /// More orders than this that carry one token per order: it ties nothing.
    public var tokenFanOut = 16
    public var facts = LedgerFacts()

    public init() {}
}
