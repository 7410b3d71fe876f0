package import Domain

/// What a judge says about one subject, by ids only: ids of evidence that is a row, sorted by their bytes.
package struct ReferenceVerdict: Hashable, Sendable {
    package var subject: SubjectKey
    package var verdict: Verdict
    package var cause: Cause
    package var flags: Flags
    package var anchor: Instant
    package var short: ShortParty
    package var action: Action
    /// Value credited less value owed. READINGS 19.
    package var effect: Money?
    package var amount: Money?
    package var owner: Identifier?
    package var suggestedOrder: Identifier?
    package var orders: [Identifier]
    package var credits: [Identifier]
    package var transactions: [Identifier]
    package var receipts: [Identifier]
}

extension ReferenceVerdict {
    /// What the product says about a subject of that case, in the reference's terms.
    package init(_ judgement: Judgement, of file: Case) {
        let members = judgement.members
        self.init(
            subject: judgement.subject, verdict: judgement.verdict, cause: judgement.cause, flags: judgement.flags,
            anchor: judgement.anchor, short: judgement.short, action: judgement.action, effect: judgement.effect,
            amount: judgement.amount, owner: judgement.owner, suggestedOrder: judgement.suggestedOrder,
            orders: members.orders.map { file.orders[$0].id }.sorted(),
            credits: members.credits.map { file.credits[$0].id }.sorted(),
            transactions: members.transactions.map { file.transactions[$0].id }.sorted(),
            receipts: members.receipts.map { Identifier(file.receipts[$0].id) }.sorted())
    }

    /// The names of the fields in which two verdicts on one subject differ.
    package func fieldsDiffering(from other: ReferenceVerdict) -> [String] {
        let mine = Mirror(reflecting: self).children
        let others = Mirror(reflecting: other).children
        // Compared by bytes, because two spellings of é are two ids.
        return zip(mine, others).filter { Array("\($0.value)".utf8) != Array("\($1.value)".utf8) }.compactMap(\.0.label)
    }
}
