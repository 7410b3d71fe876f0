internal import Domain

// The columns of each kind of evidence that follow those which every row begins with. `Unpacker` reads them.

extension RowBatch<PackedTransactionColumn> {
    mutating func add(_ value: Transaction, _ spellings: inout Spellings, _ reader: inout IdentifierReader) {
        add(.transactionID, packed: value.id, &spellings, &reader)
        add(.originalTransactionID, packed: value.original, &spellings, &reader, same: value.id)
        add(.webOrderLineItemID, packed: value.line, &spellings, &reader)
        add(.bundleID, word: value.bundle, &spellings, &reader)
        add(.productID, word: value.product, &spellings, &reader)
        add(.purchasedAt, value.purchasedAt.packed(value.source))
        add(.expiresAt, value.expiresAt?.packed(value.source))
        add(.signedAt, value.signedAt?.packed(value.source))
        add(.appAccountToken, packed: value.token)
        add(.price, value.price?.thousandths)
        add(.currency, word: spellings.word(value.price?.currency), &spellings, &reader)
        add(.quantity, Int64(value.quantity))
        add(.type, (value.type?.rawValue).map(Int64.init))
        add(.environment, Int64(value.environment.rawValue))
        add(.ownership, Int64(value.ownership.rawValue))
        add(.isUpgraded, value.isUpgraded ? 1 : 0)
        add(.storefront, word: value.storefront, &spellings, &reader)
        let revocation = value.revocation
        add(.revokedAt, revocation?.at.packed(value.source))
        add(.revocationType, (revocation?.type.rawValue).map(Int64.init))
        add(.revocationReason, revocation?.reason.map(Int64.init))
        add(.revocationPercentage, revocation?.percentage.map(Int64.init))
        add(.proof, Int64(value.proof.rawValue))
        add(.failure, Int64(value.failure.rawValue))
        add(.isFromReceipt, value.isFromReceipt ? 1 : 0)
    }
}

extension RowBatch<PackedOrderColumn> {
    mutating func add(
        _ value: Order, _ spellings: inout Spellings, _ reader: inout IdentifierReader, _ transaction: Transaction?
    ) {
        add(.orderID, packed: value.id, &spellings, &reader)
        add(.accountID, packed: value.account, &spellings, &reader)
        add(.productID, word: value.product, &spellings, &reader)
        add(.quantity, Int64(value.quantity))
        add(.amount, value.amount?.minor)
        add(.currency, word: spellings.word(value.amount?.currency), &spellings, &reader)
        add(.appAccountToken, packed: value.token, same: transaction?.token)
        add(.transactionID, packed: value.transaction, &spellings, &reader, same: transaction?.id)
        add(.bundleID, word: value.bundle, &spellings, &reader)
        add(.status, word: PackedWord.of(value.status), &spellings, &reader)
        add(.createdAt, value.createdAt.packed(value.source))
        add(.updatedAt, value.updatedAt?.packed(value.source))
    }
}

extension RowBatch<PackedCreditColumn> {
    mutating func add(
        _ value: Credit, _ spellings: inout Spellings, _ reader: inout IdentifierReader, _ order: Order?,
        _ transaction: Transaction?
    ) {
        add(.creditID, packed: value.id, &spellings, &reader)
        add(.orderID, packed: value.order, &spellings, &reader, same: order?.id)
        add(.transactionID, packed: value.transaction, &spellings, &reader, same: transaction?.id)
        add(.accountID, packed: value.account, &spellings, &reader, same: order?.account)
        add(.productID, word: value.product, &spellings, &reader)
        add(.quantity, value.quantity.map(Int64.init))
        add(.kind, word: PackedWord.of(value.kind), &spellings, &reader)
        add(.origin, word: PackedWord.of(value.origin), &spellings, &reader)
        add(.creditedAt, value.creditedAt.packed(value.source))
    }
}

extension RowBatch<PackedReceiptColumn> {
    mutating func add(
        _ value: Receipt, _ spellings: inout Spellings, _ reader: inout IdentifierReader, _ order: Order?,
        _ transaction: Transaction?
    ) {
        add(.receiptID, packed: value.givenID, &spellings, &reader)
        add(.content, value.content)
        add(.accountID, packed: value.account, &spellings, &reader, same: order?.account)
        add(.orderID, packed: value.order, &spellings, &reader, same: order?.id)
        add(.transactionID, packed: value.transaction, &spellings, &reader, same: transaction?.id)
        add(.productID, word: value.product, &spellings, &reader)
        // Always as text: a spelling would outlast `prune`.
        add(.deviceID, value.device, &reader)
        add(.receivedAt, value.receivedAt.packed(value.source))
        add(.verifyStatus, value.verifyStatus.map(Int64.init))
        add(.verifyRetryable, value.isRetryable.map { $0 ? 1 : 0 })
        add(.proof, Int64(value.proof.rawValue))
    }
}

extension RowBatch<PackedSubjectColumn> {
    mutating func add(
        _ key: SubjectKey, _ verdict: Verdict, _ cause: Cause, _ flags: Flags, _ amount: Money?,
        _ outcome: PurchaseOutcome?, _ spellings: inout Spellings, _ reader: inout IdentifierReader
    ) {
        add(.kind, Int64(key.kind.rawValue))
        add(.key, packed: key.id, &spellings, &reader)
        add(.verdict, word: PackedWord.of(verdict), &spellings, &reader)
        add(.cause, word: PackedWord.of(cause), &spellings, &reader)
        add(.flags, Int64(flags.rawValue))
        add(.amount, amount?.minor)
        add(.currency, word: spellings.word(amount?.currency), &spellings, &reader)
        add(.purchaseDate, outcome.map { Int64($0.date.day) })
        add(.fulfilment, outcome.map { Int64($0.fulfilment.rawValue) })
    }
}

/// The words of enumerations, as identifiers. They are made once, because every row has some.
private enum PackedWord {
    private static let statuses = words(OrderStatus.allCases, \.name)
    private static let verdicts = words(Verdict.allCases, \.rawValue)
    private static let causes = words(Cause.allCases, \.rawValue)
    private static let credit = Identifier("credit")
    private static let reversal = Identifier("reversal")
    private static let auto = Identifier("auto")
    private static let desk = Identifier("desk")

    private static func words<Case: Hashable>(_ cases: [Case], _ text: (Case) -> String) -> [Case: Identifier] {
        Dictionary(uniqueKeysWithValues: cases.map { ($0, Identifier(text($0))) })
    }

    static func of(_ status: OrderStatus) -> Identifier { statuses[status]! }
    static func of(_ verdict: Verdict) -> Identifier { verdicts[verdict]! }
    static func of(_ cause: Cause) -> Identifier { causes[cause]! }
    static func of(_ kind: CreditKind) -> Identifier { kind == .credit ? credit : reversal }
    static func of(_ origin: CreditOrigin) -> Identifier { origin == .auto ? auto : desk }
}
