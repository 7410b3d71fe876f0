/// As bytes: one form for each multiset of purchases. See docs/spec/why.md#table-bytes.
extension DateTable {
    /// The first byte of every table.
    private static let version: UInt8 = 1

    /// Rows in ascending order, each as what it does not share with the row before it: about 4 bytes a purchase.
    /// - Throws: `EngineError` if more was taken out of the table than was added.
    public func encode() throws -> [UInt8] {
        var table = self
        table.move(first: labels.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        try table.settle()
        var writer = PackedWriter()
        writer.write(UInt64(Self.version))
        writer.write(table.labels)
        for (index, column) in table.columns.enumerated() {
            if index < Self.firstDimension {
                writer.write(UInt64(column.values.count))
                for value in column.values { writer.write(Int64(bitPattern: value)) }
            } else {
                writer.write(column.values.map { Identifier(bits: $0).text })
            }
        }
        table.writeRows(&writer)
        return writer.bytes
    }

    private func writeRows(_ writer: inout PackedWriter) {
        writer.write(UInt64(counts.count))
        let widths = columns.map(\.bitWidth)
        let indexWidth = Self.indexWidth(columns.count)
        for row in counts.indices {
            let first = row == 0 ? 0 : columns.firstIndex { $0.codes[row] != $0.codes[row - 1] }!
            if row > 0 { writer.writeBits(of: UInt32(first), width: indexWidth) }
            for index in first..<columns.count {
                writer.writeBits(of: columns[index].codes[row], width: widths[index])
            }
            writer.writeCount(UInt32(counts[row]))
        }
        writer.endBits()
    }

    /// The bits that a column's number needs.
    private static func indexWidth(_ columns: Int) -> Int { Int.bitWidth - (columns - 1).leadingZeroBitCount }

    /// Reads a table that `encode` wrote.
    /// - Parameter labels: what `CountedPurchase.labels` will be; the table's other labels follow them.
    /// - Throws: `DamagedBytes` for anything that `encode` does not write.
    public init(of date: BusinessDate, labels: [String] = [], decoding bytes: [UInt8]) throws(DamagedBytes) {
        var reader = PackedReader(bytes)
        guard try reader.byte() == Self.version else { throw DamagedBytes() }
        self.init(of: date, labels: try reader.texts())
        guard self.labels.joined().utf8.allSatisfy({ $0 < 0x80 }) else { throw DamagedBytes() }
        var values: [[UInt64]] = []
        for index in columns.indices {
            values.append(try index < Self.firstDimension ? Self.numbers(&reader) : Self.identifiers(&reader))
        }
        guard values[Self.fate].allSatisfy({ PurchaseFate(packed: $0) != nil }) else { throw DamagedBytes() }
        try readRows(&reader, values)
        guard columns[Self.firstLabel...].allSatisfy(\.hasValues) else { throw DamagedBytes() }
        try reader.end()
        move(first: labels)
    }

    private static func numbers(_ reader: inout PackedReader) throws(DamagedBytes) -> [UInt64] {
        var numbers: [Int64] = []
        for _ in 0..<(try reader.count()) {
            let number = try reader.signed()
            guard numbers.last.map({ $0 < number }) ?? true else { throw DamagedBytes() }
            numbers.append(number)
        }
        return numbers.map { UInt64(bitPattern: $0) }
    }

    private static func identifiers(_ reader: inout PackedReader) throws(DamagedBytes) -> [UInt64] {
        try reader.texts().map { ($0.isEmpty ? Identifier.absent : Identifier($0)).bits }
    }

    /// A row that shares its first columns with the row before it has a greater value in the next, so rows ascend.
    private mutating func readRows(_ reader: inout PackedReader, _ values: [[UInt64]]) throws(DamagedBytes) {
        let number = try reader.number()
        guard number <= UInt64(reader.left) * 8 else { throw DamagedBytes() }
        let widths = values.map { Column(values: $0, codes: []).bitWidth }
        let indexWidth = Self.indexWidth(values.count)
        var codes = Array(repeating: [UInt32](), count: values.count)
        var isUsed = values.map { Array(repeating: false, count: $0.count) }
        var row = Array(repeating: UInt32(0), count: values.count)
        for place in 0..<Int(number) {
            let first = place == 0 ? 0 : Int(try reader.bits(indexWidth))
            guard first < values.count else { throw DamagedBytes() }
            let before = row[first]
            for index in first..<values.count {
                row[index] = try reader.bits(widths[index])
                guard row[index] < values[index].count else { throw DamagedBytes() }
                isUsed[index][Int(row[index])] = true
            }
            guard place == 0 || row[first] > before else { throw DamagedBytes() }
            for index in values.indices { codes[index].append(row[index]) }
            counts.append(Int(try reader.positiveCount()))
        }
        guard isUsed.allSatisfy({ $0.allSatisfy(\.self) }) else { throw DamagedBytes() }
        columns = zip(values, codes).map { Column(values: $0, codes: $1) }
    }
}
