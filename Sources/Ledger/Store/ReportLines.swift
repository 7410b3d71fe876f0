internal import Foundation

extension RefundLine: TableRow {
    static let table = SummedTable.refundLines

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("transaction_id", &transaction, as: Verbatim())
        try fields.field("product_id", &product, as: Verbatim())
        try fields.field("account_id", &account, as: Verbatim())
        try fields.field("purchased_at", &purchasedAt, as: Since1970())
        try fields.field("revoked_at", &revokedAt, as: Since1970())
        try fields.field("kind", &kind, as: Word())
        try fields.field("reason", &reason, as: Number())
        try fields.field("percentage", &percentage, as: Number())
        try fields.money(&amount)
        try fields.field("verdict", &verdict, as: Word())
        try fields.field("cause", &cause, as: Word())
    }
}

extension RejectLine: TableRow {
    static let table = SummedTable.rejectedRows
    static let blank = RejectLine(Reject(line: 0, column: nil, reason: "", row: []), source: "")

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("source", &source, as: Verbatim())
        try fields.field("line", &reject.line, as: Number())
        try fields.field("column_name", &reject.column, as: Verbatim())
        try fields.field("kind", &reject.kind, as: Word())
        try fields.field("reason", &reject.reason, as: Verbatim())
        // `prune` deletes the text.
        var bytes: [UInt8]? = reject.row
        try fields.field("row", &bytes, as: Blob())
        reject.row = bytes ?? []
    }
}

/// The loss report of a night, as JSON. It is not part of the run's row, which is in the chain, because `prune` takes the
/// labels out of it.
struct StoredLoss: TableRow {
    private(set) var report: String

    static let table = SummedTable.lossReports
    static let blank = StoredLoss(report: "")

    private init(report: String) { self.report = report }
    init(_ loss: LossReport) throws { report = try JSONEncoder.exact.text(of: loss) }

    var decoded: LossReport { get throws { try JSONDecoder().value(of: report) } }

    mutating func describe<Fields: FieldVisitor & ~Copyable>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.field("report", &report, as: Verbatim())
    }
}
