/// By how much each subject's figures changed in months that were closed before.
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
        /// What was given in its place.
        var given: Identifier?
        /// The movements by the product and the storefront that they count for.
        var places: [SalesPlace: Movements] = [:]
        /// Only of a subject that moved to another product or storefront.
        var storefront: Identifier?
        var settings: [String: [String]] = [:]
        var movements = Movements()
        var purchasedAt: Instant?
        var refunds = 0
        var ended: [RefundEnd] = []
        var figures: [String: Int64] = [:]
        var news = NewRows()

        var isNone: Bool { movements == Movements() && figures.values.allSatisfy { $0 == 0 } }
        /// The latest new row of each kind about what changed, the latest of them first.
        var sources: [Provenance] {
            let own = [
                [movements.purchases, movements.refunds, movements.refundReversals].contains { $0 != 0 }
                    ? news.money : nil,
                movements.credited != 0 || movements.reversed != 0 ? news.goods : nil,
                figures["booked"] ?? 0 != 0 ? news.orders : nil,
            ]
            let found = own.compactMap(\.self).ordered { ($0.delivery, $0.line) > ($1.delivery, $1.line) }
            return found.isEmpty ? [latest([news.money, news.goods, news.orders])].compactMap(\.self) : found
        }
    }
    private var changes: [Key: Change] = [:]

    /// Adds a subject's movements within a closed month, and its part of the month's other figures.
    ///
    /// - Parameters:
    ///   - place: the product and the storefront that the movements count for.
    ///   - given: what was given in place of the subject's product.
    ///   - window: the instants of the month.
    ///   - number: the index of the month among the closed months.
    ///   - figures: the other figures of the month, by currency.
    ///   - times: 1 for what is known now, −1 for what was reported.
    ///   - news: the new rows about the subject, or about the subject that its rows now belong to.
    mutating func add(
        _ legs: Legs, of subject: Subject, _ judgement: Judgement, at place: SalesPlace, given: Identifier? = nil,
        within window: Range<Instant>, number: Int, figures: [Currency: [String: Int64]] = [:], times: Int64,
        news: NewRows = NewRows()
    ) {
        func change(_ currency: Currency, _ body: (inout Change) -> Void) {
            let key = Key(month: number, subject: subject.key, currency: currency)
            var change = changes[key] ?? Change()
            (change.product, change.given) = (judgement.product, given)
            change.purchasedAt = legs.all.first { $0.kind == .purchase }?.at
            if times > 0 || change.news == NewRows() { change.news = news }
            body(&change)
            changes[key] = change
        }
        for leg in legs.withPartialRefunds where window.contains(leg.at) {
            guard let value = leg.value else { continue }
            var sales = Sales()
            sales.add(leg, value.minor &* times)
            change(value.currency) {
                $0.movements += sales.movements
                $0.places[place, default: Movements()] += sales.movements
                $0.refunds += Int(times) * leg.refunds
                $0.ended += leg.ended.map {
                    RefundEnd(at: $0.at, count: Int(times) * $0.count, minor: times &* $0.minor)
                }
            }
        }
        for (currency, figures) in figures {
            change(currency) { change in
                for (name, minor) in figures { change.figures[name, default: 0] &+= times &* minor }
            }
        }
    }

    /// The changes that are left; of a subject that moved to another product or storefront, one for each of them. The first
    /// has the figures.
    private func parts(_ settings: (Key, Change) -> [String: [String]]) -> [(key: Key, value: Change)] {
        changes.flatMap { key, change -> [(key: Key, value: Change)] in
            let moved = change.places.filter { $0.value != Movements() }
            guard !change.isNone || moved.count > 1 else { return [] }
            var change = change
            change.settings = settings(key, change)
            if moved.count < 2 { return [(key, change)] }
            return moved.ordered { $0.key < $1.key }.enumerated().map { index, moved in
                var part = change
                (part.product, part.storefront) = (moved.key.product, moved.key.storefront)
                part.movements = moved.value
                if index > 0 { (part.refunds, part.ended, part.figures) = (0, [], [:]) }
                return (key, part)
            }
        }
    }

    /// The figures that changed of a subject, by their words; its movements as one.
    private func figures(_ key: Key) -> Set<String> {
        guard let change = changes[key] else { return [] }
        let figures = Set(change.figures.filter { $0.value != 0 }.keys)
        return change.movements == Movements() ? figures : figures.union([RestatedSubject.movements])
    }

    mutating func dropUnchanged() { changes = changes.filter { !$0.value.isNone } }

    mutating func merge(_ other: ClosedChanges) {
        // A subject belongs to one case, and each case was added to one of the two.
        changes.merge(other.changes) { mine, _ in mine }
    }

    /// The subjects whose figures changed, sorted by month, currency and subject.
    ///
    /// - Parameters:
    ///   - months: the names of the closed months by index.
    ///   - settings: the part of the changes that changed settings account for.
    ///   - each: what changed, by name, and the part of it alone; nil where nothing was judged by it.
    ///   - products: the names of the changed products among `settingsChanged`.
    ///   - origin: the name of a file, and the night that read it.
    func lines(
        months: [String], bySettings settings: ClosedChanges, each: [(name: String, part: ClosedChanges?)] = [],
        products: Set<String> = [],
        origin: (DeliveryID) throws -> (file: String, night: BusinessDate)?
    ) rethrows -> [RestatedSubject] {
        func names(_ key: Key, _ change: Change) -> [String: [String]] {
            let own = [change.product, change.given].compactMap(\.self).map { SettingChange.ofProduct + $0.text }
                .filter(products.contains)
            let figures = settings.figures(key).map { figure in
                let found = each.filter { $0.part?.figures(key).contains(figure) ?? (each.count == 1) }
                    .map(\.name)
                return (figure, found.flatMap { $0 == SettingChange.products && !own.isEmpty ? own : [$0] })
            }
            return Dictionary(uniqueKeysWithValues: figures)
        }
        return try parts(names).ordered { left, right in
            if left.key.month != right.key.month { return left.key.month < right.key.month }
            if left.key.currency != right.key.currency { return left.key.currency < right.key.currency }
            if left.key.subject != right.key.subject { return left.key.subject < right.key.subject }
            return (left.value.product ?? .absent, left.value.storefront ?? .absent)
                < (right.value.product ?? .absent, right.value.storefront ?? .absent)
        }.map { key, change in
            var line = RestatedSubject(
                period: months[key.month], subject: key.subject.id.text, product: change.product?.text,
                storefront: change.storefront?.text, settings: change.settings, currency: key.currency,
                change: change.movements, purchasedAt: change.purchasedAt,
                refunds: change.refunds, ended: change.ended,
                figures: change.figures.filter { $0.value != 0 })
            let origins = try change.sources.compactMap { row in
                try origin(row.delivery).map { (file: $0.file, line: row.line, night: $0.night) }
            }
            if let latest = origins.first { (line.file, line.line, line.night) = latest }
            line.also = origins.dropFirst().map { "\($0.file):\($0.line)" }
            return line
        }
    }
}

/// What the sheets by product and by storefront count a movement for.
struct SalesPlace: Hashable, Comparable, Sendable {
    /// `.absent` where it is unknown.
    var product: Identifier
    var storefront: Identifier

    init(of subject: Subject, _ judgement: Judgement, in file: Case) {
        product = judgement.product ?? .absent
        storefront = subject.leading.flatMap { file.transactions[$0].storefront } ?? .absent
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.product, left.storefront) < (right.product, right.storefront)
    }
}

/// The latest row of each kind about a subject that is new.
struct NewRows: Hashable, Sendable {
    /// Apple's records.
    var money: Provenance?
    /// Credits and reversals.
    var goods: Provenance?
    var orders: Provenance?
}

func latest(_ rows: [Provenance?]) -> Provenance? {
    rows.compactMap(\.self).max { ($0.delivery, $0.line) < ($1.delivery, $1.line) }
}
