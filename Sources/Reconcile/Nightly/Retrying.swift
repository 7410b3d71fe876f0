internal import Domain
internal import Ledger

extension RetryRegister {
    /// The night's book with what the ledger knows of tonight's keys, and the consumer's answers heard.
    ///
    /// - Parameter ledger: nil in the first night.
    init(
        _ moment: RunTime, settings: RetrySettings, demands: [RetryFacts], answers: Answers, ledger: Ledger?,
        files: [Int32: String], log: Log
    ) throws {
        self.init(
            settings: settings, businessDate: moment.businessDate, asOf: moment.asOf,
            history: try ledger?.retryTotals(ofLast: 7) ?? [])
        if let ledger {
            load(try ledger.demandedRetryEntries())
            let keys = Set(demands.map(\.key) + answers.fresh.map(\.key))
            load(try ledger.retryEntries(ofKeys: keys.subtracting(known)))
        }
        let strangers = hear(answers.fresh)
        if let first = strangers.first {
            let place = "\(files[first.source.delivery] ?? ""):\(first.source.line)"
            log.warning(
                "\(strangers.count) acknowledgements have a key that was never issued; the first is "
                    + "\(quoted(first.key)) (\(place)). Make sure that the consumer returns `key` unchanged")
        }
    }

    /// Plays tonight's exceptions as the book moved them.
    ///
    /// - Parameter ledger: nil in the first night.
    mutating func play(
        _ moves: [ExceptionTransition], _ observations: [Observation], _ guarded: [GuardFinding], ledger: Ledger?,
        log: Log
    ) throws {
        let facts = Dictionary(
            observations.compactMap { observation in observation.retry.map { (observation.subject, $0) } }
        ) { first, _ in first }
        let demands =
            moves.lazy.filter(\.entry.isOpen).compactMap { move in
                facts[move.entry.subject].map { (move.entry.id, $0) }
            }.map { $0 } as [(String, RetryFacts)]
        if let ledger { load(try ledger.retryEntries(ofExceptions: Set(demands.map(\.0)), besides: known)) }
        play(demands, guarded: guarded.summary)
        if let text = guarded.summary {
            log.warning(
                "the input is unusual: \(text). Retry entries are held. Check the files and deliver what is missing, "
                    + "or accept them: 'reconcile release --held'")
        } else if let holdReason {
            log.warning(
                "the retry manifest is held: \(holdReason). Check held.jsonl, then run 'reconcile release' "
                    + "with --held or with keys"
            )
        }
    }
}
