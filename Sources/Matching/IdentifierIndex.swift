package import Domain

/// Numbers identifiers from 0 in the order of their first appearance.
///
/// Open addressing over eight-byte keys: a third of the memory of a Dictionary, and no allocation an entry.
/// Hashes are seeded anew in each process, so that chosen identifiers cannot make it slow; no result depends on them.
package struct IdentifierIndex: Sendable {
    private var slots: [Int32]
    private var keys: [UInt64] = []
    private var mask: Int
    private static let empty: Int32 = -1

    package init(minimumCapacity: Int = 0) {
        var size = 16
        while size < minimumCapacity * 3 / 2 { size *= 2 }
        slots = Array(repeating: Self.empty, count: size)
        mask = size - 1
        keys.reserveCapacity(minimumCapacity)
    }

    package var count: Int { keys.count }

    /// The number of `identifier`, given to it now where it has none.
    package mutating func number(of identifier: Identifier) -> Int {
        var slot = HashSeed.mix(identifier.bits) & mask
        while slots[slot] != Self.empty {
            if keys[Int(slots[slot])] == identifier.bits { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        slots[slot] = Int32(keys.count)
        keys.append(identifier.bits)
        if keys.count * 3 > slots.count * 2 { grow() }
        return keys.count - 1
    }

    /// The number of `identifier`, or nil where it was never seen.
    package func find(_ identifier: Identifier) -> Int? {
        var slot = HashSeed.mix(identifier.bits) & mask
        while slots[slot] != Self.empty {
            if keys[Int(slots[slot])] == identifier.bits { return Int(slots[slot]) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func grow() {
        slots = Array(repeating: Self.empty, count: slots.count * 2)
        mask = slots.count - 1
        for (number, key) in keys.enumerated() {
            var slot = HashSeed.mix(key) & mask
            while slots[slot] != Self.empty { slot = (slot + 1) & mask }
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
