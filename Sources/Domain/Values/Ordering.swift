internal import Glibc

/// An enumeration whose cases ascend in the order in which they are declared.
public protocol OrderedCases: CaseIterable, Comparable {}

extension OrderedCases {
    public static func < (left: Self, right: Self) -> Bool {
        allCases.firstIndex(of: left)! < allCases.firstIndex(of: right)!
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index at which `predicate` is true, found by binary search; `endIndex` where it is true nowhere. All
    /// elements for which it is false must come before those for which it is true.
    @inlinable
    public func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension String {
    /// Whether its UTF-8 bytes come first: an order that depends on no language, and holds in every program.
    public func isBefore(_ other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                let order = memcmp(left.baseAddress!, right.baseAddress!, min(left.count, right.count))
                return order == 0 ? left.count < right.count : order < 0
            }
        }
    }
}

// The standard library's `sorted` is compiled anew for each type of element: a hundred copies of it were an eighth of
// Engine's code, and took as much of the time of a build. These order positions, which is compiled once and moves no
// values. `sorted` is for the innermost loops.

extension Sequence {
    /// The elements in ascending order; equal ones keep theirs.
    @inlinable
    public func ordered(by isBefore: (Element, Element) throws -> Bool) rethrows -> [Element] {
        let elements = Array(self)
        guard elements.count > 1 else { return elements }
        return try orderedPositions(elements.count) { try isBefore(elements[$0], elements[$1]) }.map { elements[$0] }
    }

    /// The elements by ascending key; equal ones keep theirs. Each key is made once, where a comparison of elements copies
    /// both.
    @inlinable
    public func ordered<Key: Comparable>(byKey key: (Element) -> Key) -> [Element] {
        let elements = Array(self)
        let keys = elements.map(key)
        return orderedPositions(keys.count) { keys[$0] < keys[$1] }.map { elements[$0] }
    }
}

extension Sequence where Element: Comparable {
    @inlinable
    public func ordered() -> [Element] { ordered(by: <) }
}

extension Dictionary where Key: Comparable {
    /// The entries, by ascending key.
    @inlinable
    public func ordered() -> [Element] { ordered(byKey: \.key) }
}

extension Array {
    @inlinable
    public mutating func order(by isBefore: (Element, Element) throws -> Bool) rethrows {
        self = try ordered(by: isBefore)
    }
}

@usableFromInline
func orderedPositions(_ count: Int, isBefore: (Int, Int) throws -> Bool) rethrows -> [Int] {
    try (0..<count).sorted(by: isBefore)
}
