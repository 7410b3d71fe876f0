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

    /// The position entered before that `isSame`, else `position`, which is entered.
    @inline(__always)
    mutating func first(_ position: Int, hash: UInt64, isSame: (Int) -> Bool) -> Int {
        let (place, tag) = start(hash)
        var slot = place
        while slots[slot] != 0 {
            if let known = known(slots[slot], tag), isSame(known) { return known }
            slot = (slot + 1) & mask
        }
        slots[slot] = tag | UInt32(position + 1)
        return position
    }

    /// The position entered that `isSame`, or nil where none is.
    @inline(__always)
    func find(hash: UInt64, isSame: (Int) -> Bool) -> Int? {
        let (place, tag) = start(hash)
        var slot = place
        while slots[slot] != 0 {
            if let known = known(slots[slot], tag), isSame(known) { return known }
            slot = (slot + 1) & mask
        }
        return nil
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
