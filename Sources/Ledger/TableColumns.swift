/// The columns of one table, in the order of its CREATE TABLE: the raw value of a column is its position in a row.
///
/// Statements that write a table and those that read it both use these cases, so they name their columns. A case has
/// the column's name in camel case. `ColumnTests` compares every list with the schema.
protocol TableColumn: RawRepresentable<Int32>, CaseIterable, Hashable, Sendable where AllCases == [Self] {
    static var tableName: String { get }
}

/// The columns of a table whose rows are covered by a sum.
protocol SummedColumn: TableColumn {
    static var summed: SummedTable { get }
}

extension SummedColumn {
    static var tableName: String { summed.rawValue }
}

/// The columns of a table whose rows came from a file.
protocol SourceColumn: TableColumn {
    static var delivery: Self { get }
    static var line: Self { get }
    static var fileDate: Self { get }
}

extension TableColumn {
    /// The column's name in the schema: `accountID` is `account_id`.
    var name: String {
        var name = ""
        var isInWord = false
        for character in String(describing: self) {
            if character.isUppercase, isInWord { name += "_" }
            isInWord = !character.isUppercase
            name += character.lowercased()
        }
        return name
    }

    static var names: [String] { allCases.map(\.name) }
}

enum RunColumn: Int32, SummedColumn {
    static let summed = SummedTable.run
    case id, businessDate, asOf, horizon, policy, version, folder, folderDigest, events, decisions, link, report,
        evidence, evidenceLink

    /// All columns but the report, which is long.
    static let record = allCases.filter { $0 != .report }
}

enum TableSumColumn: Int32, TableColumn {
    static let tableName = "table_sum"
    case name, rows, sum
}

enum UpkeepColumn: Int32, SummedColumn {
    static let summed = SummedTable.upkeep
    case run, kind, byWhom, at, note
}

enum GapDecisionColumn: Int32, SummedColumn {
    static let summed = SummedTable.gapDecisions
    case run, feed, fileDate, isAccepted, byWhom, at, note
}

enum DeliveryColumn: Int32, SummedColumn {
    static let summed = SummedTable.delivery
    case id, run, kind, name, fileDate, digest, device, inode, bytes, modified, changed
    case rows, accepted, duplicates, rejected
}

enum ArrivalColumn: Int32, SummedColumn {
    static let summed = SummedTable.arrival
    case feed, fileDate, run
}

enum RejectedRowColumn: Int32, SummedColumn {
    static let summed = SummedTable.rejectedRows
    case run, source, line, columnName, reason, row
}

enum RefundLineColumn: Int32, SummedColumn {
    static let summed = SummedTable.refundLines
    case run, number, transactionID, productID, accountID, purchasedAt, revokedAt, kind, reason, percentage
    case amount, currency, verdict, cause
}

enum ProductColumn: Int32, SummedColumn, SourceColumn {
    static let summed = SummedTable.product
    case productID, validFrom, validTo, type, name, amount, currency, delivery, line, fileDate
}

enum SpellingColumn: Int32, SummedColumn {
    static let summed = SummedTable.spellings
    case id, text, digits
}

enum IdentifierSegmentColumn: Int32, SummedColumn {
    static let summed = SummedTable.segments
    case id, keys
}

enum IdentifierBlockColumn: Int32, SummedColumn {
    static let summed = SummedTable.blocks
    case segment, first, entries, proof
}

enum IdentifierFilterColumn: Int32, SummedColumn {
    static let summed = SummedTable.filters
    case segment, last, first, bits, proof
}

enum CaseSumColumn: Int32, SummedColumn {
    static let summed = SummedTable.caseSums
    case block, sums
}

enum TokenOwnerColumn: Int32, TableColumn {
    static let tableName = "token_owner"
    case token, accountID, orders, proof
}

enum UnlinkedKeyColumn: Int32, TableColumn {
    static let tableName = "loose_end"
    case hash, caseFile
}

enum LedgerFactColumn: Int32, SummedColumn {
    static let summed = SummedTable.facts
    case kind, key, value
}

enum WatchColumn: Int32, SummedColumn {
    static let summed = SummedTable.watch
    case caseFile
}

enum OrderLookupColumn: Int32, SummedColumn {
    static let summed = SummedTable.orderLookups
    case emailedOrderID, transactionID, delivery, line
}

enum VerifiedSignatureColumn: Int32, SummedColumn {
    static let summed = SummedTable.signatures
    case digest
}

enum TallyColumn: Int32, SummedColumn {
    static let summed = SummedTable.tally
    case verdict, cause, currency, subjects, amount
}

enum PurchaseTallyColumn: Int32, SummedColumn {
    static let summed = SummedTable.purchases
    case purchaseDate, fulfilment, currency, purchases, amount
}

enum ExceptionColumn: Int32, SummedColumn {
    static let summed = SummedTable.exception
    case id, caseFile, kind, key, state, isBooked, firstSeen, verdict, cause, amount, currency, facts
}

enum ExceptionKeyColumn: Int32, SummedColumn {
    static let summed = SummedTable.exceptionKeys
    case exception, kind, key
}

enum ExceptionEventColumn: Int32, SummedColumn {
    static let summed = SummedTable.events
    case exception, run, number, state, verdict, cause, amount, currency, byWhom, at, note
}

enum ExceptionRowColumn: Int32, SummedColumn {
    static let summed = SummedTable.exceptionRows
    case exception, run, row
}

enum RetryEntryColumn: Int32, SummedColumn {
    static let summed = SummedTable.retryEntries
    case entryKey, exception, state, isDemanded, attempts, round, due, lastEmitted, firstEmitted, isReleased
    case deadReason, deadSince, answer, answeredAt, message, facts
}

enum RetryAnswerColumn: Int32, SummedColumn {
    static let summed = SummedTable.retryAnswers
    case entryKey, at, outcome, message, delivery, line
}

enum RetryReleaseColumn: Int32, SummedColumn {
    static let summed = SummedTable.retryReleases
    case entryKey, run, byWhom, at, note
}

enum RetryLineColumn: Int32, SummedColumn {
    static let summed = SummedTable.retryLines
    case id, list, entryKey, sinceRun, untilRun, line
}

enum MonthSealColumn: Int32, SummedColumn {
    static let summed = SummedTable.seals
    case period, calendar, run, closedAfter, sealedAt, byWhom, digest, report, known, folder, folderDigest, language
}

// The views that show packed tables in plain text and numbers. Their columns are an interface; these are read here.

enum OrderColumn: Int32, TableColumn {
    static let tableName = "backend_order"
    case id, delivery, orderID, amount, currency, appAccountToken
}

enum CreditColumn: Int32, TableColumn {
    static let tableName = "backend_credit"
    case delivery, creditID
}

enum TransactionColumn: Int32, TableColumn {
    static let tableName = "apple_transaction"
    case id, purchasedAt, failure
}

enum ReceiptColumn: Int32, TableColumn {
    static let tableName = "client_receipt"
    case delivery, receiptID, content
}

enum SubjectColumn: Int32, TableColumn {
    static let tableName = "subject"
    case id
}
