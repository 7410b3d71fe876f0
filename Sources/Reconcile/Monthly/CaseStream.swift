internal import Domain
internal import Foundation
internal import Ledger
internal import Synchronization

/// Reads the ledger's cases piece by piece, on all cores, so that memory does not grow with the ledger.
struct CaseStream: Sendable {
    /// The ledger's file: each thread opens it for itself.
    let path: String
    /// Numbers of all its cases.
    let pieces: [Range<Int64>]
    /// Evidence that came with later deliveries is not known yet.
    let lastDelivery: Int32
    let threads: Int
    let work: WorkCount
    /// Cases a piece: large enough to be worth a start, small enough to be nothing in memory.
    static let pieceSize: Int64 = 8192

    /// Hands every piece of the ledger to `body`, each to one of several parts; what the parts hold must not depend on
    /// which pieces they got.
    ///
    /// - Throws: `Failure` where the run is interrupted; what `body` and the ledger throw.
    func parts<Part: Sendable>(
        _ start: Part, _ body: @Sendable (StoredEvidence, inout Part) throws -> Void
    ) throws -> [Part] {
        work.expect(rows: pieces.reduce(0) { $0 + $1.count })
        let next = Atomic<Int>(0)
        let joined = Mutex<(parts: [Part], failure: (any Error)?)>(([], nil))
        onThreads(threads) {
            var part = start
            do {
                let ledger = try Ledger.reading(path: path)
                while !Interruption.process.isRequested {
                    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    if number >= pieces.count { break }
                    let range = pieces[number]
                    let prior = try ledger.load(cases: range, through: lastDelivery)
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
