/// Records read from a table, in its order. Each has facts kept as JSON, which take longer to read than the rest of the
/// row: so the facts of some thousand rows at a time are read on several cores.
struct FactsReading<Record, Facts: MemberRecord & Sendable> {
    private let facts: WritableKeyPath<Record, Facts>
    private let threads: Int
    private var records: [Record] = []
    /// The facts of the last records, still to be read.
    private var texts: [String] = []

    /// - Parameter facts: where a record has its facts.
    init(_ facts: WritableKeyPath<Record, Facts>, threads: Int) {
        self.facts = facts
        self.threads = threads
    }

    /// Adds a record. What it has for facts is replaced by those of the text, at the latest in `finish`.
    mutating func add(_ record: Record, _ text: String) throws {
        records.append(record)
        texts.append(text)
        if texts.count == 8192 { try read() }
    }

    mutating func finish() throws -> [Record] {
        try read()
        return records
    }

    private mutating func read() throws {
        let read = concurrentMap(threads: threads, texts.count, atOnce: 512) { [texts] number in
            Result { try Facts(recordText: texts[number]) }
        }
        let first = records.count - texts.count
        for (number, facts) in read.enumerated() { records[first + number][keyPath: self.facts] = try facts.get() }
        texts.removeAll(keepingCapacity: true)
    }
}
