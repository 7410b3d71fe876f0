public import Domain

/// What verdicts rest on besides a case's own evidence: policy, products, facts of the whole history, and what was
/// known up to when. Nights, months, look-ups and checks make it here, so that none judges by another basis.
public struct Basis: Sendable {
    /// With the product list and the facts of the whole history in it.
    public var policy: Policy
    public let horizon: Horizon
    /// Days and feeds that could not be looked at.
    public let coverageGaps: [CoverageGap]
    /// Refused files that are still there and whose day has been delivered since.
    public let settledRefusals: [CoverageGap]
    /// The product list that the policy holds.
    public let products: [Product]
    /// Everything that decides verdicts, configuration and product list, as text.
    public let policyText: String

    /// The basis of the last run of a history, or of an earlier one that `head` describes.
    /// - Parameter run: the run that `head` describes.
    public init(_ settings: NightSettings, _ head: HistoryHead, of run: RunRecord) {
        self.init(
            settings, head, products: head.products, arrivals: head.arrivals,
            Refusals(
                tonight: [], known: head.coverageGaps, settled: head.settledRefusals, arrivals: [],
                feeds: settings.feeds),
            instant: run.horizon, through: run.businessDate)
    }

    /// The basis of the night that follows `head`.
    init(_ settings: NightSettings, _ head: HistoryHead, _ delivered: Delivered, at time: RunTime) {
        var arrivals = head.arrivals
        for arrival in delivered.arrivals { arrivals[arrival.feed, default: []].insert(arrival.date) }
        self.init(
            settings, head, products: head.products(with: delivered), arrivals: arrivals,
            Refusals(
                tonight: delivered.refusals, known: head.coverageGaps, settled: head.settledRefusals,
                arrivals: delivered.arrivals, feeds: settings.feeds),
            instant: min(settings.policy.zone.end(of: time.businessDate), time.asOf), through: time.businessDate)
    }

    private init(
        _ settings: NightSettings, _ head: HistoryHead, products: [Product], arrivals: [String: Set<BusinessDate>],
        _ refusals: Refusals, instant: Instant, through date: BusinessDate
    ) {
        let coverage = CoverageReport(
            feeds: settings.feeds, arrivals: arrivals, refusals: refusals.current, through: date)
        policy = settings.policy
        policy.products = ProductList(products)
        policy.facts = head.facts
        horizon = Horizon(instant: instant, businessDate: date, coverage: coverage.coverage)
        coverageGaps = coverage.coverageGaps
        settledRefusals = refusals.settled
        self.products = products
        policyText = settings.policyText + products.policyText
    }

    /// A basis of its own, for cases that are in no history.
    public init(policy: Policy, horizon: Horizon) {
        self.policy = policy
        self.horizon = horizon
        (coverageGaps, settledRefusals, products) = ([], [], [])
        policyText = ""
    }

    /// Whether a day up to `date` lacks its files now, of which `known` does not say so: an older file came late and
    /// moved the first day back, or a file was refused.
    func hasNewGap(in feed: FeedKind, upTo date: BusinessDate, except known: [CoverageGap]) -> Bool {
        (horizon.coverage.gaps[feed] ?? []).contains { day in
            day <= date && !known.contains { $0.feed == feed.rawValue && $0.date == day.text }
        }
    }
}

extension HistoryHead {
    /// The product list with tonight's rows in it.
    fileprivate func products(with delivered: Delivered) -> [Product] {
        if delivered.evidence.products.isEmpty { return products }
        var names = deliveryNames
        for delivery in delivered.deliveries { names[delivery.number] = delivery.name }
        return merged(products + delivered.evidence.products, names: names)
    }
}

/// Of each product and beginning one row: of the later file date, then of the greater file name, then of the file
/// delivered last under that name, then of its last line. The order of import never decides.
private func merged(_ all: [Product], names: [Int32: String]) -> [Product] {
    struct Key: Hashable {
        var id: Identifier
        var from: BusinessDate?
    }
    func precedes(_ left: Provenance, _ right: Provenance) -> Bool {
        if left.fileDate != right.fileDate { return left.fileDate < right.fileDate }
        let (mine, theirs) = (names[left.delivery] ?? "", names[right.delivery] ?? "")
        return mine == theirs
            ? (left.delivery, left.line) < (right.delivery, right.line)
            : mine.utf8.lexicographicallyPrecedes(theirs.utf8)
    }
    var list: [Key: Product] = [:]
    for product in all {
        let key = Key(id: product.id, from: product.validFrom)
        if let known = list[key], precedes(product.source, known.source) { continue }
        list[key] = product
    }
    return list.values.sorted {
        $0.id == $1.id ? ($0.validFrom ?? .absent) < ($1.validFrom ?? .absent) : $0.id < $1.id
    }
}

extension [Product] {
    /// What of the product list decides verdicts, as text.
    fileprivate var policyText: String {
        map { product in
            [
                "product", product.id.text, product.type?.name, product.price?.description, product.validFrom?.text,
                product.validTo?.text,
            ].map { $0 ?? "" }.joined(separator: " ") + "\n"
        }.joined()
    }
}
