internal import Digest
public import Domain

/// Carries exceptions from last night to tonight.
public struct Book {
    private let businessDate: String
    private let lastDate: String?
    private let horizon: Instant
    /// What a person said last of an exception, by its id.
    private let notes: [String: String]
    private var lines: [RollForwardKey: RollForwardLine] = [:]
    public private(set) var moves: [BookMove] = []
    /// Ids that are somebody's.
    private var ids: Set<String> = []

    /// `lastDate`: the business date of the run before; nil in the first.
    public init(
        businessDate: BusinessDate, lastDate: String?, horizon: Instant, notes: [String: String] = [:]
    ) {
        self.businessDate = businessDate.text
        self.lastDate = lastDate
        self.horizon = horizon
        self.notes = notes
    }

    /// The id of an exception first seen under this key; `again`: the how manieth of that key it is, where the ones
    /// before have followed their subjects to other keys.
    public static func id(of subject: SubjectKey, again: Int = 1) -> String {
        "E" + SHA256.digest(of: subject.text + (again == 1 ? "" : "#\(again)")).hex.prefix(16)
    }

    /// Plays tonight's sightings of the judged cases against the entries known for those cases (and those known under
    /// the ids of tonight's exceptions), in a defined order.
    public mutating func play(_ sightings: [Sighting], entries: [BookEntry]) {
        for entry in entries where entry.isBooked { add(entry, to: \.opening) }
        ids = Set(entries.map(\.id))
        ids.reserveCapacity(entries.count + sightings.count)
        moves.reserveCapacity(entries.count + sightings.count)
        let follower = Follower(sightings: sightings, entries: entries)
        var isTaken = [Bool](repeating: false, count: entries.count)
        for sighting in sightings {
            if let position = follower.entry(of: sighting) {
                isTaken[position] = true
                move(entries[position]) { $0.step(entries[position], sighting) }
            } else if sighting.facts != nil {
                open(sighting)
            }
        }
        for (entry, isTaken) in zip(entries, isTaken) where !isTaken && entry.state != .resolved {
            let heir = follower.heir(of: entry)
            let reason = heir.map { "merged into " + $0 } ?? "its evidence now belongs to another subject"
            move(entry) { $0.resolve(entry, reason: reason) }
        }
        moves.sort { $0.entry.id < $1.entry.id }
    }

    /// Marks the moves that leave `known` as the ledger holds it.
    private mutating func move(_ known: BookEntry, _ play: (inout Book) -> Void) {
        let first = moves.count
        play(&self)
        for index in first..<moves.count { moves[index].isStored = moves[index].entry == known }
    }

    /// Sorted by verdict in the catalogue's order, then currency. Proven: `isProven`.
    public var rollForward: [RollForwardLine] {
        let rank = Dictionary(uniqueKeysWithValues: Verdict.allCases.enumerated().map { ($1, $0) })
        return lines.values.sorted {
            $0.verdict == $1.verdict ? $0.currency < $1.currency : rank[$0.verdict]! < rank[$1.verdict]!
        }
    }
}

private struct RollForwardKey: Hashable {
    var verdict: Verdict
    var currency: String
}

extension RollForwardLine {
    /// opening + new + reopened + changed in − changed out − resolved − waived = closing.
    public var isProven: Bool {
        let into = [opening, new, reopened, changedIn]
        let out = [changedOut, resolved, waived, closing]
        return into.reduce(0) { $0 + $1.count } == out.reduce(0) { $0 + $1.count }
            && into.reduce(0) { $0 &+ $1.minor } == out.reduce(0) { $0 &+ $1.minor }
    }
}

extension Book {
    private mutating func add(
        _ entry: BookEntry, to column: WritableKeyPath<RollForwardLine, CountAndAmount>
    ) {
        let key = RollForwardKey(verdict: entry.verdict, currency: entry.amount?.currency.text ?? "")
        var line = lines[key] ?? RollForwardLine(verdict: key.verdict, currency: key.currency)
        line[keyPath: column].count += 1
        // Modulo 2^64: absurd amounts must not end the night for everybody, and still add up.
        line[keyPath: column].minor &+= entry.amount?.minor ?? 0
        lines[key] = line
    }

    private mutating func open(_ sighting: Sighting) {
        guard let facts = sighting.facts else { return }
        var again = 1
        var id = sighting.id ?? Self.id(of: sighting.subject)
        while !ids.insert(id).inserted {
            again += 1
            id = Self.id(of: sighting.subject, again: again)
        }
        let entry = BookEntry(
            id: id, caseFile: sighting.caseFile, subject: sighting.subject,
            state: .new,
            isBooked: true, firstSeen: businessDate, verdict: sighting.verdict, cause: sighting.cause,
            amount: sighting.amount, facts: facts)
        add(entry, to: \.new)
        keep(entry, event: "first seen", isNews: true)
    }

