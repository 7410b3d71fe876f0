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

typealias IdentifierIndex = DenseIndex<Identifier>

/// Numbers keys from 0 in the order of their first appearance.
///
/// Open addressing over small keys: a third of the memory of a Dictionary, and no allocation an entry.
/// Hashes are seeded anew in each process, so that chosen identifiers cannot make it slow; no result depends on them.
struct DenseIndex<Key: Indexed> {
    private var slots: [Int32]
    private var keys: [Key] = []
    private var mask: Int
    private var empty: Int32 { -1 }

    init(minimumCapacity: Int = 0) {
        var size = 16
        while size < minimumCapacity * 3 / 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        mask = size - 1
        keys.reserveCapacity(minimumCapacity)
    }

    var count: Int { keys.count }

    /// The number of `key`, given to it now where it has none.
    mutating func number(of key: Key) -> Int {
        var slot = HashSeed.mix(key.hashBits) & mask
        while slots[slot] != empty {
            if keys[Int(slots[slot])] == key { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        slots[slot] = Int32(keys.count)
        keys.append(key)
        if keys.count * 3 > slots.count * 2 { grow() }
        return keys.count - 1
    }

    /// The number of `key`, or nil where it was never seen.
    func find(_ key: Key) -> Int? {
        var slot = HashSeed.mix(key.hashBits) & mask
        while slots[slot] != empty {
            if keys[Int(slots[slot])] == key { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func grow() {
        slots = Array(repeating: empty, count: slots.count * 2)
        mask = slots.count - 1
        for (number, key) in keys.enumerated() {
            var slot = HashSeed.mix(key.hashBits) & mask
            while slots[slot] != empty { slot = (slot + 1) & mask }
            slots[slot] = Int32(number)
        }
    }
}

/// Finds among positions of an array the first with the same key; for keys that are no identifier.
struct PositionTable {
    private var slots: [Int32]
    private let mask: Int

    /// For at most `capacity` positions.
    init(capacity: Int) {
        var size = 16
        while size < capacity * 3 / 2 { size *= 2 }
        slots = Array(repeating: -1, count: size)
        mask = size - 1
    }

    /// The position entered before that `isSame`, else `position`, which is entered.
    mutating func first(_ position: Int, hash: UInt64, isSame: (Int) -> Bool) -> Int {
        var slot = HashSeed.mix(hash) & mask
        while slots[slot] >= 0 {
            if isSame(Int(slots[slot])) { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        slots[slot] = Int32(position)
        return position
    }
}

enum HashSeed {
    private static let seed = UInt64(bitPattern: Int64(Hasher().finalize())) | 1

    @inline(__always)
    static func mix(_ bits: UInt64) -> Int {
        let product = (bits ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: (product.high ^ product.low) & UInt64(Int.max))
    }
}
