public import Domain

extension ExceptionFacts {
    /// - Parameter files: file names by delivery number.
    public init(_ judgement: Judgement, in file: Case, files: [DeliveryID: String]) {
        self.init(fields: ExceptionFields(judgement, in: file, files: files))
    }
}

extension ExceptionFields {
    fileprivate init(_ judgement: Judgement, in file: Case, files: [DeliveryID: String]) {
        self.init(
            verdict: judgement.verdict, cause: judgement.cause,
            severity: judgement.verdict.severity(cause: judgement.cause) ?? .low, eventAt: judgement.anchor)
        let members = judgement.members
        let orders = members.orders.map { file.orders[$0] }
        let credits = members.credits.map { file.credits[$0] }
        let transactions = members.transactions.map { file.transactions[$0] }
        let receipts = members.receipts.map { file.receipts[$0] }
        var accounts = orders.map(\.account) + credits.map(\.account) + receipts.map(\.account)
        if let owner = judgement.owner { accounts.append(owner) }
        self.accounts = distinct(accounts.map(\.text))
        self.orders = distinct(orders.map(\.id.text) + credits.compactMap(\.order?.text))
        let claimed = receipts.compactMap(\.transaction?.text) + credits.compactMap(\.transaction?.text)
        let named = transactions.map(\.id.text)
        self.transactions = distinct(named.isEmpty ? claimed + orders.compactMap(\.transaction?.text) : named)
        originals = distinct(transactions.compactMap(\.original?.text))
        self.receipts = distinct(receipts.map(\.id))
        self.credits = distinct(credits.map(\.id.text))
        product = judgement.product?.text
        quantity = judgement.quantity
        amount = judgement.amount
        effect = judgement.effect
        short = judgement.short
        differences = judgement.differences
        flags = judgement.flags.names
        suggestedOrder = judgement.suggestedOrder?.text
        action = judgement.action
        let sources = orders.map(\.source) + credits.map(\.source) + transactions.map(\.source) + receipts.map(\.source)
        evidence = places(sources, files: files)
    }
}

extension Judgement {
    /// The verdict is not final, so an exception about the subject stays open.
    fileprivate var keepsExceptionOpen: Bool { verdict == .waiting || verdict == .undetermined }
}

/// The place of each source as `file:line`, sorted, without repetitions.
func places(_ sources: [Provenance], files: [DeliveryID: String]) -> [String] {
    let ordered = sources.map { (files[$0.delivery] ?? "", $0.line) }.sorted { $0 < $1 }
    return ordered.map { "\($0.0):\($0.1)" }.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
}

/// Each text once, sorted by UTF-8 bytes.
private func distinct(_ texts: [String]) -> [String] {
    Set(texts).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

extension Observation {
    /// - Parameters:
    ///   - file: the subject's case.
    ///   - caseID: the number of the case.
    ///   - files: file names by delivery number.
    ///   - firstDelivery: evidence of this and later deliveries arrived tonight.
    ///   - isFollowed: the case has a known exception, possibly under another key. Only then are `aliases` and `news`
    ///     filled.
    public init(
        _ judgement: Judgement, in file: Case, caseID: CaseID, files: [DeliveryID: String], firstDelivery: DeliveryID,
        isFollowed: Bool
    ) {
        var facts: ExceptionFacts?
        if judgement.verdict.isException {
            facts = ExceptionFacts(judgement, in: file, files: files)
        } else if isFollowed, judgement.keepsExceptionOpen {
            facts = ExceptionFacts(judgement, in: file, files: files)
            facts?.verdict = judgement.verdictBehind
            facts?.cause = judgement.causeBehind
            facts?.severity = judgement.verdictBehind.severity(cause: judgement.causeBehind) ?? .low
        }
        let members = judgement.members
        var aliases: [SubjectKey] = []
        var news: [Provenance] = []
        if isFollowed {
            let orders = members.orders.map { file.orders[$0] }
            let credits = members.credits.map { file.credits[$0] }
            let transactions = members.transactions.map { file.transactions[$0] }
            let receipts = members.receipts.map { file.receipts[$0] }
            let claimed =
                orders.compactMap(\.transaction) + credits.compactMap(\.transaction)
                + receipts.compactMap(\.transaction)
                + transactions.map(\.id)
            aliases = claimed.map { SubjectKey(.transaction, $0) }
            aliases += (orders.map(\.id) + credits.compactMap(\.order) + receipts.compactMap(\.order)).map {
                SubjectKey(.order, $0)
            }
            aliases += receipts.map { SubjectKey($0) }
            aliases += credits.map { SubjectKey(.credit, $0.id) }
            let sources =
                orders.map(\.source) + credits.map(\.source) + transactions.map(\.source) + receipts.map(\.source)
            news = sources.filter { $0.delivery >= firstDelivery }
        }
        self.init(
            caseID: caseID, judgement: judgement, facts: facts, aliases: aliases,
            news: places(news, files: files))
    }
}