    private mutating func step(_ old: BookEntry, _ sighting: Sighting) {
        var entry = old
        entry.caseFile = sighting.caseFile
        entry.subject = sighting.subject
        guard let facts = sighting.facts else {
            if old.state == .resolved {
                let hasMoved = entry.caseFile != old.caseFile || entry.subject != old.subject
                if hasMoved { moves.append(BookMove(entry: entry, row: nil, event: nil, isNews: false)) }
            } else if sighting.keepsOpen {
                stay(entry, old)
            } else {
                resolve(entry, reason: reason(sighting))
            }
            return
        }
        let hasNewFacts = facts != old.facts
        if old.state == .waived, facts.isSameFinding(as: old.facts) {
            stay(entry, old)
            return
        }
        if old.state == .waived, old.isBooked { add(old, to: \.waived) }
        // What says the same is held once.
        if hasNewFacts { entry.facts = facts }
        entry.verdict = sighting.verdict
        entry.cause = sighting.cause
        entry.amount = sighting.amount
        entry.isBooked = true
        switch old.state {
        case .waived, .resolved:
            entry.state = .reopened
            add(entry, to: \.reopened)
            keep(
                entry, event: old.state == .waived ? "the facts changed after it was waived" : "it is back",
                isNews: true)
        case _ where !old.isBooked:
            entry.state = .reopened
            add(entry, to: \.reopened)
            keep(entry, event: "the waiver was taken back", isNews: true)
        default:
            change(entry, from: old, hasNewFacts: hasNewFacts)
        }
    }

    private mutating func change(_ new: BookEntry, from old: BookEntry, hasNewFacts: Bool) {
        var entry = new
        let isOther = old.verdict != new.verdict || old.cause != new.cause
        entry.state = isOther ? .changed : .open
        if isOther || old.amount != new.amount {
            add(old, to: \.changedOut)
            add(entry, to: \.changedIn)
        }
        let event = isOther ? "was \(old.verdict.rawValue)" + (old.cause == .none ? "" : "/" + old.cause.rawValue) : nil
        keep(entry, event: event, isNews: hasNewFacts || isOther)
    }

    /// Tonight nobody can say more of it: it stays as it was.
    private mutating func stay(_ entry: BookEntry, _ old: BookEntry) {
        var entry = entry
        switch old.state {
        case .resolved: return
        case .waived:
            if old.isBooked { moveOut(&entry, to: \.waived) }
            let row = old.isBooked ? shown(entry, step: "waived") : nil
            moves.append(BookMove(entry: entry, row: row, event: nil, isNews: old.isBooked))
        default:
            if !old.isBooked { add(entry, to: \.reopened) }
            entry.state = old.isBooked ? .open : .reopened
            entry.isBooked = true
            keep(entry, event: old.isBooked ? nil : "the waiver was taken back", isNews: !old.isBooked)
        }
    }

    private mutating func moveOut(
        _ entry: inout BookEntry, to column: WritableKeyPath<RollForwardLine, CountAndAmount>
    ) {
        add(entry, to: column)
        entry.isBooked = false
    }

    private mutating func resolve(_ old: BookEntry, reason: String) {
        guard old.state != .resolved else { return }
        var entry = old
        // A waiver that stood has left the balance already, and nobody waits to hear of it.
        let isInBooks = old.isBooked || old.state != .waived
        if isInBooks {
            if !old.isBooked { add(old, to: \.reopened) }
            moveOut(&entry, to: \.resolved)
        }
        entry.state = .resolved
        let row = isInBooks ? shown(entry, step: reason) : nil
        moves.append(BookMove(entry: entry, row: row, event: reason, isNews: true))
    }

    private func reason(_ sighting: Sighting) -> String {
        let verdict = sighting.verdict.rawValue + (sighting.cause == .none ? "" : "/" + sighting.cause.rawValue)
        return sighting.news.isEmpty ? verdict : verdict + " by " + sighting.news.joined(separator: ";")
    }

    private mutating func keep(_ entry: BookEntry, event: String?, isNews: Bool) {
        add(entry, to: \.closing)
        let step = entry.state == .new || entry.state == .open ? nil : event
        moves.append(BookMove(entry: entry, row: shown(entry, step: step), event: event, isNews: isNews))
    }

    private func shown(_ entry: BookEntry, step: String?) -> ExceptionRow {
        var row = entry.facts
        row.fields.id = entry.id
        row.fields.state = entry.state
        row.fields.firstSeen = entry.firstSeen
        row.fields.lastStep = step.map { entry.state.rawValue + ": " + $0 }
        // What is resolved was last seen the night before.
        row.fields.lastSeen = entry.state == .resolved ? lastDate ?? businessDate : businessDate
        row.fields.ageDays = age(of: row, horizon: horizon)
        row.fields.note = notes[entry.id]
        return row
    }
}

extension ExceptionRow {
    /// Whether a waiver still holds: what is to be done about it, and in which files its rows came, are no facts of it.
    fileprivate func isSameFinding(as other: ExceptionRow) -> Bool {
        var same = other
        same.action = self.action
        same.retryKey = self.retryKey
        same.evidence = self.evidence
        return self == same
    }
}

/// Whole days from the verdict's anchor to the horizon.
public func age(of row: ExceptionRow, horizon: Instant) -> Int {
    Int(max(0, (horizon.milliseconds - row.fields.eventAt).flooredDivision(by: 86_400_000)))
}
