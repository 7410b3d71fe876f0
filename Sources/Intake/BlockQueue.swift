internal import Domain
internal import Synchronization

/// A few MiB of a file: whole records.
struct Block: Sendable {
    var bytes: [UInt8]
    /// The line on which it begins, from 1.
    var firstLine: Int
    /// It holds the beginning of one line that is too long.
    var isCutLine = false
}

/// Cuts a file's content into blocks, at ends of records.
struct BlockReader: ~Copyable {
    private(set) var source: ByteSource
    private let blockBytes: Int
    /// Set before anything is cut; for a first look at the content it is lines.
    var framing = Framing(.jsonl)
    /// Read, and not yet part of a block.
    private var rest: [UInt8] = []
    private var line = 1
    private var isAtEnd = false

    /// `blockBytes` at least 16, so that a first read shows what the file is.
    init(_ source: consuming ByteSource, blockBytes: Int) {
        self.source = source
        self.blockBytes = blockBytes
    }

    mutating func finish() throws -> Digest256 { try source.finish() }

    /// The beginning of the content, without a byte order mark, for a look before the first block is cut.
    mutating func peek() throws -> [UInt8] {
        try readMore()
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
        return rest
    }

    /// Takes out the first record that is not empty, without its line ending; nil where there is none.
    mutating func takeHeader() throws -> [UInt8]? {
        while true {
            guard let record = rest.withUnsafeBytes({ framing.record($0, from: 0, isLast: isAtEnd) }) else {
                guard rest.count <= Framing.recordMax else { throw Self.headerTooLong }
                try readMore()
                continue
            }
            guard record.end <= Framing.recordMax else { throw Self.headerTooLong }
            guard !record.isBroken else {
                throw FileDefect("its header's quotes do not add up; quote whole names only")
            }
            let header = rest.withUnsafeBytes { Array($0.part(0, record.end).withoutLineEnding) }
            rest.removeFirst(record.end)
            line += record.lines
            if !header.isEmpty || record.end == 0 { return header.isEmpty ? nil : header }
        }
    }

    private static let headerTooLong = FileDefect(
        "its header is longer than 4 MiB; is it a text file with one row a line?")

    /// Nil at the end.
    mutating func next() throws -> Block? {
        while true {
            if !isAtEnd { try readMore() }
            if rest.isEmpty { return nil }
            let end = isAtEnd ? rest.count : rest.withUnsafeBytes { framing.lastRecordEnd($0) }
            if end > 0 { return cut(end) }
            if rest.count > Framing.recordMax { return try cutLine() }
        }
    }

    /// Reads on by one block's length, or what one has become while no record ended.
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

    private mutating func cut(_ end: Int) -> Block {
        var block = Block(bytes: rest, firstLine: line)
        rest = Array(block.bytes[end...])
        block.bytes.removeLast(block.bytes.count - end)
        line += block.bytes.withUnsafeBytes { $0.occurrences(of: Framing.lineFeed) }
        return block
    }

    /// The beginning of a line that does not end, whose other bytes are let go as they are read.
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
    /// How much of a row is kept.
    static let rowMax = 4096
}

/// The blocks of a file, handed out one at a time to whoever asks, numbered in order.
///
/// Reading a block, its digest with it, takes a third of the time of parsing it. Whoever finds few of them ready, and nobody
/// reading, reads some for all: nearly nobody ever waits for a block.
final class BlockQueue: Sendable {
    private struct Ready {
        var blocks: [(index: Int, block: Block)] = []
        var count = 0
        var isOver = false

        /// So many are enough that one is there for each thread that comes while another reads on.
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

    /// Nil at the end, and once stopped.
    func next() throws -> (index: Int, block: Block)? {
        while true {
            if ready.withLock({ $0.wantsMore }) { _ = try reader.withLockIfAvailable { try readOn(&$0) } }
            let (first, isOver) = ready.withLock { ready in
                (ready.blocks.isEmpty ? nil : ready.blocks.removeFirst(), ready.isOver)
            }
            if first != nil || isOver { return first }
            // Another thread reads: what it reads is there when it is done.
            reader.withLock { _ in }
        }
    }

    private func readOn(_ reader: inout BlockReader) throws {
        while ready.withLock({ $0.wantsMore }) {
            let block = try reader.next()
            ready.withLock { $0.add(block) }
        }
    }

    func stop() {
        ready.withLock { ready in
            ready.isOver = true
            ready.blocks = []
        }
    }

    /// The digest of the whole file, and how many blocks it had. Every one of them was taken.
    func finish() throws -> (digest: Digest256, blocks: Int) {
        let digest = try reader.withLock { try $0.finish() }
        let (isEmpty, count) = ready.withLock { ($0.isOver && $0.blocks.isEmpty, $0.count) }
        precondition(isEmpty, "a file is read to its end")
        return (digest, count)
    }
}
