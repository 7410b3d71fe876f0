/// The purchases of one date, counted by what they have in common: what lost orders are explained from.
/// See docs/spec/why.md#tables.
///
/// A table is a multiset: the same purchases make the same table and the same bytes, whatever was added and removed on
/// the way. Each dimension has a dictionary of its values, and each row has a number for each. New rows are put at the
/// end; `settle` sorts and joins them.
public struct DateTable: Sendable {
    /// The date of purchase in the shop's zone.
    public let date: BusinessDate
    /// The shop's labels: those that the table was made with, in their order, then those of its bytes or of other
    /// tables that were added.
    public private(set) var labels: [String]
    /// Fate and amount, the stored dimensions, then the labels.
    var columns: [Column]
    /// How many purchases each row stands for. Negative where some were taken out and not yet settled.
    var counts: [Int] = []
    /// What the currencies are called in the dictionary.
    private var currencies: [Currency: Identifier] = [.absent: .absent]
    private static let hours = (0..<24).map { Identifier(String($0)) }
    /// Counts as no value.
    private static let emptyText = Identifier("")

    /// - Parameter labels: names in ASCII without doubles, in the order of `CountedPurchase.labels`.
    public init(of date: BusinessDate, labels: [String]) {
        self.date = date
        self.labels = labels
        columns = Array(repeating: Column(), count: Self.firstLabel + labels.count)
    }

    static let fate = 0
    static let amount = 1
    static let firstDimension = 2
    static let firstLabel = firstDimension + Dimension.stored.count

    public mutating func add(_ purchase: CountedPurchase) { append(purchase, count: 1) }

    /// Takes out a purchase that was added as exactly this.
    public mutating func remove(_ purchase: CountedPurchase) { append(purchase, count: -1) }

    private mutating func append(_ purchase: CountedPurchase, count: Int) {
        precondition(purchase.labels.count <= labels.count, "more values than labels")
        let amount = purchase.amount ?? .absent
        var next = Self.firstDimension
        func put(_ value: Identifier) {
            columns[next].append(value == Self.emptyText ? Identifier.absent.bits : value.bits)
            next += 1
        }
        columns[Self.fate].append(purchase.fate.packed)
        columns[Self.amount].append(UInt64(bitPattern: amount.minor))
        put(purchase.product)
        put(purchase.productType)
        put(purchase.storefront)
        put(name(of: amount.currency))
        put(purchase.app)
        put(purchase.appVersion)
        put(purchase.cause)
        put(purchase.hour.map { Self.hours[$0] } ?? .absent)
        for label in purchase.labels { put(label) }
        while next < columns.count { put(.absent) }
        counts.append(count)
    }

    private mutating func name(of currency: Currency) -> Identifier {
        if let name = currencies[currency] { return name }
        currencies[currency] = Identifier(currency.text)
        return currencies[currency]!
    }

    /// Adds the purchases of another table of the same date, such as those that another thread counted.
    public mutating func add(_ other: DateTable) {
        precondition(other.date == date, "a table of another date")
        addLabels(other.labels)
        for (index, column) in other.columns.enumerated() {
            let label = index - Self.firstLabel
            let target = label < 0 ? index : Self.firstLabel + labels.firstIndex(of: other.labels[label])!
            columns[target].append(column)
        }
        counts += other.counts
        for index in columns.indices { columns[index].fill(to: counts.count) }
    }

    /// Adds a column for each name that has none. No purchase has a value there.
    mutating func addLabels(_ names: [String]) {
        for name in names where !labels.contains(name) {
            labels.append(name)
            columns.append(Column())
            columns[columns.count - 1].fill(to: counts.count)
        }
    }

    /// What the purchases can be compared by, without the weekday: one for each column from `firstDimension` on.
    public var dimensions: [Dimension] { Dimension.stored + labels.map(Dimension.label) }

