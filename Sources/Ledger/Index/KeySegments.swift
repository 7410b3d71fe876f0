internal import Synchronization

/// A key by which look-ups find a case.
struct CaseKey: Hashable {
    var key: Int64
    var caseID: CaseID

    static func < (left: CaseKey, right: CaseKey) -> Bool {
        left.key == right.key ? left.caseID < right.caseID : left.key < right.key
    }
}

/// The index from identifiers to cases: pairs of a key (a hash of an identifier, see `IdentifierKind`) and a case
/// number.
///
/// An index of SQLite with one row for each pair would cost ten times as much to fill, because each new key goes to a
/// random place of a large tree. Here, pairs are stored as in a log-structured merge tree:
///
/// - A *segment* is a sorted list of pairs, packed into *blocks* of about 300 pairs (`SegmentBlock`). A block is one
///   row of `identifier_block`, found by its segment and the first key that it covers.
/// - Each night collects the keys of the rows it writes, sorts them, and writes them as one new segment. So a night
///   costs what its own rows cost, however large the ledger is. (A very large night writes several segments, because it
///   sorts a limited number of keys at a time.)
/// - At its end the night merges segments (`mergeSegments`): it goes from the newest segment back, and takes each one
///   that is smaller than twice all those taken before it. All taken segments are merged into one. Afterwards each
///   remaining segment has at least twice as many keys as all newer ones together, so the number of segments grows with
///   the logarithm of the number of keys, and so does the number of times that a key is written again.
/// - A look-up of many keys reads, in each segment, the blocks that may contain them, in ascending order. Filters
///   (`KeyFilter`) tell which blocks do not.
/// - Each possible key is covered by exactly one block and one filter of a segment, whether or not it is there. So a
///   look-up always finds a row. Where it finds none, or one that does not cover the key, the ledger was damaged.
///
/// Pairs are never removed. A case that no longer has the identifier is found in vain, which costs time and no more.
/// https://www.cs.umb.edu/~poneil/lsmtree.pdf
extension Ledger {
    /// Writes a new segment. `blocks` are in ascending order of keys.
    func writeSegment(_ blocks: [SegmentBlock]) throws {
        if blocks.isEmpty { return }
        let number = 1 &+ (try connection.integer("SELECT max(id) FROM identifier_segment") ?? 0)
        var writer = try SegmentWriter(self, number: number)
        for block in blocks { try writer.write(block) }
        try writer.finish()
    }

    /// Merges the newest segments into one: all those that are each smaller than twice all newer ones together. The
    /// sums of block rows that are removed are subtracted as they are read.
    func mergeSegments() throws {
        var row = try connection.prepare("SELECT id, keys FROM identifier_segment ORDER BY id DESC")
        var newest: [Int64] = []
        var keys: Int64 = 0
        while try row.step(), newest.isEmpty || row.integer(1) < 2 * keys {
            newest.append(row.integer(0))
            keys += try row.whole(0..<1 << 48 ~= row.integer(1) ? row.integer(1) : nil)
        }
        row.reset()
        if newest.count > 1 { try merge(newest) }
    }

    /// - Parameter segments: the numbers of the segments, newest first.
    private func merge(_ segments: [Int64]) throws {
        var merger = try SegmentMerger(self, segments)
        var writer = try SegmentWriter(self, number: segments[0] &+ 1)
        while let key = try merger.next() { try writer.add(key) }
        try writer.finish()
        for segment in segments {
            try delete(from: .segments, "WHERE id = ?1", segment)
            try delete(from: .filters, "WHERE segment = ?1", segment)
            // The merger has changed the sum already.
            var blocks = try connection.prepare("DELETE FROM identifier_block WHERE segment = ?1", segment)
            try blocks.run()
        }
    }

    /// The cases that have any of these keys.
    public func cases(withKeys keys: Set<Int64>) throws -> Set<CaseID> {
        var found = Set<CaseID>()
        // Keys are looked up in ascending order, so that each block is read once.
        let sorted = keys.sorted()
        var row = try connection.prepare(
            SegmentBlock.query + "WHERE segment = ?1 AND first <= ?2 ORDER BY first DESC LIMIT 1")
        for segment in try all("SELECT id FROM identifier_segment", read: { $0.integer(0) }) {
            try look(for: sorted, in: segment, &row, into: &found)
        }
        return found
    }

    /// Adds the cases that `segment` has under any of these keys. Keys and entries are both ascending, so one pass over
    /// both suffices; a new block is read only for a key that the current one does not cover.
    private func look(
        for keys: [Int64], in segment: Int64, _ row: inout Statement,
        into found: inout Set<CaseID>
    ) throws {
        var entries: SegmentBlock.Entries?
        var entry: CaseKey?
        var filters = try FilterReader(self, segment: segment)
        for key in keys where try filters.mayContain(key) {
            if entries.map({ $0.keys.upperBound < key }) ?? true {
                row.start(segment, key)
                entries = try row.step() ? SegmentBlock.Entries(proven: row, of: segment) : nil
                guard entries?.keys.contains(key) == true else { throw SegmentBlock.missing }
                entry = entries?.next()
            }
            while let other = entry, other.key < key { entry = entries?.next() }
            while let same = entry, same.key == key {
                found.insert(same.caseID)
                entry = entries?.next()
            }
        }
    }

