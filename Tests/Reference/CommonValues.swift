import Foundation

/// A purchase in the reference for docs/spec/why.md#explanations.
public struct ComparedPurchase: Sendable {
    /// One for each dimension, in the order of dimensions. Empty: no value.
    public var values: [String]
    public var isLost: Bool

    public init(values: [String], isLost: Bool) {
        self.values = values
        self.isLost = isLost
    }
}

/// What lost purchases have in common: values by the place of their dimension.
public struct CommonValues: Equatable, Sendable {
    public var values: [Int: String]
    public var lost: Int
    public var purchases: Int

    public init(values: [Int: String], lost: Int, purchases: Int) {
        self.values = values
        self.lost = lost
        self.purchases = purchases
    }

    func has(_ purchase: ComparedPurchase) -> Bool { values.allSatisfy { purchase.values[$0.key] == $0.value } }
}

/// A second implementation: it counts every value and every pair that occurs, and its chances are exact fractions.
public struct CommonValueSearch: Sendable {
    private let choices: Choices

    /// - Parameter most: the most purchases of a search.
    public init(most: Int) { choices = Choices(most: most) }

    public func find(in purchases: [ComparedPurchase]) -> [CommonValues] {
        let lost = purchases.filter(\.isLost).count
        var rest = purchases
        var found: [CommonValues] = []
        while found.count < 5, let best = strongest(in: rest, of: lost) {
            found.append(best)
            rest.removeAll(where: best.has)
        }
        return found
    }

    private func strongest(in rest: [ComparedPurchase], of lost: Int) -> CommonValues? {
        let restLost = rest.filter(\.isLost).count
        let counted = Self.count(rest)
        func cells(_ one: CommonValues) -> (above: Int, below: Int) {
            (
                (2 * one.lost + 1) * (rest.count - one.purchases + 1),
                (2 * (restLost - one.lost) + 1) * (one.purchases + 1)
            )
        }
        func parts(_ one: CommonValues) -> [CommonValues] {
            one.values.count == 1 ? [] : one.values.map { counted[[$0.key: $0.value]]! }
        }
        let tried = counted.values.filter { one in
            one.lost >= 5 && 4 * one.lost >= lost && one.purchases < rest.count
                && parts(one).allSatisfy { one.purchases < $0.purchases }
        }
        let passed = passing(tried, all: rest.count, lost: restLost)
        let shown = passed.filter { one in
            let risk = cells(one)
            return risk.above >= 3 * risk.below
                && parts(one).map(cells).allSatisfy { 2 * risk.above * $0.below >= 3 * $0.above * risk.below }
        }
        func strength(_ one: CommonValues) -> Double {
            Double(one.lost) / Double(lost) * log(Double(cells(one).above) / Double(cells(one).below))
        }
        return shown.min { left, right in
            if strength(left) != strength(right) { return strength(left) > strength(right) }
            if left.values.count != right.values.count { return left.values.count < right.values.count }
            if left.lost != right.lost { return left.lost > right.lost }
            if left.purchases != right.purchases { return left.purchases < right.purchases }
            for (one, other) in zip(left.values.sorted(by: <), right.values.sorted(by: <)) where one != other {
                return one < other
            }
            return false
        }
    }

    /// Every value and every pair of values of two dimensions that a purchase has.
    private static func count(_ rest: [ComparedPurchase]) -> [[Int: String]: CommonValues] {
        var counted: [[Int: String]: CommonValues] = [:]
        func add(_ values: [Int: String], _ purchase: ComparedPurchase) {
            counted[values, default: CommonValues(values: values, lost: 0, purchases: 0)].purchases += 1
            if purchase.isLost { counted[values]!.lost += 1 }
        }
        for purchase in rest {
            let present = purchase.values.indices.filter { !purchase.values[$0].isEmpty }
            for first in present {
                add([first: purchase.values[first]], purchase)
                for second in present where second > first {
                    add([first: purchase.values[first], second: purchase.values[second]], purchase)
                }
            }
        }
        return counted
    }

    /// Benjamini and Hochberg: with the chances in ascending order, the last that is below 0.001 × its place ÷ their number,
    /// and all before it.
    private func passing(_ tried: [CommonValues], all: Int, lost: Int) -> [CommonValues] {
        let whole = choices.ways(lost, of: all)
        /// Fisher's exact test: the ways in which at least as many lost ones fall among these purchases, of `whole`.
        let ranked = tried.map { one in
            (
                one: one,
                ways: (one.lost...one.purchases).reduce(WholeNumber(0)) {
                    $0 + choices.ways($1, of: one.purchases) * choices.ways(lost - $1, of: all - one.purchases)
                }
            )
        }
        .sorted { $0.ways < $1.ways }
        let last = ranked.indices.last {
            ranked[$0].ways * WholeNumber(1000 * ranked.count) < whole * WholeNumber($0 + 1)
        }
        guard let last else { return [] }
        return ranked.filter { $0.ways <= ranked[last].ways }.map(\.one)
    }
}
