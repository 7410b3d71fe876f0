/// Everything that verdicts rest on apart from a case's own evidence: the policy with the product list, facts about the
/// whole history, the point in time and the coverage. Nights, months, look-ups and checks all create their basis here,
/// so they cannot judge the same case differently.
public struct Basis: Sendable {
    /// The rules' settings, with the product list and the facts about the whole history.
    public var policy: Policy
    /// "Now" for the rules, and the coverage.
    public let horizon: Horizon
    /// Missing and refused files that count, by date.
    public private(set) var coverageGaps: [CoverageGap] = []
    /// The days without a file of a credits feed, where none is required. They change no verdict.
    public private(set) var creditsUnseen: [FeedDay] = []
    /// The gaps that people accepted. They do not count.
    public private(set) var acceptedGaps: [GapDecision] = []
    /// The feeds, with the date since which each is expected.
    public private(set) var feeds: [FeedRecord] = []
    /// The product list that `policy` holds.
    public private(set) var products: [Product] = []
    /// Everything that decides verdicts, as text: the configuration's part, then the product list. If it differs from
    /// the last run's, every case is judged again.
    public private(set) var policyText = ""

    /// The basis of a run of the history: the feeds and the gaps are those that the run knew.
    ///
    /// - Parameters:
    ///   - head: what that run left behind.
    ///   - run: the run that `head` describes; not always the last one.
    public init(_ settings: NightSettings, _ head: HistoryHead, of run: RunRecord) {
        self.init(
            settings, head, products: head.products, arrivals: head.arrivals, feeds: head.feeds,
            refusals: head.coverageGaps.filter { $0.reason.file != nil || $0.isOfNone(of: head.feeds) },
            instant: run.horizon,
            through: run.businessDate)
    }

    init(_ settings: NightSettings, after head: HistoryHead, delivered: Delivered, at time: RunTime) {
        var arrivals = head.arrivals
        for arrival in delivered.arrivals { arrivals[arrival.feed, default: []].insert(arrival.date) }
        let feeds = settings.feeds.map(\.record).resolved(after: head, on: time.businessDate)
        self.init(
            settings, head, products: head.products(with: delivered), arrivals: arrivals,
            feeds: feeds,
            refusals: [CoverageGap](
                refusedTonight: delivered.refusals, known: head.coverageGaps, arrivals: delivered.arrivals,
                feeds: feeds,
                accepted: head.gapDecisions.acceptedDays),
            instant: min(settings.policy.zone.end(of: time.businessDate), time.asOf), through: time.businessDate)
    }

    private init(
        _ settings: NightSettings, _ head: HistoryHead, products: [Product], arrivals: [String: Set<BusinessDate>],
        feeds: [FeedRecord], refusals: [CoverageGap], instant: Instant, through date: BusinessDate
    ) {
        let coverage = CoverageReport(
            feeds: feeds, arrivals: arrivals, refusals: refusals, accepted: head.gapDecisions.acceptedDays,
            through: date)
        policy = settings.policy
        policy.products = ProductList(products)
        policy.facts = head.facts
        policy.formerBundles = head.bundles.filter { $0.value != settings.policy.bundles }
        horizon = Horizon(instant: instant, businessDate: date, coverage: coverage.coverage)
        coverageGaps = coverage.coverageGaps
        creditsUnseen = coverage.creditsUnseen
        acceptedGaps = head.gapDecisions.accepted
        self.feeds = feeds
        self.products = products
        policyText = settings.policyText + products.policyText
    }

    /// A basis for cases that are in no history, such as those of the self-test. It has no products and no gaps but
    /// those of `horizon`.
    public init(policy: Policy, horizon: Horizon) {
        self.policy = policy
        self.horizon = horizon
    }

    /// Whether a day up to `date` has a gap that `known` does not list. That happens when an older file arrives late
    /// and moves the first business date back, or when a file was refused.
    func hasNewGap(in feed: FeedKind, upTo date: BusinessDate, except known: [CoverageGap]) -> Bool {
        (horizon.coverage.gaps[feed] ?? []).contains { day in
            day <= date && !known.contains { $0.feed == feed && $0.date == day }
        }
    }
}

extension HistoryHead {
    /// The product list with tonight's rows merged in.
    fileprivate func products(with delivered: Delivered) -> [Product] {
        if delivered.evidence.products.isEmpty { return products }
        let names = files.merging(delivered.deliveries.map { ($0.number, $0.file) }) { $1 }.mapValues(\.name)
        return merged(products + delivered.evidence.products, names: names)
    }
}

extension [Product] {
    /// The part of the product list that decides verdicts, one line for each row.
    var policyText: String { map { $0.policyLine + "\n" }.joined() }

    /// The product list of a policy's text.
    /// - Throws: `EngineError.damaged` for a line that this program never writes.
    init(policyText: String) throws(EngineError) {
        self = []
        for line in policyText.split(separator: "\n") where line.isProduct {
            guard let product = Product(policyLine: line) else {
                throw .damaged("a run's policy contains the impossible line “\(line)”")
            }
            append(product)
        }
    }
}

extension Product {
    /// What the list says of the product, for people: kind, price, and the days on which the price holds.
    var terms: String {
        let days =
            validFrom == nil && validTo == nil
            ? nil : [validFrom, validTo].map { $0?.text ?? "" }.joined(separator: "–")
        return [type?.name, price?.description, days].compactMap(\.self).joined(separator: " ")
    }

    fileprivate var policyLine: String {
        ["product", id.text, type?.name, price?.description, validFrom?.text, validTo?.text].map { $0 ?? "" }
            .joined(separator: " ")
    }

    /// Only the id may contain blanks, so the fields are read from the end.
    fileprivate init?(policyLine line: Substring) {
        var fields = line.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { String($0)! }
        guard fields.count >= 6 else { return nil }
        self.init(id: .absent)
        validTo = BusinessDate(fields.removeLast())
        validFrom = BusinessDate(fields.removeLast())
        if let currency = Currency(fields.removeLast()) {
            price = Int64(fields.removeLast().filter { $0 != "." }).map { Money(minor: $0, currency: currency) }
        }
        let word = fields.removeLast()
        type = ProductType.allCases.first { $0.name == word }
        id = Identifier(fields.dropFirst().joined(separator: " "))
        if policyLine != line { return nil }
    }
}

extension Substring {
    /// Whether a line of a policy is one of its product list. By bytes, because an id may begin with a combining mark.
    var isProduct: Bool { utf8.starts(with: "product ".utf8) }
}
