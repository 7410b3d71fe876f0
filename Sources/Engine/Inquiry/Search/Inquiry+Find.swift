internal import Matching

/// Purchases found by what a customer without an id knows.
public struct FoundPurchases: Sendable {
    /// What was searched for.
    public var asked: PurchaseDescription?
    /// The part of an id that they were found by.
    public var part: PartOfIdentifier?
    /// Digits in the message with which an id of the first of them ends, and of no other.
    public var ending: String?
    /// The first of them: those without a known owner or, where the customer's account is known, that account's; then those
    /// whose goods are missing, then the newest. A list never says that goods may be given.
    public var purchases: [LookupSubject] = []
    /// How many there are.
    public var total = 0
    /// There are more than were looked at, so `total` may be too large.
    public var isPartial = false
}

extension Inquiry {
    /// How many purchases a list shows.
    static let listedMax = 20
    /// How many cases are judged for a list.
    fileprivate static let judgedMax = 400
    /// Of how many cases the exact time, the ids and the accounts are read.
    private static let readMax = 50_000
    /// How many days, up to the last night's, are searched if no date is given.
    private static let usualDays = 7

    /// The answer to a description of a purchase.
    public func answer(finding asked: PurchaseDescription, in text: String, asker: String? = nil) throws -> LookupAnswer
    {
        var answer = newAnswer(to: text)
        answer.asker = try asker.flatMap(account(asking:))
        answer.unknownAccount = try answer.asker.flatMap(unknown)
        try answer.find(asked, in: self)
        return answer
    }

    /// An answer that says how far the records reach, and nothing else yet.
    func newAnswer(to text: String) -> LookupAnswer {
        var answer = LookupAnswer(identifier: text, covers: covers, knowsUpTo: run.horizon)
        (answer.recordsFrom, answer.guarded) = (recordsFrom, guardFindings)
        (answer.coverageGaps, answer.staleness) = (coverageGaps, staleness)
        return answer
    }

    /// - Parameter instant: when the customer asks; nil for now.
    func reader(at instant: Instant? = nil) -> DescriptionReader {
        let now = instant ?? now
        let today = policy.zone.date(of: now)
        let minute = Int((now.milliseconds - policy.zone.start(of: today).milliseconds) / 60_000)
        return DescriptionReader(
            today: today, minute: minute, zone: policy.zone, firstDay: recordsFrom,
            products: policy.products.names, prices: policy.products.prices)
    }

    /// The cases that may fit, those with missing goods first; and whether there were too many to read all of them.
    /// - Parameter isOpen: only those whose goods are missing or in doubt.
    func cases(
        fitting asked: PurchaseDescription, on days: ClosedRange<BusinessDate>, isOpen: Bool = false
    ) throws -> (cases: [CaseID], isPartial: Bool) {
        let zone = policy.zone
        let spans = asked.times(on: days, in: zone)
        guard let first = spans.map(\.lowerBound).min(), let end = spans.map(\.upperBound).max() else {
            return ([], false)
        }
        let dates = zone.date(of: first)...zone.date(of: Instant(milliseconds: end.milliseconds - 1))
        var hours = Set(0..<24)
        if !asked.arounds.isEmpty, asked.within < 12 * 60 {
            // Hours of summer time differ between dates, so each span is asked.
            hours = spans.reduce(into: []) { hours, span in
                let (first, last) = (span.lowerBound.milliseconds, span.upperBound.milliseconds - 1)
                for at in Array(stride(from: first, to: last, by: 3_600_000)) + [last] {
                    hours.insert(zone.hour(of: Instant(milliseconds: at)))
                }
            }
        }
        let columns = DateTable.columns(for: asked, hours: hours)
        var (open, others): ([CaseID], [CaseID]) = ([], [])
        var tables = try history.tables(in: dates).ordered()
        // One block after the other, the newest first: no case is in two of them, so only a block's own are put in order.
        while let block = tables.last?.key.block {
            var (lacking, whole): ([CaseID], [CaseID]) = ([], [])
            while let (key, table) = tables.last, key.block == block {
                tables.removeLast()
                try table.table(of: key.date, only: columns)
                    .addCases(fitting: asked, hours: hours, to: &whole, open: &lacking)
            }
            lacking = descending(lacking, besides: [])
            open += lacking
            if !isOpen { others += descending(whole, besides: lacking) }
        }
        let ordered = open + others
        if asked.arounds.isEmpty, asked.ending == nil, asked.account == nil { return (ordered, false) }
        let read = Array(ordered.prefix(Self.readMax))
        return (try history.cases(read, fitting: asked, in: spans), ordered.count > read.count)
    }

