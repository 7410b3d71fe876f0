internal import Domain

/// Disjoint sets to which members are added as they turn up.
struct UnionFind {
    private(set) var parents: [Int32]

    init(count: Int = 0) { parents = (0..<count).map { Int32($0) } }

    mutating func add() -> Int {
        parents.append(Int32(parents.count))
        return parents.count - 1
    }

    mutating func root(of number: Int) -> Int {
        var current = number
        while Int(parents[current]) != current {
            parents[current] = parents[Int(parents[current])]
            current = Int(parents[current])
        }
        return current
    }

    mutating func unite(_ left: Int, _ right: Int) {
        let leftRoot = root(of: left)
        let rightRoot = root(of: right)
        // The smaller number stands for both; path halving alone keeps the trees flat.
        if leftRoot != rightRoot { parents[max(leftRoot, rightRoot)] = Int32(min(leftRoot, rightRoot)) }
    }
}

/// Numbers the cases from 0, in the order of their first evidence.
struct CaseNumbers {
    private(set) var count = 0
    /// The case of each standing copy, kind by kind as its nodes were given.
    let numbers: [[Int32]]

    /// Takes the memory of the nodes over for the numbers.
    ///
    /// - Parameter stored: the ledger's case of each standing copy, where the evidence is read case by case: then evidence
    ///   of two stored cases is never one case, because what keeps the two apart may not have been read.
    init(_ unions: consuming UnionFind, of nodes: inout [[Int32]], stored: ((_ kind: Int, _ index: Int) -> Int64)?) {
        struct Part: Hashable {
            var root: Int
            var stored: Int64
        }
        var unions = unions
        var known = [Int32](repeating: -1, count: unions.parents.count)
        // Of each root whose evidence is known, the stored case; of what is stored elsewhere, its own number.
        var homes = stored == nil ? [] : [Int64](repeating: 0, count: known.count)
        var parts: [Part: Int32] = [:]
        for kind in nodes.indices {
            for index in nodes[kind].indices {
                let root = unions.root(of: Int(nodes[kind][index]))
                let home = stored.map { $0(kind, index) }
                if known[root] < 0 {
                    known[root] = Int32(count)
                    count += 1
                    if let home { homes[root] = home }
                } else if let home, homes[root] != home {
                    let part = Part(root: root, stored: home)
                    if parts[part] == nil {
                        parts[part] = Int32(count)
                        count += 1
                    }
                    nodes[kind][index] = parts[part]!
                    continue
                }
                nodes[kind][index] = known[root]
            }
        }
        numbers = nodes
    }
}
