internal import Domain

/// Identifiers to numbers: a list while there are few, as there are in nearly every case, and a Dictionary beyond.
struct SmallMap {
    private var few: [(key: Identifier, value: Int)] = []
    private var many: [Identifier: Int] = [:]
    private static let fewMax = 8

    subscript(key: Identifier) -> Int? {
        if many.isEmpty { return few.first { $0.key == key }?.value }
        return many[key]
    }

    /// Keeps the value that the key already has.
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
