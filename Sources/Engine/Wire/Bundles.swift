/// Finds bundles: the connected components of pairs of keys. Evidence of one case has its keys in one bundle.
public struct Bundles {
    /// For each slot the number of its key; -1 if the slot is free. A power of two in length.
    private var table: [Int32]
    private var keys: [Int64] = []
    /// For each key the number of another key of its bundle; its own for the bundle's first.
    private var parents: [Int32] = []

    public init() { table = Array(repeating: -1, count: 1 << 10) }

    /// How many keys there are.
    public var count: Int { keys.count }

    /// The sum of all keys, modulo 2^64.
    public var keySum: Int64 { keys.reduce(0, &+) }

    /// Puts the bundles of two keys together. The keys may be the same.
    public mutating func tie(_ left: Int64, _ right: Int64) {
        let (first, second) = (root(number(left)), root(number(right)))
        if first != second { parents[Int(max(first, second))] = min(first, second) }
    }

    /// Calls `body` with each key and the least key of its bundle, in the order in which the keys came.
    /// - Returns: how many bundles there are, and how many keys the largest has.
    @discardableResult
    public mutating func forEachKey<Failure>(
        _ body: (_ key: Int64, _ bundle: Int64) throws(Failure) -> Void
    ) throws(Failure) -> (bundles: Int, largest: Int) {
        var least = keys
        var sizes = [Int32](repeating: 0, count: keys.count)
        for index in keys.indices {
            let root = Int(root(Int32(index)))
            least[root] = min(least[root], keys[index])
            sizes[root] += 1
        }
        for index in keys.indices { try body(keys[index], least[Int(root(Int32(index)))]) }
        return (sizes.count(where: { $0 > 0 }), Int(sizes.max() ?? 0))
    }

    private mutating func root(_ number: Int32) -> Int32 {
        var number = number
        while parents[Int(number)] != number {
            parents[Int(number)] = parents[Int(parents[Int(number)])]
            number = parents[Int(number)]
        }
        return number
    }

    private mutating func number(_ key: Int64) -> Int32 {
        if keys.count * 4 >= table.count * 3 { grow() }
        let slot = slot(of: key)
        if table[slot] >= 0 { return table[slot] }
        precondition(keys.count < Int(Int32.max), "more keys than one process can tie")
        table[slot] = Int32(keys.count)
        keys.append(key)
        parents.append(table[slot])
        return table[slot]
    }

    /// The slot of the key, or the free slot for it.
    private func slot(of key: Int64) -> Int {
        let mask = table.count - 1
        var slot = Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 20) & mask
        while table[slot] >= 0, keys[Int(table[slot])] != key { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        table = Array(repeating: -1, count: table.count * 2)
        for (number, key) in keys.enumerated() { table[slot(of: key)] = Int32(number) }
    }
}
