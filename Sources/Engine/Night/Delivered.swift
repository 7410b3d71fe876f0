/// A file of a feed that arrived for a date.
public struct Arrival: Codable, Hashable, Sendable {
    /// The feed's name.
    public var feed: String
    /// The business date that it delivers.
    public var date: BusinessDate
    /// The file's name.
    public var file: String

    public init(feed: String, date: BusinessDate, file: String) {
        (self.feed, self.date, self.file) = (feed, date, file)
    }
}

/// What tonight's files contain.
public struct Delivered: Sendable {
    /// All evidence, and the rows of products, acknowledgements and order look-ups.
    public var evidence = Evidence()
    public var deliveries: [Delivery] = []
    /// The rows that cannot be used.
    public var rejects: [RejectLine] = []
    /// The SHA-256 of each signature that was verified tonight, so that no later night has to verify it again.
    public var verified: [Digest256] = []
    /// The files that arrived, whether they were read or their content was known.
    public var arrivals: [Arrival] = []
    /// What the first rows of tonight's files say, by the feed's name.
    public var samples: [String: RowSample] = [:]
    /// The same of credits feeds that have several files a date, by the feed's name and the part's.
    public var kindSamples: [String: [String: RowSample]] = [:]
    /// Files that came under another date's name before and have their own by now, with what they brought then.
    public var renamed: [(kind: FeedKind, name: String, date: BusinessDate, rows: RowCount)] = []
    /// Refused files of feeds that are not required.
    public var refusals: [CoverageGap] = []
    /// Goods that the desk recorded as given by hand, up to the run's time.
    public var handOuts: [HandOut] = []
    /// The hashes of the ids of orders that feeds leave out, as `IdentifierReader.textHash` has them.
    public var ordersLeftOut: Set<UInt64> = []
    /// How many files match a feed but were imported before.
    public var filesSkipped = 0
    /// The number of tonight's first delivery. Evidence of this and later deliveries is new.
    public var firstDelivery: DeliveryID = 1

    public init() {}
}

extension Delivered {
    /// The desk's credits that name no transaction.
    var unnamedDeskCredits: [UnnamedDeskCredit] { evidence.credits.compactMap(UnnamedDeskCredit.init) }

    /// A warning where one of these credits may be meant for a payment that looks uncredited.
    func warning(of unnamed: [UnnamedDeskCredit], _ observations: [Observation]) -> [NightWarning] {
        if unnamed.isEmpty { return [] }
        let lacking = observations.filter { $0.verdict == .paidNotCredited }.compactMap(\.facts)
        let accounts = Set(lacking.flatMap(\.accounts))
        let doubtful = unnamed.filter { accounts.contains($0.account.text) }
        guard
            let first = doubtful.min(by: { ($0.source.delivery, $0.source.line) < ($1.source.delivery, $1.source.line) }
            )
        else { return [] }
        let name = deliveries.first { $0.number == first.source.delivery }?.name ?? ""
        return [
            .deskCreditsWithoutTransaction(
                count: doubtful.count, credit: first.id, place: "\(name):\(first.source.line)")
        ]
    }
}

extension UnnamedDeskCredit {
    /// Nil for any other credit.
    init?(_ credit: Credit) {
        guard credit.origin == .desk, credit.kind == .credit, credit.transaction == nil else { return nil }
        self.init(id: credit.id, account: credit.account, source: credit.source)
    }
}
