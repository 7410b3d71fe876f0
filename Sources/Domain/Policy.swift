/// What an `appAccountToken` names in this app.
package enum TokenUse: String, Sendable, CaseIterable {
    case account, order, none
}

/// A field that order, transaction and credits are compared by.
package enum ComparedField: String, Sendable, CaseIterable, Codable {
    case product, quantity, currency, amount
}

/// What the rules are told besides the evidence. No clock: "now" is the horizon.
package struct Policy: Sendable {
    package var bundles: Set<Identifier> = []
    package var environment: AppEnvironment = .production
    package var tokenUse: TokenUse = .account
    /// How long a purchase may stay uncredited, a refund unreversed, a receipt unexplained, Apple's record away.
    package var graceCredit: Milliseconds = .hours(1)
    package var graceRefund: Milliseconds = .hours(24)
    package var graceReceipt: Milliseconds = .hours(24)
    package var graceApple: Milliseconds = .hours(168)
    package var orderTTL: Milliseconds = .hours(72)
    package var receiptTTL: Milliseconds = .hours(720)
    package var suggestionWindow: Milliseconds = .hours(24)
    package var lateAfter: Milliseconds = .hours(1)
    package var historyFrom: BusinessDate?
    package var compare: Set<ComparedField> = Set(ComparedField.allCases)
    package var reverseRefunds = false
    package var zone: Zone = .utc
    package var products = ProductList()

    package init() {}
}

/// The product list, by product and validity.
package struct ProductList: Sendable, Equatable {
    private var entries: [Identifier: [Product]] = [:]

    package init(_ products: [Product] = []) {
        for product in products { entries[product.id, default: []].append(product) }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// The product's row that holds on `date`; the later begun of two; nil where none does.
    package func product(_ id: Identifier, on date: BusinessDate) -> Product? {
        entries[id]?.filter { ($0.validFrom ?? date) <= date && date <= ($0.validTo ?? date) }
            .max { ($0.validFrom ?? .absent) < ($1.validFrom ?? .absent) }
    }

    /// The product's type, which no date changes: of the first of its rows that names one.
    package func type(of id: Identifier) -> ProductType? {
        entries[id]?.lazy.compactMap(\.type).first
    }
}

/// Which days nobody could look at. RULES §3 "Coverage".
package struct Coverage: Sendable, Equatable {
    /// The first business date imported: it covers everything before it.
    package var firstDate: BusinessDate?
    /// Days without a file of a required feed, or with one refused, by what the feed delivers, ascending.
    package var holes: [FeedKind: [BusinessDate]]

    package init(firstDate: BusinessDate? = nil, holes: [FeedKind: [BusinessDate]] = [:]) {
        self.firstDate = firstDate
        self.holes = holes
    }

    /// Whether a day of `from…through` is missing in the feed of that kind.
    package func hasHole(_ kind: FeedKind, from: BusinessDate, through: BusinessDate) -> Bool {
        guard let days = holes[kind], !days.isEmpty else { return false }
        return days.contains { from <= $0 && $0 <= through }
    }
}

/// Whose account a token is, when tokens are per account.
package enum TokenOwner: Hashable, Sendable {
    /// No order carries it.
    case unknown
    case account(Identifier)
    /// Orders of several accounts carry it: it decides nothing.
    case several
}

/// What a run knows beyond one case.
package struct Horizon: Sendable {
    /// "Now" for the rules: the end of the business date, or `asOf` if that is earlier.
    package var instant: Instant
    package var businessDate: BusinessDate
    package var coverage: Coverage

    package init(instant: Instant, businessDate: BusinessDate, coverage: Coverage = Coverage()) {
        self.instant = instant
        self.businessDate = businessDate
        self.coverage = coverage
    }
}
