public import Domain

/// By how much subjects changed months that were closed.
public struct ClosedChanges: Sendable {
    private struct Key: Hashable {
        /// Which of the closed months.
        var month: Int
        var subject: SubjectKey
        var currency: Currency
    }
    private struct Change: Sendable {
        var product: Identifier?
        var movements = Movements()
    }
    private var changes: [Key: Change] = [:]

    public init() {}

    /// Adds (1) a subject's movements as they are now, or takes away (−1) as they were known.
    public mutating func add(
        _ legs: Legs, of subject: Subject, _ judgement: Judgement, within window: Range<Instant>, number: Int,
        times: Int64
    ) {
        for leg in legs.withPartialRefund where window.contains(leg.at) {
            guard let value = leg.value else { continue }
            let key = Key(month: number, subject: subject.key, currency: value.currency)
            var sales = Sales()
            sales.add(leg, value.minor * times)
            changes[key, default: Change()].movements += sales.movements
            changes[key]!.product = judgement.product
        }
    }

    public mutating func merge(_ other: ClosedChanges) {
        // A subject is of one case, and a case of one part.
        changes.merge(other.changes) { mine, _ in mine }
    }

    /// Those that changed anything, sorted by month, currency and subject.
    public func lines(months: [String]) -> [RestatedSubject] {
        changes.filter { $0.value.movements != Movements() }.sorted { left, right in
            if left.key.month != right.key.month { return left.key.month < right.key.month }
            if left.key.currency != right.key.currency { return left.key.currency < right.key.currency }
            return left.key.subject < right.key.subject
        }.map { key, change in
            RestatedSubject(
                period: months[key.month], subject: key.subject.id.text, product: change.product?.text,
                currency: key.currency.text, change: change.movements)
        }
    }
}
