internal import Digest
public import Domain

/// Carries exceptions from last night to tonight.
public struct ExceptionRegister {
    private let businessDate: String
    private let lastDate: String?
    private let horizon: Instant
    /// What a person said last of an exception, by its id.
    private let notes: [String: String]
    private var lines: [RollForwardKey: RollForwardLine] = [:]
    public private(set) var moves: [ExceptionTransition] = []
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
    public mutating func play(_ observations: [Observation], entries: [ExceptionRecord]) {
        for entry in entries where entry.isInClosingBalance { add(entry, to: \.opening) }
        ids = Set(entries.map(\.id))
        ids.reserveCapacity(entries.count + observations.count)
        moves.reserveCapacity(entries.count + observations.count)
        let follower = ExceptionLinker(observations: observations, entries: entries)
        var isTaken = [Bool](repeating: false, count: entries.count)
        for observation in observations {
            if let position = follower.entry(of: observation) {
                isTaken[position] = true
                move(entries[position]) { $0.step(entries[position], observation) }
            } else if observation.facts != nil {
                open(observation)
            }
        }
        for (entry, isTaken) in zip(entries, isTaken) where !isTaken && entry.state != .resolved {
            let mergedInto = follower.mergedInto(of: entry)
            let reason = mergedInto.map { "merged into " + $0 } ?? "its evidence now belongs to another subject"
            move(entry) { $0.resolve(entry, reason: reason) }
        }
        moves.sort { $0.entry.id < $1.entry.id }
    }

    /// Marks the moves that leave `known` as the ledger holds it.
    private mutating func move(_ known: ExceptionRecord, _ play: (inout ExceptionRegister) -> Void) {
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

extension ExceptionRegister {
    private mutating func add(
        _ entry: ExceptionRecord, to column: WritableKeyPath<RollForwardLine, CountAndAmount>
    ) {
        let key = RollForwardKey(verdict: entry.verdict, currency: entry.amount?.currency.text ?? "")
        var line = lines[key] ?? RollForwardLine(verdict: key.verdict, currency: key.currency)
        line[keyPath: column].count += 1
        // Modulo 2^64: absurd amounts must not end the night for everybody, and still add up.
        line[keyPath: column].minor &+= entry.amount?.minor ?? 0
        lines[key] = line
    }

    private mutating func open(_ observation: Observation) {
        guard let facts = observation.facts else { return }
        var again = 1
        var id = observation.id ?? Self.id(of: observation.subject)
        while !ids.insert(id).inserted {
            again += 1
            id = Self.id(of: observation.subject, again: again)
        }
        let entry = ExceptionRecord(
            id: id, caseID: observation.caseID, subject: observation.subject,
            state: .new,
            isInClosingBalance: true, firstSeen: businessDate, verdict: observation.verdict, cause: observation.cause,
            amount: observation.amount, facts: facts)
        add(entry, to: \.new)
        keep(entry, event: "first seen", isNews: true)
    }

    private mutating func step(_ old: ExceptionRecord, _ observation: Observation) {
        var entry = old
        entry.caseID = observation.caseID
        entry.subject = observation.subject
        guard let facts = observation.facts else {
            if old.state == .resolved {
                let hasMoved = entry.caseID != old.caseID || entry.subject != old.subject
                if hasMoved { moves.append(ExceptionTransition(entry: entry, row: nil, event: nil, isNews: false)) }
            } else if observation.keepsOpen {
                stay(entry, old)
            } else {
                resolve(entry, reason: reason(observation))
            }
            return
        }
        let hasNewFacts = facts != old.facts
        if old.state == .waived, facts.isSameFinding(as: old.facts) {
            stay(entry, old)
            return
        }
        if old.state == .waived, old.isInClosingBalance { add(old, to: \.waived) }
        // What says the same is held once.
        if hasNewFacts { entry.facts = facts }
        entry.verdict = observation.verdict
        entry.cause = observation.cause
        entry.amount = observation.amount
        entry.isInClosingBalance = true
        switch old.state {
        case .waived, .resolved:
            entry.state = .reopened
            add(entry, to: \.reopened)
            keep(
                entry, event: old.state == .waived ? "the facts changed after it was waived" : "it is back",
                isNews: true)
        case _ where !old.isInClosingBalance:
            entry.state = .reopened
            add(entry, to: \.reopened)
            keep(entry, event: "the waiver was taken back", isNews: true)
        default:
            change(entry, from: old, hasNewFacts: hasNewFacts)
        }
    }

    private mutating func change(_ new: ExceptionRecord, from old: ExceptionRecord, hasNewFacts: Bool) {
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
    private mutating func stay(_ entry: ExceptionRecord, _ old: ExceptionRecord) {
        var entry = entry
        switch old.state {
        case .resolved: return
        case .waived:
            if old.isInClosingBalance { moveOut(&entry, to: \.waived) }
            let row = old.isInClosingBalance ? shown(entry, step: "waived") : nil
            moves.append(ExceptionTransition(entry: entry, row: row, event: nil, isNews: old.isInClosingBalance))
        default:
            if !old.isInClosingBalance { add(entry, to: \.reopened) }
            entry.state = old.isInClosingBalance ? .open : .reopened
            entry.isInClosingBalance = true
            keep(
                entry, event: old.isInClosingBalance ? nil : "the waiver was taken back",
                isNews: !old.isInClosingBalance)
        }
    }

    private mutating func moveOut(
        _ entry: inout ExceptionRecord, to column: WritableKeyPath<RollForwardLine, CountAndAmount>
    ) {
        add(entry, to: column)
        entry.isInClosingBalance = false
    }

    private mutating func resolve(_ old: ExceptionRecord, reason: String) {
        guard old.state != .resolved else { return }
        var entry = old
        // A waiver that stood has left the balance already, and nobody waits to hear of it.
        let isInBooks = old.isInClosingBalance || old.state != .waived
        if isInBooks {
            if !old.isInClosingBalance { add(old, to: \.reopened) }
            moveOut(&entry, to: \.resolved)
        }
        entry.state = .resolved
        let row = isInBooks ? shown(entry, step: reason) : nil
        moves.append(ExceptionTransition(entry: entry, row: row, event: reason, isNews: true))
    }

    private func reason(_ observation: Observation) -> String {
        let verdict =
            observation.verdict.rawValue + (observation.cause == .none ? "" : "/" + observation.cause.rawValue)
        return observation.news.isEmpty ? verdict : verdict + " by " + observation.news.joined(separator: ";")
    }

    private mutating func keep(_ entry: ExceptionRecord, event: String?, isNews: Bool) {
        add(entry, to: \.closing)
        let step = entry.state == .new || entry.state == .open ? nil : event
        moves.append(ExceptionTransition(entry: entry, row: shown(entry, step: step), event: event, isNews: isNews))
    }

    private func shown(_ entry: ExceptionRecord, step: String?) -> ExceptionRow {
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
