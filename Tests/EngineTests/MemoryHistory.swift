import Domain
import Engine
import Matching

/// A history of dictionaries: what a ledger keeps, without SQLite, indexes or proofs. A night is applied to it as a
/// whole.
final class MemoryHistory: History {
    /// One version of one piece of evidence.
    private struct Row<Piece> {
        var piece: Piece
        var isCurrent: Bool
    }
    private struct Rows {
        var orders: [Row<Order>] = []
        var credits: [Row<Credit>] = []
        var transactions: [Row<Transaction>] = []
        var receipts: [Row<Receipt>] = []
        var names: Set<Name> = []
    }
    /// What a case is found by.
    private enum Name: Hashable {
        case order(Identifier), credit(Identifier), transaction(Identifier), line(Identifier), receipt(Identifier)
        case content(Digest256)
        case token(Token)
    }
    private var last = HistoryHead()
    private var cases: [CaseID: Rows] = [:]
    private(set) var verdicts: [CaseID: [StoredVerdict]] = [:]
    private var open: Set<CaseID> = []
    var known = SubjectTally()
    var knownPurchases = PurchaseTally()
    var lostOrdersAsked: [ExceptionRecord] = []
    private(set) var tables: [TableKey: EncodedTable] = [:]
    private var accounts: [Token: TokenAccounts] = [:]
    private var entries: Set<SuggestionEntry> = []
    private(set) var records: [ExceptionID: ExceptionRecord] = [:]
    private var shown: [ExceptionID: (date: BusinessDate, row: ExceptionRow)] = [:]
    var retries: [String: RetryEntry] = [:]
    private var answers: [Acknowledgement] = []
    var deliveries: [Delivery] = []
    /// Of each night, oldest first.
    var nightMarks: [NightMarks] = []

    func head() -> HistoryHead {
        var head = last
        head.nextCase = (cases.keys.max() ?? 0).advanced(by: 1)
        return head
    }

    func cases(touchedBy evidence: Evidence, policy: Policy) -> Set<CaseID> {
        let isPerOrder = policy.tokenUse == .order
        let names = Self.names(of: evidence).filter { name in
            guard case .token(let token) = name else { return true }
            return isPerOrder && !policy.facts.crowdedTokens.contains(token)
        }
        return holding(names)
    }

    func cases(naming orders: Set<Identifier>) -> Set<CaseID> { holding(Set(orders.map(Name.order))) }
    func cases(withTokens tokens: Set<Token>) -> Set<CaseID> { holding(Set(tokens.map(Name.token))) }

    func cases(judged verdict: Verdict, _ cause: Cause) -> Set<CaseID> {
        Set(verdicts.filter { $0.value.contains { $0.verdict == verdict && $0.cause == cause } }.keys)
    }

    func cases(unlinkedUnder keys: Set<SuggestionKey>) -> Set<CaseID> {
        Set(entries.filter { keys.contains($0.key) }.map(\.caseID))
    }

    func openCases() -> Set<CaseID> { open }

    func cases(knowing texts: [String]) -> Set<CaseID> {
        Set(
            cases.filter { _, rows in
                let accounts =
                    rows.orders.map(\.piece.account) + rows.credits.map(\.piece.account)
                    + rows.receipts.map(\.piece.account)
                return accounts.contains { texts.contains($0.text) }
            }.keys)
    }

    func ranges(ofCases size: Int) -> [Range<CaseID>] {
        guard let first = cases.keys.min(), let last = cases.keys.max() else { return [] }
        return stride(from: first, through: last, by: size).map {
            $0..<min($0.advanced(by: size), last.advanced(by: 1))
        }
    }

    func load(cases numbers: Set<CaseID>) -> StoredEvidence {
        var found = StoredEvidence()
        for number in numbers.sorted() {
            guard let rows = cases[number] else { continue }
            for row in rows.orders { found.orders.append(row.piece, of: number, isCurrent: row.isCurrent) }
            for row in rows.credits { found.credits.append(row.piece, of: number, isCurrent: row.isCurrent) }
            for row in rows.transactions {
                found.transactions.append(row.piece, of: number, isCurrent: row.isCurrent)
            }
            for row in rows.receipts { found.receipts.append(row.piece, of: number, isCurrent: row.isCurrent) }
        }
        return found
    }

    func load(cases range: Range<CaseID>, through last: DeliveryID) -> StoredEvidence {
        load(cases: Set(cases.keys.filter(range.contains)))
    }

