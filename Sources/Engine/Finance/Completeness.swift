public import Domain

/// Where each amount on file went: every stored record and order is in exactly one step, so the steps add up to all of
/// them. See docs/spec/interfaces.md#completeness.
public struct Completeness: Sendable {
    /// A subject, with the orders whose bookings count for it.
    public struct Entry {
        var subject: Subject
        var judgement: Judgement
        var orders: [Int]
    }
    private struct Key: Hashable, Sendable {
        var feed: FeedKind
        var currency: Currency
        var step: CompletenessStep
    }
    struct Sum: Sendable {
        var count = 0
        var minor: Int64 = 0
    }
    private var sums: [Key: Sum] = [:]
    /// All that is stored, by feed and currency.
    private var stored: [Key: Sum] = [:]

    public init() {}

    /// Counts everything that is stored.
    public mutating func addStored(_ evidence: Evidence) {
        for record in evidence.transactions {
            if let price = record.price?.money {
                stored[Key(feed: .transactions, currency: price.currency, step: .files), default: Sum()].add(price)
            }
        }
        for order in evidence.orders {
            if let amount = order.amount {
                stored[Key(feed: .orders, currency: amount.currency, step: .files), default: Sum()].add(amount)
            }
        }
    }

    private mutating func add(_ feed: FeedKind, _ step: CompletenessStep, _ amount: Money?) {
        guard let amount else { return }
        sums[Key(feed: feed, currency: amount.currency, step: step), default: Sum()].add(amount)
    }

    /// Counts a purchase and its order that matched cleanly.
    public mutating func addCleanMatch(_ purchase: Transaction, _ order: Order, isWithin: Bool) {
        let step: CompletenessStep = isWithin ? .month : .otherMonths
        add(.transactions, step, purchase.price?.money)
        add(.orders, step, order.amount)
    }

    /// Counts the evidence of a case.
    public mutating func add(
        _ entries: [Entry], in file: Case, superseded: [Transaction], olderOrders: [Order], _ scope: MonthScope
    ) {
        for record in superseded { add(.transactions, .superseded, record.price?.money) }
        for order in olderOrders { add(.orders, .superseded, order.amount) }
        var records = [CompletenessStep](repeating: .unusable, count: file.transactions.count)
        var orders = [CompletenessStep](repeating: .unusable, count: file.orders.count)
        for entry in entries {
            let subject = entry.subject
            let isOut = entry.judgement.verdict == .outOfScope
            let given = Set(subject.position.credits.compactMap(\.order))
            for order in entry.orders {
                let row = file.orders[order]
                if isOut {
                    orders[order] = .outOfScope
                } else if row.isBooked || given.contains(row.id) {
                    orders[order] = scope.span.contains(row.createdAt) ? .month : .otherMonths
                }
            }
            guard subject.backing == .purchase, let leading = subject.leading else { continue }
            for record in subject.transactions where file.transactions[record].proof >= .vouched {
                records[record] = .samePurchase
            }
            let purchase = file.transactions[leading]
            records[leading] =
                isOut || purchase.environment != scope.policy.environment
                ? .outOfScope : scope.span.contains(purchase.purchasedAt) ? .month : .otherMonths
        }
        for (record, step) in zip(file.transactions, records) { add(.transactions, step, record.price?.money) }
        for (order, step) in zip(file.orders, orders) { add(.orders, step, order.amount) }
    }

    public mutating func merge(_ other: Completeness) {
        sums.merge(other.sums) { $0 + $1 }
        stored.merge(other.stored) { $0 + $1 }
    }

    /// The steps from the files to the month.
    ///
    /// - Parameters:
    ///   - files: what the files' control totals add up to, by feed.
    ///   - money: the month's figures.
    public func lines(files: [FeedKind: MoneySum], money: [MoneyLine]) -> [CompletenessLine] {
        var lines: [CompletenessLine] = []
        for feed in [FeedKind.transactions, .orders] {
            let currencies = Set(stored.keys.filter { $0.feed == feed }.map(\.currency))
            for currency in currencies.sorted() {
                let kept = stored[Key(feed: feed, currency: currency, step: .files)] ?? Sum()
                let total = files[feed]?[currency] ?? 0
                lines.append(CompletenessLine(feed: feed, currency: currency, step: .files, count: nil, minor: total))
                lines.append(
                    CompletenessLine(
                        feed: feed, currency: currency, step: .duplicates, count: nil, minor: total &- kept.minor))
                for step in CompletenessStep.allCases {
                    guard let sum = sums[Key(feed: feed, currency: currency, step: step)], step != .month else {
                        continue
                    }
                    lines.append(
                        CompletenessLine(
                            feed: feed, currency: currency, step: step, count: sum.count, minor: sum.minor))
                }
                let line = money.first { $0.currency == currency }
                let estimated = line?.estimated ?? 0
                if feed == .transactions, estimated != 0 {
                    lines.append(
                        CompletenessLine(
                            feed: feed, currency: currency, step: .estimated, count: nil, minor: estimated))
                }
                let month = feed == .transactions ? line?.movements.purchases : line?.bookings.booked
                let count = sums[Key(feed: feed, currency: currency, step: .month)]?.count ?? 0
                lines.append(
                    CompletenessLine(
                        feed: feed, currency: currency, step: .month, count: count, minor: month ?? 0))
            }
        }
        return lines
    }
}

extension Completeness.Sum {
    mutating func add(_ amount: Money) {
        count += 1
        minor &+= amount.minor
    }

    static func + (left: Self, right: Self) -> Self {
        Self(count: left.count + right.count, minor: left.minor &+ right.minor)
    }
}
