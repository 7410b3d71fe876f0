internal import Domain
internal import SQLite

/// The texts of one row on their way into the ledger: spelled into memory that is used again for the next row.
///
/// Millions of texts are bound a run; as a String each would be made, copied by SQLite and thrown away.
struct RowText: ~Copyable {
    /// A row has fewer than ten identifiers of at most 256 bytes, a token and words.
    private static let capacity = 1 << 13
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 8)
    private var count = 0

    deinit { memory.deallocate() }

    /// Forgets the row before, which must have been written.
    mutating func begin() { count = 0 }

    private mutating func taken(_ bytes: Int) -> UnsafeRawBufferPointer {
        defer { count += bytes }
        return UnsafeRawBufferPointer(rebasing: memory[count..<count + bytes])
    }

    mutating func spell(_ id: Identifier, _ reader: inout IdentifierReader) -> UnsafeRawBufferPointer? {
        let free = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
        return reader.spell(id, into: free).map { taken($0) }
    }

    mutating func spell(_ token: Token) -> UnsafeRawBufferPointer {
        token.spell(into: UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + 36]))
        return taken(36)
    }

    mutating func spell(_ currency: Currency) -> UnsafeRawBufferPointer {
        currency.spell(into: UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + 3]))
        return taken(3)
    }

    mutating func copy(_ digest: Digest256) -> UnsafeRawBufferPointer {
        let words = [digest.words.0, digest.words.1, digest.words.2, digest.words.3]
        for (index, word) in words.enumerated() {
            memory.storeBytes(of: word.bigEndian, toByteOffset: count + index * 8, as: UInt64.self)
        }
        return taken(32)
    }
}

/// A statement that rows of a summed table are written by: every column, in order.
struct RowWriter: ~Copyable {
    private let ledger: Ledger
    private let table: SummedTable
    private var statement: Statement
    private var texts = RowText()
    private var identifiers = IdentifierReader()
    private var hash = RowHash()
    private var sum = TableSum()

    init(_ ledger: Ledger, _ table: SummedTable, _ sql: String) throws {
        let statement = try ledger.connection.prepare(sql)
        self.ledger = ledger
        self.table = table
        self.statement = statement
    }

    private mutating func bindNull(_ column: Int32) {
        hash.addNull()
        statement.bindNull(column)
    }

    private mutating func bind(_ column: Int32, lent text: UnsafeRawBufferPointer) {
        hash.add(text)
        statement.bind(column, lent: text)
    }

    mutating func bind(_ column: Int32, _ value: Int64?) {
        guard let value else { return bindNull(column) }
        hash.add(value)
        statement.bind(column, value)
    }

    mutating func bind(_ column: Int32, _ word: StaticString) {
        bind(column, lent: UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    mutating func bind(_ column: Int32, text: String) {
        var copy = text
        copy.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        statement.bind(column, text)
    }

    mutating func bind(_ column: Int32, _ digest: Digest256) {
        let bytes = texts.copy(digest)
        hash.add(bytes)
        statement.bind(column, lentBlob: bytes)
    }

    mutating func bind(_ column: Int32, _ id: Identifier?) {
        guard let id else { return bindNull(column) }
        // A text too long for the row's memory can only come from an older ledger.
        if let text = texts.spell(id, &identifiers) {
            bind(column, lent: text)
        } else {
            bind(column, text: identifiers.text(of: id))
        }
    }

    mutating func bind(_ column: Int32, _ token: Token?) {
        guard let token else { return bindNull(column) }
        bind(column, lent: texts.spell(token))
    }

    mutating func bind(_ column: Int32, _ currency: Currency?) {
        guard let currency else { return bindNull(column) }
        bind(column, lent: texts.spell(currency))
    }

    /// Writes the row.
    mutating func write() throws {
        try statement.run()
        texts.begin()
        sum.add(hash)
        hash = RowHash()
    }

    /// Adds the rows written to the table's sum.
    mutating func finish() {
        ledger.checksums.change(table) { $0 += sum }
        sum = TableSum()
    }
}
