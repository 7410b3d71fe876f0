/// Carries the exceptions from one night to the next: tonight's observations turn the known exceptions into transitions
/// and into the lines of the roll-forward. Pure: nothing is read or written.
///
/// | the exception was | tonight its subject is | it becomes | counted in the roll-forward as |
/// |---|---|---|---|
/// | unknown | an exception | `new` | new |
/// | open | an exception with the same verdict and cause | `open`, or as an earlier run of the date reported it | changed out and in if the amount differs |
/// | open | an exception with another verdict or cause | `changed` | changed out, changed in |
/// | open | waiting or undetermined | as an exception with the verdict and cause behind; if that is none, with its own | the same |
/// | open | anything else, or gone | `resolved` | resolved |
/// | waived since the last night | an exception with the same facts, waiting or undetermined | `waived`, shown | waived |
/// | waived since the last night | an exception with other facts | `reopened` | waived, reopened |
/// | waived since the last night | anything else, or gone | `resolved` | resolved |
/// | waived before | an exception with the same facts, waiting or undetermined | `waived`, not shown | – |
/// | waived before | an exception with other facts | `reopened` | reopened |
/// | waived before | anything else, or gone | `resolved`, not shown | – |
/// | unwaived | an exception, waiting or undetermined | `reopened` | reopened |
/// | unwaived | anything else, or gone | `resolved` | reopened, resolved |
/// | resolved | an exception | `reopened` | reopened |
/// | resolved | anything else, or gone | `resolved`, not shown | – |
///
/// *Open* is any of the states `new`, `open`, `changed` and `reopened` where the last closing balance counts the
/// exception (`isInClosingBalance`). A waived exception leaves the balance in the night after the waiver; *unwaived* is
/// one that had left it and whose waiver was withdrawn since. One that was waived and unwaived between two nights never
/// left the balance, so it counts as open. *Gone* means that no subject has the exception's key, or that another
/// exception got the subject (`ExceptionLinker`).
public struct ExceptionRegister {
    private let businessDate: BusinessDate
    private let lastDate: BusinessDate?
    private let horizon: Instant
    /// The last note that a person made on each exception, by its id.
    private let notes: [ExceptionID: String]
    /// What earlier runs of the business date reported, by the exception's id. A report shows the date's news, not only
    /// its last run's.
    private let shownToday: [ExceptionID: ExceptionRow]
    private var lines: [Verdict: [Currency: RollForwardLine]] = [:]
    /// Tonight's transitions, by id of the exception.
    public private(set) var transitions: [ExceptionTransition] = []
    /// The ids in use.
    private var ids: Set<ExceptionID> = []

    /// - Parameters:
    ///   - lastDate: the business date of the run before. Nil in the first run.
    ///   - horizon: the instant up to which ages count.
    ///   - notes: the last note that a person made on each exception, by its id.
    ///   - shownToday: what earlier runs of the business date reported, one row for each exception.
    public init(
        businessDate: BusinessDate, lastDate: BusinessDate?, horizon: Instant, notes: [ExceptionID: String] = [:],
        shownToday: [ExceptionRow] = []
    ) {
        self.businessDate = businessDate
        self.lastDate = lastDate
        self.horizon = horizon
        self.notes = notes
        self.shownToday = Dictionary(uniqueKeysWithValues: shownToday.map { ($0.id, $0) })
    }

    /// The id of an exception first seen under this key.
    ///
    /// - Parameter occurrence: which occurrence of the key this is, counted from 1. It is above 1 if exceptions first
    ///   seen under the key have followed their subjects to other keys.
    public static func id(of subject: SubjectKey, occurrence: Int = 1) -> ExceptionID {
        ExceptionID(bits: SHA256.digest(of: subject.text + (occurrence == 1 ? "" : "#\(occurrence)")).words.0)
    }

    /// Applies tonight's observations to the known exceptions.
    ///
    /// - Parameters:
    ///   - observations: of all exceptions, and of every subject of a case with a known exception. The first subject
    ///     with an alias counts, so their order must be the same on any number of cores.
    ///   - records: all exceptions that are not resolved, those of the judged cases, and those whose id tonight's
    ///     exceptions would otherwise take.
    public mutating func apply(_ observations: [Observation], records: [ExceptionRecord]) {
        for record in records where record.isInClosingBalance { add(record, to: \.opening) }
        ids = Set(records.map(\.id))
        ids.reserveCapacity(records.count + observations.count)
        transitions.reserveCapacity(records.count + observations.count)
        let linker = ExceptionLinker(observations: observations, records: records)
        var isTaken = [Bool](repeating: false, count: records.count)
        for observation in observations {
            if let position = linker.record(of: observation) {
                isTaken[position] = true
                apply(records[position]) { $0.step(records[position], observation) }
            } else {
                open(observation)
            }
        }
        for (record, isTaken) in zip(records, isTaken) where !isTaken && record.state != .resolved {
            let event = linker.mergedInto(of: record).map(ExceptionEvent.mergedInto) ?? .evidenceMoved
            apply(record) { $0.resolve(record, event) }
        }
        transitions = transitions.ordered(byKey: \.record.id)
    }

