/// What the consumer of the retry manifest says of the credits.
extension InputGuard {
    /// Goods that the consumer finds given, while no credit is on record: the export of the credits leaves rows out. What was given
    /// between a night and its answer is on record once the credits of the answer's date have come.
    func alreadyGiven(on night: BusinessDate) throws -> [GuardFinding] {
        let accepted = night.advanced(by: -GuardLimit.usualSpan)
        let released = head.releasedFindings.filter { $0.kind == .alreadyGiven && $0.date > accepted }.map(\.count)
            .max()
        let doubted = head.guarded.filter { $0.kind == .alreadyGiven }.map { $0.since ?? $0.date }
        let since = zone.start(of: doubted.min() ?? night.advanced(by: 1 - GuardLimit.togetherSpan))
        func isAnswered(_ entry: RetryEntry) -> Bool {
            entry.facts.action == .credit && entry.answer != nil && entry.firstEmitted.map { $0 >= since } ?? false
        }
        let given = demands.filter { demand in
            guard let entry = asked[demand.key], isAnswered(entry), entry.answer == .preconditionFailed else {
                return false
            }
            // An order that was only suggested may have been served for another payment.
            let others = [RetryPrecondition.notRevokedSince, .noCreditForSuggestedOrders].map(\.rawValue)
            return entry.isDemanded && !others.contains(entry.message ?? "") && entry.answeredAt! < zone.end(of: night)
        }
        if given.count <= released ?? 0 || Set(given.map(\.account)).count < GuardLimit.givenMin { return [] }
        let before = try history.retryEntries(ofExceptions: Set(history.lostOrdersAsked(since: since).map(\.id)))
        let answers = asked.merging(before.map { ($0.key, $0) }) { tonights, _ in tonights }.values.count(
            where: isAnswered)
        guard given.count * GuardLimit.givenShare > answers else { return [] }
        let dates = given.map { zone.date(of: $0.paidAt) }
        let (first, last) = (dates.min()!, dates.max()!)
        return [
            GuardFinding(
                kind: .alreadyGiven, feed: .credits, date: last, count: given.count, total: answers,
                since: first == last ? nil : first)
        ]
    }
}
