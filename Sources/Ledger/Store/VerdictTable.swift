public import Domain
public import Engine
internal import SQLite

extension Ledger {
    public func tally() throws -> Tally {
        var tally = Tally()
        var statement = try connection.prepare("SELECT verdict, cause, currency, subjects, amount FROM tally")
        while try statement.step() {
            guard let verdict = Verdict(rawValue: statement.text(0)), let cause = Cause(rawValue: statement.text(1))
            else {
                throw LedgerError.damaged("the tally names an unknown verdict")
            }
            let key = Tally.Key(
                verdict: verdict, cause: cause, currency: Currency(statement.text(2)) ?? Money.absent.currency)
            let subjects = try statement.whole(1..<1 << 48 ~= statement.integer(3) ? Int(statement.integer(3)) : nil)
            tally.entries[key] = CountAndAmount(count: subjects, minor: statement.integer(4))
        }
        return tally
    }

    public func replaceTally(_ tally: Tally) throws {
        var old = try connection.prepare("DELETE FROM tally RETURNING *")
        try remove(&old, from: .tally)
        var statement = try connection.prepare("INSERT INTO tally VALUES (?1,?2,?3,?4,?5) RETURNING *")
        for (key, value) in tally.entries {
            statement.bind(1, key.verdict.rawValue)
            statement.bind(2, key.cause.rawValue)
            statement.bind(3, key.currency == Money.absent.currency ? "" : key.currency.text)
            statement.bind(4, Int64(value.count))
            statement.bind(5, value.minor)
            try add(&statement, to: .tally)
        }
    }

    /// The recorded verdicts of those of these cases that have any, in the order of their rows.
    public func verdicts(of cases: Set<Int64>) throws -> [Int64: [StoredVerdict]] {
        var found: [Int64: [StoredVerdict]] = [:]
        var statement = try connection.prepare(
            """
            SELECT kind, key, verdict, cause, flags, amount, currency FROM subject WHERE id >= ?1 AND id < ?2 ORDER BY id
            """)
        for number in cases.sorted() {
            statement.bind(1, number << 24)
            statement.bind(2, (number + 1) << 24)
            while try statement.step() { found[number, default: []].append(try StoredVerdict(statement)) }
        }
        return found
    }

    public func clearVerdicts(of cases: some Sequence<Int64>) throws {
        var old = try connection.prepare("SELECT * FROM subject WHERE id >= ?1 AND id < ?2")
        var statement = try connection.prepare("DELETE FROM subject WHERE id >= ?1 AND id < ?2")
        for number in cases.sorted() {
            old.bind(1, number << 24)
            old.bind(2, (number + 1) << 24)
            try remove(&old, from: .subject)
            statement.bind(1, number << 24)
            statement.bind(2, (number + 1) << 24)
            try statement.run()
        }
    }

    public func clearAllVerdicts() throws {
        try connection.execute("DELETE FROM subject")
        checksums.change(.subject) { $0 = TableSum() }
    }

    /// Looks every night at `open`, and no more at the others of `cases`; nil: of all.
    public func setOpen(_ open: Set<Int64>, among cases: Set<Int64>?) throws {
        let before = try openCases()
        var old = try connection.prepare("DELETE FROM watch WHERE case_file = ?1 RETURNING *")
        for number in (cases?.intersection(before) ?? before).subtracting(open).sorted() {
            old.bind(1, number)
            try remove(&old, from: .watch)
        }
        var new = try connection.prepare("INSERT INTO watch VALUES (?1) RETURNING *")
        for number in open.subtracting(before).sorted() {
            new.bind(1, number)
            try add(&new, to: .watch)
        }
    }
}

/// Verdicts as rows of the ledger.
public struct VerdictRows: Sendable {
    fileprivate static let columns = 8
    fileprivate var subjects: RowBatch
    private var identifiers = IdentifierReader()

    /// - Parameter cases: how many there will be, most of one verdict.
    public init(cases: Int) { subjects = RowBatch(rows: cases, columns: Self.columns) }

    public var count: Int { subjects.count / Self.columns }

    public mutating func add(
        _ key: SubjectKey, _ verdict: Verdict, _ cause: Cause, _ flags: Flags, _ amount: Money?, in caseID: Int64,
        number: Int
    ) {
        subjects.add(caseID << 24 | Int64(number))
        subjects.add(Int64(key.kind.rawValue))
        subjects.add(key.id, &identifiers)
        subjects.add(verdict.rawValue)
        subjects.add(cause.rawValue)
        subjects.add(Int64(flags.rawValue))
        subjects.add(amount?.minor)
        subjects.add(amount?.currency)
    }
}

/// Writes verdicts into the ledger.
public struct VerdictWriter: ~Copyable {
    private var subject: RowInserter

    public init(_ ledger: Ledger) throws {
        let subject = try RowInserter(ledger, .subject, columns: VerdictRows.columns)
        self.subject = subject
    }

    public mutating func write(_ rows: VerdictRows) throws { try subject.write(rows.subjects) }
}
