/// Where each amount on file went: every stored record and order is in exactly one step, so the steps add up to all of
/// them. See docs/spec/interfaces.md#completeness.
struct Completeness: Sendable {
    /// A subject, with the orders whose bookings count for it.
    struct Entry {
        let subject: Subject
        let judgement: Judgement
        var orders: [Int] = []
    }
    private struct Key: Hashable, Sendable {
        var feed: FeedKind
        var currency: Currency
        var step: CompletenessStep
    }
    /// Those of the first step are all that is stored.
    private var sums: [Key: CountAndAmount] = [:]

    mutating func addStored(_ evidence: Evidence) {
        for record in evidence.transactions { add(record.price?.money, to: .files, of: .transactions) }
        for order in evidence.orders { add(order.amount, to: .files, of: .orders) }
    }

    private mutating func add(_ amount: Money?, to step: CompletenessStep, of feed: FeedKind) {
        guard let amount else { return }
        sums[Key(feed: feed, currency: amount.currency, step: step), default: CountAndAmount()] +=
            CountAndAmount(count: 1, minor: amount.minor)
    }

    mutating func addCleanMatch(_ purchase: Transaction, _ order: Order, isWithin: Bool) {
        let step: CompletenessStep = isWithin ? .month : .otherMonths
        add(purchase.price?.money, to: step, of: .transactions)
        add(order.amount, to: step, of: .orders)
    }

    mutating func add(
        _ entries: [Entry], in file: Case, superseded: [Transaction], olderOrders: [Order], _ scope: MonthScope
    ) {
        for record in superseded { add(record.price?.money, to: .superseded, of: .transactions) }
        for order in olderOrders { add(order.amount, to: .superseded, of: .orders) }
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
        for (record, step) in zip(file.transactions, records) { add(record.price?.money, to: step, of: .transactions) }
        for (order, step) in zip(file.orders, orders) { add(order.amount, to: step, of: .orders) }
    }

    mutating func merge(_ other: Completeness) {
        sums.merge(other.sums, uniquingKeysWith: +)
    }

    /// The steps from the files to the month.
    ///
    /// - Parameters:
    ///   - files: what the files' control totals add up to, by feed.
    ///   - money: the month's figures.
    func lines(files: [FeedKind: MoneySum], money: [MoneyLine]) -> [CompletenessLine] {
        [FeedKind.transactions, .orders].flatMap { feed in
            let currencies = sums.keys.filter { $0.feed == feed && $0.step == .files }.map(\.currency)
            return currencies.ordered().flatMap { currency in
                lines(
                    of: feed, in: currency, files: files[feed]?[currency] ?? 0,
                    money: money.first { $0.currency == currency })
            }
        }
    }

    private func lines(
        of feed: FeedKind, in currency: Currency, files: Int64, money: MoneyLine?
    ) -> [CompletenessLine] {
        func line(_ step: CompletenessStep, _ minor: Int64, count: Int? = nil) -> CompletenessLine {
            CompletenessLine(feed: feed, currency: currency, step: step, count: count, minor: minor)
        }
        func sum(_ step: CompletenessStep) -> CountAndAmount? {
            sums[Key(feed: feed, currency: currency, step: step)]
        }
        var lines = [line(.files, files), line(.duplicates, files &- (sum(.files)?.minor ?? 0))]
        for step in CompletenessStep.allCases where step != .files && step != .month {
            if let sum = sum(step) { lines.append(line(step, sum.minor, count: sum.count)) }
        }
        if feed == .transactions, let estimated = money?.estimated, estimated != 0 {
            lines.append(line(.estimated, estimated))
        }
        let month = feed == .transactions ? money?.movements.purchases : money?.bookings.booked
        return lines + [line(.month, month ?? 0, count: sum(.month)?.count ?? 0)]
    }
}
