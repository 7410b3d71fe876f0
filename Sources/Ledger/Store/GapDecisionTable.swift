extension GapDecision: TableRow {
    static let table = SummedTable.gapDecisions
    static let blank = GapDecision(feed: "", date: .absent, isAccepted: false, by: "", at: 0, note: "")

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("feed", &feed, as: Verbatim())
        try fields.field("file_date", &date, as: Days())
        try fields.field("is_accepted", &isAccepted, as: Flag())
        try fields.field("by_whom", &by, as: Verbatim())
        try fields.field("at", &at, as: Number())
        try fields.field("note", &note, as: Verbatim())
    }
}

extension Ledger {
    /// What people decided about coverage gaps before run `run` took place, oldest first.
    public func gapDecisions(before run: RunID) throws -> [GapDecision] {
        try read(GapDecision.self, "WHERE run < ?1 ORDER BY rowid", with: run)
    }

    /// Records a decision that was made after run `run`. The next night takes it into account.
    public func write(_ decision: GapDecision, run: RunID) throws { try insert([OfRun(run: run, row: decision)]) }
}
