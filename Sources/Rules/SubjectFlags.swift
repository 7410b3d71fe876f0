internal import Domain

/// What is worth knowing and never changes the verdict. RULES §3 "Flags".
func flags(_ facts: Facts) -> Flags {
    var flags: Flags = []
    if let purchase = facts.purchase {
        flags.formUnion(timing(of: facts.position.left, purchase: purchase, policy: facts.policy))
        if purchase.isFromReceipt { flags.insert(.receiptProof) }
        if purchase.price?.thousandths == 0 { flags.insert(.zeroPrice) }
        if purchase.ownership == .familyShared { flags.insert(.familyShared) }
        if facts.refund == .uncountable { flags.insert(.partialRefund) }
    }
    flags.formUnion(replays(facts))
    flags.formUnion(copies(facts))
    return flags
}

private let clockSkewTolerance = Milliseconds.minutes(5)

private func timing(of credits: [Credit], purchase: Transaction, policy: Policy) -> Flags {
    var flags: Flags = []
    for credit in credits {
        let delay = credit.creditedAt - purchase.purchasedAt
        if delay > policy.lateAfter { flags.insert(.lateCredit) }
        if Milliseconds(-delay.count) > clockSkewTolerance { flags.insert(.clockSkew) }
        // Within a day of each other in the middle of a month: no need to ask the calendar.
        let bought = policy.zone.date(of: purchase.purchasedAt)
        let given = policy.zone.date(of: credit.creditedAt)
        if bought != given, bought.month != given.month { flags.insert(.cutOff) }
    }
    return flags
}

/// One transaction claimed more than once: by receipts of several accounts, or again by the same.
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

private func copies(_ facts: Facts) -> Flags {
    let subject = facts.subject
    var marks: CopyMarks = []
    for position in subject.orders { marks.formUnion(facts.file.orders[position].marks) }
    for position in subject.credits { marks.formUnion(facts.file.credits[position].marks) }
    for position in subject.transactions { marks.formUnion(facts.file.transactions[position].marks) }
    for position in subject.receipts { marks.formUnion(facts.file.receipts[position].marks) }
    var flags: Flags = []
    if marks.contains(.conflict) { flags.insert(.conflict) }
    if marks.contains(.forged) { flags.insert(.forgedCopy) }
    return flags
}
