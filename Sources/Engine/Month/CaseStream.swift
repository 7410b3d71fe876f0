internal import Parallel
internal import Synchronization

/// Reads the cases of a history range by range, on all cores, so that memory does not grow with the history.
struct CaseStream: Sendable {
    /// Each thread opens a reader of its own.
    let open: @Sendable () throws -> any MonthHistory
    /// The numbers of all its cases.
    let pieces: [Range<Int64>]
    /// Evidence that came with later deliveries is not known yet.
    let lastDelivery: Int32
    let threads: Int
    let work: WorkCount
    /// Cases a piece: large enough to be worth a start, small enough to be nothing in memory.
    static let pieceSize: Int64 = 8192

    /// Hands every piece of the history to `body`, each to one of several parts; what the parts hold must not depend on
    /// which pieces they got.
    ///
    /// - Throws: `Interrupted`; what `body` and the history throw.
    func parts<Part: Sendable>(
        _ start: Part, _ body: @Sendable (StoredEvidence, inout Part) throws -> Void
    ) throws -> [Part] {
        work.expect(rows: pieces.reduce(0) { $0 + $1.count })
        let next = Atomic<Int>(0)
        let joined = Mutex<(parts: [Part], failure: (any Error)?)>(([], nil))
        onThreads(threads) {
            var part = start
            do {
                let history = try open()
                while !Interruption.process.isRequested {
                    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    if number >= pieces.count { break }
                    let range = pieces[number]
                    let prior = try history.load(cases: range, through: lastDelivery)
                    if !prior.isEmpty { try body(prior, &part) }
                    work.add(rows: range.count)
                }
                joined.withLock { $0.parts.append(part) }
            } catch {
                joined.withLock { $0.failure = $0.failure ?? error }
                next.store(pieces.count, ordering: .relaxed)
            }
        }
        try Interruption.process.check()
        return try joined.withLock { joined in
            if let failure = joined.failure { throw failure }
            return joined.parts
        }
    }
}
