internal import Glibc

/// The purchases of one date and some cases, by what they may have in common: what lost orders are explained from.
/// See docs/spec/why.md#tables.
///
/// A row is a purchase or an orphan receipt. Each dimension has a dictionary of its values, and each row a number for
/// each. Rows are added at the end; `settle` sorts them, so that the same purchases make the same bytes.
public struct DateTable: Sendable {
    /// The date of purchase in the shop's zone.
    public let date: BusinessDate
    /// The labels that some row has a value of.
    public private(set) var labels: [String] = []
    /// The case of each row.
    private(set) var cases: [CaseID] = []
    /// Fate, amount and the ends of ids, the stored dimensions, then the labels.
    private(set) var columns: [Column]
    public init(of date: BusinessDate) {
        self.date = date
        columns = Array(repeating: Column(), count: Self.firstLabel)
    }

    /// A table of these purchases.
    init(of date: BusinessDate, _ purchases: PurchaseRows) {
        self.init(of: date)
        add(purchases)
    }

    /// What bytes hold.
    init(of date: BusinessDate, labels: [String], cases: [CaseID], columns: [Column]) {
        (self.date, self.labels, self.cases, self.columns) = (date, labels, cases, columns)
    }

    static let fate = 0
    static let amount = 1
    static let transactionEnd = 2
    static let orderEnd = 3
    static let firstDimension = 4
    static let currency = firstDimension + Dimension.stored.firstIndex(of: .currency)!
    static let firstLabel = firstDimension + Dimension.stored.count

    var rows: Int { cases.count }

    mutating func add(_ purchases: PurchaseRows) {
        let (added, groups) = (purchases.rows, purchases.groups)
        let sets = SetsOfLabels(groups)
        for name in sets.names where name != LabelSet.appVersion { addLabel(name) }
        columns[Self.fate].append(added.lazy.map { Int($0.fate) }, of: PurchaseFate.packedSize) { UInt64($0) }
        var next = Self.amount
        func put(_ value: (PurchaseRows.Group) -> UInt64) {
            columns[next].append(added.lazy.map { Int($0.group) }, of: groups.count) { value(groups[$0]) }
            next += 1
        }
        func putLabel(_ name: String) {
            let texts = sets.texts(of: name)
            columns[next].append(added.lazy.map { sets.numbers[Int($0.group)] }, of: texts.count) { texts[$0] }
            next += 1
        }
        put { UInt64(bitPattern: $0.minor) }
        columns[Self.transactionEnd].append(added.lazy.map { Int($0.transactionEnd.number) }, of: 256) { UInt64($0) }
        columns[Self.orderEnd].append(added.lazy.map { Int($0.orderEnd.number) }, of: 256) { UInt64($0) }
        next = Self.firstDimension
        put(\.product.bits)
        put(\.productType.bits)
        put(\.storefront.bits)
        put(\.currency.bits)
        put(\.app.bits)
        putLabel(LabelSet.appVersion)
        put(\.cause.bits)
        columns[next].append(added.lazy.map(\.hour), of: PurchaseRows.noHour + 1) {
            ($0 == PurchaseRows.noHour ? .absent : CountedPurchase.hours[$0]).bits
        }
        next += 1
        for name in labels { putLabel(name) }
        cases += added.map(\.caseID)
    }

    /// Adds a column unless the label has one. The rows so far have no value there.
    private mutating func addLabel(_ name: String) {
        if labels.contains(name) { return }
        labels.append(name)
        columns.append(Column(noValues: rows))
    }

    /// Adds the rows of another table of the same date.
    mutating func add(_ other: DateTable) {
        precondition(other.date == date, "a table of another date")
        for name in other.labels { addLabel(name) }
        for (index, column) in other.columns.enumerated() {
            let label = index - Self.firstLabel
            let target = label < 0 ? index : Self.firstLabel + labels.firstIndex(of: other.labels[label])!
            columns[target].append(column.codes.lazy.map { Int($0) }, of: column.values.count) { column.values[$0] }
        }
        cases += other.cases
        for index in columns.indices { columns[index].fill(to: rows) }
    }

    /// Removes the rows of these cases.
    mutating func remove(_ removed: Set<CaseID>) {
        let kept = cases.indices.filter { !removed.contains(cases[$0]) }
        if kept.count < rows { keep(kept) }
    }

    /// Keeps these rows, in this order.
    private mutating func keep(_ kept: [Int]) {
        cases = kept.map { cases[$0] }
        for index in columns.indices { columns[index].keep(kept) }
    }

    /// What the purchases can be compared by, without the weekday: one for each column from `firstDimension` on.
    public var dimensions: [Dimension] { Dimension.stored + labels.map(Dimension.label) }

    /// Sorts labels, values and rows, and forgets values and labels without a row.
    mutating func settle() {
        for index in columns.indices { columns[index].sort(asNumbers: index < Self.firstDimension) }
        let named = labels.indices.filter { columns[Self.firstLabel + $0].hasValues }
            .ordered { labels[$0].isBefore(labels[$1]) }
        columns = columns[..<Self.firstLabel] + named.map { columns[Self.firstLabel + $0] }
        labels = named.map { labels[$0] }
        if zip(cases, cases.dropFirst()).allSatisfy({ $0 < $1 }) { return }
        let keys = RowKeys(columns, rows: rows)
        keep(cases.indices.ordered { cases[$0] == cases[$1] ? keys.isLess($0, $1) : cases[$0] < cases[$1] })
    }

    /// How long the customers waited.
    var delays: DelayHistogram {
        let fates = columns[Self.fate]
        let buckets = fates.values.map { PurchaseFate(packed: $0)?.delay }
        return DelayHistogram(buckets: fates.codes.lazy.compactMap { buckets[Int($0)] })
    }
}

