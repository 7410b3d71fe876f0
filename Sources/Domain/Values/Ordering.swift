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
