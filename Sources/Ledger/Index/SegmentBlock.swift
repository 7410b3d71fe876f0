/// A block of ascending pairs, packed: first the number of keys that it covers beyond its first one; then for each pair
/// the difference of its key to the key before, and its case number. Numbers are short (`append(short:)`).
///
/// The blocks of a segment cover all possible keys without a gap: the first block begins with the least key, and the
/// last one ends with the greatest. So if a block covers a key and does not contain it, its segment does not contain
/// it.
struct SegmentBlock: Sendable {
    /// A block is full when its pairs have this size. Then four rows fill a page of 8 KiB.
    private static let bytesMax = 1982

    /// The beginning of a query for blocks.
    static let query = "SELECT segment, first, entries, proof FROM identifier_block "

    /// The keys that it covers. It contains all pairs of the segment with these keys.
    let keys: ClosedRange<Int64>
    /// The number of pairs.
    let count: Int
    let bytes: [UInt8]

    /// Packs the pairs of a segment, which are in ascending order and all different.
    static func blocks(of entries: [CaseKey]) -> [SegmentBlock] {
        var packer = Packer()
        return entries.compactMap { packer.add($0) } + [packer.take()].compactMap { $0 }
    }

    /// Collects the pairs of a segment until a block is full.
    struct Packer {
        /// The first key that the next block covers.
        private var first = Int64.min
        /// The key of the last pair.
        private var last = Int64.min
        private var count = 0
        private var pairs: [UInt8] = []

        /// Adds a pair. Returns the block that was complete before it, if there was one.
        ///
        /// Pairs with the same key as the last one belong to the same block, so that a look-up of one key reads one
        /// block of a segment.
        mutating func add(_ entry: CaseKey) -> SegmentBlock? {
            let isComplete = pairs.count >= bytesMax && entry.key != last
            let block = isComplete ? take(upTo: entry.key - 1) : nil
            pairs.append(short: UInt64(bitPattern: entry.key &- last))
            pairs.append(short: UInt64(entry.caseID.rawValue))
            last = entry.key
            count += 1
            return block
        }

        /// Ends the segment and returns its last block. Returns nil if no pairs remain.
        mutating func take() -> SegmentBlock? { count == 0 ? nil : take(upTo: .max) }

        private mutating func take(upTo end: Int64) -> SegmentBlock {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(pairs.count + 10)
            bytes.append(short: UInt64(bitPattern: end &- first))
            bytes += pairs
            let block = SegmentBlock(keys: first...end, count: count, bytes: bytes)
            // After the last block, this is the least key again.
            first = end &+ 1
            last = first
            count = 0
            pairs.removeAll(keepingCapacity: true)
            return block
        }
    }

    /// No block covers a key.
    static var missing: LedgerError { .damaged("a block of keys is missing") }

    /// The hash that proves the block's row in this segment.
    func proof(segment: Int64) -> Int64 {
        bytes.withUnsafeBytes { SegmentBlock.proof(segment: segment, first: keys.lowerBound, $0) }
    }

    private static func proof(segment: Int64, first: Int64, _ bytes: UnsafeRawBufferPointer) -> Int64 {
        var hash = RowHash()
        hash.add(segment)
        hash.add(first)
        hash.add(bytes)
        return Int64(bitPattern: hash.value)
    }

    /// Unpacks a block, from the first pair to the last. It ends early where bytes are cut off or too long.
    struct Entries: IteratorProtocol, Sequence {
        /// The keys that the block covers.
        private(set) var keys: ClosedRange<Int64>
        private let bytes: [UInt8]
        private var offset = 0
        private var key: Int64

        /// - Parameter first: the first key that the block covers.
        init(_ bytes: [UInt8], first: Int64) {
            self.bytes = bytes
            key = first
            keys = first...first
            let last = first &+ Int64(bitPattern: bytes.shortNumber(at: &offset) ?? 0)
            keys = first...Swift.max(first, last)
        }

        /// - Parameter row: a row of `query`.
        /// - Throws: `LedgerError.damaged` if it is not as it was written in this segment.
        init(proven row: borrowing Statement, of segment: Int64) throws(LedgerError) {
            let first = row.integer(1)
            let proof = row.withBytes(2) { SegmentBlock.proof(segment: segment, first: first, $0) }
            guard proof == row.integer(3) else { throw .damaged("a block of keys was changed") }
            self.init(row.blob(2), first: first)
        }

        @inline(__always)
        mutating func next() -> CaseKey? {
            guard let step = bytes.shortNumber(at: &offset), let caseID = bytes.shortNumber(at: &offset) else {
                return nil
            }
            key = key &+ Int64(bitPattern: step)
            return CaseKey(key: key, caseID: CaseID(Int64(truncatingIfNeeded: caseID)))
        }
    }
}
