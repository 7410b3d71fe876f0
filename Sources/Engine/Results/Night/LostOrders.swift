/// The lost-order rate of a night or a month: how the goods of recent purchases reached the customers.
/// See docs/spec/rules.md#lost-orders.
public struct LostOrders: Sendable {
    /// The purchases of one date, or of several.
    public struct Count: Sendable {
        private var counts: [Fulfilment: Int] = [:]
        private var worth: [Fulfilment: MoneySum] = [:]

        mutating func add(_ line: PurchaseLine) {
            counts[line.fulfilment, default: 0] += line.count
            worth[line.fulfilment, default: MoneySum()].add(MoneySum(line.amounts))
        }

        public subscript(_ fulfilment: Fulfilment) -> Int { counts[fulfilment] ?? 0 }
        public var purchases: Int { counts.values.reduce(0, +) }
        /// The purchases whose goods did not come by themselves within 24 hours.
        public var lost: Int { Fulfilment.allCases.filter(\.isLost).reduce(0) { $0 + self[$1] } }

        /// The worth of all purchases that `belongs` accepts, by currency.
        public func worth(of belongs: (Fulfilment) -> Bool) -> MoneySum {
            Fulfilment.allCases.filter(belongs).reduce(into: MoneySum()) { $0.add(worth[$1] ?? MoneySum()) }
        }

        /// Lost orders as a share of all purchases, in ten thousandths. Nil without a purchase.
        public var ratio: Int? { LostOrders.ratio(Int64(lost), of: Int64(purchases)) }
    }

    /// The dates with purchases, ascending.
    public private(set) var days: [(date: BusinessDate, count: Count)] = []
    /// All of these dates together.
    public private(set) var total = Count()
    /// The purchases of a night's business date.
    public private(set) var today = Count()

    public init(_ report: NightReport) {
        self.init(report.purchases)
        today = days.last { $0.date == report.businessDate }?.count ?? Count()
    }

    /// - Parameter lines: sorted by date.
    public init(_ lines: [PurchaseLine]) {
        for line in lines {
            if days.last?.date != line.date { days.append((line.date, Count())) }
            days[days.count - 1].count.add(line)
            total.add(line)
        }
    }

    /// Nil if `whole` is not positive.
    public static func ratio(_ part: Int64, of whole: Int64) -> Int? {
        whole > 0 ? Int((Double(part) / Double(whole) * 10_000).rounded()) : nil
    }
}
