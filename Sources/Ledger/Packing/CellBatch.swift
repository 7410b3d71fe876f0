/// Rows of one table, encoded and ready to be written, so that one core can encode rows while another writes those
/// before. Values are added row by row, in the order of the columns.
///
/// A run writes millions of short texts. As a `String`, each would be allocated, copied by SQLite and freed. Here, the
/// bytes of all texts and blobs lie one after another in a single buffer. SQLite reads them from there (`lent`), so no
/// text is copied again. The hash of each row is computed as its values are added (`RowHash`), and the batch carries
/// what its rows change in the table's sum. A row that replaces another subtracts that one's hash first.
struct CellBatch: Sendable {
    fileprivate enum Kind: UInt8 { case null, integer, text, blob }

    fileprivate struct Cell: Equatable {
        var kind: Kind
        /// The number of bytes of a text or blob.
        var count: Int32 = 0
        /// The integer, or the offset in `bytes` at which the text or blob begins.
        var value: Int64 = 0
    }

    private let columns: Int
    private var cells: [Cell] = []
    private var bytes: [UInt8] = []
    private var used = 0
    /// The hash of the row that is being added, so far.
    private var hash = RowHash()
    /// What the rows change in the table's sum.
    private(set) var sum = TableSum()
    /// The hash of the row added last.
    private(set) var last: UInt64 = 0

    /// - Parameter rows: about how many rows of `columns` columns will be added.
    init(rows: Int, columns: Int) {
        self.columns = columns
        cells.reserveCapacity(rows * columns)
        bytes = [UInt8](repeating: 0, count: rows * 64 + 64)
    }

    mutating func addNull() {
        hash.addNull()
        add(Cell(kind: .null))
    }

    mutating func add(_ value: Int64) {
        hash.add(value)
        add(Cell(kind: .integer, value: value))
    }

    mutating func add(_ text: String) {
        var copy = text
        copy.withUTF8 { text in add(.text, bytes: text.count) { $0.copyMemory(from: UnsafeRawBufferPointer(text)) } }
    }

    mutating func add(_ blob: [UInt8]) {
        blob.withUnsafeBytes { blob in add(.blob, bytes: blob.count) { $0.copyMemory(from: blob) } }
    }

    /// Announces that the row being added replaces the one with this hash.
    mutating func replace(_ hash: UInt64) { sum.remove(hash) }

    mutating func add(_ id: Identifier, _ reader: inout IdentifierReader) {
        while true {
            let count = bytes.withUnsafeMutableBytes { memory in
                reader.write(id, into: UnsafeMutableRawBufferPointer(rebasing: memory[used...]))
            }
            if let count { return keep(.text, count) }
            makeRoom()
        }
    }

    /// Adds a token as a blob of 16 bytes.
    mutating func add(packed token: Token) {
        add(.blob, bytes: 16) { token.writePacked(into: $0) }
    }

    mutating func add(_ currency: Currency) {
        add(.text, bytes: 3) { currency.write(into: $0) }
    }

    mutating func add(_ digest: Digest256) {
        add(.blob, bytes: 32) { memory in
            memory.storeBytes(of: digest.words.0.bigEndian, toByteOffset: 0, as: UInt64.self)
            memory.storeBytes(of: digest.words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
            memory.storeBytes(of: digest.words.2.bigEndian, toByteOffset: 16, as: UInt64.self)
            memory.storeBytes(of: digest.words.3.bigEndian, toByteOffset: 24, as: UInt64.self)
        }
    }

    @inline(__always)
    private mutating func add(_ kind: Kind, bytes count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
        while bytes.count - used < count { makeRoom() }
        bytes.withUnsafeMutableBytes { write(UnsafeMutableRawBufferPointer(rebasing: $0[used..<used + count])) }
        keep(kind, count)
    }

    private mutating func keep(_ kind: Kind, _ count: Int) {
        bytes.withUnsafeBytes { hash.add($0.part(used, used + count)) }
        add(Cell(kind: kind, count: Int32(count), value: Int64(used)))
        used += count
    }

    private mutating func add(_ cell: Cell) {
        cells.append(cell)
        guard cells.count % columns == 0 else { return }
        sum.add(hash)
        last = hash.value
        hash = RowHash()
    }

    private mutating func makeRoom() { bytes += [UInt8](repeating: 0, count: bytes.count) }

    var count: Int { cells.count }

    var rows: Int { cells.count / columns }

    /// Whether the last row has all its values.
    var isWhole: Bool { cells.count % columns == 0 }

    /// Binds these values to the parameters. The bytes are lent until the statement has run.
    fileprivate func bind(_ values: Range<Int>, in memory: UnsafeRawBufferPointer, to row: inout BoundRow) {
        for value in values { row.bind(cells[value], in: memory, to: value - values.lowerBound) }
    }

    func withBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows { try bytes.withUnsafeBytes(body) }
}

/// A statement, and what its parameters hold. Integers and nulls that are the same as in the row before are not bound
/// again: half of a row's columns are.
private struct BoundRow: ~Copyable {
    private var statement: Statement
    private var bound: [CellBatch.Cell]

