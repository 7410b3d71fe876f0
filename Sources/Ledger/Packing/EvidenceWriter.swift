/// The evidence of some cases, converted to rows of the ledger case by case. If cases are added in ascending order,
/// their rows go to the end of each table, where SQLite inserts fastest.
///
/// Within a case, transactions come first, then orders, then the others, which leave out what those have (`Packing`).
struct EvidenceRows: Sendable {
    /// How many cases the rows are of.
    let cases: Int
    fileprivate var rows: FieldWriter
    /// The keys by which look-ups find the cases.
    fileprivate var keys: [CaseKey] = []
    /// The sum of row hashes of each case, for `CaseSums`.
    fileprivate var sums: [(caseID: CaseID, sum: UInt64)] = []
    private var caseID: CaseID = 0

    /// - Parameter cases: how many cases will be added.
    init(cases: Int, _ spellings: SharedSpellings) {
        self.cases = cases
        rows = FieldWriter(rows: cases, of: EvidenceWriter.places, spellings)
        keys.reserveCapacity(cases * 6)
        sums.reserveCapacity(cases)
    }

    /// Adds a row of evidence. `number` counts the rows of its kind in a case from 0.
    mutating func add<Row: PackedEvidence>(_ value: Row, in caseID: CaseID, number: Int, isCurrent: Bool) {
        precondition(number < CaseID.rowsMax, "a case has more than \(CaseID.rowsMax) rows of one kind")
        begin(caseID)
        if number == 0 { value.note(in: &rows.first) }
        sums[sums.count - 1].sum &+= rows.add(value, id: caseID.row(number), isCurrent: isCurrent)
    }

    private mutating func begin(_ next: CaseID) {
        if next == caseID { return }
        endCase()
        caseID = next
        rows.first = FirstRows()
        sums.append((next, 0))
    }

    /// Ends the case that is being added. Its keys are sorted first, because its evidence names the same few
    /// identifiers over and over.
    private mutating func endCase() {
        rows.keys.sort()
        for (index, key) in rows.keys.enumerated() where index == 0 || rows.keys[index - 1] != key {
            keys.append(CaseKey(key: key, caseID: caseID))
        }
        rows.keys.removeAll(keepingCapacity: true)
    }

    /// Ends the last case. No row can be added after it.
    mutating func end() {
        endCase()
        rows.end()
    }
}

/// Writes evidence, and the keys that find it, into the ledger.
struct EvidenceWriter: ~Copyable {
    /// The positions of the tables of evidence in `Schema.packed`.
    static let places = 0..<4

    private let ledger: Ledger
    private var inserters: InlineArray<4, RowInserter>
    private var keys: [CaseKey] = []
    private let segmentKeys = SegmentKeys()
    /// The keys that are being sorted and packed in the background while rows are written.
    private var segment: BackgroundTask<[SegmentBlock], Never>?
    private let threads: Int
    /// How many keys are sorted at a time. They take 64 MiB, as much again while they are sorted, and as much for the
    /// keys collected meanwhile.
    private static let keysMax = 1 << 22

    /// - Parameter cases: how many cases will be written.
    init(_ ledger: Ledger, cases: Int = 0, threads: Int = 1) throws {
        self.ledger = ledger
        inserters = try InlineArray { place in try RowInserter(ledger, Schema.packed[place]) }
        self.threads = threads
        keys.reserveCapacity(min(cases * 6, Self.keysMax + 1 << 16))
    }

    /// Writes whole cases, none of which was written before.
    mutating func write(_ rows: EvidenceRows) throws {
        for place in Self.places { try inserters[place].write(rows.rows.batches[place]) }
        for (caseID, sum) in rows.sums { try ledger.changeSum(ofCase: caseID, by: sum) }
        keys += rows.keys
        if keys.count >= Self.keysMax { try beginSegment() }
    }

    /// Writes the remaining keys, and merges segments.
    mutating func finish() throws {
        try beginSegment()
        try endSegment()
        // Segments are merged once at the end. A first load of ten million cases writes fifteen of them.
        try ledger.mergeSegments()
    }

    private mutating func beginSegment() throws {
        try endSegment()
        segmentKeys.take(&keys)
        segment = BackgroundTask(isConcurrent: threads > 1) { [segmentKeys] in segmentKeys.blocks() }
    }

    private mutating func endSegment() throws {
        if let segment { try ledger.writeSegment(segment.value()) }
        segment = nil
    }
}
