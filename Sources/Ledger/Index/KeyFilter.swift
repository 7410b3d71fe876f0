/// A Bloom filter of about 8000 consecutive keys of a segment: it says of most other keys that they are not there.
///
/// A night looks up hundreds of thousands of new identifiers, such as tokens, which no segment contains. Without
/// filters, each would have to be looked for in a block, and a large night would read most blocks of a large ledger. A
/// filter takes a byte a key, a seventh of the block's, and errs for 2 % of the keys.
/// https://dl.acm.org/doi/10.1145/362686.362692
struct KeyFilter {
    /// How many keys a filter has: its row then fills a page of 8 KiB.
    static let keysMax = 8000
    /// How many bits a key sets.
    private static let bitsPerKey = 5

    /// The keys that it covers: those of the blocks that it is for.
    let keys: ClosedRange<Int64>
    let bytes: [UInt8]

    /// A filter of `keys`, in the range that it covers.
    init(_ keys: [Int64], in range: ClosedRange<Int64>) {
        self.keys = range
        var bytes = [UInt8](repeating: 0, count: keys.count)
        for key in keys {
            Self.forEachBit(of: key, in: bytes.count) { bytes[$0] |= $1 }
        }
        self.bytes = bytes
    }

    /// A filter as it was stored.
    init(keys: ClosedRange<Int64>, bytes: [UInt8]) {
        self.keys = keys
        self.bytes = bytes
    }

    /// Whether a key that it covers may be there. False is certain.
    func mayContain(_ key: Int64) -> Bool {
        var isSet = true
        Self.forEachBit(of: key, in: bytes.count) { if bytes[$0] & $1 == 0 { isSet = false } }
        return isSet
    }

    /// Calls `body` with the byte and the mask of each bit of the key. Two halves of a hash give all of them.
    @inline(__always)
    private static func forEachBit(of key: Int64, in count: Int, _ body: (_ byte: Int, _ mask: UInt8) -> Void) {
        let hash = StableHash.finish(UInt64(bitPattern: key))
        var place = UInt32(truncatingIfNeeded: hash)
        let step = UInt32(truncatingIfNeeded: hash >> 32) | 1
        for _ in 0..<bitsPerKey {
            let bit = (UInt64(place) * UInt64(count * 8)) >> 32
            body(Int(bit >> 3), 1 << UInt8(bit & 7))
            place = place &+ step
        }
    }

    /// The hash that proves the filter's row in this segment.
    func proof(segment: Int64) -> Int64 {
        var hash = RowHash()
        hash.add(segment)
        hash.add(keys.lowerBound)
        hash.add(keys.upperBound)
        bytes.withUnsafeBytes { hash.add($0) }
        return Int64(bitPattern: hash.value)
    }
}

/// Writes the filters of one segment as its blocks are written.
struct FilterWriter: ~Copyable {
    private var row: TableWriter
    private let segment: Int64
    private var keys: [Int64] = []
    /// The keys that the blocks of the next filter cover.
    private var range: ClosedRange<Int64>?

    init(_ ledger: Ledger, segment: Int64) throws {
        let row = try TableWriter(ledger, .filters)
        self.row = row
        self.segment = segment
    }

    /// Adds a block's keys. Blocks come in ascending order, and no key is in two of them.
    mutating func add(_ block: SegmentBlock) throws {
        if keys.count + block.count > KeyFilter.keysMax { try finish() }
        range = (range?.lowerBound ?? block.keys.lowerBound)...block.keys.upperBound
        for entry in SegmentBlock.Entries(block.bytes, first: block.keys.lowerBound) where keys.last != entry.key {
            keys.append(entry.key)
        }
    }

    mutating func finish() throws {
        guard let range else { return }
        let filter = KeyFilter(keys, in: range)
        keys.removeAll(keepingCapacity: true)
        self.range = nil
        try row.write(
            segment, filter.keys.upperBound, filter.keys.lowerBound, filter.bytes, filter.proof(segment: segment))
    }
}

/// Reads the filters of one segment, for keys in ascending order.
struct FilterReader: ~Copyable {
    private var row: Statement
    private let segment: Int64
    private var filter: KeyFilter?

    init(_ ledger: Ledger, segment: Int64) throws {
        row = try ledger.connection.prepare(
            "SELECT last, first, bits, proof FROM identifier_filter WHERE segment = ?1 AND last >= ?2 ORDER BY last LIMIT 1"
        )
        self.segment = segment
    }

    /// Whether the segment may have the key. False is certain.
    /// - Throws: `LedgerError.damaged` if the filter is not as it was written.
    mutating func mayContain(_ key: Int64) throws -> Bool {
        if let filter, filter.keys.contains(key) { return filter.mayContain(key) }
        let next = try readFilter(of: key)
        filter = next
        return next.mayContain(key)
    }

    private mutating func readFilter(of key: Int64) throws -> KeyFilter {
        row.start(segment, key)
        guard try row.step(), row.integer(1) <= key, key <= row.integer(0) else {
            throw LedgerError.damaged("a filter of keys is missing")
        }
        let found = KeyFilter(keys: row.integer(1)...row.integer(0), bytes: row.blob(2))
        guard !found.bytes.isEmpty, found.proof(segment: segment) == row.integer(3) else {
            throw LedgerError.damaged("a filter of keys was changed")
        }
        return found
    }
}
