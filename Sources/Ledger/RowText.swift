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

/// A statement that rows are written by, column by column.
struct RowWriter: ~Copyable {
    private var statement: Statement
    private var texts = RowText()
    private var identifiers = IdentifierReader()

    init(_ ledger: Ledger, _ sql: String) throws {
        let statement = try ledger.connection.prepare(sql)
        self.statement = statement
    }

    mutating func bind(_ column: Int32, _ value: Int64?) { statement.bind(column, value) }
    mutating func bind(_ column: Int32, _ word: StaticString) { statement.bind(column, constant: word) }
    mutating func bind(_ column: Int32, text: String) { statement.bind(column, text) }
    mutating func bind(_ column: Int32, _ digest: Digest256) { statement.bind(column, lentBlob: texts.copy(digest)) }

    mutating func bind(_ column: Int32, _ id: Identifier?) {
        guard let id else { return statement.bindNull(column) }
        // A text too long for the row's memory can only come from an older ledger.
        if let text = texts.spell(id, &identifiers) {
            statement.bind(column, lent: text)
        } else {
            statement.bind(column, identifiers.text(of: id))
        }
    }

    mutating func bind(_ column: Int32, _ token: Token?) {
        guard let token else { return statement.bindNull(column) }
        statement.bind(column, lent: texts.spell(token))
    }

    mutating func bind(_ column: Int32, _ currency: Currency?) {
        guard let currency else { return statement.bindNull(column) }
        statement.bind(column, lent: texts.spell(currency))
    }

    /// Writes the row.
    mutating func write() throws {
        try statement.run()
        texts.begin()
    }
}
