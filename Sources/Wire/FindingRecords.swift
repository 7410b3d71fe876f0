public import Base
internal import Domain
public import Engine
public import Matching

// The objects of the lines of findings. See docs/spec/cluster.md#wire.

/// An observation, and the keys of all evidence of its case.
struct ObservedCase: MemberRecord {
    var observation: Observation
    var keys: [SubjectKey]?

    static var blank: Self {
        Self(
            observation: Observation(
                caseID: 0,
                judgement: Judgement(subject: SubjectKey(.order, .absent), verdict: .matched, anchor: .absent),
                facts: nil, aliases: [], news: []))
    }

    mutating func describe(_ members: inout Members) {
        members.list("aliases", &observation.aliases)
        members.value("amount", &observation.amount)
        members.value("caseKeys", &keys)
        members.value("cause", &observation.cause)
        members.value("facts", &observation.facts)
        members.value("id", &observation.id)
        members.list("news", &observation.news)
        members.value("retry", &observation.retry)
        members.value("subject", &observation.subject)
        members.value("verdict", &observation.verdict)
    }
}

extension RefundLine: MemberRecord {
    public mutating func describe(_ members: inout Members) {
        members.value("account", &account)
        members.value("amount", &amount)
        members.value("cause", &cause)
        members.value("kind", &kind)
        members.value("percentage", &percentage)
        members.value("product", &product)
        members.value("purchasedAt", &purchasedAt)
        members.value("reason", &reason)
        members.value("revokedAt", &revokedAt)
        members.value("transaction", &transaction)
        members.value("verdict", &verdict)
    }
}

extension UnlinkedPurchase: MemberRecord {
    public static var blank: Self {
        Self(subject: SubjectKey(.order, .absent), owner: .absent, product: .absent, purchasedAt: .absent)
    }

    public mutating func describe(_ members: inout Members) {
        members.value("orders", &receiptLinkedOrders)
        members.value("owner", &owner)
        members.value("product", &product)
        members.value("purchasedAt", &purchasedAt)
        members.value("subject", &subject)
    }
}

extension UnlinkedOrder: MemberRecord {
    public static var blank: Self { Self(id: .absent, account: .absent, product: .absent, createdAt: .absent) }

    public mutating func describe(_ members: inout Members) {
        var isGiven = isGivenByDesk ? 1 : 0
        members.value("account", &account)
        members.value("createdAt", &createdAt)
        members.value("givenAt", &givenAt)
        members.value("isGivenByDesk", &isGiven)
        members.value("order", &id)
        members.value("product", &product)
        isGivenByDesk = isGiven == 1
    }
}

extension StrayCredit: MemberRecord {
    public static var blank: Self {
        Self(id: .absent, account: .absent, order: nil, transaction: nil, givenAt: .absent, isUnplaced: false)
    }

    public mutating func describe(_ members: inout Members) {
        var isLeft = isUnplaced ? 1 : 0
        members.value("account", &account)
        members.value("credit", &id)
        members.value("givenAt", &givenAt)
        members.value("isUnplaced", &isLeft)
        members.value("order", &order)
        members.value("transaction", &transaction)
        isUnplaced = isLeft == 1
    }
}

extension UnnamedDeskCredit: MemberRecord {
    public static var blank: Self { Self(id: .absent, account: .absent, source: .none) }

    public mutating func describe(_ members: inout Members) {
        members.value("account", &account)
        members.value("credit", &id)
        members.value("delivery", &source.delivery)
        members.value("fileDate", &source.fileDate.day)
        members.value("line", &source.line)
    }
}

extension WireSum: MemberRecord {
    public static var blank: Self { Self() }

    public mutating func describe(_ members: inout Members) {
        members.value("lines", &lines)
        members.value("sum", &sum)
    }
}

extension PartProof: MemberRecord {
    public static var blank: Self { Self() }

    public mutating func describe(_ members: inout Members) {
        members.value("entries", &entries)
        members.value("evidence", &evidence)
        members.value("keys", &keys)
    }
}

/// What a part's judging counted, and what it read and wrote: the object of the line `sum`, the last one of a part.
struct PartTotals: MemberRecord {
    /// Without lists.
    var findings = Findings()
    /// What the part was judged from.
    var proof = PartProof()
    /// The other lines of the part.
    var written = WireSum()

    static var blank: Self { Self() }

