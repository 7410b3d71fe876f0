extension RetryFields {
    /// The permanent idempotency key. Run, date and exception are not part of it, so the same work has the same key for
    /// ever and is never done twice.
    public var permanentKey: String {
        let sign: Int64 = action == .reverseCredit ? -1 : 1
        let delta = movesGoods ? String(sign * (quantity ?? 0)) : "0"
        let subject = action == .verifyReceipt ? receipt : transaction
        // Identifiers contain no line feed, so the joined text is unambiguous.
        let parts = [action.rawValue, environment, bundle ?? "", subject ?? "", account ?? "", delta]
        return "R" + SHA256.digest(of: parts.joined(separator: "\n")).hex.prefix(32)
    }
}

/// How much of what a run emitted moves goods; the circuit breaker compares later runs with it. Entries that move no
/// goods are left out, because clients alone could multiply them.
public struct RetryTotals: Sendable {
    /// The number of entries.
    public var count: Int
    /// What they are worth.
    public var worth: MoneySum
}

extension RetryTotals {
    public init(_ counts: RetryCounts) {
        self.init(count: counts.emitted &- (counts.queries ?? 0), worth: MoneySum(counts.emittedAmounts))
    }
}

/// Carries the retry entries from one night to the next. See docs/spec/rules.md#retry-entries.
///
/// Pure: known entries, tonight's acknowledgements and tonight's demands go in; the manifest's lists and the changed
/// entries come out. Call `load`, `record`, `mark` and `apply` in this order.
///
/// An entry is *waiting*, *held* or *dead*. Each night, a waiting entry that is demanded takes this path:
///
/// 1. *Is it dead now?* It dies if it has had all its attempts and its last night for an answer is over, or if the
///    exception already emitted an entry for the same goods under another key.
/// 2. *Is it due?* After the n-th emission, the next is due 1, 1, 2, 4, 7, 7, … nights later (`nightsToNext`); after
///    the last attempt, one night is left for the answer. An acknowledgement that goods were given postpones the date
///    by one step, because the credits feed may take a night to show it.
/// 3. *Is it held?* If the guard objects to it, a due entry is held; if the circuit breaker does, all others that move goods.
///    Entries that a person released, and those that an earlier run of the same date emitted, are not held.
/// 4. *Does tonight's limit allow it?* At most `entriesMax` entries that move no goods go out. They take turns by account
///    (`surplusQueries`).
/// 5. It is emitted, and counts one more attempt.
///
/// An entry that is not demanded is withdrawn. It keeps its key and its attempts, in case it is demanded again.
public struct RetryRegister {
    /// How long the consumer may act on an emitted line.
    static let validity = Milliseconds.days(1)

    let settings: RetrySettings
    let businessDate: BusinessDate
    let asOf: Instant
    /// What earlier runs emitted, newest first.
    let history: [RetryTotals]
    /// The entries by key.
    private(set) var entries: [String: RetryEntry] = [:]
    /// The entries as they were loaded, by key.
    private var before: [String: RetryEntry] = [:]
    /// What the retry files list.
    public private(set) var lists = RetryLists()
    /// The totals of `lists`.
    public private(set) var counts = RetryCounts()

    /// - Parameter history: what earlier runs emitted, newest first.
    public init(settings: RetrySettings, businessDate: BusinessDate, asOf: Instant, history: [RetryTotals] = []) {
        (self.settings, self.businessDate, self.asOf, self.history) = (settings, businessDate, asOf, history)
    }

    /// Takes in stored entries. Those that are already known are left as they are.
    public mutating func load(_ known: [RetryEntry]) {
        entries.reserveCapacity(entries.count + known.count)
        before.reserveCapacity(before.count + known.count)
        for entry in known where entries[entry.key] == nil {
            entries[entry.key] = entry
            before[entry.key] = entry
        }
    }

    /// Those of the keys that no loaded entry has.
    public func unknown(_ keys: [String]) -> Set<String> { Set(keys.lazy.filter { entries[$0] == nil }) }

    /// Whether `apply` must know the other entries of the exception that demands this: an untried entry dies if another
    /// one was emitted for the same goods.
    public func dependsOnOthers(_ demand: RetryFacts) -> Bool {
        let mayDie = entries[demand.key].map { $0.isUntried && $0.state != .held } ?? true
        return demand.movesGoods && mayDie
    }

    /// The entries that differ from what the ledger stores, by key.
    public var changes: [RetryEntry] {
        entries.keys.ordered().compactMap { key in entries[key] == before[key] ? nil : entries[key] }
    }

