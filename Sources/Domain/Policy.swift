/// What an `appAccountToken` names in this app.
public enum TokenUse: String, Sendable, CaseIterable {
    case account, order, none
}

/// A field that order, transaction and credits are compared by.
public enum ComparedField: String, Sendable, CaseIterable, Codable {
    case product, quantity, currency, amount
}

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

/// Whether the backend's orders carry tokens.
public enum TokenKnowledge: String, Sendable {
    /// Nothing is known yet.
    case noOrders
    /// There are orders, and none ever carried a token: tokens say nothing here.
    case unused
    /// Some order carries a token, or once did. The owner of a purchase whose token no order carries is unknown.
    case inUse
}

/// What is true of the whole ledger and can be seen in no case alone.
public struct LedgerFacts: Hashable, Sendable {
    /// Tokens per order that more than `tokenFanOut` orders carry, or once did.
    public var crowdedTokens: Set<Token> = []
    /// Orders by whose number the desk gave the goods of a purchase that nothing else ties to them, with the purchase's
    /// transaction.
    public var deskOrders: [Identifier: Identifier] = [:]
    /// What orders tell of tokens.
    public var tokens = TokenKnowledge.noOrders

    public init() {}

    /// Takes in what these orders tell. Returns whether purchases of other cases may belong to others from now on.
    public mutating func note(_ orders: [Order]) -> Bool {
        let known = tokens
        if !orders.isEmpty, tokens == .noOrders { tokens = .unused }
        if tokens == .unused, orders.contains(where: { $0.token != nil }) { tokens = .inUse }
        return tokens != known
    }
}

/// The product list, by product and validity.
public struct ProductList: Sendable, Equatable {
    private var entries: [Identifier: [Product]] = [:]

    public init(_ products: [Product] = []) {
        for product in products { entries[product.id, default: []].append(product) }
    }

    public var isEmpty: Bool { entries.isEmpty }

    /// The product's row that holds on `date`; the later begun of two; nil where none does.
    public func product(_ id: Identifier, on date: BusinessDate) -> Product? {
        entries[id]?.filter { ($0.validFrom ?? date) <= date && date <= ($0.validTo ?? date) }
            .max { ($0.validFrom ?? .absent) < ($1.validFrom ?? .absent) }
    }

    /// The product's type, which no date changes: of the first of its rows that names one.
    public func type(of id: Identifier) -> ProductType? {
        entries[id]?.lazy.compactMap(\.type).first
    }
}

/// Which days nobody could look at. RULES §3 "Coverage".
public struct Coverage: Sendable, Equatable {
    /// The first business date imported: it covers everything before it.
    public var firstDate: BusinessDate?
    /// Days without a file of a required feed, or with one refused, by what the feed delivers, ascending.
    public var gaps: [FeedKind: [BusinessDate]]
    /// Days of which no credits came, ascending, where a credits feed exists and none is required: no verdict changes by
    /// them, and no machine gives anything.
    public var creditsUnseen: [BusinessDate]

    public init(
        firstDate: BusinessDate? = nil, gaps: [FeedKind: [BusinessDate]] = [:], creditsUnseen: [BusinessDate] = []
    ) {
        self.firstDate = firstDate
        self.gaps = gaps
        self.creditsUnseen = creditsUnseen
    }

    /// Whether a day of `from…through` is missing in the feed of that kind.
    public func hasGap(_ kind: FeedKind, from: BusinessDate, through: BusinessDate) -> Bool {
        guard let days = gaps[kind], !days.isEmpty else { return false }
        return days.contains { from <= $0 && $0 <= through }
    }
}

/// Whose account a token is, when tokens are per account.
public enum TokenOwner: Hashable, Sendable {
    /// No order carries it.
    case unknown
    case account(Identifier)
    /// Orders of several accounts carry it: it decides nothing.
    case several
}

/// What a run knows beyond one case.
public struct Horizon: Sendable {
    /// "Now" for the rules: the end of the business date, or `asOf` if that is earlier.
    public var instant: Instant
    public var businessDate: BusinessDate
    public var coverage: Coverage

    public init(instant: Instant, businessDate: BusinessDate, coverage: Coverage = Coverage()) {
        self.instant = instant
        self.businessDate = businessDate
        self.coverage = coverage
    }
}