    /// Applies a step to one known exception, and notes whether the ledger already stores it as it is afterwards.
    private mutating func apply(_ known: ExceptionRecord, _ step: (inout ExceptionRegister) -> Void) {
        let first = transitions.count
        step(&self)
        for index in first..<transitions.count { transitions[index].isStored = transitions[index].record == known }
    }

    /// What earlier runs of the business date reported as resolved or waived and tonight does not report again.
    public var clearedToday: [ExceptionRow] {
        let reported = Set(transitions.lazy.filter { $0.row != nil }.map(\.record.id))
        return shownToday.compactMap { id, known in
            guard !known.state.isOpen, !reported.contains(id) else { return nil }
            var row = known
            row.note = notes[id]
            return row
        }
    }

    /// The roll-forward, in the catalogue's order of verdicts, then by currency.
    public var rollForward: [RollForwardLine] {
        lines.values.flatMap(\.values).ordered { ($0.verdict, $0.currency) < ($1.verdict, $1.currency) }
    }
}

extension ExceptionRegister {
    /// Counts the exception in one column of its verdict's and currency's line.
    private mutating func add(
        _ record: ExceptionRecord, to column: WritableKeyPath<RollForwardLine, CountAndAmount>
    ) {
        let none = RollForwardLine(verdict: record.verdict, currency: record.amount?.currency ?? .absent)
        lines[none.verdict, default: [:]][none.currency, default: none][keyPath: column] += CountAndAmount(
            of: record.amount, effect: record.facts.effect)
    }

    /// Adds an exception that is seen for the first time.
    private mutating func open(_ observation: Observation) {
        guard observation.verdict.isException, let facts = observation.facts else { return }
        var occurrence = 1
        var id = observation.id ?? Self.id(of: observation.subject)
        while !ids.insert(id).inserted {
            occurrence += 1
            id = Self.id(of: observation.subject, occurrence: occurrence)
        }
        let record = ExceptionRecord(
            id: id, caseID: observation.caseID, subject: observation.subject, state: .new, isInClosingBalance: true,
            firstSeen: businessDate, facts: facts)
        add(record, to: \.new)
        keep(record, event: .firstSeen, isNews: true)
    }

    /// Applies an observation to the exception of its subject, by the table above.
    private mutating func step(_ old: ExceptionRecord, _ observation: Observation) {
        var record = old
        record.caseID = observation.caseID
        record.subject = observation.subject
        guard observation.verdict.isException, let facts = observation.facts else {
            if old.state == .resolved {
                let hasNewSubject = record.caseID != old.caseID || record.subject != old.subject
                if hasNewSubject {
                    transitions.append(ExceptionTransition(record: record, row: nil, event: nil, isNews: false))
                }
            } else if !observation.verdict.isFinal {
                stay(record, old, tonight: observation)
            } else {
                resolve(record, .resolvedAs(observation.verdict, observation.cause, evidence: observation.news))
            }
            return
        }
        let hasNewFacts = facts != old.facts
        if old.state == .waived, facts.isSameFinding(as: old.facts) {
            stay(record, old, tonight: observation)
            return
        }
        if old.state == .waived, old.isInClosingBalance { add(old, to: \.waived) }
        // The two share their memory where they are equal.
        if hasNewFacts { record.facts = facts }
        record.isInClosingBalance = true
        switch old.state {
        case .waived: reopen(record, .changedAfterWaiver)
        case .resolved: reopen(record, .returned)
        case _ where !old.isInClosingBalance: reopen(record, .waiverWithdrawn)
        default: change(record, from: old, hasNewFacts: hasNewFacts)
        }
    }

    private mutating func reopen(_ old: ExceptionRecord, _ event: ExceptionEvent) {
        var record = old
        record.state = .reopened
        add(record, to: \.reopened)
        keep(record, event: event, isNews: true)
    }

    /// An open exception that is still one: `open` or `changed`.
    private mutating func change(_ new: ExceptionRecord, from old: ExceptionRecord, hasNewFacts: Bool) {
        var record = new
        let isOther = old.verdict != new.verdict || old.cause != new.cause
        record.state = state(isOther ? .changed : .open, of: record.id)
        if isOther || old.amount != new.amount || old.facts.effect != new.facts.effect {
            add(old, to: \.changedOut)
            add(record, to: \.changedIn)
        }
        keep(record, event: isOther ? .changedFrom(old.verdict, old.cause) : nil, isNews: hasNewFacts || isOther)
    }

    /// The state of an exception that was open before and is open, or has changed, tonight. What an earlier run of the
    /// date reported as new, changed or reopened remains so.
    private func state(_ state: ExceptionState, of id: ExceptionID) -> ExceptionState {
        switch shownToday[id]?.state {
        case .new: .new
        case let earlier? where state == .open && (earlier == .changed || earlier == .reopened): earlier
        default: state
        }
    }

