/// Finds what orders in trouble have in common: values, and pairs of values of two dimensions, that they have far more often
/// than other purchases. See docs/spec/why.md#explanations.
///
/// Support, risk ratio and the pruning by support are those of MacroBase's DIFF operator (Abuzaid et al., VLDB 2019).
public enum Explanations {
    /// The fewest purchases in trouble that an explanation explains.
    static let fewest = 5
    /// An explanation explains at least one in `share` of all purchases in trouble.
    static let share = 4
    static let leastRisk = 3
    static let significance = 0.001

    /// What the purchases in trouble have in common, the strongest first: at most four, each with at least a quarter.
    ///
    /// The result depends on the purchases alone, not on the order of tables or rows. The cause is not asked: it follows
    /// from the trouble. Nor is the lack of a value.
    /// - Parameter window: tables that share no purchase.
    public static func find(in window: [DateTable], of trouble: Trouble) -> [Explanation] {
        let leads = LeadingValues(window, trouble)
        guard !leads.values.isEmpty else { return [] }
        var rest = PurchaseGroups(window, trouble, by: leads.values).groups
        var found: [Explanation] = []
        while let next = strongest(in: rest, leads) {
            let mask = next.values.reduce(UInt128(0)) { $0 | 1 << UInt128(leads.values.firstIndex(of: $1)!) }
            rest.removeAll { $0.mask & mask == mask }
            found.append(next)
        }
        return found
    }

    private static func strongest(in groups: [PurchaseGroups.Group], _ leads: LeadingValues) -> Explanation? {
        let tried = TriedValues(groups, leads)
        let limit = greatestChance(of: tried.all.map(\.cells))
        return tried.all.filter { one in
            one.cells.chance <= limit && one.cells.isRisk(atLeast: leastRisk)
                && one.parts.allSatisfy { one.cells.isHalfAbove($0) }
        }
        .map { Explanation(values: $0.values, ofCount: leads.hits, cells: $0.cells) }
        .min { $0.isBefore($1) }
    }

    /// The greatest chance that counts after the step-up of Benjamini and Hochberg (1995); negative if none does.
    private static func greatestChance(of cells: [Cells]) -> Double {
        let chances = cells.map(\.chance).ordered()
        let last = chances.indices.last {
            chances[$0] * Double(chances.count) / Double($0 + 1) < significance
        }
        return last.map { chances[$0] } ?? -1
    }

    /// Whether enough purchases in trouble have it.
    static func isEnough(_ hits: Int, of all: Int) -> Bool { hits >= fewest && hits * share >= all }
}

/// The values that enough of the purchases in trouble have. Nothing else can become an explanation.
struct LeadingValues {
    /// All purchases in trouble.
    private(set) var hits = 0
    /// In ascending order; at most 128, of which those with the most purchases in trouble.
    private(set) var values: [DimensionValue] = []

    init(_ window: [DateTable], _ trouble: Trouble) {
        var counts: [DimensionValue: Int] = [:]
        for table in window {
            let isHit = table.hits(of: trouble)
            let rows = (0..<table.rows).filter { isHit[Int(table.columns[DateTable.fate].codes[$0])] == true }
            hits += rows.count
            counts[DimensionValue(dimension: .weekday, value: table.weekday), default: 0] += rows.count
            for (dimension, column) in table.explaining {
                var ofCode = Array(repeating: 0, count: column.values.count)
                for row in rows { ofCode[Int(column.codes[row])] += 1 }
                for (code, count) in ofCode.enumerated() where count != 0 {
                    let value = Identifier(bits: column.values[code])
                    if value != .absent {
                        counts[DimensionValue(dimension: dimension, value: value), default: 0] += count
                    }
                }
            }
        }
        let leading = counts.filter { Explanations.isEnough($0.value, of: hits) }
            .ordered { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
        values = leading.prefix(UInt128.bitWidth).map(\.key).ordered()
    }
}

extension DateTable {
    /// The columns that may explain trouble.
    fileprivate var explaining: [(dimension: Dimension, column: Column)] {
        Array(zip(dimensions, columns[Self.firstDimension...])).filter { $0.0 != .cause }
    }

    /// For each fate in the dictionary, whether it is in trouble; nil if it is not compared.
    fileprivate func hits(of trouble: Trouble) -> [Bool?] {
        columns[Self.fate].values.map { PurchaseFate(packed: $0).flatMap(trouble.hits) }
    }
}

/// All purchases, grouped by which of the leading values they have: one pass over the rows.
struct PurchaseGroups {
    struct Group {
        /// A bit for each leading value.
        var mask: UInt128
        var hits = 0
        var all = 0
    }

