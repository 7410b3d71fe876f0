internal import Domain
internal import Engine
internal import Foundation
internal import ReportData

/// The totals of judging one part, and of what it read and wrote: the object of the line `sum`, the part's last line.
struct FindingsTotals: Codable {
    struct TallyEntry: Codable {
        var verdict: String
        var cause: String
        var currency: String
        var count: Int
        var minor: Int64
    }
    struct PurchaseEntry: Codable {
        var date: BusinessDate
        var fulfilment: UInt8
        var currency: String
        var count: Int
        var minor: Int64
    }
    struct DateEntry: Codable {
        var date: BusinessDate
        var uncredited, invalid, proven, foreign: Int
    }
    struct ContradictionEntry: Codable {
        var feed: FeedKind
        var date: BusinessDate
        var count: Int
    }
    struct ShiftEntry: Codable {
        var feed: FeedKind
        var date: BusinessDate
        var halfHours: Int32
        var count: Int
    }
    struct RowEntry: Codable {
        var delivery: Int32
        var accepted, duplicates: Int
    }
    struct SharedRow: Codable {
        var delivery, line: Int32
        var fileDate: BusinessDate
        var isNew: Bool
    }

    var cases, subjects, judged, awaitingCredits: Int
    var flags: [String: Int]
    var tally: [TallyEntry]
    var purchases: [PurchaseEntry]
    var dates: [DateEntry]
    var contradictions: [ContradictionEntry]
    var shifts: [ShiftEntry]
    var rows: [RowEntry]
    var shared: [SharedRow]
    var takenOrders: [String]
    var crowdedTokens: [String]
    /// What the part was judged from.
    var proof: PartProof
    /// The other lines of the part.
    var written: WireSum
}

extension FindingsTotals {
    init(_ findings: Findings, _ proof: PartProof, _ written: WireSum) {
        (cases, subjects, judged) = (findings.cases, findings.subjects, findings.judged)
        awaitingCredits = findings.awaitingCredits
        flags = Dictionary(uniqueKeysWithValues: findings.flags.map { (String($0.key.rawValue), $0.value) })
        tally = findings.tally.entries.map {
            TallyEntry(
                verdict: $0.key.verdict.rawValue, cause: $0.key.cause.rawValue, currency: $0.key.currency.text,
                count: $0.value.count, minor: $0.value.minor)
        }.sorted { ($0.verdict, $0.cause, $0.currency) < ($1.verdict, $1.cause, $1.currency) }
        purchases = findings.purchases.entries.sorted { $0.key < $1.key }.map {
            PurchaseEntry(
                date: $0.key.outcome.date, fulfilment: $0.key.outcome.fulfilment.rawValue,
                currency: $0.key.currency.text, count: $0.value.count, minor: $0.value.minor)
        }
        dates = findings.dates.sorted { $0.key < $1.key }.map {
            DateEntry(
                date: $0.key, uncredited: $0.value.uncredited, invalid: $0.value.invalid, proven: $0.value.proven,
                foreign: $0.value.foreign)
        }
        contradictions = findings.contradictions.flatMap { feed, dates in
            dates.map { ContradictionEntry(feed: feed, date: $0.key, count: $0.value) }
        }.sorted { ($0.feed.rawValue, $0.date) < ($1.feed.rawValue, $1.date) }
        shifts = findings.clockShifts.map {
            ShiftEntry(feed: $0.key.feed, date: $0.key.date, halfHours: $0.key.shift.halfHours, count: $0.value)
        }.sorted { ($0.feed.rawValue, $0.date, $0.halfHours) < ($1.feed.rawValue, $1.date, $1.halfHours) }
        let (accepted, duplicates) = (findings.rows.accepted, findings.rows.duplicates)
        rows = Set(accepted.keys).union(duplicates.keys).sorted().map {
            RowEntry(delivery: $0.rawValue, accepted: accepted[$0] ?? 0, duplicates: duplicates[$0] ?? 0)
        }
        shared = findings.rows.shared.map {
            SharedRow(
                delivery: $0.key.delivery.rawValue, line: $0.key.line, fileDate: $0.key.fileDate, isNew: $0.value)
        }.sorted { ($0.delivery, $0.line) < ($1.delivery, $1.line) }
        takenOrders = findings.takenOrders.sorted().map(\.text)
        crowdedTokens = findings.crowdedTokens.sorted().map(\.text)
        self.proof = proof
        self.written = written
    }

    /// The same as findings without lists. Nil for values that this program does not write.
    var findings: Findings? {
        var findings = Findings()
        (findings.cases, findings.subjects, findings.judged) = (cases, subjects, judged)
        findings.awaitingCredits = awaitingCredits
        for (text, count) in flags {
            guard let bits = UInt16(text) else { return nil }
            findings.flags[Flags(rawValue: bits)] = count
        }
        for entry in tally {
            guard let verdict = Verdict(rawValue: entry.verdict), let cause = Cause(rawValue: entry.cause),
                let currency = Currency(text: entry.currency)
            else { return nil }
            findings.tally.add(
                CountAndAmount(count: entry.count, minor: entry.minor),
                to: Tally.Key(verdict: verdict, cause: cause, currency: currency))
        }
        for entry in purchases {
            guard let fulfilment = Fulfilment(rawValue: entry.fulfilment),
                let outcome = PurchaseOutcome(entry.date, fulfilment), let currency = Currency(text: entry.currency)
            else { return nil }
            findings.purchases.add(
                CountAndAmount(count: entry.count, minor: entry.minor), to: PurchaseTally.Key(outcome, currency))
        }
        for entry in dates {
            findings.dates[entry.date] = DateCounts(
                uncredited: entry.uncredited, invalid: entry.invalid, proven: entry.proven, foreign: entry.foreign)
        }
        for entry in contradictions { findings.contradictions[entry.feed, default: [:]][entry.date] = entry.count }
        for entry in shifts {
            let shift = ClockShift(halfHours: entry.halfHours)
            findings.clockShifts[ShiftedDate(feed: entry.feed, date: entry.date, shift: shift)] = entry.count
        }
        for entry in rows {
            findings.rows.accepted[DeliveryID(entry.delivery)] = entry.accepted
            findings.rows.duplicates[DeliveryID(entry.delivery)] = entry.duplicates
        }
        for row in shared {
            let source = Provenance(delivery: DeliveryID(row.delivery), line: row.line, fileDate: row.fileDate)
            findings.rows.shared[source] = row.isNew
        }
        findings.takenOrders = Set(takenOrders.map { Identifier($0) })
        for text in crowdedTokens {
            guard let token = Token(text) else { return nil }
            findings.crowdedTokens.insert(token)
        }
        return findings
    }
}

extension Currency {
    /// From the text of a currency; an empty one is that of an absent currency. Nil for any other text.
    fileprivate init?(text: String) {
        if text.isEmpty {
            self = .absent
        } else if let currency = Currency(bytes: text.utf8) {
            self = currency
        } else {
            return nil
        }
    }
}
