extension ExceptionFacts {
    /// - Parameter files: by delivery number.
    public init(_ judgement: Judgement, in file: Case, files: [DeliveryID: NamedFile]) {
        var facts = ExceptionFields(
            verdict: judgement.verdict, cause: judgement.cause,
            severity: judgement.verdict.severity(cause: judgement.cause) ?? .low, eventAt: judgement.anchor)
        let own = file.evidence(of: judgement.members)
        let named = own.orders.map(\.account) + own.credits.map(\.account) + own.receipts.map(\.account)
        facts.accounts = distinct((named + [judgement.owner].compactMap { $0 }).map(\.text))
        facts.orders = distinct(own.orders.map(\.id.text) + own.credits.compactMap(\.order?.text))
        facts.transactions = distinct(own.transactions.map(\.id.text))
        if facts.transactions.isEmpty { facts.transactions = distinct(own.namedTransactions.map(\.text)) }
        facts.originals = distinct(own.transactions.compactMap(\.original?.text))
        facts.receipts = distinct(own.receipts.map(\.id))
        facts.credits = distinct(own.credits.map(\.id.text))
        facts.product = judgement.product?.text
        facts.quantity = judgement.quantity
        facts.amount = judgement.amount
        facts.effect = judgement.effect
        facts.short = judgement.short
        facts.differences = judgement.differences
        facts.flags = judgement.flags.names
        facts.suggestedOrder = judgement.suggestedOrder?.text
        facts.action = judgement.action
        facts.evidence = places(own.sources, files: files)
        self.init(fields: facts)
    }
}

extension ExceptionFacts {
    mutating func setLabels(of subject: Subject, in file: Case) {
        let labels = subject.labels(in: file)
        if !labels.isEmpty { self.labels = labels }
    }
}

extension Evidence {
    /// The transactions that orders, credits and receipts name.
    fileprivate var namedTransactions: [Identifier] {
        orders.compactMap(\.transaction) + credits.compactMap(\.transaction) + receipts.compactMap(\.transaction)
    }

    /// Keys under which it was, or might have been, known before.
    fileprivate var aliases: [SubjectKey] {
        let purchases = namedTransactions + transactions.map(\.id)
        let named = orders.map(\.id) + credits.compactMap(\.order) + receipts.compactMap(\.order)
        return purchases.map { SubjectKey(.transaction, $0) } + named.map { SubjectKey(.order, $0) }
            + receipts.map { SubjectKey($0) } + credits.map { SubjectKey(.credit, $0.id) }
    }
}

/// The place of each source as `file:line`, sorted, without repetitions.
func places(_ sources: [Provenance], files: [DeliveryID: NamedFile]) -> [String] {
    distinct(sources.map { (files[$0.delivery]?.name ?? "", $0.line) }, by: <).map { $0.0 + ":" + String($0.1) }
}

/// Each text once, sorted by UTF-8 bytes.
private func distinct(_ texts: [String]) -> [String] { distinct(texts) { $0.isBefore($1) } }

/// Each value once, in ascending order. Most subjects have one of each kind, so this builds no set.
func distinct<Value>(_ values: [Value], by isBefore: (Value, Value) -> Bool) -> [Value] {
    if values.count < 2 { return values }
    return values.ordered(by: isBefore).reduce(into: []) { distinct, value in
        if distinct.last.map({ isBefore($0, value) }) ?? true { distinct.append(value) }
    }
}

extension Observation {
    /// - Parameters:
    ///   - file: the subject's case.
    ///   - caseID: the number of the case.
    ///   - files: by delivery number.
    ///   - firstDelivery: evidence of this and later deliveries arrived tonight.
    ///   - isFollowed: the case has a known exception, possibly under another key. Only then are `aliases` and `news`
    ///     filled.
    public init(
        _ judgement: Judgement, in file: Case, caseID: CaseID, files: [DeliveryID: NamedFile],
        firstDelivery: DeliveryID,
        isFollowed: Bool
    ) {
        var facts: ExceptionFacts?
        if judgement.verdict.isException {
            facts = ExceptionFacts(judgement, in: file, files: files)
        } else if isFollowed, !judgement.verdict.isFinal {
            facts = ExceptionFacts(judgement, in: file, files: files)
            facts?.verdict = judgement.verdictBehind
            facts?.cause = judgement.causeBehind
            facts?.severity = judgement.verdictBehind.severity(cause: judgement.causeBehind) ?? .low
        }
        let own = isFollowed ? file.evidence(of: judgement.members) : Evidence()
        self.init(
            caseID: caseID, judgement: judgement, facts: facts, aliases: own.aliases,
            news: places(own.sources.filter { $0.delivery >= firstDelivery }, files: files))
    }
}

extension ExceptionFacts {
    /// The id by which people look it up. Nil if it has none.
    public var shownID: String? { self.transactions.first ?? self.orders.first ?? self.credits.first }
}
