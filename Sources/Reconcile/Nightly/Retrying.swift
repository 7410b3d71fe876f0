internal import Domain
internal import Ledger

/// Tonight's answers of the retry manifest's consumer: those that say something new, and those known already.
struct Answers {
    private(set) var fresh: [Acknowledgement] = []
    private(set) var repeated: [Acknowledgement] = []

    /// - Parameter ledger: nil in the first night.
    init(_ answers: [Acknowledgement], ledger: Ledger?) throws {
        struct Content: Hashable {
            var key: [UInt8]
            var outcome: AckOutcome
            var at: Instant
            var message: [UInt8]?
        }
        var seen = Set<Content>()
        for answer in answers {
            let content = Content(
                key: Array(answer.key.utf8), outcome: answer.outcome, at: answer.at,
                message: answer.message.map { Array($0.utf8) })
            let isFirst = seen.insert(content).inserted
            let isNew = try isFirst && ledger?.knows(answer) != true
            if isNew { fresh.append(answer) } else { repeated.append(answer) }
        }
    }
}

extension RetryBook {
    /// The night's book with what the ledger knows of tonight's keys, and the consumer's answers heard.
    ///
    /// - Parameter ledger: nil in the first night.
    init(
        _ moment: Moment, settings: RetrySettings, demands: [RetryFacts], answers: Answers, ledger: Ledger?,
        files: [Int32: String], log: Log
    ) throws {
        self.init(
            settings: settings, businessDate: moment.businessDate, asOf: moment.asOf,
            history: try ledger?.retryTotals(ofLast: 7) ?? [])
        if let ledger {
            recall(try ledger.demandedRetryEntries())
            recall(try ledger.retryEntries(ofKeys: Set(demands.map(\.key) + answers.fresh.map(\.key))))
        }
        let strangers = hear(answers.fresh)
        if let first = strangers.first {
            let place = "\(files[first.source.delivery] ?? ""):\(first.source.line)"
            log.warning(
                "\(strangers.count) acknowledgements have a key that was never given out, the first is "
                    + "\(quoted(first.key)) (\(place)). See that the consumer returns `key` as it was")
        }
    }

    /// Plays tonight's exceptions as the book moved them.
    ///
    /// - Parameter ledger: nil in the first night.
    mutating func play(_ moves: [BookMove], _ sightings: [Sighting], ledger: Ledger?, log: Log) throws {
        let facts = Dictionary(
            sightings.compactMap { sighting in sighting.retry.map { (sighting.subject, $0) } }
        ) { first, _ in first }
        let demands = moves.filter(\.entry.isOpen).compactMap { move in
            facts[move.entry.subject].map { (move.entry.id, $0) }
        }
        if let ledger { recall(try ledger.retryEntries(ofExceptions: Set(demands.map(\.0)))) }
        play(demands)
        if let holdReason {
            log.warning(
                "the retry manifest is held: \(holdReason). Look at held.jsonl, then 'reconcile release --held' or by key"
            )
        }
    }
}

/// Exceptions and retry entries, carried from last night to tonight.
struct Carrying {
    let moves: [BookMove]
    let rollForward: [RollForwardLine]
    let answers: Answers
    let retries: RetryBook

    /// - Parameter last: the run before; nil in the first.
    init(
        _ stage: Stage, _ gathered: Gathered, _ moment: Moment, last: RunRecord?, horizon: Instant,
        retry: RetrySettings, ledger: Ledger, log: Log
    ) throws {
        let known = last == nil ? nil : ledger
        var files = try known?.deliveryNames() ?? [:]
        var digests = try known?.deliveryDigests() ?? [:]
        for delivery in gathered.deliveries {
            files[delivery.number] = delivery.name
            digests[delivery.number] = delivery.digest.hex
        }
        var sightings = stage.sightings(files: files, digests: digests)
        answers = try Answers(gathered.evidence.acknowledgements, ledger: known)
        var retries = try RetryBook(
            moment, settings: retry, demands: sightings.compactMap(\.retry), answers: answers, ledger: known,
            files: files, log: log)
        for index in sightings.indices { retries.mark(&sightings[index]) }
        let notes = try last.flatMap { try known?.personsNotes(before: $0.id + 1) } ?? [:]
        var exceptions = Book(
            businessDate: moment.businessDate, lastDate: last?.businessDate.text, horizon: horizon, notes: notes)
        exceptions.play(sightings, entries: stage.entries)
        moves = exceptions.moves
        rollForward = exceptions.rollForward
        try retries.play(moves, sightings, ledger: known, log: log)
        self.retries = retries
    }
}
