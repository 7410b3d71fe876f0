/// Disjoint sets of the numbers from 0. Numbers can be added at any time.
///
/// Each number refers to a parent in its set; the one that is its own parent is the set's *root*. The root is always
/// the smallest number of the set, so it does not depend on the order in which sets were united.
struct UnionFind {
    private(set) var parents: [Int32]

    init(count: Int = 0) { parents = (0..<count).map { Int32($0) } }

    /// Adds a number as a set of its own and returns it.
    mutating func add() -> Int {
        parents.append(Int32(parents.count))
        return parents.count - 1
    }

    /// The set's smallest number. Halves the path on the way: every number visited then refers to its grandparent.
    mutating func root(of number: Int) -> Int {
        var current = number
        while Int(parents[current]) != current {
            parents[current] = parents[Int(parents[current])]
            current = Int(parents[current])
        }
        return current
    }

    /// Makes one set of the two sets.
    mutating func unite(_ left: Int, _ right: Int) {
        let leftRoot = root(of: left)
        let rightRoot = root(of: right)
        // The smaller root becomes the root of both. Path halving alone keeps the trees flat.
        if leftRoot != rightRoot { parents[max(leftRoot, rightRoot)] = Int32(min(leftRoot, rightRoot)) }
    }
}

/// Numbers the cases from 0 in the order of their first evidence.
struct CaseNumbers {
    private(set) var count = 0
    /// The case of each current piece of evidence, kind by kind in the order of its nodes.
    let numbers: [[Int32]]

    /// Replaces each node by the number of its case. The memory of `nodes` is reused for the result.
    ///
    /// With `stored`, evidence of two stored cases never becomes one case, because the evidence that keeps them apart
    /// may not have been read. A component of the graph that spans several stored cases is split: the stored case of
    /// its first evidence keeps the component's number, and every other stored case gets a number of its own.
    ///
    /// - Parameters:
    ///   - unions: the graph's components.
    ///   - nodes: for each kind, the node of each current piece of evidence.
    ///   - stored: the ledger's case of a piece of evidence, by kind and index. Nil: the graph alone decides.
    init(_ unions: consuming UnionFind, of nodes: inout [[Int32]], stored: ((_ kind: Int, _ index: Int) -> CaseID)?) {
        /// The part of a component that one stored case holds.
        struct Part: Hashable {
            var root: Int
            var stored: CaseID
        }
        var unions = unions
        // The number of each root's case; −1 where it has none yet.
        var known = [Int32](repeating: -1, count: unions.parents.count)
        // By root, the stored case that keeps the component's number.
        var storedOfRoot = stored == nil ? [] : [CaseID](repeating: 0, count: known.count)
        var parts: [Part: Int32] = [:]
        for kind in nodes.indices {
            for index in nodes[kind].indices {
                let root = unions.root(of: Int(nodes[kind][index]))
                let storedCase = stored.map { $0(kind, index) }
                if known[root] < 0 {
                    known[root] = Int32(count)
                    count += 1
                    if let storedCase { storedOfRoot[root] = storedCase }
                } else if let storedCase, storedOfRoot[root] != storedCase {
                    let part = Part(root: root, stored: storedCase)
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
