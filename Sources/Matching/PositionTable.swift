internal import Domain

/// A key of few bytes that hashes by all of them.
protocol Indexed: Equatable {
    var hashBits: UInt64 { get }
}

extension Identifier: Indexed {
    var hashBits: UInt64 { bits }
}

extension Token: Indexed {
    var hashBits: UInt64 { high ^ low &* 0x9E37_79B9_7F4A_7C15 }
}

/// Finds among positions of an array the first of each key; the keys stay where they are, in the array.
///
/// Open addressing over positions of four bytes: a fifth of the memory of a Dictionary, and no allocation an entry.
/// Hashes are seeded anew in each process, so that chosen identifiers cannot make it slow; no result depends on them.
struct PositionTable: Sendable {
    private var slots: [Int32]
    private let mask: Int
    private let seed = HashSeed.seed

    /// For at most `capacity` positions.
    init(capacity: Int) {
        var size = 16
        while size < capacity * 3 / 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        mask = size - 1
    }

    /// The position entered before that `isSame`, else `position`, which is entered.
    @inline(__always)
    mutating func first(_ position: Int, hash: UInt64, isSame: (Int) -> Bool) -> Int {
        var slot = HashSeed.mix(hash, seed) & mask
        while slots[slot] >= 0 {
            if isSame(Int(slots[slot])) { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        slots[slot] = Int32(position)
        return position
    }

    /// The position entered that `isSame`, or nil where none is.
    @inline(__always)
    func find(hash: UInt64, isSame: (Int) -> Bool) -> Int? {
        var slot = HashSeed.mix(hash, seed) & mask
        while slots[slot] >= 0 {
            if isSame(Int(slots[slot])) { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
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