    /// Sorts the rows by their values, joins equal ones and forgets those that count nothing, and values and labels
    /// without a row.
    ///
    /// Rows are compared as one long number, in which every column has the bits that its dictionary needs.
    /// - Throws: `EngineError` if more was taken out than was added.
    mutating func settle() throws {
        for index in columns.indices { columns[index].sort(asNumbers: index < Self.firstDimension) }
        let keys = RowKeys(columns, rows: counts.count)
        var kept: [Int] = []
        for row in (0..<counts.count).sorted(by: { keys.isLess($0, $1) }) {
            if let last = kept.last, keys.isEqual(last, row) { counts[last] += counts[row] } else { kept.append(row) }
        }
        guard kept.allSatisfy({ 0...Int(UInt32.max) ~= counts[$0] }) else {
            throw EngineError.unproven("purchases of \(date.text) were taken out that were not counted")
        }
        kept.removeAll { counts[$0] == 0 }
        counts = kept.map { counts[$0] }
        for index in columns.indices { columns[index].keep(kept) }
        for index in labels.indices.reversed() where !columns[Self.firstLabel + index].hasValues {
            labels.remove(at: index)
            columns.remove(at: Self.firstLabel + index)
        }
    }

    /// Puts the columns of these labels before those of the others.
    mutating func move(first names: [String]) {
        addLabels(names)
        let order = names + labels.filter { !names.contains($0) }
        columns[Self.firstLabel...] = ArraySlice(order.map { columns[Self.firstLabel + labels.firstIndex(of: $0)!] })
        labels = order
    }
}

/// A number for each row, which stands for a value in a dictionary.
struct Column: Sendable {
    /// The bits of an identifier, the packed fate, or minor units.
    private(set) var values: [UInt64] = []
    private(set) var codes: [UInt32] = []
    private var known: [UInt64: UInt32] = [:]

    init() {}

    init(values: [UInt64], codes: [UInt32]) {
        self.values = values
        self.codes = codes
        known = Dictionary(uniqueKeysWithValues: zip(values, 0...))
    }

    var bitWidth: Int { UInt32.bitWidth - UInt32(max(values.count, 1) - 1).leadingZeroBitCount }
    var hasValues: Bool { values != [] && values != [Identifier.absent.bits] }

    mutating func append(_ value: UInt64) {
        // Many purchases have the value of the one before them.
        if let last = codes.last, values[Int(last)] == value {
            codes.append(last)
        } else {
            codes.append(code(of: value))
        }
    }

    mutating func append(_ other: Column) {
        let codes = other.values.map { code(of: $0) }
        self.codes += other.codes.map { codes[Int($0)] }
    }

    /// No value for all rows that the column lacks.
    mutating func fill(to rows: Int) {
        guard codes.count < rows else { return }
        codes += repeatElement(code(of: Identifier.absent.bits), count: rows - codes.count)
    }

    private mutating func code(of value: UInt64) -> UInt32 {
        if let code = known[value] { return code }
        let code = UInt32(values.count)
        known[value] = code
        values.append(value)
        return code
    }

    /// Gives the values their codes in ascending order: numbers by their size, identifiers by their bytes.
    mutating func sort(asNumbers: Bool) {
        let order =
            asNumbers
            ? values.indices.sorted { Int64(bitPattern: values[$0]) < Int64(bitPattern: values[$1]) }
            : values.indices.sorted { Identifier(bits: values[$0]) < Identifier(bits: values[$1]) }
        rename(order)
    }

    /// Keeps these rows, in this order, and the values that they have.
    mutating func keep(_ rows: [Int]) {
        codes = rows.map { codes[$0] }
        var isUsed = Array(repeating: false, count: values.count)
        for code in codes { isUsed[Int(code)] = true }
        rename(values.indices.filter { isUsed[$0] })
    }

    /// The value `order[code]` gets the code.
    private mutating func rename(_ order: [Int]) {
        guard !order.elementsEqual(values.indices) else { return }
        var names = Array(repeating: UInt32(0), count: values.count)
        for (code, old) in order.enumerated() { names[old] = UInt32(code) }
        self = Column(values: order.map { values[$0] }, codes: codes.map { names[Int($0)] })
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

    func isEqual(_ left: Int, _ right: Int) -> Bool {
        (0..<words).allSatisfy { keys[left * words + $0] == keys[right * words + $0] }
    }
}
