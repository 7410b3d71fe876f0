internal import Domain

/// A key of few bytes that hashes by all of them.
protocol Indexed: Equatable {
    var hashBits: UInt64 { get }
}

extension Identifier: Indexed {
    var hashBits: UInt64 { bits }
}

extension Token: Indexed {
    /// Clients choose tokens: without the seed they could choose many that hash alike.
    var hashBits: UInt64 { UInt64(HashSeed.mix(high, HashSeed.seed)) ^ low }
}

/// Finds among positions of an array the first of each key; the keys stay where they are, in the array.
///
/// Open addressing over slots of four bytes: a fifth of the memory of a Dictionary, and no allocation an entry. The bits
/// of a slot that no position needs hold bits of the hash, so that other keys are passed over without a look at them.
/// Sixteen hashes in a row stand side by side: ids are given out in order, and named in nearly the same order later, so
/// that the next one looked for is in the processor's cache already.
/// Hashes are seeded anew in each process, so that chosen identifiers cannot make it slow; no result depends on them.
struct PositionTable: Sendable {
    /// One more than a position, under bits of its key's hash; 0 where the slot is free.
    private var slots: [UInt32]
    private let mask: Int
    private let positions: UInt32
    private let seed = HashSeed.seed

    /// For positions below `capacity`; fewer than 2³¹.
    init(capacity: Int) {
        var size = 16
        while size < capacity * 3 / 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        mask = size - 1
        positions = UInt32(1) << UInt32(64 - capacity.leadingZeroBitCount) - 1
    }

    /// Enters positions one after the other; nil for a hash: the position has no key.
    ///
    /// - Parameters:
    ///   - isSame: whether the keys of a known and a new position are the same.
    ///   - again: told of each position whose key was entered before, with the first that had it.
    @inline(__always)
    mutating func enter(
        _ positions: Range<Int>, hash: (Int) -> UInt64?, isSame: (_ known: Int, _ new: Int) -> Bool,
        again: (_ first: Int, _ position: Int) -> Void
    ) {
        forEachLookAhead(positions, hash) { table, position, hash, seen in
            guard let hash else { return }
            let found = table.look(hash, seen) { isSame($0, position) }
            if let known = found.known { return again(known, position) }
            table.slots[found.slot] = found.tag | UInt32(position + 1)
        }
    }

    /// Looks for the keys of `wanted`, numbers of the caller's; nil for a hash: it has no key.
    ///
    /// - Parameters:
    ///   - isSame: whether the key of a position entered is the one wanted.
    ///   - use: told of each number wanted, in order, and of the position entered, nil where none is.
    @inline(__always)
    func find(
        _ wanted: Range<Int>, hash: (Int) -> UInt64?, isSame: (_ known: Int, _ wanted: Int) -> Bool,
        use: (_ wanted: Int, _ position: Int?) -> Void
    ) {
        var table = self
        table.forEachLookAhead(wanted, hash) { table, number, hash, seen in
            use(number, hash.flatMap { table.look($0, seen) { isSame($0, number) }.known })
        }
    }

    /// Lends numbers with their hashes and what stands in the slot where looking for each begins (0 may be outdated).
    ///
    /// Those slots are read for sixteen numbers before the first is used: memory is waited for once, not sixteen times.
    @inline(__always)
    private mutating func forEachLookAhead(
        _ numbers: Range<Int>, _ hash: (Int) -> UInt64?, _ use: (inout Self, Int, UInt64?, UInt32) -> Void
    ) {
        var seen = InlineArray<16, UInt32>(repeating: 0)
        var next = numbers.lowerBound
        while next < numbers.upperBound {
            let count = min(seen.count, numbers.upperBound - next)
            for index in 0..<count { seen[index] = slots[hash(next + index).map { start($0).slot } ?? 0] }
            for index in 0..<count { use(&self, next + index, hash(next + index), seen[index]) }
            next += count
        }
    }

    /// The position entered that `isSame`, else the free slot for it and what marks it there.
    @inline(__always)
    private func look(
        _ hash: UInt64, _ seen: UInt32, isSame: (Int) -> Bool
    ) -> (known: Int?, slot: Int, tag: UInt32) {
        var (slot, tag) = start(hash)
        var content = seen == 0 ? slots[slot] : seen
        while content != 0 {
            if let known = known(content, tag), isSame(known) { return (known, slot, tag) }
            slot = (slot + 1) & mask
            content = slots[slot]
        }
        return (nil, slot, tag)
    }

    @inline(__always)
    private func start(_ hash: UInt64) -> (slot: Int, tag: UInt32) {
        let mixed = HashSeed.mix(hash >> 4, seed)
        let tag = UInt32(truncatingIfNeeded: mixed >> 31) ^ UInt32(truncatingIfNeeded: hash << 28)
        return ((mixed ^ Int(truncatingIfNeeded: hash & 15)) & mask, tag & ~positions)
    }

    /// The position in a slot that may be the key's.
    @inline(__always)
    private func known(_ slot: UInt32, _ tag: UInt32) -> Int? {
        slot & ~positions == tag ? Int(slot & positions) - 1 : nil
    }
}

enum HashSeed {
    static let seed = UInt64(bitPattern: Int64(Hasher().finalize())) | 1

    @inline(__always)
    static func mix(_ bits: UInt64, _ seed: UInt64) -> Int {
        let product = (bits ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: (product.high ^ product.low) & UInt64(Int.max))
    }
}