    func owners(of tokens: Set<Token>) -> [Token: TokenAccounts] { accounts.filter { tokens.contains($0.key) } }
    func verdicts(of cases: Set<CaseID>) -> [CaseID: [StoredVerdict]] { verdicts.filter { cases.contains($0.key) } }
    func tally() -> SubjectTally { known }
    func marks(ofLast runs: Int) -> [NightMarks] { nightMarks.suffix(runs).reversed() }
    func purchases(since date: BusinessDate) -> PurchaseTally { knownPurchases }
    func tables(ofBlocks blocks: Set<Int64>) -> [TableKey: EncodedTable] {
        tables.filter { blocks.contains($0.key.block) }
    }
    func tables(in dates: ClosedRange<BusinessDate>) -> [TableKey: EncodedTable] {
        tables.filter { dates.contains($0.key.date) }
    }
    func delays(in dates: ClosedRange<BusinessDate>) -> [TableKey: DelayHistogram] {
        tables(in: dates).mapValues(\.delays)
    }

    func unresolvedExceptions(threads: Int) -> [ExceptionRecord] { sorted { $0.state != .resolved } }
    func exceptions(ofCases cases: Set<CaseID>, except known: Set<ExceptionID>) -> [ExceptionRecord] {
        sorted { cases.contains($0.caseID) && !known.contains($0.id) }
    }
    func exception(id: ExceptionID) -> ExceptionRecord? { records[id] }
    func rows(ofDate date: BusinessDate) -> [ExceptionRow] { shown.values.filter { $0.date == date }.map(\.row) }

    func demandedRetryEntries(threads: Int) -> [RetryEntry] {
        retries.values.filter(\.isDemanded).sorted { $0.key < $1.key }
    }
    func retryEntries(ofKeys keys: Set<String>) -> [RetryEntry] { keys.sorted().compactMap { retries[$0] } }
    func retryEntries(ofExceptions ids: Set<ExceptionID>) -> [RetryEntry] {
        retries.values.filter { ids.contains($0.exception) }.sorted { $0.key < $1.key }
    }
    func lostOrdersAsked(since instant: Instant) -> [ExceptionRecord] { lostOrdersAsked }
    func isKnown(_ answer: Acknowledgement) -> Bool {
        answers.contains {
            ($0.key, $0.outcome, $0.at, $0.message) == (answer.key, answer.outcome, answer.at, answer.message)
        }
    }

    func answers(to keys: Set<String>) -> Set<AckOutcome> {
        Set(answers.filter { keys.contains($0.key) }.map(\.outcome))
    }

    func rejectedRows(since date: BusinessDate) -> [RejectedRow] { [] }
    func settledRows() -> Set<[UInt8]> { [] }

    func forEachPurchase(
        in span: Range<Instant>, _ policy: Policy, except numbers: Set<CaseID>,
        _ body: (_ purchasedAt: Instant, _ isForeign: Bool) -> Void
    ) {
        for (number, rows) in cases where !numbers.contains(number) {
            for row in rows.transactions where row.isCurrent && !row.piece.isFromReceipt {
                let isForeign = row.piece.failure == .wrongBundle
                guard row.piece.environment == policy.environment, span.contains(row.piece.purchasedAt),
                    isForeign || row.piece.proof >= .vouched
                else { continue }
                body(row.piece.purchasedAt, isForeign)
            }
        }
    }

    func rowCounts(
        of kind: FeedKind, on dates: Set<BusinessDate>
    ) -> [(name: String, date: BusinessDate, rows: RowCount)] {
        deliveries.filter { $0.kind == kind && dates.contains($0.fileDate) }
            .map { ($0.name, $0.fileDate, RowCount(usable: $0.totals.rows - $0.totals.rejected, new: $0.accepted)) }
    }

    func files(of kind: FeedKind, since date: BusinessDate) -> [FileLine] {
        deliveries.filter { $0.kind == kind && $0.fileDate >= date }.map { FileLine($0, businessDate: $0.fileDate) }
    }
}

