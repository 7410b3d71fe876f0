/// Random choices that do not depend on the standard library's algorithms, because the sample's bytes must not change
/// with the compiler.
extension SplitMix64 {
    public mutating func int(in range: Range<Int>) -> Int {
        let (high, _) = UInt64(range.count).multipliedFullWidth(by: next())
        return range.lowerBound + Int(high)
    }

    /// An index into `weights`. Each index is as likely as its weight.
    public mutating func index(weights: [Int]) -> Int {
        var left = int(in: 0..<weights.reduce(0, +))
        for (index, weight) in weights.enumerated() {
            if left < weight { return index }
            left -= weight
        }
        preconditionFailure("a number below the sum lies below one of the partial sums")
    }
}