    init(_ statement: consuming Statement, parameters: Int) {
        self.statement = statement
        // Parameters that were not bound are null.
        bound = Array(repeating: CellBatch.Cell(kind: .null), count: parameters)
    }

    @inline(__always)
    mutating func bind(_ cell: CellBatch.Cell, in memory: UnsafeRawBufferPointer, to parameter: Int) {
        let isLent = cell.kind == .text || cell.kind == .blob
        if !isLent, bound[parameter] == cell { return }
        bound[parameter] = cell
        let number = Int32(parameter + 1)
        let start = Int(cell.value)
        switch cell.kind {
        case .null: statement.bindNull(number)
        case .integer: statement.bind(number, cell.value)
        case .text: statement.bind(number, lent: memory.part(start, start + Int(cell.count)))
        case .blob: statement.bind(number, lentBlob: memory.part(start, start + Int(cell.count)))
        }
    }

    mutating func run() throws { try statement.run() }
}

/// Writes rows into one table, up to 32 with one statement: for a single row, half of the time would be the
/// statement's own.
struct RowInserter: ~Copyable {
    private let ledger: Ledger
    private let table: SummedTable
    private let rowsAtOnce = 32
    private let columns: Int
    private var many: BoundRow
    private var one: BoundRow

    /// - Parameter replaces: a row replaces the one with the same value in the first column.
    init(_ ledger: Ledger, _ definition: TableDefinition, replaces: Bool = false) throws {
        let (table, names) = (definition.table, definition.names)
        let others = names.dropFirst().map { $0 + " = excluded." + $0 }.joined(separator: ", ")
        let end = replaces ? " ON CONFLICT (" + names[0] + ") DO UPDATE SET " + others : ""
        let row = "(" + Array(repeating: "?", count: names.count).joined(separator: ",") + ")"
        let insert = "INSERT INTO " + table.rawValue + " (" + names.joined(separator: ", ") + ") VALUES "
        let many = try ledger.connection.prepare(
            insert + Array(repeating: row, count: rowsAtOnce).joined(separator: ",") + end)
        let one = try ledger.connection.prepare(insert + row + end)
        self.ledger = ledger
        self.table = table
        columns = names.count
        self.many = BoundRow(many, parameters: names.count * rowsAtOnce)
        self.one = BoundRow(one, parameters: names.count)
    }

    mutating func write(_ batch: CellBatch) throws {
        assert(batch.isWhole, "the last row of \(table.rawValue) lacks a column")
        // Of the row of a run, a part is hashed (`Ledger.write`).
        if table != .run { ledger.checksums.change(table) { $0 += batch.sum } }
        try batch.withBytes { memory in
            var next = 0
            while next < batch.count {
                let isMany = batch.count - next >= columns * rowsAtOnce
                let count = isMany ? columns * rowsAtOnce : columns
                if isMany {
                    batch.bind(next..<next + count, in: memory, to: &many)
                    try many.run()
                } else {
                    batch.bind(next..<next + count, in: memory, to: &one)
                    try one.run()
                }
                next += count
            }
        }
    }
}