    /// Keeps the exception as it stands: tonight's verdict is not final, or its waiver still holds. An open one shows
    /// tonight's facts.
    private mutating func stay(_ record: ExceptionRecord, _ old: ExceptionRecord, tonight: Observation) {
        var record = record
        if old.state == .waived {
            if old.isInClosingBalance { add(record, to: \.waived) }
            record.isInClosingBalance = false
            let row = old.isInClosingBalance ? shown(record, after: .waived) : nil
            transitions.append(
                ExceptionTransition(record: record, row: row, event: nil, isNews: old.isInClosingBalance))
            return
        }
        record.show(tonight)
        if old.isInClosingBalance {
            change(record, from: old, hasNewFacts: record.facts != old.facts)
        } else {
            record.isInClosingBalance = true
            reopen(record, .waiverWithdrawn)
        }
    }

    /// Resolves an exception that is not resolved yet.
    private mutating func resolve(_ old: ExceptionRecord, _ event: ExceptionEvent) {
        var record = old
        // A waiver of an earlier night has left the balance already, and reports no longer show the exception.
        let isInBalance = old.isInClosingBalance || old.state != .waived
        if isInBalance {
            if !old.isInClosingBalance { add(old, to: \.reopened) }
            add(record, to: \.resolved)
        }
        record.isInClosingBalance = false
        record.state = .resolved
        let row = isInBalance ? shown(record, after: event) : nil
        transitions.append(ExceptionTransition(record: record, row: row, event: event, isNews: true))
    }

    /// Keeps the exception in the balance and shows it.
    private mutating func keep(_ record: ExceptionRecord, event: ExceptionEvent?, isNews: Bool) {
        add(record, to: \.closing)
        let isNew = record.state == .new || record.state == .open
        let shownEvent = isNew ? nil : event ?? shownToday[record.id]?.lastEvent
        transitions.append(
            ExceptionTransition(record: record, row: shown(record, after: shownEvent), event: event, isNews: isNews))
    }

    /// The row that tonight's reports show.
    private func shown(_ record: ExceptionRecord, after event: ExceptionEvent?) -> ExceptionRow {
        // A resolved exception was last seen in the night before.
        let lastSeen = record.state == .resolved ? lastDate ?? businessDate : businessDate
        var row = ExceptionRow(
            facts: record.facts, id: record.id, state: record.state, firstSeen: record.firstSeen, lastSeen: lastSeen,
            ageDays: age(of: record.facts.eventAt, horizon: horizon))
        row.lastEvent = event
        row.note = notes[record.id]
        return row
    }
}

extension ExceptionRecord {
    /// Takes over the facts of a subject whose verdict is not final. Verdict and cause remain where the verdict behind is
    /// no exception.
    fileprivate mutating func show(_ tonight: Observation) {
        guard var facts = tonight.facts else { return }
        if !facts.verdict.isException {
            facts.verdict = verdict
            facts.cause = cause
            facts.severity = self.facts.severity
        }
        // The two share their memory where they are equal.
        if facts != self.facts { self.facts = facts }
    }
}

extension ExceptionFacts {
    /// Whether a waiver still holds; see `ExceptionField.Waiver`.
    fileprivate func isSameFinding(as other: ExceptionFacts) -> Bool {
        let isSame = other.verdict == self.verdict
        let isLost = isSame && self.verdict == .paidNotCredited
        let isByReceipts = isSame && other.cause.mayDifferByReceipts(from: self.cause)
        return ExceptionFields.list.allSatisfy { field in
            switch field.waiver {
            case .stands: true
            case .standsIfLost where isLost: true
            case .standsIfLostOrByReceipts where isLost || isByReceipts: true
            default: field.shown(self) == field.shown(other)
            }
        }
    }
}

extension Cause {
    /// Whether receipts alone may have made the one of the other.
    fileprivate func mayDifferByReceipts(from other: Cause) -> Bool {
        let ofReceipts: Set<Cause> = [.receiptRejected, .receiptUnverified, .notInReceipt, .crossedOrder]
        let both: Set<Cause> = [self, other]
        return !ofReceipts.isDisjoint(with: both)
            && ofReceipts.union([.noOrder, .noReceipt, .creditFailed, .noTransaction]).isSuperset(of: both)
    }
}

/// Whole days from the verdict's anchor to the horizon.
public func age(of eventAt: Instant, horizon: Instant) -> Int {
    Int(max(0, (horizon - eventAt).count.flooredDivision(by: 86_400_000)))
}

extension ExceptionRow {
    /// An exception that was open after the run.
    public init(_ record: ExceptionRecord, after run: RunRecord) {
        self.init(
            facts: record.facts, id: record.id, state: .open, firstSeen: record.firstSeen, lastSeen: run.businessDate,
            ageDays: age(of: record.facts.eventAt, horizon: run.horizon))
    }
}