    /// A tree with a level for each dimension: a node stands for all purchases with the same leading values so far.
    private struct Level {
        var dimension: Dimension
        /// The leading values of the dimension, by their bits.
        var values: [(value: Identifier, bit: Int)]
        /// For each node of the level before and each value, or none: the node here, plus one; 0 where there is none yet.
        var next: [UInt32]
        var masks: [UInt128] = []

        /// The place of each value in `values`, from 1 on.
        func place(of value: Identifier) -> UInt32 { UInt32((values.firstIndex { $0.value == value } ?? -1) + 1) }

        mutating func step(_ node: UInt32, _ place: UInt32, above: [UInt128]) -> UInt32 {
            let index = Int(node) * (values.count + 1) + Int(place)
            if index >= next.count { next += repeatElement(0, count: above.count * (values.count + 1) - next.count) }
            if next[index] == 0 {
                masks.append(above[Int(node)] | (place == 0 ? 0 : 1 << UInt128(values[Int(place) - 1].bit)))
                next[index] = UInt32(masks.count)
            }
            return next[index] - 1
        }
    }

    private var levels: [Level] = []
    private(set) var groups: [Group] = []

    init(_ window: [DateTable], _ trouble: Trouble, by values: [DimensionValue]) {
        for (bit, one) in values.enumerated() {
            if levels.last?.dimension != one.dimension {
                levels.append(Level(dimension: one.dimension, values: [], next: []))
            }
            levels[levels.count - 1].values.append((one.value, bit))
        }
        for table in window { add(table, trouble) }
    }

    private mutating func add(_ table: DateTable, _ trouble: Trouble) {
        var nodes = Array(repeating: UInt32(0), count: table.rows)
        var above: [UInt128] = [0]
        for index in levels.indices {
            let column = table.explaining.first { $0.dimension == levels[index].dimension }?.column
            // All purchases of the table have the same weekday, and none has a label that the table lacks.
            let places = column?.values.map { levels[index].place(of: Identifier(bits: $0)) } ?? []
            let place = levels[index].place(of: levels[index].dimension == .weekday ? table.weekday : .absent)
            for row in nodes.indices {
                let place = column.map { places[Int($0.codes[row])] } ?? place
                nodes[row] = levels[index].step(nodes[row], place, above: above)
            }
            above = levels[index].masks
        }
        groups += above[groups.count...].map { Group(mask: $0) }
        let isHit = table.hits(of: trouble)
        for (row, node) in nodes.enumerated() {
            guard let isHit = isHit[Int(table.columns[DateTable.fate].codes[row])] else { continue }
            groups[Int(node)].all += 1
            if isHit { groups[Int(node)].hits += 1 }
        }
    }
}

/// The values and pairs that may explain the purchases of these groups.
private struct TriedValues {
    struct One {
        var values: [DimensionValue]
        var cells: Cells
        /// Those of a pair's values.
        var parts: [Cells] = []
    }

    /// Those that enough purchases in trouble have, and not all purchases. A pair also needs fewer purchases than either
    /// of its values: else it is the other value in other words.
    private(set) var all: [One] = []

    init(_ groups: [PurchaseGroups.Group], _ leads: LeadingValues) {
        let (hits, purchases) = groups.reduce((0, 0)) { ($0.0 + $1.hits, $0.1 + $1.all) }
        let size = leads.values.count
        /// Row i, column j: with both values; i = j: with the value.
        var cells = Array(repeating: Cells(hitsWith: 0, with: 0, hits: hits, all: purchases), count: size * size)
        for group in groups {
            var (places, mask) = ([Int](), group.mask)
            while mask != 0 {
                places.append(mask.trailingZeroBitCount)
                mask &= mask - 1
            }
            for (index, first) in places.enumerated() {
                for second in places[index...] {
                    cells[first * size + second].hitsWith += group.hits
                    cells[first * size + second].with += group.all
                }
            }
        }
        for first in 0..<size {
            let one = cells[first * size + first]
            guard Explanations.isEnough(one.hitsWith, of: leads.hits) else { continue }
            if one.with < purchases { all.append(One(values: [leads.values[first]], cells: one)) }
            for second in first + 1..<max(size, first + 1) {
                let (both, other) = (cells[first * size + second], cells[second * size + second])
                guard Explanations.isEnough(both.hitsWith, of: leads.hits), both.with < min(one.with, other.with) else {
                    continue
                }
                all.append(
                    One(values: [leads.values[first], leads.values[second]], cells: both, parts: [one, other]))
            }
        }
    }
}