    /// Records acknowledgements, in order of their times. Returns those whose keys no entry has.
    public mutating func record(_ answers: [Acknowledgement]) -> [Acknowledgement] {
        let ordered = answers.ordered {
            (min($0.at, asOf), $0.source.delivery, $0.source.line) < (
                min($1.at, asOf), $1.source.delivery, $1.source.line
            )
        }
        return ordered.filter { answer in
            guard var entry = entries[answer.key] else { return true }
            record(answer, in: &entry)
            entries[answer.key] = entry
            return false
        }
    }

    /// The last acknowledgement counts; a time in the future counts as now. A dead entry only notes it.
    private func record(_ answer: Acknowledgement, in entry: inout RetryEntry) {
        let answeredAt = min(answer.at, asOf)
        if let last = entry.answeredAt, answeredAt < last { return }
        let isFirst = entry.answer == nil
        entry.answer = answer.outcome
        entry.answeredAt = answeredAt
        entry.message = answer.message
        guard entry.state != .dead else { return }
        switch answer.outcome {
        case .permanentError: entry.die(.permanentError, on: businessDate)
        case .preconditionFailed: entry.die(.preconditionFailed, on: businessDate)
        case .retryableError: break
        // The goods count as given when the credits feed shows them. Only the first such answer to an emission
        // postpones the next one.
        case .applied, .alreadyApplied:
            if isFirst { entry.due = max(entry.due, businessDate.advanced(by: nightsToNext(after: entry.round))) }
        }
    }

    /// Writes the key of its entry into an exception. If the consumer found that the entry's preconditions fail and its
    /// facts are still the same, a person must investigate.
    public func mark(_ observation: inout Observation) {
        guard settings.isEnabled, let facts = observation.retry else {
            observation.retry = nil
            return
        }
        observation.facts?.retryKey = facts.key
        let entry = entries[facts.key]
        if entry?.end == .preconditionFailed, entry?.facts.allFields.isSameWork(as: facts.allFields) == true {
            observation.facts?.action = .investigate
        }
    }

    /// How many nights after the `round`-th emission the next one is due: 1, 1, 2, 4, 7, 7, … After the last attempt,
    /// one night is left for its answer.
    private func nightsToNext(after round: Int) -> Int {
        if round >= settings.attemptsMax { return 1 }
        return [0, 1, 1, 2, 4, 7][min(round, 5)]
    }
}

extension RetryRegister {
    /// Applies tonight's demands: decides which entries die, are held, wait or are emitted, and fills the lists.
    ///
    /// - Parameters:
    ///   - demands: the open exceptions that ask a machine to act, with the exception's id.
    ///   - guarded: the keys of the entries that the guard holds.
    public mutating func apply(
        _ demands: [(exception: ExceptionID, facts: RetryFacts)], guarded: Set<String> = []
    ) {
        let emitted = Set(entries.values.filter { $0.attempts > 0 }.map(goods))
        for key in Array(entries.keys) { entries[key]!.isDemanded = false }
        entries.reserveCapacity(entries.count + demands.count)
        var demanded = Set<String>(minimumCapacity: demands.count)
        for demand in demands.ordered(byKey: \.exception)
        where demanded.insert(demand.facts.key).inserted {
            entries[demand.facts.key] = entry(of: demand.exception, facts: demand.facts, emitted: emitted)
        }
        let keys = demanded.ordered()
        let due = keys.filter { isDue(entries[$0]!) }
        // Entries that a person released, or that went out tonight already, are not held.
        let judged = due.filter { !entries[$0]!.isReleased && entries[$0]!.lastEmitted != businessDate }
        let goods = judged.filter { entries[$0]!.facts.movesGoods && !guarded.contains($0) }
        let breaker = CircuitBreaker(settings: settings, history: history)
        counts.holdReason = breaker.reason(toHold: goods.map { entries[$0]!.facts })
        for key in judged.filter(guarded.contains) + (counts.holdReason == nil ? [] : goods) {
            entries[key]!.state = .held
        }
        let surplus = surplusQueries(due)
        for key in due where entries[key]!.state == .waiting && !surplus.contains(key) { emit(key) }
        list(keys)
    }

