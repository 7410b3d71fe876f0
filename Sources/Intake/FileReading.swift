internal import AppStore
internal import Dispatch
internal import Domain
internal import Synchronization

/// One reading of one file, by several threads at once.
struct FileReading: Sendable {
    private let queue: BlockQueue
    private let framing: Framing
    private let header: Header?
    private let file: FoundFile
    private let feed: Feed
    private let delivery: Int32
    private let blocksExpected: Int
    private let appStore: AppStoreSettings
    private let limits: RejectLimits
    private let work: WorkCount

    init(
        _ source: consuming sending ByteSource, _ file: FoundFile, _ feed: Feed, _ delivery: Int32,
        _ settings: IntakeSettings, _ limits: RejectLimits
    ) throws {
        self.limits = limits
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
        appStore = settings.appStore
        work = settings.work
    }

    /// Everything in the file, in its order.
    func contents(stamp: FileStamp, threads: Int) throws -> FileContents {
        let joined = Joined(feed.kind, blocksExpected: blocksExpected, rejectsMax: limits.file)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            do { try parse(into: joined) } catch {
                joined.fail(error)
                queue.stop()
            }
        }
        let (part, ignored, blocks) = try joined.result()
        let (digest, blocksRead) = try queue.finish()
        // Rows are counted where they were parsed: nothing else would miss a block that got lost on its way.
        precondition(blocks == blocksRead, "\(blocksRead) blocks were read, and \(blocks) joined")
        let names = ignored.union(header?.ignored ?? [])
        return FileContents(
            digest: digest, stamp: stamp, totals: part.totals.control, rejects: part.rejects,
            evidence: part.evidence, verified: part.verified,
            ignoredColumns: names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, isListCut: part.isListCut)
    }

    private func parse(into joined: Joined) throws {
        var parser = BlockParser(
            feed, framing, header, delivery: delivery, fileDate: file.fileDate, appStore,
            rejectsMax: limits.block)
        while let (index, block) = try queue.next() {
            let part = parser.parse(block)
            work.add(rows: part.totals.rows)
            joined.add(part, at: index)
        }
        joined.add(ignored: parser.rows.ignored)
    }
}

/// The parts of a file, joined in its order as they become ready.
///
/// Joining copies rows by the million: whoever brings a part while another joins leaves it there, and parses on.
private final class Joined: Sendable {
    private struct State {
        /// Brought, and not joined yet.
        var parts: [Int: Part] = [:]
        /// How many are joined.
        var count = 0
        var isJoining = false
        var ignored: Set<String> = []
        var failure: (any Error)?

        /// The next part in the file's order; where it is not there yet joining is over for now.
        mutating func next() -> Part? {
            let next = parts.removeValue(forKey: count)
            if next == nil { isJoining = false } else { count += 1 }
            return next
        }
    }
    private let state = Mutex(State())
    private let whole = Mutex(Part())
    private let kind: FeedKind
    private let blocksExpected: Int
    private let rejectsMax: Int

    init(_ kind: FeedKind, blocksExpected: Int, rejectsMax: Int) {
        self.kind = kind
        self.rejectsMax = rejectsMax
        self.blocksExpected = blocksExpected
    }

    func add(_ part: Part, at index: Int) {
        let (isMine, isCrowded) = state.withLock { state in
            state.parts[index] = part
            defer { state.isJoining = true }
            return (!state.isJoining, state.parts.count > Self.partsMax)
        }
        // Who only waits holds parsing back where joining does not keep up.
        guard isMine || isCrowded else { return }
        whole.withLock { whole in
            guard isMine else { return }
            while let next = state.withLock({ $0.next() }) {
                if whole.totals.rows == 0 { whole.evidence.reserve(next.totals.rows * blocksExpected, kind) }
                whole.append(next, rejectsMax: rejectsMax)
            }
        }
    }

    private static let partsMax = 32

    func add(ignored: Set<String>) { state.withLock { $0.ignored.formUnion(ignored) } }

    func fail(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }

    /// What was joined, the columns that were ignored, and of how many blocks.
    func result() throws -> (Part, Set<String>, Int) {
        let (ignored, count) = try state.withLock { state in
            if let failure = state.failure { throw failure }
            return (state.ignored, state.count)
        }
        return (whole.withLock { $0 }, ignored, count)
    }
}

extension Part {
    fileprivate mutating func append(_ next: Part, rejectsMax: Int) {
        evidence.append(next.evidence)
        verified += next.verified
        isListCut = isListCut || next.isListCut
        for reject in next.rejects { list(reject, limit: rejectsMax) }
        totals.add(next.totals)
    }
}
