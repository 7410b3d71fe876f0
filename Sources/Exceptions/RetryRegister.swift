internal import Digest
public import Domain

extension RetryFields {
    /// The permanent idempotency key: no run, no date, no exception in it, so that nothing is ever done twice.
    public var permanentKey: String {
        let sign: Int64 = action == .reverseCredit ? -1 : 1
        let delta = movesGoods ? String(sign * (quantity ?? 0)) : "0"
        let subject = action == .verifyReceipt ? receipt : transaction
        // No identifier holds a line feed.
        let parts = [action.rawValue, environment, bundle ?? "", subject ?? "", account ?? "", delta]
        return "R" + SHA256.digest(of: parts.joined(separator: "\n")).hex.prefix(32)
    }
}

/// What a run emitted that moves goods, for the circuit breaker of later ones: clients alone cannot make it more.
public struct RetryTotals: Sendable {
    public var count: Int
    /// Minor units.
    public var amounts: [Currency: Int64]

    public init(count: Int, amounts: [Currency: Int64]) {
        self.count = count
        self.amounts = amounts
    }
}

/// Carries retry entries from last night to tonight. RULES §5.
///
/// Pure, as `ExceptionRegister` is: entries known, tonight's answers and demands go in; lists and changed entries come out.
public struct RetryRegister {
    let settings: RetrySettings
    let businessDate: BusinessDate
    let asOf: Instant
    /// What the last runs emitted, newest first.
    let history: [RetryTotals]
    private(set) var entries: [String: RetryEntry] = [:]
    private var before: [String: RetryEntry] = [:]
    public private(set) var lists = RetryLists()
    public private(set) var counts = RetryCounts()
    /// Why tonight's manifest was held, for people; nil where it was not.
    public private(set) var holdReason: String?

    public init(settings: RetrySettings, businessDate: BusinessDate, asOf: Instant, history: [RetryTotals] = []) {
        self.settings = settings
        self.businessDate = businessDate
        self.asOf = asOf
        self.history = history
    }

    /// Takes in what the ledger knows: entries demanded last night, and those of tonight's keys and exceptions.
    public mutating func load(_ known: [RetryEntry]) {
        for entry in known where entries[entry.key] == nil {
            entries[entry.key] = entry
            before[entry.key] = entry
        }
    }

    /// The keys of the entries it holds.
    public var known: Set<String> { Set(entries.keys) }

    /// What the ledger does not hold as it is now, by key.
    public var changes: [RetryEntry] {
        entries.keys.sorted().compactMap { key in entries[key] == before[key] ? nil : entries[key] }
    }

    /// Takes in the consumer's answers. Returns those whose keys are nobody's.
    public mutating func hear(_ answers: [Acknowledgement]) -> [Acknowledgement] {
        let ordered = answers.sorted {
            ($0.at, $0.source.delivery, $0.source.line) < ($1.at, $1.source.delivery, $1.source.line)
        }
        return ordered.filter { answer in
            guard var entry = entries[answer.key] else { return true }
            hear(answer, &entry)
            entries[answer.key] = entry
            return false
        }
    }

    private func hear(_ answer: Acknowledgement, _ entry: inout RetryEntry) {
        if let last = entry.answeredAt, answer.at < last { return }
        let isFirst = entry.answer == nil
        entry.answer = answer.outcome
        entry.answeredAt = answer.at
        entry.message = answer.message
        guard entry.state != .dead else { return }
        switch answer.outcome {
        case .permanentError: entry.die(.permanentError, on: businessDate)
        case .preconditionFailed: entry.die(.preconditionFailed, on: businessDate)
        case .retryableError: break
        // Believed when the credits feed shows it: once for each emission that gets another step of time.
        case .applied, .alreadyApplied:
            if isFirst { entry.due = max(entry.due, businessDate.advanced(by: nightsToNext(after: entry.round))) }
        }
    }

    /// Gives tonight's exception the key of its entry; what the consumer found otherwise is a person's.
    public func mark(_ observation: inout Observation) {
        guard settings.isEnabled, let facts = observation.retry else {
            observation.retry = nil
            return
        }
        observation.facts?.retryKey = facts.key
        let entry = entries[facts.key]
        if entry?.end == .preconditionFailed, entry?.facts == facts { observation.facts?.action = .investigate }
    }

    /// Nights between the `round`th emission and the next: 0, 1, 1, 2, 4, 7, 7, … After the last, one for its answer.
    private func nightsToNext(after round: Int) -> Int {
        if round >= settings.attemptsMax { return 1 }
        return [0, 1, 1, 2, 4, 7][min(round, 5)]
    }
}

