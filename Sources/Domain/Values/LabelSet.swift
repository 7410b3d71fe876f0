internal import Synchronization

/// The values of the shop's own columns that a row or a purchase has. See docs/spec/why.md#labels.
///
/// Four bytes: a number in a table of the process, because many rows have the same values. The numbers depend on the order
/// of the rows; whatever is written or sorted uses the values.
@frozen
public struct LabelSet: Hashable, Sendable {
    @usableFromInline let number: UInt32

    @inlinable init(number: UInt32) { self.number = number }

    /// No label has a value.
    @inlinable public static var none: LabelSet { LabelSet(number: 0) }
    @inlinable public var isEmpty: Bool { number == 0 }
    /// Within one process, equal sets have equal bits. They mean nothing outside it.
    @inlinable public var bits: UInt64 { UInt64(number) }

    /// A label's name and its value.
    public struct Value: Hashable, Sendable {
        public var name: String
        public var text: Identifier

        public init(name: String, text: Identifier) {
            self.name = name
            self.text = text
        }
    }

    /// Values in any order. Of two with the same name, the first counts; an empty one is none.
    public init(_ values: [Value]) {
        var seen = Set<String>()
        let kept = values.filter { $0.text != .absent && $0.text != Identifier("") && seen.insert($0.name).inserted }
        self = LabelTable.shared.set(of: kept.sorted { $0.name.isBefore($1.name) })
    }

    /// In the order of the names' bytes.
    public var values: [Value] { isEmpty ? [] : LabelTable.shared.values(of: self) }

    /// The values of each of many sets.
    public static func values(of sets: [LabelSet]) -> [[Value]] { LabelTable.shared.values(of: sets) }

    public subscript(_ name: String) -> Identifier? { values.first { $0.name == name }?.text }

    /// These values, and those of `other` under names that have none here.
    @inlinable
    public func filled(from other: LabelSet) -> LabelSet {
        if other.isEmpty || other == self { return self }
        return isEmpty ? other : LabelTable.shared.joined(self, other)
    }
}

extension LabelSet {
    /// How many names all feeds may have together.
    public static let namesMax = 12
    /// How many bytes a value may have.
    public static let textMax = 64

    /// Whether a label may have that name.
    public static func isName(_ name: String) -> Bool {
        let isSmall = { (byte: UInt8) in UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
        return 1...32 ~= name.utf8.count && isSmall(name.utf8.first!)
            && name.utf8.allSatisfy { isSmall($0) || $0 == UInt8(ascii: "_") || 0x30...0x39 ~= $0 }
    }

    /// The app's version that Apple signed in the receipt: a value that a row has without a label of the shop's.
    public static let appVersion = "app_version"

    /// What every purchase is compared by without labels. No label may have such a name.
    public static let takenNames = [
        "product", "product_type", "storefront", "currency", "app", appVersion, "cause", "hour", "weekday",
    ]
}

/// All sets of values: one table for the process. It grows under a lock and never shrinks.
@usableFromInline final class LabelTable: Sendable {
    @usableFromInline static let shared = LabelTable()

    private struct Contents: Sendable {
        /// The first set is empty.
        var sets: [[LabelSet.Value]] = [[]]
        var numbers: [[LabelSet.Value]: UInt32] = [[]: 0]
        /// What two sets make together: few pairs occur, and each many times.
        var joined: [Pair: LabelSet] = [:]
    }

    private struct Pair: Hashable {
        var first: UInt32
        var second: UInt32
    }

    private let contents = Mutex(Contents())
    private static let pairsMax = 1 << 16

    func set(of values: [LabelSet.Value]) -> LabelSet {
        contents.withLock { contents in
            if let number = contents.numbers[values] { return LabelSet(number: number) }
            let number = UInt32(contents.sets.count)
            contents.sets.append(values)
            contents.numbers[values] = number
            return LabelSet(number: number)
        }
    }

    @usableFromInline
    func joined(_ first: LabelSet, _ second: LabelSet) -> LabelSet {
        let pair = Pair(first: first.number, second: second.number)
        if let known = contents.withLock({ $0.joined[pair] }) { return known }
        let joined = LabelSet(first.values + second.values)
        contents.withLock { contents in
            // Clients may send any number of values. Then most pairs occur once.
            if contents.joined.count >= Self.pairsMax { contents.joined.removeAll() }
            contents.joined[pair] = joined
        }
        return joined
    }

    func values(of set: LabelSet) -> [LabelSet.Value] { values(of: [set])[0] }

    func values(of sets: [LabelSet]) -> [[LabelSet.Value]] {
        contents.withLock { contents in sets.map { contents.sets[Int($0.number)] } }
    }
}
