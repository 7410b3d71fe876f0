internal import Dispatch
package import Domain
internal import Synchronization

package struct IntakeSettings: Sendable {
    /// More of a file's rows rejected: the file is refused.
    package var maxRejectedPartsPerMillion: Int
    package var threads: Int
    /// How much of a file is one piece of work; at least 16.
    package var blockBytes: Int

    package init(maxRejectedPartsPerMillion: Int = 10_000, threads: Int = 1, blockBytes: Int = 4 << 20) {
        precondition(threads >= 1 && blockBytes >= 16)
        self.maxRejectedPartsPerMillion = maxRejectedPartsPerMillion
        self.threads = threads
        self.blockBytes = blockBytes
    }
}

/// A file read to its end.
package struct FileContents: Sendable {
    package var digest: Digest256
    package var stamp: FileStamp
    package var totals: ControlTotals
    /// By line.
    package var rejects: [Reject]
    package var evidence: Evidence
    /// Signatures that were verified now, by the SHA-256 of the JWS.
    package var verified: [Digest256]
    /// Names of columns that stand for nothing, sorted; to be logged once.
    package var ignoredColumns: [String]
}

/// A file of which nothing is kept.
package struct Refusal: Sendable {
    package var stamp: FileStamp
    /// Nil where it could not be read to its end.
    package var digest: Digest256?
    /// Why, and what to do, as the rest of "orders-2025-11-18.csv is refused: …".
    package var reason: String
    /// The first of them, at most `rejectsMax`.
    package var rejects: [Reject]
    package var rows: Int
    package var rejected: Int

    package static let rejectsMax = 1000
}

package enum ReadOutcome: Sendable {
    case read(FileContents)
    case refused(Refusal)
}

/// Reads a file that a feed delivered: all of it, or nothing with the reason why.
///
/// The outcome depends on the file, the feed and the settings' share alone, never on threads or blocks.
/// `delivery` is the ledger's number for the file. Throws where the file cannot be read at all.
package func read(
    _ file: FoundFile, feed: Feed, delivery: Int32, settings: IntakeSettings
) throws(IntakeError) -> ReadOutcome {
    let source = try ByteSource(file.path)
    let stamp = source.stamp
    var refusal = Refusal(stamp: stamp, digest: nil, reason: "", rejects: [], rows: 0, rejected: 0)
    do {
        let reading = try FileReading(source, file, feed, delivery, settings)
        let (part, ignored) = try reading.parts(settings.threads)
        let digest = try reading.queue.finish()
        let totals = part.totals.control
        refusal.digest = digest
        refusal.rows = totals.rows
        refusal.rejected = totals.rejected
        refusal.rejects = Array(part.rejects.prefix(Refusal.rejectsMax))
        if totals.rejected * 1_000_000 > totals.rows * settings.maxRejectedPartsPerMillion {
            throw Damage(
                "\(totals.rejected) of its \(totals.rows) rows are rejected, more than maxRejectedShare allows; correct and deliver it again"
            )
        }
        return .read(
            FileContents(
                digest: digest, stamp: stamp, totals: totals, rejects: part.rejects, evidence: part.evidence,
                verified: part.verified, ignoredColumns: ignored))
    } catch let damage as Damage {
        refusal.reason = damage.reason
        return .refused(refusal)
    } catch {
        throw error as? IntakeError ?? .cannotRead(path: file.path, reason: "\(error)")
    }
}

/// One reading of one file, by several threads at once.
private struct FileReading: Sendable {
    let queue: BlockQueue
    private let framing: Framing
    private let header: Header?
    private let file: FoundFile
    private let feed: Feed
    private let delivery: Int32
    private let blocksExpected: Int

    init(
        _ source: consuming ByteSource, _ file: FoundFile, _ feed: Feed, _ delivery: Int32, _ settings: IntakeSettings
    ) throws {
        blocksExpected = Int(source.stamp.bytes) / settings.blockBytes + 1
        var reader = BlockReader(source, blockBytes: settings.blockBytes)
        let format = FileFormat(of: file, feed, content: try reader.peek())
        framing = Framing(format)
        reader.framing = framing
        header = format == .jsonl ? nil : try Header(&reader, feed, framing)
        queue = BlockQueue(reader)
        self.file = file
        self.feed = feed
        self.delivery = delivery
    }

    /// Everything in the file, in its order, and the names of ignored columns, sorted.
    func parts(_ threads: Int) throws -> (Part, [String]) {
        let joined = Joined(feed.kind, blocksExpected: blocksExpected)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            do { try work(joined) } catch {
                joined.fail(error)
                queue.stop()
            }
        }
        return try joined.result(header?.ignored ?? [])
    }

    private func work(_ joined: Joined) throws {
        var parser = BlockParser(feed, framing, header, delivery: delivery, fileDate: file.fileDate)
        while let (index, block) = try queue.next() { joined.add(parser.parse(block), at: index) }
        joined.add(ignored: parser.rows.ignored)
    }
}

/// The parts of a file, joined in its order as they become ready.
private final class Joined: Sendable {
    private struct State {
        var part = Part()
        var count = 0
        var early: [Int: Part] = [:]
        var ignored: Set<String> = []
        var failure: (any Error)?
    }
    private let state = Mutex(State())
    private let kind: FeedKind
    private let blocksExpected: Int

    init(_ kind: FeedKind, blocksExpected: Int) {
        self.kind = kind
        self.blocksExpected = blocksExpected
    }

    func add(_ part: Part, at index: Int) {
        state.withLock { state in
            if state.count == 0 { state.part.evidence.reserve(part.totals.rows * blocksExpected, kind) }
            state.early[index] = part
            while let next = state.early.removeValue(forKey: state.count) {
                state.part.append(next)
                state.count += 1
            }
        }
    }

    func add(ignored: Set<String>) { state.withLock { $0.ignored.formUnion(ignored) } }

    func fail(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }

    func result(_ ignored: [String]) throws -> (Part, [String]) {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return (state.part, state.ignored.union(ignored).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }
}

extension Part {
    fileprivate mutating func append(_ next: Part) {
        evidence.append(next.evidence)
        verified += next.verified
        rejects += next.rejects
        totals.add(next.totals)
    }
}
