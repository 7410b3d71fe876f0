package import Domain
internal import SQLite

/// Writes evidence case by case. Cases written in ascending order go to the end of each table.
package struct EvidenceWriter: ~Copyable {
    private let ledger: Ledger
    private var order: RowWriter
    private var credit: RowWriter
    private var transaction: RowWriter
    private var receipt: RowWriter
    private var identifiers = IdentifierReader()
    private var keys: [CaseKey] = []
    /// Of the case that is being written.
    private var own: [Int64] = []
    private var caseFile: Int64 = 0
    /// Rows a kind and case: what the lower bits of a row's id can number.
    package static let rowsMax = 1 << 24

    package init(_ ledger: Ledger) throws {
        let order = try RowWriter(
            ledger, .orders,
            "INSERT INTO backend_order VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17)")
        let credit = try RowWriter(
            ledger, .credits,
            "INSERT INTO backend_credit VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14)")
        let transaction = try RowWriter(
            ledger, .transactions,
            "INSERT INTO apple_transaction VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,"
                + "?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26,?27,?28,?29)")
        let receipt = try RowWriter(
            ledger, .receipts,
            "INSERT INTO client_receipt VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)")
        self.ledger = ledger
        self.order = order
        self.credit = credit
        self.transaction = transaction
        self.receipt = receipt
    }

    private static func rowID(_ caseFile: Int64, _ number: Int) -> Int64 {
        precondition(number < rowsMax, "a case has more than \(rowsMax) rows of one kind")
        return caseFile << 24 | Int64(number)
    }

    private static func bindSource(_ source: Provenance, _ isStanding: Bool, _ row: inout RowWriter) {
        row.bind(2, isStanding ? 1 : 0)
        row.bind(3, Int64(source.delivery))
        row.bind(4, Int64(source.line))
        row.bind(5, Int64(source.fileDate.day))
    }

    private mutating func begin(_ next: Int64) {
        if next == caseFile { return }
        endCase()
        caseFile = next
    }

    /// The evidence of a case names the same few identifiers over and over.
    private mutating func endCase() {
        own.sort()
        for (index, key) in own.enumerated() where index == 0 || own[index - 1] != key {
            keys.append(CaseKey(key: key, caseFile: caseFile))
        }
        own.removeAll(keepingCapacity: true)
    }

    package mutating func write(_ value: Order, in caseFile: Int64, number: Int, isStanding: Bool) throws {
        order.bind(1, Self.rowID(caseFile, number))
        Self.bindSource(value.source, isStanding, &order)
        order.bind(6, value.id)
        order.bind(7, value.account)
        order.bind(8, value.product)
        order.bind(9, Int64(value.quantity))
        order.bind(10, value.amount?.minor)
        order.bind(11, value.amount?.currency)
        order.bind(12, value.token)
        order.bind(13, value.transaction)
        order.bind(14, value.bundle)
        order.bind(15, value.status.word)
        order.bind(16, value.createdAt.milliseconds)
        order.bind(17, value.updatedAt?.milliseconds)
        try order.write()
        begin(caseFile)
        identifiers.forEachKey(of: value) { own.append($0) }
    }

    package mutating func write(_ value: Credit, in caseFile: Int64, number: Int, isStanding: Bool) throws {
        credit.bind(1, Self.rowID(caseFile, number))
        Self.bindSource(value.source, isStanding, &credit)
        credit.bind(6, value.id)
        credit.bind(7, value.order)
        credit.bind(8, value.transaction)
        credit.bind(9, value.account)
        credit.bind(10, value.product)
        credit.bind(11, value.quantity.map(Int64.init))
        credit.bind(12, value.kind.word)
        credit.bind(13, value.origin.word)
        credit.bind(14, value.creditedAt.milliseconds)
        try credit.write()
        begin(caseFile)
        identifiers.forEachKey(of: value) { own.append($0) }
    }

    package mutating func write(_ value: Transaction, in caseFile: Int64, number: Int, isStanding: Bool) throws {
        transaction.bind(1, Self.rowID(caseFile, number))
        Self.bindSource(value.source, isStanding, &transaction)
        transaction.bind(6, value.id)
        transaction.bind(7, value.original)
        transaction.bind(8, value.line)
        transaction.bind(9, value.bundle)
        transaction.bind(10, value.product)
        transaction.bind(11, value.purchasedAt.milliseconds)
        transaction.bind(12, value.expiresAt?.milliseconds)
        transaction.bind(13, value.signedAt?.milliseconds)
        transaction.bind(14, value.token)
        transaction.bind(15, value.price?.thousandths)
        transaction.bind(16, value.price?.currency)
        transaction.bind(17, Int64(value.quantity))
        transaction.bind(18, (value.type?.rawValue).map(Int64.init))
        transaction.bind(19, Int64(value.environment.rawValue))
        transaction.bind(20, Int64(value.ownership.rawValue))
        transaction.bind(21, value.isUpgraded ? 1 : 0)
        transaction.bind(22, value.storefront)
        let revocation = value.revocation
        transaction.bind(23, revocation?.at.milliseconds)
        transaction.bind(24, (revocation?.type.rawValue).map(Int64.init))
        transaction.bind(25, revocation?.reason.map(Int64.init))
        transaction.bind(26, revocation?.percentage.map(Int64.init))
        transaction.bind(27, Int64(value.proof.rawValue))
        transaction.bind(28, Int64(value.failure.rawValue))
        transaction.bind(29, value.isFromReceipt ? 1 : 0)
        try transaction.write()
        begin(caseFile)
        identifiers.forEachKey(of: value) { own.append($0) }
    }

    package mutating func write(_ value: Receipt, in caseFile: Int64, number: Int, isStanding: Bool) throws {
        receipt.bind(1, Self.rowID(caseFile, number))
        Self.bindSource(value.source, isStanding, &receipt)
        receipt.bind(6, value.givenID)
        receipt.bind(7, value.content)
        receipt.bind(8, value.account)
        receipt.bind(9, value.order)
        receipt.bind(10, value.transaction)
        receipt.bind(11, value.product)
        receipt.bind(12, value.device)
        receipt.bind(13, value.receivedAt.milliseconds)
        receipt.bind(14, value.verifyStatus.map(Int64.init))
        receipt.bind(15, value.isRetryable.map { $0 ? 1 : 0 })
        receipt.bind(16, Int64(value.proof.rawValue))
        try receipt.write()
        begin(caseFile)
        identifiers.forEachKey(of: value) { own.append($0) }
    }

    /// Writes what look-ups find the cases by.
    package mutating func finish() throws {
        endCase()
        order.finish()
        credit.finish()
        transaction.finish()
        receipt.finish()
        let sorted = sortedByKey(keys)
        keys = []
        try ledger.writeSegment(sorted)
    }
}
