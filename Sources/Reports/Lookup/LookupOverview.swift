/// What an answer about many purchases says at the top and at the end.
extension LookupAnswer {
    /// With this many subjects or more, a line counts them, and those in order are listed briefly.
    static let countedMin = 4
    /// How many ids a line of the introduction lists.
    static let listedMax = 5

    /// The identifier on one line, cut if it is a long message or a pasted record.
    var shownIdentifier: String {
        let line = identifier.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let most = pasted == nil ? 100 : 24
        return line.count > most ? line.prefix(most) + "…" : line
    }

    /// The subjects, each purchase once: an order that may belong to a purchase without goods is a part of the purchase.
    var purchases: [LookupSubject] {
        subjects.filter { order in !subjects.contains { order.isPossibleOrder(of: $0) } }
    }

    /// The orders shown that may belong to the purchase.
    func possibleOrders(of purchase: LookupSubject) -> [LookupSubject] {
        subjects.filter { $0.isPossibleOrder(of: purchase) }
    }

    /// The subjects that get a block of their own.
    var shownInFull: [LookupSubject] {
        purchases.count < Self.countedMin ? purchases : purchases.filter { !$0.isBrief }
    }

    /// The subjects that need no action, if they are listed briefly.
    var shownBriefly: [LookupSubject] { purchases.count < Self.countedMin ? [] : purchases.filter(\.isBrief) }

    /// Purchases of other accounts than the asker's, at most `listedMax`.
    var ofOthers: [String] {
        let others = subjects.filter { $0.belongsToAsker == false }
        return Array(others.compactMap { $0.facts.transactions.first ?? $0.facts.orders.first }.prefix(Self.listedMax))
    }

    /// That the text in the field for the account is not on record, or is something else.
    func unknown(_ account: String, _ texts: Texts) -> String {
        unknownKind.map { texts.lookup(.accountIs, account, texts.lookup(.kind, code: $0.rawValue)) }
            ?? texts.lookup(.accountUnknown, account, covers.lowerBound.text, covers.upperBound.text)
    }

    /// That goods are missing below, where the first answer says that nothing is needed.
    func lostBelow(_ texts: Texts) -> String? {
        guard let first = purchases.first, first.owner != nil, first.safety.isNotNeeded(first.facts.verdict) else {
            return nil
        }
        let count = purchases.count { subject in
            let isDone = if case .given = subject.safety { true } else { subject.safety == .waived }
            return subject.facts.verdict == .paidNotCredited && subject.owner == first.owner && !isDone
        }
        return count == 0 ? nil : texts.lookup(.lostBelow, String(count))
    }

    /// Purchases of the account whose goods are missing and that are not shown.
    func lostLine(_ texts: Texts) -> String? {
        lost.isEmpty ? nil : texts.lookup(.alsoLost, String(lost.count), named(lost, texts))
    }

    /// Payments that may be the account's, because of their token.
    func tokenLine(_ texts: Texts) -> String? {
        lostByToken.isEmpty ? nil : texts.lookup(.lostByToken, named(lostByToken, texts))
    }

    private func named(_ payments: [(transaction: String, amount: Money?)], _ texts: Texts) -> String {
        payments.prefix(Self.listedMax).map { ([$0] + [$1].compactMap { $0.map(money) }).joined(separator: " ") }
            .joined(separator: texts.label(.nameSeparator))
    }

    /// That an order was the asker's before, and is another account's.
    func movedLine(_ texts: Texts) -> String? {
        for subject in subjects where subject.belongsToAsker == nil {
            guard let former = askers.first(where: subject.formerAccounts.contains) else { continue }
            let orders = subject.facts.orders.joined(separator: texts.label(.nameSeparator))
            return texts.lookup(.movedAccount, orders, former, subject.owner ?? subject.facts.accounts.first ?? "")
        }
        return nil
    }

    /// A date of the message that has two readings, of which none fits.
    func unclearLine(_ texts: Texts) -> String? {
        unclearDates.count < 2 ? nil : texts.lookup(.unclearDate, unclearDates[0].text, unclearDates[1].text)
    }

    /// That an id is only the original of other transactions.
    func originalLine(_ texts: Texts) -> String? {
        originals.first.map { id, later in
            let later = later.prefix(Self.listedMax).joined(separator: texts.label(.nameSeparator))
            return texts.lookup(.originalOnly, id, later)
        }
    }

    /// What to do where nothing is known, or nothing fits. What is sought may stand in a rejected row that is named above.
    func routeLine(_ texts: Texts) -> String? {
        if route == .rowRejected { return rejectedLine(texts) }
        return route == .nothingFits && isRejectedRowBeside
            ? texts.lookup(.nothingElseFits) : route.map { texts.lookup(.route, code: $0.rawValue) }
    }

