/// As bytes: one form for each multiset of rows. See docs/spec/why.md#table-bytes.
extension DateTable {
    /// The first byte of every table.
    private static let version: UInt8 = 2

    /// Column by column: about 10 bytes a purchase.
    public func encode() -> [UInt8] {
        var table = self
        table.settle()
        var writer = PackedWriter()
        writer.write(UInt64(Self.version))
        table.writeCases(&writer)
        writer.write(table.labels)
        for (index, column) in table.columns.enumerated() {
            if index < Self.firstDimension {
                writer.write(UInt64(column.values.count))
                for value in column.values { writer.write(Int64(bitPattern: value)) }
            } else {
                writer.write(column.values.map { Identifier(bits: $0).text })
            }
        }
        for column in table.columns {
            let width = column.bitWidth
            for code in column.codes { writer.writeBits(of: code, width: width) }
        }
        writer.endBits()
        return writer.bytes
    }

    private func writeCases(_ writer: inout PackedWriter) {
        writer.write(UInt64(cases.count))
        guard let first = cases.first else { return }
        writer.write(first.rawValue)
        for (before, next) in zip(cases, cases.dropFirst()) {
            // The cases of a table lie in one block.
            writer.writeCount(UInt32(next.rawValue - before.rawValue + 1))
        }
        writer.endBits()
    }

    /// The cases of the rows of a table that `encode` wrote.
    static func cases(in bytes: [UInt8]) throws(DamagedBytes) -> [CaseID] {
        var reader = PackedReader(bytes)
        return try cases(&reader)
    }

    private static func cases(_ reader: inout PackedReader) throws(DamagedBytes) -> [CaseID] {
        guard try reader.byte() == Self.version else { throw DamagedBytes() }
        let count = try reader.number()
        guard count <= UInt64(reader.left) * 8 else { throw DamagedBytes() }
        var cases: [CaseID] = []
        cases.reserveCapacity(Int(count))
        if count > 0 {
            var last = CaseID(rawValue: try reader.signed())
            cases.append(last)
            for _ in 1..<Int(count) {
                let (next, overflow) = last.rawValue.addingReportingOverflow(Int64(try reader.positiveCount()) - 1)
                guard !overflow else { throw DamagedBytes() }
                last = CaseID(rawValue: next)
                cases.append(last)
            }
            try reader.endBits()
        }
        return cases
    }

    /// Reads a table that `encode` wrote.
    /// - Parameter wanted: the only columns whose rows are read; nil for all of them.
    /// - Throws: `DamagedBytes` for anything that `encode` does not write, as far as it is read.
    public init(
        of date: BusinessDate, decoding bytes: [UInt8], only wanted: Set<Int>? = nil
    ) throws(DamagedBytes) {
        var reader = PackedReader(bytes)
        let cases = try Self.cases(&reader)
        let labels = try reader.texts()
        guard labels.joined().utf8.allSatisfy({ $0 < 0x80 }) else { throw DamagedBytes() }
        var values: [[UInt64]] = []
        for index in 0..<Self.firstLabel + labels.count {
            values.append(try index < Self.firstDimension ? Self.numbers(&reader) : Self.identifiers(&reader))
        }
        guard values[Self.fate].allSatisfy({ PurchaseFate(packed: $0) != nil }),
            (values[Self.transactionEnd] + values[Self.orderEnd]).allSatisfy({ $0 <= UInt8.max })
        else { throw DamagedBytes() }
        var columns: [Column] = []
        for (index, values) in values.enumerated() {
            if wanted?.contains(index) == false {
                try reader.skip(cases.count, width: Column.bitWidth(of: values.count))
                columns.append(Column(values: values, codes: []))
            } else {
                columns.append(try Self.column(values, rows: cases.count, &reader))
            }
        }
        guard columns[Self.firstLabel...].allSatisfy(\.hasValues) else { throw DamagedBytes() }
        try reader.end()
        self.init(of: date, labels: labels, cases: cases, columns: columns)
        guard wanted != nil || areRowsSorted else { throw DamagedBytes() }
    }

    private static func column(
        _ values: [UInt64], rows: Int, _ reader: inout PackedReader
    ) throws(DamagedBytes) -> Column {
        // Most tables have columns with one value, which take no bits.
        if values.count == 1, rows > 0 { return Column(values: values, codes: Array(repeating: 0, count: rows)) }
        var codes: [UInt32] = []
        codes.reserveCapacity(rows)
        var isUsed = Array(repeating: false, count: values.count)
        let width = Column.bitWidth(of: values.count)
        for _ in 0..<rows {
            let code = try reader.bits(width)
            guard code < values.count else { throw DamagedBytes() }
            isUsed[Int(code)] = true
            codes.append(code)
        }
        guard isUsed.allSatisfy(\.self) else { throw DamagedBytes() }
        return Column(values: values, codes: codes)
    }

    /// Rows of one case are sorted by their codes.
    private var areRowsSorted: Bool {
        for row in 1..<max(rows, 1) where cases[row] == cases[row - 1] {
            let differing = columns.first { $0.codes[row] != $0.codes[row - 1] }
            if let differing, differing.codes[row] < differing.codes[row - 1] { return false }
        }
        return true
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
}
