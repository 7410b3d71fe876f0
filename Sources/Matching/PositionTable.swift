/// A key of a few bytes that all take part in its hash.
protocol Indexed: Equatable {
    var hashBits: UInt64 { get }
}

extension Identifier: Indexed {
    var hashBits: UInt64 { bits }
}

extension Token: Indexed {
    /// Clients choose tokens. Without the seed they could choose many that hash alike.
    var hashBits: UInt64 { UInt64(HashSeed.mix(high, HashSeed.seed)) ^ low }
}

/// A hash table from keys to the first position at which each occurs in an array. The keys themselves stay in the
/// array.
///
/// It uses open addressing over slots of four bytes, which takes a fifth of the memory of a `Dictionary` and needs no
/// allocation for an entry. A slot holds a position plus one in its lower bits. The upper bits that no position needs
/// hold a *tag*, bits of the key's hash, so that most other keys are passed over without reading them.
///
/// Lookups are fast for two reasons. Sixteen consecutive ids hash to neighbouring slots: ids are assigned in sequence
/// and named later in nearly the same sequence, so the next slot is already in the processor's cache. And lookups read
/// the slots of sixteen keys ahead (`forEachLookAhead`), so that the processor waits for memory once rather than
/// sixteen times.
///
/// Hashes are seeded differently in each process, so that chosen identifiers cannot make the table slow. No result
/// depends on them.
struct PositionTable: Sendable {
    /// A position plus one, with the tag of its key in the upper bits; 0 for a free slot.
    private var slots: [UInt32]
    /// The number of slots, a power of two, minus one.
    private let mask: Int
    /// The bits of a slot that hold the position.
    private let positions: UInt32
    private let seed = HashSeed.seed

    /// For positions below `capacity`, which must be less than 2³¹. At most two thirds of the slots are used.
    init(capacity: Int) {
        var size = 16
        while size < capacity * 3 / 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        mask = size - 1
        positions = UInt32(1) << UInt32(64 - capacity.leadingZeroBitCount) - 1
    }

    /// Enters positions one after the other.
    ///
    /// - Parameters:
    ///   - hash: nil for a position that has no key.
    ///   - isSame: whether a known and a new position have the same key.
    ///   - repeated: called with each position whose key was entered before, and with the first position of that key.
    @inline(__always)
    mutating func enter(
        _ positions: Range<Int>, hash: (Int) -> UInt64?, isSame: (_ known: Int, _ new: Int) -> Bool,
        repeated: (_ first: Int, _ position: Int) -> Void
    ) {
        forEachLookAhead(positions, hash: hash) { table, position, hash, seen in
            guard let hash else { return }
            let found = table.look(hash, seen) { isSame($0, position) }
            if let known = found.known { return repeated(known, position) }
            table.slots[found.slot] = found.tag | UInt32(position + 1)
        }
    }

    /// Looks up keys. `wanted` are numbers that the caller gave them.
    ///
    /// - Parameters:
    ///   - hash: nil for a number without a key.
    ///   - isSame: whether the key of an entered position is the one wanted.
    ///   - use: called with each number in order and with the position found, nil if absent.
    @inline(__always)
    func find(
        _ wanted: Range<Int>, hash: (Int) -> UInt64?, isSame: (_ known: Int, _ wanted: Int) -> Bool,
        use: (_ wanted: Int, _ position: Int?) -> Void
    ) {
        var table = self
        table.forEachLookAhead(wanted, hash: hash) { table, number, hash, seen in
            use(number, hash.flatMap { table.look($0, seen) { isSame($0, number) }.known })
        }
    }

    /// Calls `use` for each number, with its hash and with the content of the slot where the search for it begins. A
    /// content of 0 may be outdated, since `use` may have filled the slot meanwhile.
    ///
    /// The slots of sixteen numbers are read before the first of them is used, so that the processor waits for memory
    /// once.
    @inline(__always)
    private mutating func forEachLookAhead(
        _ numbers: Range<Int>, hash: (Int) -> UInt64?, _ use: (inout Self, Int, UInt64?, UInt32) -> Void
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

    /// The entered position for which `isSame` is true; else the free slot for it and the tag to write there.
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

    /// The slot where the search begins, and the key's tag. The lowest four bits of the hash bits choose among sixteen
    /// neighbouring slots.
    @inline(__always)
    private func start(_ hash: UInt64) -> (slot: Int, tag: UInt32) {
        let mixed = HashSeed.mix(hash >> 4, seed)
        let tag = UInt32(truncatingIfNeeded: mixed >> 31) ^ UInt32(truncatingIfNeeded: hash << 28)
        return ((mixed ^ Int(truncatingIfNeeded: hash & 15)) & mask, tag & ~positions)
    }

    /// The position in a slot, if its tag matches.
    @inline(__always)
    private func known(_ slot: UInt32, _ tag: UInt32) -> Int? {
        slot & ~positions == tag ? Int(slot & positions) - 1 : nil
    }
}

/// The process's random seed, and a hash function that uses it.
enum HashSeed {
    /// Odd, and different in each process.
    static let seed = UInt64(bitPattern: Int64(Hasher().finalize())) | 1

    /// A non-negative hash of the bits.
    @inline(__always)
    static func mix(_ bits: UInt64, _ seed: UInt64) -> Int {
        let product = (bits ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: (product.high ^ product.low) & UInt64(Int.max))
    }
}
