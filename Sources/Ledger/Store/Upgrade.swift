/// The steps that lead from the tables of one release to those of the next. The last one leads to `Schema.version`.
public struct UpgradeSteps: Sendable {
    /// Changes tables and their rows. It names them itself and never changes later, because `Schema` describes the
    /// newest version alone. Views, indexes and sums are made anew after the last step.
    public typealias Step = @Sendable (Connection) throws -> Void

    /// One step for each version since that of 1.0, the oldest that is brought along.
    public static let all = UpgradeSteps(steps: [])

    let steps: [Step]
    /// The version from which the first step leads.
    var oldest: Int64 { Schema.version - Int64(steps.count) }
}

extension Ledger {
    /// The version of its tables. 0 before the first run.
    public var version: Int64 { get throws { try connection.integer("PRAGMA user_version") ?? 0 } }

    /// Whether it is of an older version than this program.
    public var isOutdated: Bool { get throws { try 1..<Schema.version ~= version } }

    /// The business date of the last run, of a ledger of any version.
    public var lastDate: BusinessDate {
        get throws {
            var row = try connection.prepare("SELECT business_date FROM run ORDER BY id DESC LIMIT 1")
            if try row.step(), let date = BusinessDate(row.text(0)) { return date }
            throw LedgerError.damaged("its last run has no date")
        }
    }

    /// Proves a ledger of an older version: its file, and that the rows of every table are what was written.
    /// - Throws: `LedgerError.damaged`.
    public func checkOutdated() throws {
        let tables = try Checksums(self).tables.keys.sorted { $0.rawValue < $1.rawValue }
        if let problem = try (fileProblems() + checksumProblems(of: tables)).first {
            throw LedgerError.damaged(problem)
        }
    }

    /// Brings a ledger that `checkOutdated` has proven to this version, within the open transaction.
    ///
    /// - Parameter pause: is called between the parts, and may throw.
    /// - Throws: `LedgerError.damaged` if the result is not what this program writes; `SQLiteError`.
    public func upgrade(by steps: UpgradeSteps = .all, pause: () throws -> Void) throws {
        // A step may change what they refer to. Anything else, such as a trigger, is found at the end.
        for object in try objects().keys where object.hasPrefix("view ") || object.hasPrefix("index ") {
            let words = object.split(separator: " ", maxSplits: 1)
            try connection.execute("DROP \(words[0]) \"\(words[1].replacing("\"", with: "\"\""))\"")
        }
        // A step makes a table anew beside its former one, which it renames: references to it stay as they are.
        try connection.execute("PRAGMA legacy_alter_table = ON")
        for step in steps.steps.suffix(Int(Schema.version - (try version))) {
            try step(connection)
            try pause()
        }
        let wanted = try Ledger.inMemory().objects().sorted { $0.key < $1.key }
        for (object, statement) in wanted where !object.hasPrefix("table ") { try connection.execute(statement) }
        try connection.execute("PRAGMA user_version = \(Schema.version)")
        let before = checksums.tables
        try sumAnew()
        // The sums would hide a row that a step has lost.
        for table in SummedTable.evidence + Self.records
        where before[table]?.rows ?? 0 != checksums.tables[table]?.rows ?? 0 {
            throw LedgerError.damaged("the upgrade would change the number of rows of \(table.rawValue)")
        }
        try pause()
        if let problem = try problems().first { throw LedgerError.damaged(problem) }
        try pause()
    }

    /// What happened, beside the evidence.
    private static let records: [SummedTable] = [
        .run, .upkeep, .delivery, .gapDecisions, .exception, .events, .retryEntries, .retryAnswers, .retryReleases,
        .seals,
    ]

    /// Computes the sums of the tables, and of all cases, from their rows.
    func sumAnew() throws {
        try connection.execute("DELETE FROM case_sum; DELETE FROM table_sum")
        (checksums, caseSums, loadedSpellings) = (Checksums(), CaseSums(), nil)
        for table in SummedTable.allCases where table != .caseSums {
            var row = try connection.prepare(table.select)
            try add(&row, to: table)
        }
        try writeCaseSums()
        try writeChecksums()
    }
}