extension MemoryHistory {
    /// Takes in everything that a night changes.
    func apply(_ night: Night) {
        apply(evidence: night)
        apply(verdicts: night)
        if night.records.isRebuilt { accounts = [:] }
        let owners = night.records.isRebuilt ? night.records.owners.accounts : night.records.owners.changes
        for (token, counts) in owners {
            let present = counts.filter { $0.value > 0 }
            accounts[token] = present.isEmpty ? nil : present
        }
        entries.formUnion(night.records.suggestionEntries)
        known = night.tally
        nightMarks.append(NightMarks(flags: night.report.flags, guarded: night.report.guarded))
        if night.records.isRebuilt { knownPurchases = PurchaseTally() }
        knownPurchases.add(night.purchases)
        if night.records.isRebuilt { tables = [:] }
        tables.merge(night.records.tables) { $1 }
        tables = tables.filter { !$0.value.bytes.isEmpty }
        for transition in night.transitions {
            records[transition.record.id] = transition.record
            if transition.isNews, let row = transition.row {
                shown[transition.record.id] = (night.run.businessDate, row)
            }
        }
        for entry in night.retries { retries[entry.key] = entry }
        answers += night.answers
        deliveries += night.deliveries
        last.lastRun = night.run
        last.coverageGaps = night.report.coverageGaps
        last.feeds = night.report.feeds
        last.guarded = night.report.guarded
        last.statusOnly = night.report.statusOnlyOnRecord ?? 0
        last.statusOnlyAwaited = night.report.statusOnlyAwaited ?? 0
        last.goodsBreak = night.report.goodsBreak
        last.renewalDoubts = night.report.renewalDoubts
        for arrival in night.delivered.arrivals { last.arrivals[arrival.feed, default: []].insert(arrival.date) }
        last.products = night.products
        last.facts = night.records.facts
        for delivery in night.deliveries {
            last.files[delivery.number] = delivery.file
        }
    }

    private func apply(evidence night: Night) {
        for number in night.records.numbering.cleared { cases[number] = nil }
        func rows<Piece>(_ pieces: [Piece], _ groups: CaseGroups, _ number: Int) -> [Row<Piece>] {
            groups[number].map { Row(piece: pieces[Int($0)], isCurrent: true) }
                + groups.superseded(in: number).map { Row(piece: pieces[Int($0)], isCurrent: false) }
        }
        for dirty in night.records.numbering.dirty {
            let (number, set) = (Int(dirty), night.records.cases)
            var found = Rows()
            found.orders = rows(set.orders, set.groups.orders, number)
            found.credits = rows(set.credits, set.groups.credits, number)
            found.transactions = rows(set.transactions, set.groups.transactions, number)
            found.receipts = rows(set.receipts, set.groups.receipts, number)
            var all = Evidence()
            (all.orders, all.credits) = (found.orders.map(\.piece), found.credits.map(\.piece))
            (all.transactions, all.receipts) = (found.transactions.map(\.piece), found.receipts.map(\.piece))
            found.names = Self.names(of: all)
            cases[night.records.numbering.numbers[number]] = found
        }
    }

    private func apply(verdicts night: Night) {
        if night.records.isRebuilt { verdicts = [:] }
        for number in night.records.judgedAgain { verdicts[number] = nil }
        for verdict in night.records.verdicts.all {
            verdicts[night.records.numbering.numbers[Int(verdict.caseIndex)], default: []].append(verdict.stored)
        }
        open = night.records.isRebuilt ? [] : open.subtracting(night.records.judgedAgain)
        open.formUnion(night.records.openCases)
    }

    private func sorted(_ isWanted: (ExceptionRecord) -> Bool) -> [ExceptionRecord] {
        records.values.filter(isWanted).sorted { $0.id < $1.id }
    }

    private func holding(_ names: Set<Name>) -> Set<CaseID> {
        Set(cases.filter { !$0.value.names.isDisjoint(with: names) }.keys)
    }

    private static func names(of evidence: Evidence) -> Set<Name> {
        var names = Set<Name>()
        for order in evidence.orders {
            names.insert(.order(order.id))
            names.formUnion([order.transaction.map(Name.transaction), order.token.map(Name.token)].compactMap { $0 })
        }
        for credit in evidence.credits {
            names.insert(.credit(credit.id))
            names.formUnion([credit.order.map(Name.order), credit.transaction.map(Name.transaction)].compactMap { $0 })
        }
        for transaction in evidence.transactions {
            names.insert(.transaction(transaction.id))
            let others = [transaction.original.map(Name.transaction), transaction.line.map(Name.line)]
            names.formUnion((others + [transaction.token.map(Name.token)]).compactMap { $0 })
        }
        for receipt in evidence.receipts {
            names.insert(receipt.givenID.map(Name.receipt) ?? .content(receipt.content))
            names.formUnion(
                [receipt.order.map(Name.order), receipt.transaction.map(Name.transaction)].compactMap { $0 })
        }
        return names
    }
}