/// The sets of labels that groups of purchases have, by label. Most groups have a set that others have, too.
private struct SetsOfLabels {
    /// The number of each group's set.
    let numbers: [Int]
    private(set) var names: [String] = []
    private let count: Int
    /// For each name, the bits of the value of each set.
    private var texts: [[UInt64]] = []

    init(_ groups: [PurchaseRows.Group]) {
        var known = NumberedValues<UInt64>()
        var sets: [LabelSet] = []
        numbers = groups.map { group in
            let number = known.number(of: group.labels.bits)
            if number == sets.count { sets.append(group.labels) }
            return number
        }
        count = sets.count
        for (number, values) in LabelSet.values(of: sets).enumerated() {
            // Most sets have the same names, in the same order.
            var place = -1
            for value in values {
                place += 1
                if place >= names.count || names[place] != value.name { place = self.place(of: value.name) }
                texts[place][number] = value.text.bits
            }
        }
    }

    private mutating func place(of name: String) -> Int {
        if let place = names.firstIndex(of: name) { return place }
        names.append(name)
        texts.append(Array(repeating: Identifier.absent.bits, count: count))
        return names.count - 1
    }

    func texts(of name: String) -> [UInt64] {
        names.firstIndex(of: name).map { texts[$0] } ?? Array(repeating: Identifier.absent.bits, count: count)
    }
}

/// A number for each row, which stands for a value in a dictionary.
struct Column: Sendable {
    private var known = NumberedValues<UInt64>()
    private(set) var codes: [UInt32] = []
    /// The bits of an identifier, the packed fate, or minor units.
    var values: [UInt64] { known.values }

    init() {}

    init(values: [UInt64], codes: [UInt32]) {
        known = NumberedValues(values)
        self.codes = codes
    }

    /// A column in which so many rows have no value.
    init(noValues rows: Int) {
        self.init(values: [Identifier.absent.bits], codes: Array(repeating: 0, count: rows))
    }

    var bitWidth: Int { Self.bitWidth(of: values.count) }
    static func bitWidth(of count: Int) -> Int { UInt32.bitWidth - UInt32(max(count, 1) - 1).leadingZeroBitCount }
    var hasValues: Bool { values != [] && values != [Identifier.absent.bits] }

    /// Appends a value for each of these numbers, which are below `count`.
    mutating func append(_ numbers: some Collection<Int>, of count: Int, value: (Int) -> UInt64) {
        var added = Array(repeating: UInt32.max, count: count)
        codes.reserveCapacity(codes.count + numbers.count)
        for number in numbers {
            if added[number] == .max { added[number] = code(of: value(number)) }
            codes.append(added[number])
        }
    }

    /// No value for all rows that the column lacks.
    mutating func fill(to rows: Int) {
        guard codes.count < rows else { return }
        codes += repeatElement(code(of: Identifier.absent.bits), count: rows - codes.count)
    }

    private mutating func code(of value: UInt64) -> UInt32 { UInt32(known.number(of: value)) }

    /// Gives the values their codes in ascending order: numbers by their size, identifiers by their bytes. Values that no
    /// row has are forgotten.
    mutating func sort(asNumbers: Bool) {
        var isUsed = Array(repeating: false, count: values.count)
        for code in codes { isUsed[Int(code)] = true }
        let used = values.indices.filter { isUsed[$0] }
        if !asNumbers { return rename(sortedByBytes(used)) }
        let numbers = used.map { (number: Int64(bitPattern: values[$0]), code: $0) }
        rename(numbers.sorted { $0.number < $1.number }.map(\.code))
    }

    /// Each text is read once, and compared as a whole: the comparison of identifiers reads both texts each time.
    private func sortedByBytes(_ codes: [Int]) -> [Int] {
        var bytes: [UInt8] = []
        let texts = codes.map { code in
            let start = bytes.count
            bytes += Identifier(bits: values[code]).text.utf8
            return (code: code, start: start, count: bytes.count - start)
        }
        return bytes.withUnsafeBytes { bytes in
            texts.ordered { left, right in
                let common = min(left.count, right.count)
                let order = memcmp(bytes.baseAddress! + left.start, bytes.baseAddress! + right.start, common)
                return order == 0 ? left.count < right.count : order < 0
            }.map(\.code)
        }
    }

    /// Keeps these rows, in this order.
    mutating func keep(_ rows: [Int]) { codes = rows.map { codes[$0] } }

    /// The value `order[code]` gets the code.
    private mutating func rename(_ order: [Int]) {
        guard !order.elementsEqual(values.indices) else { return }
        var names = Array(repeating: UInt32(0), count: values.count)
        for (code, old) in order.enumerated() { names[old] = UInt32(code) }
        for row in codes.indices { codes[row] = names[Int(codes[row])] }
        known = NumberedValues(order.map { values[$0] })
    }
}

/// The rows of a table as numbers of one or more words.
private struct RowKeys {
    private let words: Int
    private var keys: [UInt64]

    init(_ columns: [Column], rows: Int) {
        var places: [(word: Int, shift: UInt64)] = []
        var (word, free) = (0, 64)
        for column in columns {
            if column.bitWidth > free { (word, free) = (word + 1, 64) }
            free -= column.bitWidth
            places.append((word, UInt64(free)))
        }
        words = word + 1
        keys = Array(repeating: 0, count: rows * words)
        for (column, place) in zip(columns, places) {
            for (row, code) in column.codes.enumerated() {
                keys[row * words + place.word] |= UInt64(code) << place.shift
            }
        }
    }

    func isLess(_ left: Int, _ right: Int) -> Bool {
        for word in 0..<words where keys[left * words + word] != keys[right * words + word] {
            return keys[left * words + word] < keys[right * words + word]
        }
        return false
    }
}
