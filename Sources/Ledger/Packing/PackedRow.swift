/// A row of a packed table. Its id comes before its fields, and in evidence, `standing` does.
protocol PackedRow: TableRow {
    /// The position of the table in `Schema.packed`.
    static var place: Int { get }
}

/// What rows of other tables leave out, because the first row of the case has it.
struct FirstRows: Sendable {
    var order: Identifier?
    var account: Identifier?
    var transaction: Identifier?
    var token: Token?
}

/// A kind of evidence as rows.
protocol PackedEvidence: PackedRow, DescribedEvidence {
    /// Notes what other rows of the case leave out if this is the first row of its kind.
    func note(in first: inout FirstRows)
}

extension PackedEvidence {
    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try listFields(in: &fields)
    }

    func note(in first: inout FirstRows) {}
}

extension Transaction: PackedEvidence {
    static var table: SummedTable { .transactions }
    static var place: Int { 0 }

    func note(in first: inout FirstRows) {
        first.transaction = id
        first.token = token
    }
}

extension Order: PackedEvidence {
    static var table: SummedTable { .orders }
    static var place: Int { 1 }

    func note(in first: inout FirstRows) {
        first.order = id
        first.account = account
    }
}

extension Credit: PackedEvidence {
    static var table: SummedTable { .credits }
    static var place: Int { 2 }
}

extension Receipt: PackedEvidence {
    static var table: SummedTable { .receipts }
    static var place: Int { 3 }
}

extension StoredVerdict: PackedRow {
    static var table: SummedTable { .subject }
    static var place: Int { 4 }
    static let blank = StoredVerdict(
        subject: SubjectKey(.transaction, .absent), verdict: .matched, cause: .none, flags: [], amount: nil,
        outcome: nil)
    private static let verdicts = CaseWords(Verdict.allCases, \.rawValue)
    private static let causes = CaseWords(Cause.allCases, \.rawValue)

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        var (kind, key, bits) = (subject.kind, subject.id, flags.rawValue)
        try fields.field("kind", &kind, as: Code())
        try fields.field("key", &key, as: Spelled())
        subject = SubjectKey(kind, key)
        try fields.word("verdict", &verdict, of: Self.verdicts)
        try fields.word("cause", &cause, of: Self.causes)
        try fields.field("flags", &bits, as: Number())
        flags = Flags(rawValue: bits)
        try fields.money(&amount, in: CurrencyWord())
        var (date, fulfilment) = (outcome?.date.day, outcome?.fulfilment)
        try fields.field("purchase_date", &date, as: Number(0...2_932_896))
        try fields.field("fulfilment", &fulfilment, as: Code())
        outcome = date.flatMap { PurchaseOutcome(BusinessDate(day: $0), fulfilment ?? .waiting) }
    }
}