extension RetryRegister {
    /// Plays tonight's exceptions that a machine may mend.
    ///
    /// - Parameter guarded: why a person must look before anything goes out.
    public mutating func play(_ demands: [(exception: String, facts: RetryFacts)], guarded: String? = nil) {
        let emitted = Set(entries.values.filter { $0.attempts > 0 }.map(goods))
        for key in Array(entries.keys) { entries[key]!.isDemanded = false }
        entries.reserveCapacity(entries.count + demands.count)
        var demanded = Set<String>(minimumCapacity: demands.count)
        for demand in demands.sorted(by: { $0.exception < $1.exception })
        where demanded.insert(demand.facts.key).inserted {
            entries[demand.facts.key] = entry(of: demand.exception, demand.facts, emitted)
        }
        let keys = demanded.sorted()
        let due = keys.filter { isDue(entries[$0]!) }
        // What a person let out, or was out tonight already, is not held again.
        let judged = due.filter { !entries[$0]!.isReleased && entries[$0]!.lastEmitted != businessDate }
        let goods = judged.filter { entries[$0]!.facts.movesGoods }
        holdReason =
            guarded
            ?? CircuitBreaker(settings: settings, history: history).reason(toHold: goods.map { entries[$0]!.facts })
        for key in guarded == nil ? goods : judged where holdReason != nil { entries[key]!.state = .held }
        let surplus = surplusQueries(due)
        for key in due where entries[key]!.state == .waiting && !surplus.contains(key) { emit(key) }
        counts.holdReason = holdReason
        list(keys)
    }

    /// The queries that wait for the next night, for there are more than may go out in one.
    ///
    /// Of each account the first goes before the second of any: whoever sends thousands of receipts delays their own.
    private func surplusQueries(_ due: [String]) -> Set<String> {
        let queries = due.filter { entries[$0]!.state == .waiting && !entries[$0]!.facts.movesGoods }
        let isOut = { (key: String) in entries[key]!.isReleased || entries[key]!.lastEmitted == businessDate }
        let room = settings.entriesMax - queries.count(where: isOut)
        let others = queries.filter { !isOut($0) }.sorted { (entries[$0]!.due, $0) < (entries[$1]!.due, $1) }
        guard others.count > room else { return [] }
        var numbers: [String: Int] = [:]
        let turns = others.map { key in
            numbers[entries[key]!.facts.account ?? "", default: 0] += 1
            return numbers[entries[key]!.facts.account ?? ""]!
        }
        let inTurn = others.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }
        return Set(inTurn.dropFirst(max(0, room)).map { others[$0] })
    }

    private func entry(of exception: String, _ facts: RetryFacts, _ emitted: Set<Goods>) -> RetryEntry {
        var entry = entries[facts.key] ?? RetryEntry(facts: facts, exception: exception, due: businessDate)
        if entry.end == .preconditionFailed, entry.facts != facts { entry.revive() }
        entry.facts = facts
        entry.exception = exception
        entry.isDemanded = true
        guard entry.state == .waiting else { return entry }
        if facts.movesGoods, entry.attempts == 0, !entry.isReleased, emitted.contains(goods(entry)) {
            // Nobody knows here what became of the other key.
            entry.die(.anotherKey, on: businessDate)
        } else if entry.round >= settings.attemptsMax, entry.due <= businessDate, entry.lastEmitted != businessDate {
            entry.die(.attempts, on: businessDate)
        }
        return entry
    }

    /// What an entry is about, whatever its key.
    private struct Goods: Hashable {
        var exception: String
        var action: Action
    }

    private func goods(_ entry: RetryEntry) -> Goods { Goods(exception: entry.exception, action: entry.facts.action) }

    /// A further run of the same business date lists again what the one before listed.
    private func isDue(_ entry: RetryEntry) -> Bool {
        guard entry.state == .waiting else { return false }
        return entry.due <= businessDate || entry.lastEmitted == businessDate && entry.answer == nil
    }

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
    private mutating func list(_ keys: [String]) {
        for key in keys {
            let entry = entries[key]!
            var line = RetryLine(
                facts: entry.facts, exception: entry.exception, attempt: entry.attempts,
                firstEmitted: entry.firstEmitted?.milliseconds)
            switch entry.state {
            case .dead:
                line.end = entry.end
                line.deadSince = entry.deadSince?.text
                line.message = entry.message
                lists.dead.append(line)
            case .held:
                line.attempt += 1
                lists.held.append(line)
            case .waiting where entry.lastEmitted == businessDate && entry.answer == nil:
                line.notBefore = asOf.milliseconds
                line.expiresAt = (asOf + .days(1)).milliseconds
                lists.emitted.append(line)
            case .waiting: counts.waiting += 1
            }
        }
        counts.emitted = lists.emitted.count
        counts.held = lists.held.count
        counts.dead = lists.dead.count
        let goods = lists.emitted.map(\.facts).filter(\.movesGoods)
        if goods.count < counts.emitted { counts.queries = counts.emitted - goods.count }
        counts.emittedAmounts = worth(of: goods).sorted { $0.key < $1.key }
            .map { Amount(minor: $0.value, currency: $0.key.text) }
    }
}
