/// What the operator should know about a night apart from its report.
public enum NightWarning: Hashable, Sendable {
    /// Demands for credits were withheld.
    case withheld(WithheldCredits)
    /// One rejected row withholds the goods of so many customers. `place` is its file and line. Somebody must look.
    case customersWithheld(count: Int, place: String)
    /// So many credits name an order that nothing links to a payment, of `total` credits delivered tonight.
    case creditsOfUnlinkedOrders(count: Int, of: Int)
    /// So many goods that no payment accounts for were given for orders that tonight's feeds leave out. `credit` is the first.
    case creditsOfOrdersLeftOut(count: Int, credit: Identifier)
    /// The desk recorded that it gave these purchases' goods, and no credit came. The parameters after `count` are the
    /// first one's.
    case handOutsWithoutCredit(count: Int, HandOut)
    /// Tonight's credits of the desk that name no transaction, to accounts with a payment that looks uncredited. `credit` and
    /// `place` (file and line) are the first one's.
    case deskCreditsWithoutTransaction(count: Int, credit: Identifier, place: String)
    /// Acknowledgements name keys that no retry entry has. `key` and `place` (file and line) are the first one's.
    case unknownAcknowledgements(count: Int, key: String, place: String)
    /// Days without a file of a credits feed that is not required, where none is: their purchases are not credited by a
    /// machine. `date` is the first of `count` days. `isRead`: the configuration has the feed.
    case creditsUnseen(feed: String, date: BusinessDate, count: Int, isRead: Bool)
    /// Purchases were made in a break of the goods on record, and lack their goods.
    case goodsBreak(GoodsBreak)
    /// A feed's files have lost these columns.
    case columnsLost(LostColumns)
    /// The product list has `count` prices that are a hundred times Apple's, or a hundredth. The first of them.
    case pricesDoubted(count: Int, PriceDoubt)
    /// So many rows of a kind of feed are rejected. `place` (file and line) and `reason` are the first one's.
    case rowsRejected(FeedKind, count: Int, place: String, reason: String)
    /// The guard holds the night's retry entries, of which there are `held`, because of these findings.
    case guarded([GuardFinding], held: Int)
    /// The circuit breaker holds the retry manifest, for this reason.
    case manifestHeld(HoldReason)
    /// So many of tonight's subjects have a flag that the times of a feed are probably wrong.
    case manyFlagged(flag: String, count: Int, of: Int)
    /// So many of tonight's subjects count as credited by their order's status alone, although a credits feed is required.
    case statusOnly(count: Int, of: Int)
    /// The rules have changed since the last night, so every case was judged again.
    case rulesChanged(from: Int?, to: Int)
    /// The configuration differs from that of the last night.
    case settingChanged(SettingChange)
    /// More than `limit` orders carry a token that should belong to a single order.
    case crowdedToken(Token, limit: Int)
}

extension NightWarning {
    /// What the summary says of goods that are withheld; nil for other warnings.
    var withheld: WithheldCredits? {
        if case .withheld(let credits) = self { credits } else { nil }
    }
}

extension NightReport {
    /// A warning for each flag that depends on times and that more than a fifth of the subjects judged tonight have, and
    /// for credits that no row confirms.
    var flagWarnings: [NightWarning] {
        let total = judged
        let doubted = statusOnly.map { [NightWarning.statusOnly(count: $0, of: total)] } ?? []
        guard total >= 20 else { return doubted }
        return doubted
            + [Flags.clockSkew, .cutOff].compactMap { flag in
                let count = flags[flag] ?? 0
                return count * 5 > total ? .manyFlagged(flag: flag.names[0], count: count, of: total) : nil
            }
    }
}

extension NightReport {
    /// Tonight's rejected rows. What clients send is never without rows of no use.
    var rejectWarnings: [NightWarning] {
        if rejects.isEmpty { return [] }
        let kinds = Dictionary(files.map { ($0.name, $0.feed) }) { first, _ in first }
        return FeedKind.allCases.filter { $0 != .receipts }.compactMap { feed in
            let rows = rejects.filter { kinds[$0.source] == feed }
            return rows.first.map {
                .rowsRejected(
                    feed, count: conservation[feed]?.rejected ?? rows.count, place: "\($0.source):\($0.reject.line)",
                    reason: ($0.reject.column.map { $0 + ": " } ?? "") + $0.reject.reason)
            }
        }
    }
}

extension Findings {
    /// A warning of goods for orders that are left out, and one where more than a tenth of the night's credits name another
    /// order that nothing links to a payment.
    func unlinkedWarnings(of deliveries: [Delivery], but leftOut: Set<UInt64>) -> [NightWarning] {
        let total = deliveries.filter { $0.kind == .credits }.reduce(0) { $0 + $1.totals.rows - $1.totals.rejected }
        // The guard reports ids that two records share, and their remedy is another one.
        guard contradictions.isEmpty else { return [] }
        let unlinked = strayCredits.filter {
            $0.isUnplaced && $0.kind == .credit && $0.order != nil && $0.transaction == nil
        }
        var reader = IdentifierReader()
        let elsewhere = leftOut.isEmpty ? [] : unlinked.filter { leftOut.contains(reader.textHash(of: $0.order!)) }
        let others = Set(elsewhere.map(\.id))
        let told = others.min().map { NightWarning.creditsOfOrdersLeftOut(count: others.count, credit: $0) }
        let count = unlinked.count - elsewhere.count
        let isMany = count >= 20 && count * 10 > total
        return [told, isMany ? .creditsOfUnlinkedOrders(count: min(count, total), of: total) : nil].compactMap { $0 }
    }
}

extension Basis {
    /// A warning for each credits feed that lacks days, where none is required.
    /// - Parameter names: those of the configured feeds.
    func unseenWarnings(configured names: Set<String>) -> [NightWarning] {
        Dictionary(grouping: creditsUnseen, by: \.feed).ordered().compactMap { feed, days in
            days.map(\.date).min().map {
                .creditsUnseen(feed: feed, date: $0, count: days.count, isRead: names.contains(feed))
            }
        }
    }
}
