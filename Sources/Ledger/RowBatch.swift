internal import Domain
internal import SQLite
internal import Scan

/// Rows of one table on their way into the ledger, spelled out side by side, so that one core can spell what another
/// writes. Values are added row by row, in the order of the columns.
///
/// Millions of texts are written a run; as a String each would be made, copied by SQLite and thrown away.
struct RowBatch: Sendable {
    private enum Kind: UInt8 { case null, integer, text, blob }

    private struct Cell {
        var kind: Kind
        /// Of a text or blob.
        var count: Int32 = 0
        /// The integer, or where in `bytes` the text or blob begins.
        var value: Int64 = 0
    }

    private let columns: Int
    private var cells: [Cell] = []
    private var bytes: [UInt8] = []
    private var used = 0
    /// Of the row that is being added.
    private var hash = RowHash()
    private(set) var sum = TableSum()

    /// - Parameter rows: about how many there will be, of `columns` columns each.
    init(rows: Int, columns: Int) {
        self.columns = columns
        cells.reserveCapacity(rows * columns)
        bytes = [UInt8](repeating: 0, count: rows * 128 + 64)
    }

    private mutating func addNull() {
        hash.addNull()
        add(Cell(kind: .null))
    }

    mutating func add(_ value: Int64?) {
        guard let value else { return addNull() }
        hash.add(value)
        add(Cell(kind: .integer, value: value))
    }

    mutating func add(_ word: StaticString) {
        add(.text, word.utf8CodeUnitCount) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        }
    }

    mutating func add(_ text: String) {
        var copy = text
        copy.withUTF8 { text in add(.text, text.count) { $0.copyMemory(from: UnsafeRawBufferPointer(text)) } }
    }

    mutating func add(_ id: Identifier?, _ reader: inout IdentifierReader) {
        guard let id else { return addNull() }
        while true {
            let count = bytes.withUnsafeMutableBytes { memory in
                reader.spell(id, into: UnsafeMutableRawBufferPointer(rebasing: memory[used...]))
            }
            if let count { return keep(.text, count) }
            makeRoom()
        }
    }

    mutating func add(_ token: Token?) {
        guard let token else { return addNull() }
        add(.text, 36) { token.spell(into: $0) }
    }

    mutating func add(_ currency: Currency?) {
        guard let currency else { return addNull() }
        add(.text, 3) { currency.spell(into: $0) }
    }

    mutating func add(_ digest: Digest256) {
        add(.blob, 32) { memory in
            memory.storeBytes(of: digest.words.0.bigEndian, toByteOffset: 0, as: UInt64.self)
            memory.storeBytes(of: digest.words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
            memory.storeBytes(of: digest.words.2.bigEndian, toByteOffset: 16, as: UInt64.self)
            memory.storeBytes(of: digest.words.3.bigEndian, toByteOffset: 24, as: UInt64.self)
        }
    }

    @inline(__always)
    private mutating func add(_ kind: Kind, _ count: Int, _ spell: (UnsafeMutableRawBufferPointer) -> Void) {
        while bytes.count - used < count { makeRoom() }
        bytes.withUnsafeMutableBytes { spell(UnsafeMutableRawBufferPointer(rebasing: $0[used..<used + count])) }
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
        hash = RowHash()
    }

    private mutating func makeRoom() { bytes += [UInt8](repeating: 0, count: bytes.count) }

    /// How many values were added.
    var count: Int { cells.count }

    /// Binds the values from `first` on, as many as `statement` has parameters; they are lent until it has run.
    func bind(_ first: Int, _ count: Int, to statement: inout Statement, _ memory: UnsafeRawBufferPointer) {
        for (parameter, cell) in zip(Int32(1)..., cells[first..<first + count]) {
            let start = Int(cell.value)
            switch cell.kind {
            case .null: statement.bindNull(parameter)
            case .integer: statement.bind(parameter, cell.value)
            case .text: statement.bind(parameter, lent: memory.part(start, start + Int(cell.count)))
            case .blob: statement.bind(parameter, lentBlob: memory.part(start, start + Int(cell.count)))
            }
        }
    }

    func withBytes(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows { try bytes.withUnsafeBytes(body) }
}

/// Inserts rows into one summed table, several by one statement: half of a single row's time is the statement's own.
struct RowInserter: ~Copyable {
    private static let rowsAtOnce = 16
    private let ledger: Ledger
    private let table: SummedTable
    private let columns: Int
    private var many: Statement
    private var one: Statement

    init(_ ledger: Ledger, _ table: SummedTable, columns: Int) throws {
        let row = "(" + Array(repeating: "?", count: columns).joined(separator: ",") + ")"
        let insert = "INSERT INTO " + table.rawValue + " VALUES "
        let many = try ledger.connection.prepare(
            insert + Array(repeating: row, count: Self.rowsAtOnce).joined(separator: ","))
        let one = try ledger.connection.prepare(insert + row)
        self.ledger = ledger
        self.table = table
        self.columns = columns
        self.many = many
        self.one = one
    }

    mutating func write(_ batch: RowBatch) throws {
        ledger.checksums.change(table) { $0 += batch.sum }
        try batch.withBytes { memory in
            var next = 0
            while next < batch.count {
                let isMany = batch.count - next >= columns * Self.rowsAtOnce
                let count = isMany ? columns * Self.rowsAtOnce : columns
                if isMany {
                    batch.bind(next, count, to: &many, memory)
                    try many.run()
                } else {
                    batch.bind(next, count, to: &one, memory)
                    try one.run()
                }
                next += count
            }
        }
    }
}