    /// The purchases of these cases that fit, in the order of a list.
    func subjects(
        of inquiry: CaseInquiry, fitting asked: PurchaseDescription, on days: ClosedRange<BusinessDate>
    ) -> [CaseInquiry.JudgedSubject] {
        let spans = asked.times(on: days, in: policy.zone)
        return inquiry.subjects.filter { finding in
            guard let purchase = finding.purchase, spans.contains(where: { $0.contains(purchase.purchasedAt) }) else {
                return false
            }
            if !asked.products.isEmpty, !asked.products.contains(purchase.product) { return false }
            if let place = asked.storefront, purchase.storefront?.text != place { return false }
            if let money = finding.judgement.amount ?? purchase.price?.money, !asked.fits(money) { return false }
            if let account = asked.account, finding.judgement.owner?.text.hasPrefix(account) == false { return false }
            guard let ending = asked.ending else { return true }
            return finding.ends(in: ending)
        }
    }

    /// The purchases that fit, of as many cases as a list judges.
    func found(_ asked: PurchaseDescription, isOpen: Bool) throws -> [CaseInquiry.JudgedSubject] {
        let days = usualDays(of: asked)
        let cases = try cases(fitting: asked, on: days, isOpen: isOpen).cases.prefix(Self.judgedMax)
        return subjects(of: try CaseInquiry(self, cases: Set(cases)), fitting: asked, on: days)
    }

    func usualDays(of asked: PurchaseDescription) -> ClosedRange<BusinessDate> {
        asked.days
            ?? max(covers.lowerBound, covers.upperBound.advanced(by: 1 - Self.usualDays))...covers.upperBound
    }

    /// Whether all dates of the description are before or after the records.
    func isOutside(_ asked: PurchaseDescription) -> Bool {
        guard let days = asked.days else { return false }
        let last = policy.zone.date(of: Instant(milliseconds: run.horizon.milliseconds - 1))
        return days.upperBound < recordsFrom || days.lowerBound > max(last, covers.upperBound)
    }
}

/// Each case once, those with the highest numbers first. A table has its cases in order, so sorting is quick.
/// - Parameter known: cases in this order, which are left out.
private func descending(_ cases: [CaseID], besides known: [CaseID]) -> [CaseID] {
    var found: [CaseID] = []
    found.reserveCapacity(cases.count)
    var rest = known[...]
    for number in cases.sorted(by: >) where number != found.last {
        while let first = rest.first, first > number { rest.removeFirst() }
        if rest.first != number { found.append(number) }
    }
    return found
}

extension LookupAnswer {
    /// Adds the purchases that fit the description.
    mutating func find(_ asked: PurchaseDescription, in source: Inquiry) throws {
        let days = source.usualDays(of: asked)
        let (cases, isPartial) = try source.cases(fitting: asked, on: days)
        let inquiry = try CaseInquiry(source, cases: Set(cases.prefix(Inquiry.judgedMax)))
        let found = source.subjects(of: inquiry, fitting: asked, on: days)
        let more = max(0, cases.count - Inquiry.judgedMax)
        note(unclear: asked.unclearDates, besides: found.map(\.judgement.anchor), in: source.policy.zone)
        try show(list: found, of: inquiry, FoundPurchases(asked: asked, isPartial: isPartial || more > 0), more: more)
        guard list?.purchases.isEmpty == true else { return }
        // A purchase of an earlier date may be on record all the same.
        route = source.isOutside(asked) ? .outsideRecords : .nothingFits
    }

    /// Digits in the message with which an id of exactly one of these purchases ends. Amounts and years do not count.
    private func purchase(
        endingIn text: String, of found: [CaseInquiry.JudgedSubject], besides asked: PurchaseDescription
    ) -> (digits: String, place: Int)? {
        let text = folded(String(text.prefix(2000))).replacing(PartOfIdentifier.cards, with: " ")
        for number in text.split(whereSeparator: { !("0"..."9").contains($0) }) {
            guard 4...12 ~= number.count, number.count > 4 || !number.hasPrefix("20"),
                !asked.amounts.contains((Int64(number) ?? 0) * 1000)
            else { continue }
            let places = found.indices.filter { found[$0].ends(in: String(number)) }
            if places.count == 1 { return (String(number), places[0]) }
        }
        return nil
    }