    /// Writes the blocks of one segment in ascending order.
    struct SegmentWriter: ~Copyable {
        private let ledger: Ledger
        private let number: Int64
        private var row: TableWriter
        private var filters: FilterWriter
        private var waiting = SegmentBlock.Packer()
        private var count: Int64 = 0

        init(_ ledger: Ledger, number: Int64) throws {
            let row = try TableWriter(ledger, .blocks)
            let filters = try FilterWriter(ledger, segment: number)
            self.ledger = ledger
            self.number = number
            self.row = row
            self.filters = filters
        }

        mutating func add(_ key: CaseKey) throws {
            if let block = waiting.add(key) { try write(block) }
        }

        mutating func write(_ block: SegmentBlock) throws {
            try row.write(number, block.keys.lowerBound, block.bytes, block.proof(segment: number))
            try filters.add(block)
            count += Int64(block.count)
        }

        mutating func finish() throws {
            if let block = waiting.take() { try write(block) }
            try filters.finish()
            var segment = try TableWriter(ledger, .segments)
            try segment.write(number, count)
        }
    }

    /// Reads the pairs of several segments in ascending order, each pair once. The segments are to be removed.
    private struct SegmentMerger: ~Copyable {
        private var readers: [SegmentReader] = []
        /// The next pair of each segment; nil for a segment that has been read to its end.
        private var heads: [CaseKey?] = []

        init(_ ledger: Ledger, _ segments: [Int64]) throws {
            for segment in segments {
                let reader = try SegmentReader(ledger, segment)
                heads.append(try reader.next())
                readers.append(reader)
            }
        }

        mutating func next() throws -> CaseKey? {
            var least: CaseKey?
            for head in heads {
                guard let head else { continue }
                if least.map({ head < $0 }) ?? true { least = head }
            }
            guard let least else { return nil }
            for place in heads.indices where heads[place] == least { heads[place] = try readers[place].next() }
            return least
        }
    }

    private final class SegmentReader {
        private let ledger: Ledger
        private let segment: Int64
        private var row: Statement
        private var entries: SegmentBlock.Entries?

        init(_ ledger: Ledger, _ segment: Int64) throws {
            row = try ledger.connection.prepare(SegmentBlock.query + "WHERE segment = ?1 ORDER BY first", segment)
            self.ledger = ledger
            self.segment = segment
        }

        func next() throws -> CaseKey? {
            while true {
                if let entry = entries?.next() { return entry }
                let last = entries?.keys.upperBound
                if last == .max { return nil }
                let next = try row.step() ? SegmentBlock.Entries(proven: row, of: segment) : nil
                guard let next, next.keys.lowerBound == last.map({ $0 + 1 }) ?? .min else { throw SegmentBlock.missing }
                ledger.checksums.change(.blocks) { $0.remove(RowHash(row)) }
                entries = next
            }
        }
    }
}

/// Sorts and packs the keys of one segment after another in the same memory, because fresh pages cost more time than
/// sorting does.
final class SegmentKeys: Sendable {
    private let sorter = Mutex(KeySorter())

    /// Takes `keys`, and leaves the memory of the keys before in their place.
    func take(_ keys: inout [CaseKey]) {
        sorter.withLock { sorter in
            sorter.keys.removeAll(keepingCapacity: true)
            sorter.keys.reserveCapacity(keys.capacity)
            swap(&sorter.keys, &keys)
        }
    }

    /// The blocks of the keys taken last.
    func blocks() -> [SegmentBlock] {
        sorter.withLock { sorter in
            sorter.sort()
            return SegmentBlock.blocks(of: sorter.keys)
        }
    }
}

/// Sorts pairs by key with a radix sort.
struct KeySorter {
    var keys: [CaseKey]
    private var room: [CaseKey] = []

    init(_ keys: [CaseKey] = []) { self.keys = keys }

    /// Sorts by one byte of the key at a time, least significant first. Pairs with the same key stay in the order
    /// given.
    mutating func sort() {
        room.removeAll(keepingCapacity: true)
        room += keys
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            var starts = [Int](repeating: 0, count: 257)
            for entry in keys { starts[digit(entry, shift) + 1] += 1 }
            if starts.contains(keys.count) { continue }
            for index in 1..<257 { starts[index] += starts[index - 1] }
            // One look at the array for all keys.
            room.withUnsafeMutableBufferPointer { room in
                for entry in keys {
                    let place = digit(entry, shift)
                    room[starts[place]] = entry
                    starts[place] += 1
                }
            }
            swap(&keys, &room)
        }
    }
}

/// One byte of the key. The highest bit is inverted, because keys are signed.
@inline(__always)
private func digit(_ entry: CaseKey, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: entry.key) ^ 1 << 63) >> shift & 0xFF)
}
