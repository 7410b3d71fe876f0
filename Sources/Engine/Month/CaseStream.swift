internal import Synchronization

/// Reads the cases of a history in ranges, on all cores, so that memory does not grow with the history.
struct CaseStream: Sendable {
    /// Opens a reader. Each thread has its own.
    let open: @Sendable () throws -> any MonthHistory
    /// The ranges of all case numbers.
    let pieces: [Range<CaseID>]
    /// Evidence of later deliveries is left out.
    let lastDelivery: DeliveryID
    let threads: Int
    let work: WorkCount
    /// How many case numbers a range has: enough to be worth starting, and few enough to take little memory.
    static let pieceSize = 8192

    /// Passes every piece of the history to `body`, on several threads, and returns one part for each thread. Which
    /// thread gets which piece is left to chance, so merging the parts must give the same result in any case.
    ///
    /// - Parameters:
    ///   - start: what each part begins as.
    ///   - body: adds a piece, by its number, to a part. A piece may be empty.
    /// - Throws: `Interrupted`; whatever `body` and the history throw.
    func parts<Part: Sendable>(
        _ start: Part, _ body: @Sendable (_ number: Int, StoredEvidence, inout Part) throws -> Void
    ) throws -> [Part] {
        work.expect(rows: pieces.reduce(0) { $0 + $1.count })
        let next = Atomic<Int>(0)
        let parts = concurrently(threads: threads, threads) { _ in
            Result {
                var part = start
                do {
                    let history = try open()
                    while !Interruption.process.isRequested {
                        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                        if number >= pieces.count { break }
                        let range = pieces[number]
                        try body(number, try history.load(cases: range, through: lastDelivery), &part)
                        work.add(rows: range.count)
                    }
                    return part
                } catch {
                    next.store(pieces.count, ordering: .relaxed)
                    throw error
                }
            }
        }
        try Interruption.process.check()
        return try parts.map { try $0.get() }
    }
}
