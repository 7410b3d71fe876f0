internal import Synchronization

/// A piece of a file that contains whole records.
struct Block: Sendable {
    var bytes: [UInt8]
    /// The number of its first line, from 1.
    var firstLine: Int
    /// Whether it contains only the beginning of one line that is too long.
    var isCutLine = false
}

/// Cuts the content of a file into blocks at record boundaries.
struct BlockReader: ~Copyable {
    private(set) var source: ByteSource
    private let blockBytes: Int
    /// How records end. Set after the format is known and before the first block is cut; until then, records are lines.
    var framing = Framing(.jsonl)
    /// Bytes that were read and are not yet part of a block.
    private var rest: [UInt8] = []
    /// The number of the line at which the rest begins.
    private(set) var line = 1
    private var isAtEnd = false

    /// `blockBytes` is at least 16, so that the first read shows what the file is.
    init(_ source: consuming ByteSource, blockBytes: Int) {
        self.source = source
        self.blockBytes = blockBytes
    }

    /// The digest of the file. Throws if the file changed while it was read.
    mutating func finish() throws -> Digest256 { try source.finish() }

    /// The first bytes of the content, to recognise what it is. Valid after `peekLine`.
    private(set) var beginning: [UInt8] = []
    private static let beginningBytes = 4096

    /// Whether the content is empty: it does not even contain an empty line. Valid after `peekLine`.
    var isEmpty: Bool { line == 1 && rest.isEmpty }

    /// Reads the beginning, without a byte order mark.
    private mutating func begin() throws {
        while rest.count < Self.beginningBytes, !isAtEnd { try readMore() }
        beginning = Array(rest.prefix(Self.beginningBytes))
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
    }

    /// Drops the lines above the header. Call it before anything else.
    mutating func dropLines(_ count: Int) throws {
        try begin()
        for _ in 0..<count {
            while rest.firstIndex(of: Framing.lineFeed) == nil, !isAtEnd, rest.count <= Framing.recordMax {
                try readMore()
            }
            guard !isEmpty, !rest.isEmpty else { return }
            dropLine()
        }
    }

    /// The first line that is not empty, with its line ending and without a byte order mark; at most a little more than
    /// 4 MiB of it. Empty lines before it are dropped. Call it before anything else is taken.
    mutating func peekLine() throws -> [UInt8] {
        if isEmpty { try begin() }
        while true {
            dropEmptyLines()
            if let end = rest.firstIndex(of: Framing.lineFeed) { return Array(rest[...end]) }
            if isAtEnd || rest.count > Framing.recordMax { return rest }
            try readMore()
        }
    }

    private mutating func dropEmptyLines() {
        var start = 0
        while start < rest.count {
            let isReturn = rest[start] == UInt8(ascii: "\r") && start + 1 < rest.count
            guard rest[isReturn ? start + 1 : start] == Framing.lineFeed else { break }
            start += isReturn ? 2 : 1
            line += 1
        }
        rest.removeFirst(start)
    }

    /// Drops the line that `peekLine` returned.
    mutating func dropLine() {
        rest.removeFirst(rest.firstIndex(of: Framing.lineFeed).map { $0 + 1 } ?? rest.count)
        line += 1
    }

    /// Removes the first non-empty record and returns it without its line ending; nil at the end.
    mutating func takeHeader() throws -> [UInt8]? {
        while true {
            guard let record = rest.withUnsafeBytes({ framing.record($0, from: 0, isLast: isAtEnd) }) else {
                guard rest.count <= Framing.recordMax else { throw Self.headerTooLong }
                try readMore()
                continue
            }
            guard record.end <= Framing.recordMax else { throw Self.headerTooLong }
            guard !record.isBroken else {
                throw FileDefect.headerQuotes
            }
            let header = rest.withUnsafeBytes { Array($0.part(0, record.end).withoutLineEnding) }
            rest.removeFirst(record.end)
            line += record.lines
            if !header.isEmpty || record.end == 0 { return header.isEmpty ? nil : header }
        }
    }

    private static let headerTooLong = FileDefect(
        "its header is longer than 4 MiB; check that it is a text file with one row per line")

    /// The next block; nil at the end of the file.
    ///
    /// A block ends with the last whole record read so far. If no record ends, twice as much is read and the search
    /// starts over, until the record is longer than `Framing.recordMax`. The line is then cut: its beginning is
    /// returned for the reject list, and the rest is discarded up to the next line feed.
    mutating func next() throws -> Block? {
        while true {
            if !isAtEnd { try readMore() }
            if rest.isEmpty { return nil }
            let end = isAtEnd ? rest.count : rest.withUnsafeBytes { framing.lastRecordEnd($0) }
            if end > 0 { return cut(end) }
            if rest.count > Framing.recordMax {
                if framing.isDocument { throw FileDefect.valueTooLong }
                return try cutLine()
            }
        }
    }