    /// The row that was rejected, why, and what to do.
    func rejectedLine(_ texts: Texts) -> String? {
        rejectedRow.map { id, line in
            let (place, reason) = (line.source + ":" + String(line.reject.line), line.reject.text(texts))
            let row = reason.isEmpty ? place : texts.lookup(.saidOf, place, reason)
            return isRejectedRowBeside
                ? texts.lookup(.rejectedBeside, row, id)
                : texts.lookup(.route, code: LookupRoute.rowRejected.rawValue, row, id)
        }
    }

    /// `60 found. To be resolved: 1, 98.00 CNY. Waiting: 0. Settled: 59.`
    func countLine(_ texts: Texts) -> String {
        let subjects = purchases
        let shown = subjects.filter { $0.facts.verdict.isException }
        let settled = subjects.count(where: \.isSettled)
        let open = shown.map(\.facts.amount) + openMore
        let sums = MoneySum(open.compactMap(\.self)).amounts
        let worth = sums.map(money).joined(separator: texts.label(.nameSeparator))
        return texts.lookup(
            .counts, String(subjects.count + subjectsMore), String(open.count),
            String(subjects.count - shown.count - settled), String(settled + subjectsMore - openMore.count),
            worth.isEmpty ? "" : texts.lookup(.countsWorth, worth))
    }
}

extension [LookupAnswer] {
    /// The same answers, in which each subject is shown once: in the first answer that has it.
    var eachOnce: [LookupAnswer] {
        var seen = Set<[String]>()
        return map { answer in
            var shown = answer
            shown.subjects = answer.subjects.filter { seen.insert($0.ids).inserted }
            if shown.subjects.count < answer.subjects.count {
                let kept = Set(shown.subjects.map(\.ids))
                shown.shownAbove = answer.subjects.map(\.ids).filter { !kept.contains($0) }.compactMap(\.first)
            }
            return shown
        }
    }
}

extension LookupSubject {
    /// What it is known by.
    fileprivate var ids: [String] { facts.transactions + facts.orders + facts.receipts + facts.credits }

    /// It is an order, and this is a payment whose goods are missing that may belong to it.
    fileprivate func isPossibleOrder(of purchase: LookupSubject) -> Bool {
        guard case .purchaseOpen(let ids) = safety else { return false }
        return !ids.isEmpty && purchase.facts.transactions.contains(where: ids.contains)
    }

    /// Nothing has to be done about it.
    var isSettled: Bool { safety.isNotNeeded(facts.verdict) && facts.verdict != .orderMissing }

    /// The message is not about it either.
    fileprivate var isBrief: Bool { isSettled && !isDescribed }

    /// `60 coins (coins_60)`; the id alone if the product list has no name.
    func product(_ texts: Texts) -> String? {
        guard let id = facts.product, let productName, productName != id else { return facts.product }
        return texts.lookup(.productNamed, productName, id)
    }

    /// `2025-11-18 20:03:05` and `60 coins (coins_60) × 1, 6.00 CNY; Matched; 2000000123456789`.
    func brief(zone: Zone, _ texts: Texts) -> LabelledText {
        let what = goods(product(texts), quantity: facts.quantity, amount: facts.amount, texts)
        let id = facts.transactions.first ?? facts.orders.first ?? ""
        let title =
            facts.cause == .none ? texts.lookupTitle(facts.verdict) : texts.title(facts.verdict, facts.cause)
        let clauses = [what, title, id].filter { !$0.isEmpty }
        return LabelledText(
            label: localTime(facts.eventAt, zone), text: clauses.joined(separator: texts.label(.clauseSeparator)))
    }
}

/// What is wrong with a rejected row, for a reader who does not correct it. `rejected.csv` has the whole reason, in English.
enum RejectedPart: String, CaseIterable {
    case amount, currency, future, id, missing, quantity, row, time, word

    init(_ reject: Reject) {
        let column = reject.column ?? ""
        let isTime = column == "at" || ["_at", "Date"].contains(where: column.hasSuffix) || column.hasPrefix("valid_")
        self =
            switch column {
            case _ where reject.kind == .missing: .missing
            case _ where isTime: reject.kind == .future ? .future : .time
            case "amount", "amount_minor", "price": .amount
            case "quantity": .quantity
            case "currency": .currency
            case "kind", "status", "origin", "type", "outcome", "verify_retryable", "environment": .word
            case _ where column.hasSuffix("_id") || column.hasSuffix("Id"): .id
            default: .row
            }
    }
}

extension Reject {
    /// The reason, as a clause; empty where it is hidden. It names the value if the reason begins with it.
    fileprivate func text(_ texts: Texts) -> String {
        if reason.isEmpty { return "" }
        let value = reason.prefixMatch(of: /“([^”]{1,40})”/).map { texts.lookup(.quoted, String($0.output.1)) } ?? ""
        let words = texts.lookup(.rejected, code: RejectedPart(self).rawValue, value)
        return column.map { texts.lookup(.ofColumn, words, $0) } ?? words
    }
}
