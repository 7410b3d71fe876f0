/// The subject's flags, which never change its verdict. See docs/spec/rules.md#flags. Flags of suggestions are added
/// later, by the code that sees all cases.
func flags(_ facts: Facts) -> Flags {
    var flags = replays(facts).union(copies(facts))
    guard let record = facts.record else { return flags }
    for credit in facts.left { flags.formUnion(timing(of: credit, record: record, policy: facts.policy)) }
    if facts.left.contains(where: \.isImplicit) { flags.insert(.statusOnly) }
    flags.formUnion(record.ownFlags)
    if facts.isRefundImplied { flags.insert(.refundReported) }
    if facts.expectedQuantity != nil || facts.subject.refund == .uncountable { flags.insert(.partialRefund) }
    return flags
}

/// Late, too early, or in another month than the purchase.
func timing(of credit: Credit, record: Transaction, policy: Policy) -> Flags {
    var flags: Flags = []
    let delay = credit.creditedAt - record.purchasedAt
    if delay > policy.lateAfter { flags.insert(.lateCredit) }
    if Milliseconds(-delay.count) > clockSkewTolerance { flags.insert(.clockSkew) }
    let bought = policy.zone.date(of: record.purchasedAt)
    let given = policy.zone.date(of: credit.creditedAt)
    if bought != given, bought.month != given.month { flags.insert(.cutOff) }
    return flags
}

extension Transaction {
    /// The flags that the record alone gives its subject.
    var ownFlags: Flags {
        var flags: Flags = []
        if isFromReceipt { flags.insert(.receiptProof) }
        if price?.thousandths == 0 { flags.insert(.zeroPrice) }
        if ownership == .familyShared { flags.insert(.familyShared) }
        return flags
    }
}

extension VersionMarks {
    /// The flags that marks on any of its evidence give a subject.
    var flags: Flags {
        var flags: Flags = []
        if contains(.conflict) { flags.insert(.conflict) }
        if contains(.forged) { flags.insert(.forgedCopy) }
        if contains(.refunded) { flags.insert(.refundReported) }
        if contains(.disagrees) { flags.insert(.recordsDisagree) }
        return flags
    }
}

/// Whether a transaction is claimed more than once: by receipts of several accounts, or by several receipts of one
/// account.
private func replays(_ facts: Facts) -> Flags {
    guard facts.subject.receipts.count > 1 else { return [] }
    var accounts: [Identifier: Set<Identifier>] = [:]
    var claims: [Identifier: Int] = [:]
    for receipt in facts.receipts {
        guard let id = receipt.transaction else { continue }
        accounts[id, default: []].insert(receipt.account)
        claims[id, default: 0] += 1
    }
    var flags: Flags = []
    if accounts.values.contains(where: { $0.count > 1 }) { flags.insert(.receiptReplayed) }
    if claims.contains(where: { $0.value > accounts[$0.key]!.count }) { flags.insert(.duplicateReceipt) }
    return flags
}

/// What the versions of the subject's evidence reveal.
private func copies(_ facts: Facts) -> Flags {
    let subject = facts.subject
    var marks: VersionMarks = []
    for position in subject.orders + subject.otherOrders { marks.formUnion(facts.file.orders[position].marks) }
    for position in subject.credits { marks.formUnion(facts.file.credits[position].marks) }
    for position in subject.receipts + subject.otherReceipts { marks.formUnion(facts.file.receipts[position].marks) }
    for position in subject.transactions {
        let transaction = facts.file.transactions[position]
        marks.formUnion(transaction.marks)
        // A forged record of a restore's original, next to the proven restore.
        if transaction.proof == .invalid, position != subject.leading, subject.leading != nil { marks.insert(.forged) }
    }
    if subject.isDisputed { marks.insert(.disagrees) }
    return marks.flags
}