    /// Adds a list of purchases in its order.
    mutating func show(
        list found: [CaseInquiry.JudgedSubject], of inquiry: CaseInquiry, _ empty: FoundPurchases, more: Int = 0
    ) throws {
        var list = empty
        var ordered = found.filter { finding in
            // Of a customer whose account is known, the list has that customer's purchases and those of nobody.
            asker == nil || finding.judgement.owner.map { askers.contains($0.text) } ?? true
        }
        // Of more than the list shows, those nearest to a time of day come first.
        let timed = ordered.count > Inquiry.listedMax && empty.asked?.arounds.isEmpty == false ? empty.asked : nil
        let zone = inquiry.source.policy.zone
        func distance(_ finding: CaseInquiry.JudgedSubject) -> UInt64 {
            timed?.distance(from: finding.judgement.anchor, in: zone) ?? .max
        }
        ordered = ordered.ordered { left, right in
            let ranks = [left, right].map {
                (
                    ($0.judgement.owner == nil) == (asker == nil) ? 0 : 1,
                    distance($0) < 60_000 || $0.judgement.verdict.isException ? 0 : 1
                )
            }
            if ranks[0] != ranks[1] { return ranks[0] < ranks[1] }
            let (first, second) = (distance(left), distance(right))
            if first != second { return first < second }
            return (left.judgement.anchor, left.judgement.subject) > (right.judgement.anchor, right.judgement.subject)
        }
        let ending = empty.asked.flatMap { purchase(endingIn: identifier, of: ordered, besides: $0) }
        if let named = ending?.place { ordered.insert(ordered.remove(at: named), at: 0) }
        let shown = Array(ordered.prefix(Inquiry.listedMax))
        let context = try Neighbourhood(of: shown, inquiry)
        list.purchases = try shown.map { try inquiry.answer(of: $0, in: context) }
        if asker != nil {
            for index in list.purchases.indices { list.purchases[index].compare(with: askers) }
            // Several other accounts may claim what has no certain owner.
            list.purchases.removeAll { $0.belongsToAsker == false }
        }
        if let digits = ending?.digits, let facts = list.purchases.first?.facts,
            (facts.transactions + facts.orders).contains(where: { $0.hasSuffix(digits) })
        {
            list.ending = digits
        }
        // What was not looked at may be other customers'.
        list.total = ordered.count + (asker == nil ? more : 0) - (shown.count - list.purchases.count)
        self.list = list
    }
}

extension CaseInquiry.JudgedSubject {
    /// Whether an id of its order or transaction ends with these signs.
    fileprivate func ends(in ending: String) -> Bool {
        evidence.orders.contains { $0.id.text.hasSuffix(ending) }
            || evidence.transactions.contains { $0.id.text.hasSuffix(ending) }
    }

    /// Apple's record of the purchase; nil for an order without one.
    fileprivate var purchase: Transaction? { subject.leading.map { file.transactions[$0] } }
}

// Parts of an id.
extension LookupAnswer {
    /// Adds what has a part of an id that the text names: the purchase itself if it is one, else a list. Nothing is added
    /// if the text names no part, or nothing has it.
    /// - Parameter mayBrowse: whether other customers' purchases may be shown; else only the ids are.
    mutating func findPart(of typed: TypedText, in source: Inquiry, mayBrowse: Bool) throws {
        let history = source.history
        for spelling in typed.runs.map(\.[0]) + [typed.core] {
            for (kind, text) in lookAlikes(of: spelling) {
                let emailed = try history.transactions(ofEmailedOrder: text).map(\.text)
                let cases = try history.cases(knowing: [text] + emailed)
                guard try !emailed.isEmpty || history.isKnown(text, in: cases) else { continue }
                let part = PartOfIdentifier(kind, ending: text)
                return try show(part, [text] + emailed, cases: cases, in: source, mayBrowse: mayBrowse)
            }
        }
        func search(_ part: PartOfIdentifier) throws -> [(found: NearIdentifier, caseID: CaseID)] {
            try history.identifiers(with: part, casesMax: Inquiry.newestCases, countMax: Inquiry.partsMax)
        }
        let parts = PartOfIdentifier.parts(in: typed.beginning)
        for part in parts {
            var hits = try search(part)
            if hits.isEmpty { continue }
            // Two tails may be those of two payments.
            var missed: [String] = []
            for other in parts where other.isBeside(part) && !missed.contains(other.text) {
                let more = try search(other)
                if more.isEmpty { missed.append(other.text) }
                hits += more
            }
            let emailed = try hits.map(\.found.id).flatMap(history.transactions(ofEmailedOrder:)).map(\.text)
            try show(
                part, hits.map(\.found.id) + emailed, cases: Set(hits.map(\.caseID)), in: source, mayBrowse: mayBrowse)
            return note(unrecorded: missed)
        }
        if !parts.isEmpty { route = .partUnknown }
    }

    private mutating func show(
        _ part: PartOfIdentifier, _ ids: [String], cases: Set<CaseID>, in source: Inquiry, mayBrowse: Bool
    ) throws {
        let inquiry = try CaseInquiry(source, cases: cases)
        let query = LookupQuery(ids)
        let found = inquiry.subjects.filter { query.isHeld(by: $0) }
        guard mayBrowse else {
            near = Set(ids).ordered().prefix(Inquiry.nearMax).map { id in
                let kinds = inquiry.kinds(of: LookupQuery([id])).ordered { $0.rawValue < $1.rawValue }
                return NearIdentifier(kind: kinds.first ?? .emailedOrder, id: id)
            }
            return
        }
        if found.count == 1 {
            try show(found, of: inquiry, max: 1)
            foundBy = part
            // The customer has not named the purchase, so a person compares before anything is given or told.
            for index in subjects.indices where subjects[index].belongsToAsker == nil {
                subjects[index].isUnproven = true
                // Number 18.
                subjects[index].refuse(.foundByPart)
            }
            readAs = [ids[0]]
        } else {
            try show(list: found, of: inquiry, FoundPurchases(part: part, isPartial: ids.count >= Inquiry.partsMax))
        }
    }
}

extension Inquiry {
    fileprivate static let partsMax = 200
}
