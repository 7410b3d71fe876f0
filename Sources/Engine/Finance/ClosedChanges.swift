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
        var purchasedAt: Instant?
        var refunds = 0
        var evidence: Provenance?
    }
    private var changes: [Key: Change] = [:]

    /// Adds a subject's movements within a closed month.
    ///
    /// - Parameters:
    ///   - window: the instants of the month.
    ///   - number: the index of the month among the closed months.
    ///   - times: 1 for the movements known now, −1 for the movements as they were reported.
    ///   - evidence: the latest row about the subject, if it is new.
    mutating func add(
        _ legs: Legs, of subject: Subject, _ judgement: Judgement, within window: Range<Instant>, number: Int,
        times: Int64, evidence: Provenance? = nil
    ) {
        for leg in legs.withPartialRefunds where window.contains(leg.at) {
            guard let value = leg.value else { continue }
            let key = Key(month: number, subject: subject.key, currency: value.currency)
            var sales = Sales()
            sales.add(leg, value.minor &* times)
            changes[key, default: Change()].movements += sales.movements
            changes[key]!.product = judgement.product
            changes[key]!.purchasedAt = legs.all.first { $0.kind == .purchase }?.at
            changes[key]!.refunds += Int(times) * (leg.kind == .refund ? 1 : leg.kind == .refundReversal ? -1 : 0)
            if let evidence { changes[key]!.evidence = evidence }
        }
    }

    mutating func merge(_ other: ClosedChanges) {
        // A subject belongs to one case, and each case was added to one of the two.
        changes.merge(other.changes) { mine, _ in mine }
    }

    /// The subjects whose movements changed, sorted by month, currency and subject.
    ///
    /// - Parameters:
    ///   - months: the names of the closed months by index.
    ///   - origin: the name of a file, and the night that read it.
    func lines(
        months: [String], origin: (DeliveryID) throws -> (file: String, night: BusinessDate)?
    ) rethrows -> [RestatedSubject] {
        try changes.filter { $0.value.movements != Movements() }.ordered { left, right in
            if left.key.month != right.key.month { return left.key.month < right.key.month }
            if left.key.currency != right.key.currency { return left.key.currency < right.key.currency }
            return left.key.subject < right.key.subject
        }.map { key, change in
            var line = RestatedSubject(
                period: months[key.month], subject: key.subject.id.text, product: change.product?.text,
                currency: key.currency, change: change.movements, purchasedAt: change.purchasedAt,
                refunds: change.refunds)
            if let source = change.evidence, let origin = try origin(source.delivery) {
                (line.file, line.line, line.night) = (origin.file, source.line, origin.night)
            }
            return line
        }
    }
}
