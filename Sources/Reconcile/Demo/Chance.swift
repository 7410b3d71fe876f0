/// Random numbers that a seed repeats, on every machine and with every compiler (SplitMix64).
struct Chance {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// One of `range`.
    mutating func int(in range: Range<Int>) -> Int {
        let (high, _) = UInt64(range.count).multipliedFullWidth(by: next())
        return range.lowerBound + Int(high)
    }

    /// An index into `weights`, each as likely as it weighs.
    mutating func index(weights: [Int]) -> Int {
        var left = int(in: 0..<weights.reduce(0, +))
        for (index, weight) in weights.enumerated() {
            if left < weight { return index }
            left -= weight
        }
        preconditionFailure("a number below the sum lies below one of the partial sums")
    }
}