    /// Reads one more block. If no record ended in what was read before, it reads as many bytes as are already there.
    private mutating func readMore() throws {
        let old = rest
        let goal = old.count + max(blockBytes, old.count)
        rest = try [UInt8](unsafeUninitializedCapacity: goal) { buffer, initialized in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            old.withUnsafeBytes { raw.copyMemory(from: $0) }
            initialized = old.count
            initialized += try source.fill(UnsafeMutableRawBufferPointer(rebasing: raw[old.count...]))
        }
        isAtEnd = rest.count < goal
    }

    /// Returns the first `end` bytes as a block and keeps the others.
    private mutating func cut(_ end: Int) -> Block {
        var block = Block(bytes: rest, firstLine: line)
        rest = Array(block.bytes[end...])
        block.bytes.removeLast(block.bytes.count - end)
        line += block.bytes.withUnsafeBytes { $0.occurrences(of: Framing.lineFeed) }
        return block
    }

    /// The beginning of a line that is too long. The rest of the line is discarded while it is read.
    private mutating func cutLine() throws -> Block {
        let block = Block(bytes: Array(rest.prefix(Reject.rowMax)), firstLine: line, isCutLine: true)
        while true {
            if let end = rest.firstIndex(of: Framing.lineFeed) {
                rest.removeFirst(end + 1)
                line += 1
                return block
            }
            rest = []
            if isAtEnd { return block }
            try readMore()
        }
    }
}

extension Reject {
    /// How many bytes of a rejected row are kept.
    static let rowMax = 4096
}

/// Hands out the blocks of a file to several parsing threads, numbered in file order.
///
/// There is no reading thread. Reading a block and hashing it takes about a third of the time of parsing it, so the
/// parsing threads read as well. A thread that asks for a block and finds fewer than three ready takes the reader's
/// lock, if it is free, and reads until three are ready. The other threads take ready blocks meanwhile and almost never
/// wait. Two locks make this work: `reader` is held during a read, `ready` only to change the list. A thread that holds
/// `reader` may take `ready`, never the other way around.
final class BlockQueue: Sendable {
    /// Blocks that were read and not yet handed out.
    private struct Ready {
        var blocks: [(index: Int, block: Block)] = []
        /// How many blocks were read in total.
        var count = 0
        /// Whether no more blocks will come: the file has ended, or the queue was stopped.
        var isOver = false

        /// Three are enough to serve the other threads while one of them reads on.
        var wantsMore: Bool { !isOver && blocks.count < 3 }

        mutating func add(_ block: Block?) {
            guard let block else { return isOver = true }
            blocks.append((count, block))
            count += 1
        }
    }
    private let ready = Mutex(Ready())
    private let reader: Mutex<BlockReader>

    init(_ reader: consuming sending BlockReader) { self.reader = Mutex(reader) }

    /// The next block and its number, from 0; nil at the end and after `stop`. Throws what reading throws.
    func next() throws -> (index: Int, block: Block)? {
        while true {
            if ready.withLock({ $0.wantsMore }) { _ = try reader.withLockIfAvailable { try readOn(&$0) } }
            let (first, isOver) = ready.withLock { ready in
                (ready.blocks.isEmpty ? nil : ready.blocks.removeFirst(), ready.isOver)
            }
            if first != nil || isOver { return first }
            // Another thread is reading. When it releases the lock, its blocks are ready.
            reader.withLock { _ in }
        }
    }

    /// Reads blocks until enough are ready.
    private func readOn(_ reader: inout BlockReader) throws {
        while ready.withLock({ $0.wantsMore }) {
            let block = try reader.next()
            ready.withLock { $0.add(block) }
        }
    }

    /// Discards the remaining blocks: another thread has failed.
    func stop() {
        ready.withLock { ready in
            ready.isOver = true
            ready.blocks = []
        }
    }

    /// The digest of the whole file and the number of its blocks. Call it after every block has been taken.
    func finish() throws -> (digest: Digest256, blocks: Int) {
        let digest = try reader.withLock { try $0.finish() }
        let (isEmpty, count) = ready.withLock { ($0.isOver && $0.blocks.isEmpty, $0.count) }
        precondition(isEmpty, "a file is read to its end")
        return (digest, count)
    }
}
