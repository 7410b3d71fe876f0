internal import Glibc

/// What orders in trouble have in common. See docs/spec/why.md#explanations.
public struct Explanation: Hashable, Sendable {
    /// One value, or two of different dimensions in ascending order.
    public var values: [DimensionValue]
    /// All purchases in trouble, whether explained or not.
    public var ofCount: Int
    var cells: Cells

    /// The purchases in trouble that have the values. Purchases of earlier explanations are left out, here and below.
    public var count: Int { cells.hitsWith }
    /// The purchases that have the values.
    public var purchases: Int { cells.with }
    /// The share of all purchases in trouble that have the values.
    public var support: Double { Double(count) / Double(ofCount) }
    /// The share of purchases with the values that are in trouble.
    public var rate: Double { Double(count) / Double(purchases) }
    /// The share of purchases without the values that are in trouble.
    public var rateElsewhere: Double { Double(cells.hits - cells.hitsWith) / Double(cells.all - cells.with) }
    /// `rate` divided by `rateElsewhere`, with 0.5 added to each of the four counts: never infinite.
    public var riskRatio: Double { cells.risk }

    var strength: Double { support * log(riskRatio) }

    /// The stronger one; else the one with fewer values; else with more purchases in trouble; else with fewer purchases;
    /// else the first by the order of dimensions and the bytes of values.
    func isBefore(_ other: Explanation) -> Bool {
        if strength != other.strength { return strength > other.strength }
        if values.count != other.values.count { return values.count < other.values.count }
        if count != other.count { return count > other.count }
        if purchases != other.purchases { return purchases < other.purchases }
        return values.lexicographicallyPrecedes(other.values)
    }
}

/// A table of two by two: purchases with and without a value, in trouble and not.
struct Cells: Hashable, Sendable {
    /// Those with the value that are in trouble.
    var hitsWith: Int
    /// All with the value.
    var with: Int
    /// All in trouble.
    var hits: Int
    var all: Int

    /// The risk ratio as an exact fraction, 0.5 added to each of the four counts.
    private var fraction: (above: Int, below: Int) {
        ((2 * hitsWith + 1) * (all - with + 1), (2 * (hits - hitsWith) + 1) * (with + 1))
    }

    var risk: Double { Double(fraction.above) / Double(fraction.below) }

    func isRisk(atLeast threshold: Int) -> Bool {
        Int128(fraction.above) >= Int128(threshold) * Int128(fraction.below)
    }

    /// Whether the risk ratio is at least 1.5 times that of `other`.
    func isHalfAbove(_ other: Cells) -> Bool {
        2 * Int128(fraction.above) * Int128(other.fraction.below)
            >= 3 * Int128(fraction.below) * Int128(other.fraction.above)
    }

    /// How likely chance alone puts at least `hitsWith` of the hits among those with the value: Fisher's exact test,
    /// one-sided. 1 where no more are there than chance puts there on average.
    var chance: Double {
        guard Int128(hitsWith) * Int128(all) > Int128(hits) * Int128(with) else { return 1 }
        var term = exp(
            logChoices(with, hitsWith) + logChoices(all - with, hits - hitsWith) - logChoices(all, hits))
        var sum = term
        // Above the average each term is smaller than the one before it.
        for found in hitsWith..<min(hits, with) where term > sum * 1e-17 {
            term *= Double(hits - found) * Double(with - found)
            term /= Double(found + 1) * Double(all - with - hits + found + 1)
            sum += term
        }
        return min(sum, 1)
    }
}

/// The logarithm of the number of ways to choose `count` things of `all`.
private func logChoices(_ all: Int, _ count: Int) -> Double {
    logFactorial(all) - logFactorial(count) - logFactorial(all - count)
}

private func logFactorial(_ number: Int) -> Double {
    // `lgamma` writes a global variable.
    var sign: Int32 = 0
    return lgamma_r(Double(number) + 1, &sign)
}
