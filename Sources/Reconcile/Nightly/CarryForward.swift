internal import Domain
internal import Ledger

/// Exceptions and retry entries, carried from last night to tonight.
struct CarryForward {
    let moves: [ExceptionTransition]
    let rollForward: [RollForwardLine]
    let answers: Answers
    private(set) var retries: RetryRegister
    private let observations: [Observation]

    /// - Parameter last: the run before; nil in the first.
    init(
        _ stage: Stage, _ delivered: Delivered, _ moment: RunTime, last: RunRecord?, horizon: Instant,
        retry: RetrySettings, zone: Zone, ledger: Ledger, threads: Int, log: Log
    ) throws {
        let known = last == nil ? nil : ledger
        var files = try known?.deliveryNames() ?? [:]
        var digests = try known?.deliveryDigests() ?? [:]
        for delivery in delivered.deliveries {
            files[delivery.number] = delivery.name
            digests[delivery.number] = delivery.digest.hex
        }
        var observations = stage.observations(files: files, digests: digests, threads: threads)
        try Self.withhold(
            &observations, RejectedCredits(delivered, ledger: known, since: observations, zone: zone), log: log)
        answers = try Answers(delivered.evidence.acknowledgements, ledger: known)
        retries = try RetryRegister(
            moment, settings: retry, demands: observations.compactMap(\.retry), answers: answers, ledger: known,
            files: files, log: log)
        for index in observations.indices { retries.mark(&observations[index]) }
        let notes = try last.flatMap { try known?.personsNotes(before: $0.id + 1) } ?? [:]
        var exceptions = ExceptionRegister(
            businessDate: moment.businessDate, lastDate: last?.businessDate.text, horizon: horizon, notes: notes)
        exceptions.play(observations, entries: stage.entries)
        moves = exceptions.moves
        rollForward = exceptions.rollForward
        self.observations = observations
    }

    /// Withholds goods that a rejected row of a credits file may have given already: that row is put right first.
    private static func withhold(_ observations: inout [Observation], _ rejected: RejectedCredits, log: Log) throws {
        if rejected.isEmpty { return }
        var withheld = 0
        var first: String?
        for index in observations.indices {
            guard let retry = observations[index].retry, retry.action == .credit,
                let place = rejected.place(mentioning: retry.ids + [observations[index].facts?.suggestedOrder ?? ""])
            else { continue }
            observations[index].retry = nil
            observations[index].facts?.action = .fixInput
            first = first ?? place
            withheld += 1
        }
        if let first {
            log.warning(
                "\(withheld) automatic credits are withheld, because rejected rows in credits files name their orders or "
                    + "transactions; the first is \(first). Correct these rows and deliver them again")
        }
    }

    /// Plays what a machine may mend of the exceptions as they were moved.
    ///
    /// - Parameter ledger: nil in the first night.
    mutating func playRetries(_ guarded: [GuardFinding], ledger: Ledger?, log: Log) throws {
        try retries.play(moves, observations, guarded, ledger: ledger, log: log)
    }
}

extension RetryFacts {
    /// What a credit for it would name.
    fileprivate var ids: [String] { [fields.transaction, fields.order].compactMap { $0 } }
}

extension RejectedCredits {
    /// Tonight's rows, and those of nights before that may be about what a machine would give.
    fileprivate init(_ delivered: Delivered, ledger: Ledger?, since observations: [Observation], zone: Zone) throws {
        let anchors = observations.compactMap { $0.retry?.action == .credit ? $0.facts?.eventAt : nil }
        self.init()
        guard let earliest = anchors.min() else { return }
        let date = zone.date(of: Instant(milliseconds: earliest)).advanced(by: -1)
        for row in try ledger?.rejectedCredits(since: date) ?? [] { add(row) }
        let files = Set(delivered.deliveries.filter { $0.kind == .credits }.map(\.name))
        for reject in delivered.rejects where files.contains(reject.source) {
            add(RejectedCredit(source: reject.source, line: reject.line, row: reject.row))
        }
    }
}
