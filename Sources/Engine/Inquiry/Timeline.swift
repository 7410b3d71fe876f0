internal import Matching

extension CaseSet {
    func file(of number: Int) -> Case {
        var file = Case()
        load(number, into: &file)
        return file
    }

    /// All versions of the case's evidence, the current ones first.
    func evidence(ofCase number: Int) -> Evidence {
        func versions<Element>(_ elements: [Element], _ groups: CaseGroups) -> [Element] {
            (groups[number] + groups.superseded(in: number)).map { elements[Int($0)] }
        }
        var evidence = Evidence()
        evidence.orders = versions(orders, groups.orders)
        evidence.credits = versions(credits, groups.credits)
        evidence.transactions = versions(transactions, groups.transactions)
        evidence.receipts = versions(receipts, groups.receipts)
        return evidence
    }
}

extension Evidence {
    var deliveries: Set<DeliveryID> {
        Set(sources.map(\.delivery))
    }

    /// The events of a subject in order of time, with all versions.
    ///
    /// - Parameter own: the current evidence of the subject. `self` is all evidence of its case.
    func timeline(of own: Evidence, files: [DeliveryID: NamedFile], by policy: Policy) -> [TimelineEntry] {
        let orderIDs = Set(own.orders.map(\.id))
        let creditIDs = Set(own.credits.map(\.id))
        let transactionIDs = Set(own.transactions.map(\.id))
        let receiptKeys = Set(own.receipts.map { SubjectKey($0) })
        var events: [(at: Instant, event: TimelineEntry.Event, source: Provenance)] = []
        for order in orders where orderIDs.contains(order.id) {
            events.append((order.createdAt, .order(order), order.source))
            if let at = order.updatedAt { events.append((at, .orderUpdate(order), order.source)) }
        }
        for credit in credits where creditIDs.contains(credit.id) {
            events.append((credit.creditedAt, .credit(credit), credit.source))
        }
        for transaction in transactions where transactionIDs.contains(transaction.id) {
            events.append((transaction.purchasedAt, .purchase(transaction), transaction.source))
            if let revocation = transaction.revocation {
                events.append((revocation.at, .revocation(transaction, revocation), transaction.source))
            }
        }
        for transaction in own.transactions where transaction.revocation == nil {
            let versions = transactions.filter { $0.id == transaction.id }
            let isRefund = { (row: Transaction) in row.revocation.map { $0.refund(ofQuantity: row.quantity) != .none } }
            guard let last = versions.filter({ isRefund($0) == true }).compactMap(\.signedAt).max(),
                let undone = versions.filter({ $0.revocation == nil && $0.signedAt.map { $0 > last } == true })
                    .min(by: { $0.signedAt! < $1.signedAt! })
            else { continue }
            events.append((undone.signedAt!, .refundReversed(undone), undone.source))
        }
        for receipt in receipts where receiptKeys.contains(SubjectKey(receipt)) {
            events.append((receipt.receivedAt, .receipt(receipt), receipt.source))
        }
        return events.map { at, event, source in
            let file = files[source.delivery]?.name ?? ""
            var entry = TimelineEntry(at: at, event: event, source: file, line: Int(source.line))
            if case .purchase(let transaction) = event { entry.isLaterPeriod = transaction.isLaterPeriod(in: policy) }
            return entry
        }.ordered { $0.precedes($1) }
    }
}
