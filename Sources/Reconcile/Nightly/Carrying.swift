internal import Domain
internal import Ledger

/// Exceptions and retry entries, carried from last night to tonight.
struct Carrying {
    let moves: [BookMove]
    let rollForward: [RollForwardLine]
    let answers: Answers
    private(set) var retries: RetryBook
    private let sightings: [Sighting]

    /// - Parameter last: the run before; nil in the first.
    init(
        _ stage: Stage, _ gathered: Gathered, _ moment: Moment, last: RunRecord?, horizon: Instant,
        retry: RetrySettings, ledger: Ledger, threads: Int, log: Log
    ) throws {
        let known = last == nil ? nil : ledger
        var files = try known?.deliveryNames() ?? [:]
        var digests = try known?.deliveryDigests() ?? [:]
        for delivery in gathered.deliveries {
            files[delivery.number] = delivery.name
            digests[delivery.number] = delivery.digest.hex
        }
        var sightings = stage.sightings(files: files, digests: digests, threads: threads)
        answers = try Answers(gathered.evidence.acknowledgements, ledger: known)
        retries = try RetryBook(
            moment, settings: retry, demands: sightings.compactMap(\.retry), answers: answers, ledger: known,
            files: files, log: log)
        for index in sightings.indices { retries.mark(&sightings[index]) }
        let notes = try last.flatMap { try known?.personsNotes(before: $0.id + 1) } ?? [:]
        var exceptions = Book(
            businessDate: moment.businessDate, lastDate: last?.businessDate.text, horizon: horizon, notes: notes)
        exceptions.play(sightings, entries: stage.entries)
        moves = exceptions.moves
        rollForward = exceptions.rollForward
        self.sightings = sightings
    }

    /// Plays what a machine may mend of the exceptions as they were moved.
    ///
    /// - Parameter ledger: nil in the first night.
    mutating func playRetries(ledger: Ledger?, log: Log) throws {
        try retries.play(moves, sightings, ledger: ledger, log: log)
    }
}