    /// Due entries that move no goods and must wait for a later night, because only `entriesMax` may go out in one.
    ///
    /// Entries that were released, and those emitted already for this date, go out in any case and take up room. The
    /// rest are sorted by due date and key and numbered within each account. All first ones go out before any second
    /// one, so an account with thousands of receipts delays only itself.
    private func surplusQueries(_ due: [String]) -> Set<String> {
        let queries = due.filter { entries[$0]!.state == .waiting && !entries[$0]!.facts.movesGoods }
        let isOut = { (key: String) in entries[key]!.isReleased || entries[key]!.lastEmitted == businessDate }
        let room = settings.entriesMax - queries.count(where: isOut)
        let others = queries.filter { !isOut($0) }.ordered { (entries[$0]!.due, $0) < (entries[$1]!.due, $1) }
        guard others.count > room else { return [] }
        var numbers: [String: Int] = [:]
        let turns = others.map { key in
            numbers[entries[key]!.facts.account ?? "", default: 0] += 1
            return numbers[entries[key]!.facts.account ?? ""]!
        }
        let inTurn = others.indices.ordered { (turns[$0], $0) < (turns[$1], $1) }
        return Set(inTurn.dropFirst(max(0, room)).map { others[$0] })
    }

    /// The entry for a demand, new or known, with tonight's facts. It may be dead afterwards.
    /// - Parameter emitted: goods that some entry was emitted for.
    private func entry(of exception: ExceptionID, facts: RetryFacts, emitted: Set<Goods>) -> RetryEntry {
        var entry = entries[facts.key] ?? RetryEntry(facts: facts, exception: exception, due: businessDate)
        if entry.end == .preconditionFailed, !entry.facts.allFields.isSameWork(as: facts.allFields) { entry.revive() }
        entry.facts = facts
        entry.exception = exception
        entry.isDemanded = true
        guard entry.state == .waiting else { return entry }
        if facts.movesGoods, entry.isUntried, emitted.contains(goods(entry)) {
            // It is not known what the consumer did under the other key.
            entry.die(.anotherKey, on: businessDate)
        } else if entry.round >= settings.attemptsMax, entry.due <= businessDate, entry.lastEmitted != businessDate {
            entry.die(.attempts, on: businessDate)
        }
        return entry
    }

    /// What an entry is about, whatever its key is.
    private struct Goods: Hashable {
        var exception: ExceptionID
        var action: Action
    }

    private func goods(_ entry: RetryEntry) -> Goods { Goods(exception: entry.exception, action: entry.facts.action) }

    /// Whether the entry goes out tonight. A further run for the same business date lists the same entries again.
    private func isDue(_ entry: RetryEntry) -> Bool {
        guard entry.state == .waiting else { return false }
        return entry.due <= businessDate || entry.lastEmitted == businessDate && entry.answer == nil
    }

    /// Counts an emission, unless the entry was already emitted for this business date.
    private mutating func emit(_ key: String) {
        guard var entry = entries[key], entry.lastEmitted != businessDate else { return }
        entry.attempts += 1
        entry.round += 1
        entry.lastEmitted = businessDate
        entry.firstEmitted = entry.firstEmitted ?? asOf
        entry.due = businessDate.advanced(by: nightsToNext(after: entry.round))
        entry.isReleased = false
        entry.answer = nil
        entry.message = nil
        entries[key] = entry
    }
}

extension RetryRegister {
    /// Fills `lists` and `counts`.
    private mutating func list(_ keys: [String]) {
        for key in keys {
            let entry = entries[key]!
            var line = RetryLine(
                facts: entry.facts, exception: entry.exception, attempt: entry.attempts,
                firstEmitted: entry.firstEmitted)
            switch entry.state {
            case .dead:
                line.end = entry.end
                line.deadSince = entry.deadSince
                line.message = entry.message
                lists.dead.append(line)
            case .held:
                line.attempt += 1
                lists.held.append(line)
            case .waiting where entry.lastEmitted == businessDate && entry.answer == nil:
                line.notBefore = asOf
                line.expiresAt = asOf + Self.validity
                lists.emitted.append(line)
            case .waiting: counts.waiting += 1
            }
        }
        let tried = keys.map { entries[$0]! }.filter { $0.state == .waiting && $0.attempts >= RetryEntry.reportedFrom }
        let answered = tried.count { $0.answeredAt != nil }
        if answered < tried.count { counts.unanswered = tried.count - answered }
        if answered > 0 { counts.ineffective = answered }
        counts.emitted = lists.emitted.count
        counts.held = lists.held.count
        counts.dead = lists.dead.count
        let goods = lists.emitted.map { $0.facts }.filter { $0.movesGoods }
        if goods.count < counts.emitted { counts.queries = counts.emitted - goods.count }
        counts.emittedAmounts = worth(of: goods).amounts
    }
}

extension RetryEntry {
    /// It was never emitted, and no person has released it.
    fileprivate var isUntried: Bool { attempts == 0 && !isReleased }
}
