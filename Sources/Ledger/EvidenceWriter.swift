package import Domain
internal import SQLite

/// Writes evidence case by case. Cases written in ascending order go to the end of each table.
package struct EvidenceWriter: ~Copyable {
    private let ledger: Ledger
    private var order: Statement
    private var credit: Statement
    private var transaction: Statement
    private var receipt: Statement
    private var entry: Statement
    private var entries: [(hash: Int64, caseFile: Int64)] = []
    /// Rows a kind and case: what the lower bits of a row's id can number.
    package static let rowsMax = 1 << 24

    package init(_ ledger: Ledger) throws {
        let place = { (count: Int) in (1...count).map { "?\($0)" }.joined(separator: ",") }
        let order = try ledger.connection.prepare("INSERT INTO backend_order VALUES (" + place(17) + ")")
        let credit = try ledger.connection.prepare("INSERT INTO backend_credit VALUES (" + place(14) + ")")
        let transaction = try ledger.connection.prepare("INSERT INTO apple_transaction VALUES (" + place(29) + ")")
        let receipt = try ledger.connection.prepare("INSERT INTO client_receipt VALUES (" + place(16) + ")")
        let entry = try ledger.connection.prepare("INSERT OR IGNORE INTO identifier VALUES (?1, ?2)")
        self.ledger = ledger
        self.order = order
        self.credit = credit
        self.transaction = transaction
        self.receipt = receipt
        self.entry = entry
    }

    private static func rowID(_ caseFile: Int64, _ number: Int) -> Int64 {
        precondition(number < rowsMax, "a case has more than \(rowsMax) rows of one kind")
        return caseFile << 24 | Int64(number)
    }

    private static func bindSource(_ source: Provenance, _ isStanding: Bool, _ statement: inout Statement) {
        statement.bind(2, isStanding ? 1 : 0)
        statement.bind(3, Int64(source.delivery))
        statement.bind(4, Int64(source.line))
        statement.bind(5, Int64(source.fileDate.day))
    }

    private func text(_ id: Identifier?) -> String? { id.map { ledger.identifiers.text(of: $0) } }

    package mutating func write(_ value: Order, in caseFile: Int64, number: Int, isStanding: Bool) throws {
        order.bind(1, Self.rowID(caseFile, number))
        Self.bindSource(value.source, isStanding, &order)
        order.bind(6, text(value.id))
        order.bind(7, text(value.account))
        order.bind(8, text(value.product))
        order.bind(9, Int64(value.quantity))
        order.bind(10, value.amount?.minor)
        order.bind(11, value.amount?.currency.text)
        order.bind(12, value.token?.text)
        order.bind(13, text(value.transaction))
        order.bind(14, text(value.bundle))
        order.bind(15, value.status.name)
        order.bind(16, value.createdAt.milliseconds)
        order.bind(17, value.updatedAt?.milliseconds)
        try order.run()
        ledger.identifiers.forEachKey(of: value) { entries.append(($0, caseFile)) }
    }

    package mutating func write(_ value: Credit, in caseFile: Int64, number: Int, isStanding: Bool) throws {
        credit.bind(1, Self.rowID(caseFile, number))
        Self.bindSource(value.source, isStanding, &credit)
        credit.bind(6, text(value.id))
        credit.bind(7, text(value.order))
        credit.bind(8, text(value.transaction))
        credit.bind(9, text(value.account))
        credit.bind(10, text(value.product))
        credit.bind(11, value.quantity.map(Int64.init))
        credit.bind(12, value.kind.name)
        credit.bind(13, value.origin.name)
        credit.bind(14, value.creditedAt.milliseconds)
        try credit.run()
        ledger.identifiers.forEachKey(of: value) { entries.append(($0, caseFile)) }
    }

    package mutating func write(_ value: Transaction, in caseFile: Int64, number: Int, isStanding: Bool) throws {
        transaction.bind(1, Self.rowID(caseFile, number))
        Self.bindSource(value.source, isStanding, &transaction)
        transaction.bind(6, text(value.id))
        transaction.bind(7, text(value.original))
        transaction.bind(8, text(value.line))
        transaction.bind(9, text(value.bundle))
        transaction.bind(10, text(value.product))
        transaction.bind(11, value.purchasedAt.milliseconds)
        transaction.bind(12, value.expiresAt?.milliseconds)
        transaction.bind(13, value.signedAt?.milliseconds)
        transaction.bind(14, value.token?.text)
        transaction.bind(15, value.price?.thousandths)
        transaction.bind(16, value.price?.currency.text)
        transaction.bind(17, Int64(value.quantity))
        transaction.bind(18, (value.type?.rawValue).map(Int64.init))
        transaction.bind(19, Int64(value.environment.rawValue))
        transaction.bind(20, Int64(value.ownership.rawValue))
        transaction.bind(21, value.isUpgraded ? 1 : 0)
        transaction.bind(22, text(value.storefront))
        let revocation = value.revocation
        transaction.bind(23, revocation?.at.milliseconds)
        transaction.bind(24, (revocation?.type.rawValue).map(Int64.init))
        transaction.bind(25, revocation?.reason.map(Int64.init))
        transaction.bind(26, revocation?.percentage.map(Int64.init))
        transaction.bind(27, Int64(value.proof.rawValue))
        transaction.bind(28, Int64(value.failure.rawValue))
        transaction.bind(29, value.isFromReceipt ? 1 : 0)
        try transaction.run()
        ledger.identifiers.forEachKey(of: value) { entries.append(($0, caseFile)) }
    }

    package mutating func write(_ value: Receipt, in caseFile: Int64, number: Int, isStanding: Bool) throws {
        receipt.bind(1, Self.rowID(caseFile, number))
        Self.bindSource(value.source, isStanding, &receipt)
        receipt.bind(6, text(value.givenID))
        receipt.bind(7, blob: value.content.bytes)
        receipt.bind(8, text(value.account))
        receipt.bind(9, text(value.order))
        receipt.bind(10, text(value.transaction))
        receipt.bind(11, text(value.product))
        receipt.bind(12, text(value.device))
        receipt.bind(13, value.receivedAt.milliseconds)
        receipt.bind(14, value.verifyStatus.map(Int64.init))
        receipt.bind(15, value.isRetryable.map { $0 ? 1 : 0 })
        receipt.bind(16, Int64(value.proof.rawValue))
        try receipt.run()
        ledger.identifiers.forEachKey(of: value) { entries.append(($0, caseFile)) }
    }

    /// Writes what look-ups need, sorted, so that the tree is filled from left to right.
    package mutating func finish() throws {
        entries.sort { ($0.hash, $0.caseFile) < ($1.hash, $1.caseFile) }
        var last: (hash: Int64, caseFile: Int64)?
        for item in entries where last == nil || item != last! {
            entry.bind(1, item.hash)
            entry.bind(2, item.caseFile)
            try entry.run()
            last = item
        }
        entries = []
    }
}
