/// Encodes rows, ready to be written (`CellBatch`).
struct FieldWriter: FieldVisitor, Sendable {
    /// The rows of packed tables, by the position of their table in `Schema.packed`. Of a table that is not packed, the new
    /// rows, then those that replace others.
    private(set) var batches: InlineArray<5, CellBatch>
    /// What 0 stands for in the case that is being added.
    var first = FirstRows()
    /// When the date of the row's file begins, in milliseconds since 1970.
    private(set) var midnight: Int64 = 0
    var identifiers = IdentifierReader()
    /// The keys by which look-ups find the evidence that was added since they were last removed.
    var keys: [Int64] = []
    /// Whether the row that is being added has the id of a receipt. Without one, its content identifies it.
    private var hasReceiptID = false
    /// The table of the row that is being added.
    private var place = 0
    private var spellings = Spellings()
    private let shared: SharedSpellings?

    /// For the rows of one table that is not packed.
    init<Row: TableRow>(_: Row.Type, rows: Int) {
        let columns = TableDefinition(Row.self).names.count
        batches = InlineArray { CellBatch(rows: $0 == 0 ? rows : 0, columns: columns) }
        shared = nil
    }

    /// The new rows of a table that is not packed, and those that replace the row with the same value in the first column.
    var new: CellBatch { batches[0] }
    var changed: CellBatch { batches[1] }

    /// For rows of packed tables. Takes the spellings; `end` gives them back.
    /// - Parameter rows: about how many rows will be added to each of `tables`.
    init(rows: Int, of tables: Range<Int>, _ shared: SharedSpellings) {
        batches = InlineArray { place in
            CellBatch(rows: tables.contains(place) ? rows : 0, columns: Schema.packed[place].names.count)
        }
        self.shared = shared
        spellings = shared.use { table in
            var taken = Spellings()
            swap(&taken, &table)
            return taken
        }
    }

    /// Ends the batch. No row can be added after it.
    mutating func end() { shared?.use { swap(&$0, &spellings) } }

    // MARK: Rows

    /// Adds a row of the table that is not packed.
    /// - Parameter known: the hash of the row that it replaces.
    mutating func add(_ row: some TableRow, replacing known: UInt64? = nil) {
        place = known == nil ? 0 : 1
        if let known { batches[1].replace(known) }
        var fields = row
        fields.describe(&self)
    }

    mutating func add(_ verdict: StoredVerdict, id: Int64) {
        place = StoredVerdict.place
        add(id)
        var fields = verdict
        fields.describe(&self)
    }

    /// Adds a row of evidence. Returns its hash.
    mutating func add<Row: PackedEvidence>(_ row: Row, id: Int64, isCurrent: Bool) -> UInt64 {
        place = Row.place
        add(id)
        add(isCurrent ? 1 : 0)
        hasReceiptID = false
        var fields = row
        fields.describe(&self)
        return batches[place].last
    }

    // MARK: Fields

    mutating func source(_ source: inout Provenance) {
        add(Int64(source.delivery.rawValue))
        add(Int64(source.line))
        midnight = source.fileDate.midnight
    }

    @inline(__always)
    mutating func field<P: Packing>(
        _: StaticString, _ value: inout P.Value?, as packing: P, isRequired: Bool
    ) throws(Never) {
        if let value { packing.write(value, to: &self) } else { batches[place].addNull() }
    }

    mutating func isFound(by kind: IdentifierKind, _ id: Identifier) {
        keys.append(identifiers.key(kind, id))
        if kind == .receipt { hasReceiptID = true }
    }

    mutating func isFound(by token: Token) { keys.append(IdentifierReader.key(of: token)) }

    mutating func isFound(by content: Digest256) {
        if !hasReceiptID { keys.append(IdentifierKind.receipt.hash(content.words.0)) }
    }

    // MARK: Values of the next column

    mutating func add(_ number: Int64) { batches[place].add(number) }
    mutating func add(_ text: String) { batches[place].add(text) }
    mutating func add(_ bytes: [UInt8]) { batches[place].add(bytes) }
    mutating func add(_ currency: Currency) { batches[place].add(currency) }
    mutating func add(_ token: Token) { batches[place].add(packed: token) }
    mutating func add(_ digest: Digest256) { batches[place].add(digest) }
    mutating func add(_ id: Identifier) { batches[place].add(id, &identifiers) }

    mutating func spell(_ id: Identifier, isWord: Bool) {
        if let number = isWord ? spellings.number(ofWord: id) : spellings.number(of: id) {
            batches[place].add(number)
        } else {
            batches[place].add(id, &identifiers)
        }
    }

    mutating func spell(_ labels: LabelSet) {
        switch spellings.spelling(of: labels) {
        case .number(let number): batches[place].add(number)
        case .text(let text, _): batches[place].add(text)
        }
    }

    mutating func spell(_ currency: Currency) { spell(spellings.word(currency), isWord: true) }
}
