/// By how much each subject's movements changed in months that were closed before.
struct ClosedChanges: Sendable {
    private struct Key: Hashable {
        /// The index of the closed month.
        var month: Int
        var subject: SubjectKey
        var currency: Currency
    }
    /// The change so far: movements known now less movements as reported.
    private struct Change: Sendable {
        var product: Identifier?
        var movements = Movements()
    }
    private var changes: [Key: Change] = [:]

    /// Adds a subject's movements within a closed month.
    ///
    /// - Parameters:
    ///   - window: the instants of the month.
    ///   - number: the index of the month among the closed months.
    ///   - times: 1 for the movements known now, −1 for the movements as they were reported.
    mutating func add(
        _ legs: Legs, of subject: Subject, _ judgement: Judgement, within window: Range<Instant>, number: Int,
        times: Int64
    ) {
        for leg in legs.withPartialRefunds where window.contains(leg.at) {
            guard let value = leg.value else { continue }
            let key = Key(month: number, subject: subject.key, currency: value.currency)
            var sales = Sales()
            sales.add(leg, value.minor &* times)
            changes[key, default: Change()].movements += sales.movements
            changes[key]!.product = judgement.product
        }
    }

    mutating func merge(_ other: ClosedChanges) {
        // A subject belongs to one case, and each case was added to one of the two.
        changes.merge(other.changes) { mine, _ in mine }
    }

    /// The subjects whose movements changed, sorted by month, currency and subject.
    ///
    /// - Parameter months: the names of the closed months by index.
    func lines(months: [String]) -> [RestatedSubject] {
        changes.filter { $0.value.movements != Movements() }.sorted { left, right in
            if left.key.month != right.key.month { return left.key.month < right.key.month }
            if left.key.currency != right.key.currency { return left.key.currency < right.key.currency }
            return left.key.subject < right.key.subject
        }.map { key, change in
            RestatedSubject(
                period: months[key.month], subject: key.subject.id.text, product: change.product?.text,
                currency: key.currency, change: change.movements)
        }
    }
}