    mutating func describe(_ members: inout Members) {
        members.value("awaitingCredits", &findings.awaitingCredits)
        members.value("cases", &findings.cases)
        members.table("contradictions", &findings.contradictions, blank: (.blank, 0)) {
            ($0.feed.rawValue, $0.date) < ($1.feed.rawValue, $1.date)
        } _: { entry, key, count in
            entry.value("count", &count)
            entry.value("date", &key.date)
            entry.value("feed", &key.feed)
        }
        members.set("crowdedTokens", &findings.crowdedTokens)
        members.table("dates", &findings.dates, blank: (.absent, DateCounts()), by: <) { entry, date, counts in
            entry.value("date", &date)
            entry.value("foreign", &counts.foreign)
            entry.value("invalid", &counts.invalid)
            entry.value("proven", &counts.proven)
            entry.value("uncredited", &counts.uncredited)
        }
        describeFlags(&members)
        members.value("judged", &findings.judged)
        members.value("proof", &proof)
        describePurchases(&members)
        describeRows(&members)
        members.table("shared", &findings.rows.shared, blank: (.none, false)) {
            ($0.delivery, $0.line) < ($1.delivery, $1.line)
        } _: { entry, row, isNew in
            entry.value("delivery", &row.delivery)
            entry.value("fileDate", &row.fileDate)
            entry.value("isNew", &isNew)
            entry.value("line", &row.line)
        }
        members.table("shifts", &findings.clockShifts, blank: (.blank, 0)) {
            ($0.feed.rawValue, $0.date, $0.shift.halfHours) < ($1.feed.rawValue, $1.date, $1.shift.halfHours)
        } _: { entry, key, count in
            var halfHours = key.shift.halfHours
            entry.value("count", &count)
            entry.value("date", &key.date)
            entry.value("feed", &key.feed)
            entry.value("halfHours", &halfHours)
            key.shift = ClockShift(halfHours: halfHours)
        }
        members.value("subjects", &findings.subjects)
        members.set("takenOrders", &findings.takenOrders)
        describeTally(&members)
        members.value("written", &written)
    }

    private mutating func describeFlags(_ members: inout Members) {
        var counts = Dictionary(uniqueKeysWithValues: findings.flags.map { ("\($0.key.rawValue)", $0.value) })
        members.value("flags", &counts)
        for (text, count) in counts {
            if let bits = UInt16(text) { findings.flags[Flags(rawValue: bits)] = count }
            members.check(UInt16(text) != nil, "flags")
        }
    }

    private mutating func describePurchases(_ members: inout Members) {
        let none = PurchaseKey(.absent, .absent)
        members.table("purchases", &findings.purchases.entries, blank: (none, CountAndAmount()), by: <) {
            entry, key, sum in
            var (date, fulfilment) = (key.outcome.date, key.outcome.fulfilment)
            entry.value("count", &sum.count)
            entry.value("currency", &key.currency)
            entry.value("date", &date)
            entry.value("fulfilment", &fulfilment)
            entry.value("minor", &sum.minor)
            let outcome = PurchaseOutcome(date, fulfilment)
            entry.check(outcome != nil, "date")
            key.outcome = outcome ?? .absent
        }
    }

    private mutating func describeRows(_ members: inout Members) {
        typealias Counts = (accepted: Int, duplicates: Int)
        var rows: [DeliveryID: Counts] = findings.rows.accepted.mapValues { ($0, 0) }
        for (delivery, count) in findings.rows.duplicates { rows[delivery, default: (0, 0)].duplicates = count }
        members.table("rows", &rows, blank: (.none, (0, 0)), by: <) { entry, delivery, counts in
            entry.value("accepted", &counts.accepted)
            entry.value("delivery", &delivery)
            entry.value("duplicates", &counts.duplicates)
        }
        findings.rows.accepted = rows.mapValues(\.accepted)
        findings.rows.duplicates = rows.mapValues(\.duplicates)
    }

    private mutating func describeTally(_ members: inout Members) {
        let none = VerdictKey(verdict: .matched, cause: .none, currency: .absent)
        members.table("tally", &findings.tally.entries, blank: (none, CountAndAmount())) {
            ($0.verdict.rawValue, $0.cause.rawValue, $0.currency.text)
                < ($1.verdict.rawValue, $1.cause.rawValue, $1.currency.text)
        } _: { entry, key, sum in
            entry.value("cause", &key.cause)
            entry.value("count", &sum.count)
            entry.value("currency", &key.currency)
            entry.value("minor", &sum.minor)
            entry.value("verdict", &key.verdict)
        }
    }
}

extension FeedDate {
    fileprivate static var blank: FeedDate { FeedDate(feed: .orders, date: .absent) }
}

extension ShiftedDate {
    fileprivate static var blank: ShiftedDate {
        ShiftedDate(feed: .orders, date: .absent, shift: ClockShift(halfHours: 0))
    }
}

extension Members {
    /// A set, as a sorted list.
    fileprivate mutating func set<Value: MemberValue & Hashable & Comparable>(
        _ name: StaticString, _ values: inout Set<Value>
    ) {
        var list = values.sorted()
        value(name, &list)
        values = Set(list)
    }
}
