/// A map from identifiers to numbers. It is a list while it has few entries, as in nearly every case, and a
/// `Dictionary` beyond that.
struct SmallMap {
    private var few: [(key: Identifier, value: Int)] = []
    private var many: [Identifier: Int] = [:]
    private static let fewMax = 8

    subscript(key: Identifier) -> Int? {
        if many.isEmpty { return few.first { $0.key == key }?.value }
        return many[key]
    }

    /// Adds an entry. Where the key has a value already, that value is kept.
    mutating func insert(_ key: Identifier, _ value: Int) {
        if self[key] != nil { return }
        if few.count < Self.fewMax {
            few.append((key, value))
            return
        }
        if many.isEmpty { many = Dictionary(uniqueKeysWithValues: few.map { ($0.key, $0.value) }) }
        many[key] = value
    }
}
