extension TimelineEntry {
    /// The event in a few words.
    /// - Parameter isRepeated: a receipt repeats a purchase that another record tells of.
    func what(isRepeated: Bool = false, _ texts: Texts) -> String {
        switch event {
        case .order(let order):
            let text = texts.lookup(
                .order, goods(order.product.text, quantity: order.quantity, amount: order.amount, texts))
            return order.updatedAt == nil ? text + texts.label(.clauseSeparator) + order.state(texts) : text
        case .orderUpdate(let order): return order.state(texts)
        case .credit(let credit):
            let label = credit.kind == .credit ? LookupLabel.credit : .reversal
            let given = texts.lookup(label, texts.lookup(.origin, code: credit.origin.rawValue), credit.account.text)
            let goods = goods(credit.product?.text, quantity: credit.quantity, texts)
            return goods.isEmpty ? given : texts.lookup(.saidOf, given, goods)
        case .purchase(let transaction):
            let proof = texts.lookup(.proof, code: "\(transaction.proof)")
            if isRepeated { return texts.lookup(.receiptShows, proof) }
            let price = transaction.price.map { $0.money }
            // Without Apple's reason, it may be an upgrade or a return.
            let label: LookupLabel =
                transaction.reason == nil && isLaterPeriod
                ? .laterPeriod : transaction.reason == .renewal ? .renewal : .purchase
            return texts.lookup(
                transaction.environment != .production ? .testPurchase : label,
                goods(transaction.product.text, quantity: transaction.quantity, amount: price, texts),
                proof)
        case .revocation(let transaction, let revocation): return revocation.what(of: transaction, texts)
        case .refundReversed: return texts.lookup(.refundUndone)
        case .receipt(let receipt):
            let status = receipt.verifyStatus.map(String.init) ?? texts.label(.unpriced)
            return texts.lookup(.receipt, receipt.account.text, texts.lookup(.check, code: "\(receipt.check)", status))
        }
    }
}

extension TimelineEntry {
    fileprivate func isPurchase(fromReceipt: Bool) -> Bool {
        if case .purchase(let transaction) = event { transaction.isFromReceipt == fromReceipt } else { false }
    }
}

extension LookupSubject {
    /// What happened; of an order that was closed although Apple received the payment, as what, if its versions agree.
    func sense(_ words: Texts.Explanation, _ texts: Texts) -> String {
        if isRenewalAlone { return texts.lookup(isToldAsRenewal ? .renewalMeaning : .laterMeaning) }
        if !openPurchases.isEmpty || !orderlessPurchases.isEmpty { return texts.lookup(.orderMayBePaid) }
        if facts.verdict == .orderMissing, !suggestedOrders.isEmpty { return texts.lookup(.orderlessMeaning) }
        let closed = timeline.compactMap { entry -> OrderStatus? in
            guard case .order(let order) = entry.event else { return nil }
            return [.failed, .cancelled, .refunded].contains(order.status) ? order.status : nil
        }
        guard facts.cause == .closedOrder, Set(closed).count == 1 else { return words.meaning }
        return texts.lookup(.closedAs, code: closed[0].rawValue)
    }
}

extension LookupSubject {
    /// Apple says that it renewed the subscription.
    var isToldAsRenewal: Bool {
        timeline.contains {
            if case .purchase(let transaction) = $0.event { transaction.reason == .renewal } else { false }
        }
    }
}

extension Order {
    fileprivate func state(_ texts: Texts) -> String {
        texts.lookup(.orderUpdate, texts.lookup(.status, code: status.rawValue))
    }
}

extension Revocation {
    fileprivate func what(of transaction: Transaction, _ texts: Texts) -> String {
        switch refund(ofQuantity: transaction.quantity) {
        case .none: texts.lookup(.familyEnd)
        case .full: texts.lookup(.refund)
        case .partial, .uncountable:
            percentage.map { texts.lookup(.partialRefund, percents($0)) } ?? texts.lookup(.uncountedRefund)
        }
    }
}

/// A number of thousandths of a percent as a percentage: `50`, `33.333`.
private func percents(_ thousandths: Int32) -> String {
    String(decimal(Int64(thousandths), exponent: 3).trimmingSuffix("0").trimmingSuffix("."))
}

/// The timeline, with evidence that says the same about the same moment joined into one line. Clients may send any number
/// of receipts: only the first lines of them are shown, and of each line only the first sources.
func timelineLines(_ timeline: [TimelineEntry], zone: Zone, _ texts: Texts) -> [LabelledText] {
    let (receiptLinesMax, sourcesMax) = (100, 20)
    var lines: [LabelledText] = []
    var places: [[String]: Int] = [:]
    var sources: [Int: Set<String>] = [:]
    var (receiptLines, hidden) = (0, 0)
    let recorded = Set(timeline.filter { $0.isPurchase(fromReceipt: false) }.map(\.id))
    for entry in timeline {
        let isRepeated = entry.isPurchase(fromReceipt: true) && recorded.contains(entry.id)
        let (time, what) = (localTime(entry.at, zone), entry.what(isRepeated: isRepeated, texts))
        if places[[time, what]] == nil {
            if case .receipt = entry.event { receiptLines += 1 }
            if receiptLines > receiptLinesMax, case .receipt = entry.event {
                hidden += 1
                continue
            }
            places[[time, what]] = lines.count
            lines.append(LabelledText(label: time, text: what))
        }
        let index = places[[time, what]]!
        let source = "\(entry.source):\(entry.line)"
        guard sources[index, default: []].insert(source).inserted else { continue }
        if lines[index].sources.count < sourcesMax { lines[index].sources.append(source) }
    }
    for (index, all) in sources where all.count > sourcesMax {
        lines[index].sources.append(texts.label(.more, String(all.count - sourcesMax)))
    }
    if hidden > 0 { lines.append(LabelledText(label: "", text: texts.lookup(.moreReceipts, String(hidden)))) }
    return lines
}

/// The local time in `zone`: `2025-11-18 20:03:05`.
func localTime(_ instant: Instant, _ zone: Zone) -> String {
    let local = Instant(milliseconds: instant.milliseconds + zone.offset(at: instant))
    let text = Instant(milliseconds: local.milliseconds.flooredDivision(by: 1000) * 1000).text
    return String(text.dropLast().replacing("T", with: " "))
}

extension LookupException.Step {
    /// `resolved; now: Matched, because of inbox/credits-2025-11-19.csv:4`.
    func text(_ texts: Texts) -> String {
        let words = texts.explanation(verdict, cause)
        let state = texts.word(.state, state.rawValue)
        var clauses = self.state == .resolved ? [state] : [texts.lookup(.historyStep, state, words.title)]
        if let by {
            // A release leaves the exception open; a waiver and its withdrawal do not.
            clauses.append(texts.lookup(self.state == .open ? .releasedBy : .byWhom, by, note ?? ""))
        } else if let event, event != .firstSeen {
            clauses.append(texts.sentence(event))
        }
        return clauses.joined(separator: texts.label(.clauseSeparator))
    }
}

extension RetryEntry {
    func text(_ texts: Texts, of subject: LookupSubject) -> String {
        let isDone = state == .waiting && !isDemanded
        let label: LookupLabel? = subject.isReleased(self) ? .retryReleased : isDone ? .retryDone : nil
        let state = label.map { texts.lookup($0) } ?? texts.lookup(.retryState, code: state.rawValue)
        let line = texts.lookup(.retryLine, state, String(attempts))
        let answer = answer.map { texts.lookup(.answer, code: $0.rawValue) }
        return [line, answer, message].compactMap { $0 }.joined(separator: texts.label(.clauseSeparator))
    }
}
