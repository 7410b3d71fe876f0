// What in a message speaks against what its ids say.
extension LookupAnswer {
    /// Adds the ids of the account's purchases whose goods are missing and that none of these answers shows, and of those without
    /// a known owner that carry a token of its orders: it may have been a guest's. The customer is not told that everything was
    /// delivered until somebody has looked them up.
    mutating func addLost(of account: String, besides answers: [LookupAnswer], in source: Inquiry) throws {
        let cases = try source.casesInOrder(knowing: [account], emailed: [], besides: [], exceptions: [])
        let inquiry = try CaseInquiry(source, cases: Set(cases.prefix(Inquiry.subjectsMax)))
        let shown = Set(answers.flatMap { $0.subjects + ($0.list?.purchases ?? []) }.flatMap(\.facts.transactions))
        lost += inquiry.subjects.filter { finding in
            let judgement = finding.judgement
            return judgement.owner?.text == account && !shown.contains(finding.subjectID)
                && source.handOuts[judgement.subject.id] == nil
                && (judgement.verdict == .paidNotCredited
                    || judgement.cause == .waitsPaidNotCredited)
        }.map { ($0.subjectID, $0.judgement.amount) }.ordered { $0.0 < $1.0 }
        let guests = try source.unowned(withTokensOf: account, in: inquiry).map { ($0.subjectID, $0.judgement.amount) }
        let found = Set(subjects.flatMap(\.facts.transactions))
        lostByToken += guests.filter { guest in !found.contains(guest.0) && !lostByToken.contains { $0.0 == guest.0 } }
        if lost.isEmpty, lostByToken.isEmpty { return }
        for index in subjects.indices where subjects[index].facts.verdict == .matched {
            subjects[index].isUnproven = true
        }
    }

    /// Adds the payments without a known owner that fit the description, or that may be the payment of an order shown
    /// without one: they may be any customer's, so neither an account nor an order hides them.
    /// - Parameters:
    ///   - asked: nil if the message is about a purchase that is shown.
    ///   - texts: the customer's account is among them, if it is known.
    mutating func addUnowned(
        fitting asked: PurchaseDescription?, of texts: [String], in source: Inquiry, mayBrowse: Bool
    ) throws {
        try addPossibleOrders(in: source)
        let accounts = try texts.filter(source.isAccount)
        let account = accounts.count == 1 ? accounts[0] : nil
        let shown = Set(subjects.flatMap(\.facts.transactions))
        func unowned(
            _ asked: PurchaseDescription, isOpen: Bool = false, for account: String?
        ) throws -> [CaseInquiry.JudgedSubject] {
            let isOther = try source.isOther(than: account)
            return try source.found(asked, isOpen: isOpen && !source.leadsDecide).filter {
                try ($0.judgement.owner == nil || isOpen && $0.isOwnerDecided) && !shown.contains($0.subjectID)
                    && !isOther($0)
            }
        }
        var found = try asked.flatMap { source.isOutside($0) ? nil : try unowned($0, for: account) } ?? []
        let isDescribed = !found.isEmpty
        let window = source.policy.suggestionWindow
        for index in subjects.indices.filter({ subjects[$0].isUnpaidOrder }).prefix(Self.unpaidMax) {
            let facts = subjects[index].facts
            var order = PurchaseDescription()
            order.days =
                source.policy.zone.date(of: facts.eventAt)...source.policy.zone.date(of: facts.eventAt + window)
            order.products = facts.product.map { [Identifier($0)] } ?? []
            let payments = try unowned(order, isOpen: true, for: facts.accounts.first).filter { payment in
                (payment.lacksGoods || payment.isOwnerDecided)
                    && !(payment.isOwnerDecided && payment.judgement.owner?.text == facts.accounts.first)
                    && (facts.eventAt...facts.eventAt + window).contains(payment.judgement.anchor)
            }
            if payments.isEmpty {
                if let (payment, handOut) = try source.decision(about: facts) {
                    subjects[index].openPurchases = [payment.subjectID]
                    // Number 3, in place of `verdict`.
                    subjects[index].refuse(.given(handOut), evenIfRefused: true)
                    subjects[index].isCreditOverdue =
                        payment.lacksGoods && handOut.at + .days(1) < source.horizon.instant
                }
                continue
            }
            let ids = payments.map(\.subjectID).ordered().prefix(CaseInquiry.candidatesMax)
            subjects[index].openPurchases = Array(ids)
            // Number 1.
            subjects[index].refuse(.purchaseOpen(Array(ids)), evenIfRefused: true)
            found += payments
        }
        if found.isEmpty { return }
        let keys = Set(found.map(\.judgement.subject))
        let inquiry = try CaseInquiry(source, cases: Set(found.map(\.caseID)))
        try show(
            list: inquiry.subjects.filter { keys.contains($0.judgement.subject) }, of: inquiry, FoundPurchases())
        let isEmpty = list?.purchases.isEmpty != false
        if isEmpty || !mayBrowse { list = nil }
        if isEmpty { return }
        route = mayBrowse ? .unownedFits : .unownedHidden
        for index in subjects.indices where isDescribed { subjects[index].isUnproven = true }
    }

    /// Names the ids of the message that are not on record. The customer may miss what they mean, so no purchase of the others is
    /// called complete.
    mutating func note(unrecorded ids: [String]) {
        unrecorded = ids.filter { $0 != rejectedRow?.id }
        for index in subjects.indices where !ids.isEmpty { subjects[index].isUnproven = true }
    }

    /// Names the readings of a date that has two, if none of these instants is on any of them.
    mutating func note(unclear dates: [BusinessDate], besides instants: [Instant], in zone: Zone) {
        if Set(instants.map(zone.date)).isDisjoint(with: dates) { unclearDates = dates }
    }

    /// Names the newest rejected row that mentions an order without a payment, or a payment without its record, by an id or
    /// a token; unless the payment that the row tells of is on record meanwhile.
    /// - Parameter named: the row that names an id of the text, if one does. No other one is looked for then.
    mutating func addRejectedRow(
        of found: [CaseInquiry.JudgedSubject], or named: (id: String, line: RejectLine)?, in source: Inquiry
    ) throws {
        rejectedRow = named
        if named != nil { return }
        let open = found.filter(\.lacksRecord).prefix(Self.unpaidMax)
        for finding in open {
            let ids = finding.plainIDs
            let claimed = finding.evidence.receipts.flatMap(\.claims).map { plainSpelling(of: $0.text) }
            let own = ids.orders.union(ids.transactions).union([plainSpelling(of: finding.subjectID)]).union(claimed)
            let tokens = Set(finding.evidence.orders.compactMap { $0.token.map { plainSpelling(of: $0.text) } })
            let rows = try source.rejectedRows(around: finding.judgement.anchor)
            let row = try rows.first { row in
                let words = RejectedRows.words(of: row.row).words
                if finding.hasNewer(than: row, ids.transactions, words) { return false }
                if !words.isDisjoint(with: own) { return true }
                return try !words.isDisjoint(with: tokens) && !source.hasTransaction(in: words)
            }
            guard let row, let line = try source.rejectLine(of: row),
                let index = subjects.firstIndex(where: { $0.isNamed(in: own) })
            else { continue }
            subjects[index].isRowRejected = true
            subjects[index].isUnproven = true
            if rejectedRow == nil {
                (rejectedRow, isRejectedRowBeside) = (
                    (subjects[index].facts.orders.first ?? finding.subjectID, line), true
                )
            }
        }
    }

    /// For how many orders a payment is searched at most, and for how many payments an order.
    private static let unpaidMax = 5

    /// Adds to payments whose owner a person must find the orders that may be theirs, by the same rule.
    private mutating func addPossibleOrders(in source: Inquiry) throws {
        for index in subjects.indices.filter({ subjects[$0].needsOwner }).prefix(Self.unpaidMax) {
            guard let transaction = subjects[index].facts.transactions.first else { continue }
            subjects[index].possibleOrders = try source.possibleOrders(for: transaction)
        }
        for index in subjects.indices where !subjects[index].possibleOrders.isEmpty {
            subjects[index].suggestedOrders = subjects[index].possibleOrders.map(\.order)
        }
    }

    /// Withholds a YES where the text names an account that may be the customer's, and is not the owner.
    mutating func doubt(strays typed: TypedText, besides known: [String], _ zone: Zone) {
        for index in subjects.indices where subjects[index].safety.isSafe {
            let facts = subjects[index].facts
            let others = known + facts.transactions + facts.orders + typed.times(near: facts.eventAt, in: zone)
            guard let owner = subjects[index].owner, let stray = typed.stray(like: owner, besides: others) else {
                continue
            }
            // Number 19.
            subjects[index].refuse(.accountUnclear(stray))
            subjects[index].isUnproven = true
        }
    }
}

/// Why the goods of a payment without a known owner are not given to an account.
public enum AccountObjection: Sendable {
    /// It is not on record; the accounts that it may mean.
    case unknown(near: [String])
    /// The payment carries another account's token.
    case otherToken
    /// What the look-up would say if it were the owner.
    case safety(LookupSafety, Verdict)
    /// The account has no order that may be the payment's. These have, with their accounts.
    case otherOrders([(order: String, account: String)])
}

extension Inquiry {
    /// The payments without a known owner that lack their goods and carry a token of one of the account's orders, which
    /// another account's orders carry, too.
    fileprivate func unowned(
        withTokensOf account: String, in inquiry: CaseInquiry
    ) throws -> [CaseInquiry.JudgedSubject] {
        if policy.tokenUse != .account { return [] }
        let own = inquiry.evidence.flatMap(\.orders).filter { $0.account.text == account }.compactMap(\.token)
        let shared = Set(try history.owners(of: Set(own), atMost: 2).filter { $0.value.count > 1 }.keys)
        let cases = try history.inOrderOfNeed(history.cases(withTokens: shared)).prefix(Self.subjectsMax)
        return try CaseInquiry(self, cases: Set(cases)).subjects.filter {
            $0.judgement.owner == nil && $0.lacksGoods && $0.token.map(shared.contains) == true
        }.ordered { $0.subjectID < $1.subjectID }
    }

    /// Whether a payment carries a token that no order of this account carries, although orders of it carry others.
    fileprivate func isOther(than account: String?) throws -> (CaseInquiry.JudgedSubject) throws -> Bool {
        guard policy.tokenUse == .account, let account else { return { _ in false } }
        let own = try history.ownTokens(of: account, in: Array(history.cases(knowing: [account])))
        return { finding in
            guard let token = finding.token, !own.isEmpty, !own.contains(token) else { return false }
            return try history.owners(of: [token], atMost: 100)[token]?[Identifier(account)] == nil
        }
    }

    /// Whether leads decide to whom goods are given if no record names the owner.
    fileprivate var leadsDecide: Bool { handOuts.values.contains { $0.account != nil } }

    /// The orders without a payment that the payment of this transaction may belong to, the latest first, with their accounts.
    func possibleOrders(for transaction: String) throws -> [(order: String, account: String)] {
        let payments = try CaseInquiry(self, cases: history.cases(knowing: [transaction])).subjects
        let payment = payments.first {
            $0.subjectID == transaction && ($0.judgement.owner == nil || $0.isOwnerDecided)
        }
        guard let payment, let product = payment.judgement.product
        else { return [] }
        let paidAt = payment.judgement.anchor
        let span = paidAt + Milliseconds(-policy.suggestionWindow.count)...paidAt
        let cases = try history.cases(
            ofOrdersFor: product, in: span, near: payment.caseID, casesMax: Self.newestCases)
        let inquiry = try CaseInquiry(self, cases: Set(cases.ordered().suffix(Self.possibleMax)))
        let orders = inquiry.subjects.filter { $0.subject.backing != .purchase && span.contains($0.judgement.anchor) }
        let context = try Neighbourhood(of: orders, inquiry)
        return try orders.ordered { $0.judgement.anchor > $1.judgement.anchor }.compactMap { order in
            let answer = try inquiry.answer(of: order, in: context, isListed: true)
            guard answer.isUnpaidOrder, let id = answer.facts.orders.first, let account = answer.facts.accounts.first,
                answer.facts.product == product.text, try !isOther(than: account)(payment)
            else { return nil }
            return (id, account)
        }
    }

    /// The payment that a lead decided to be of this order's account, if it is the account's latest order that the payment may
    /// belong to, and its goods went to no other account.
    fileprivate func decision(
        about order: ExceptionFacts
    ) throws -> (payment: CaseInquiry.JudgedSubject, handOut: HandOut)? {
        guard let account = order.accounts.first else { return nil }
        for handOut in handOuts.values.filter({ $0.account == account }).ordered(by: { $0.at > $1.at }) {
            let id = handOut.transaction.text
            let latest = try possibleOrders(for: id).first { $0.account == account }
            guard let latest, order.orders.contains(latest.order) else { continue }
            let payments = try CaseInquiry(self, cases: history.cases(knowing: [id])).subjects
            let payment = payments.first { $0.subjectID == id && $0.isOwnerDecided }
            if let payment, payment.subject.position.credits.allSatisfy({ $0.account.text == account }) {
                return (payment, handOut)
            }
        }
        return nil
    }

    /// How many cases with such an order are looked at.
    private static let possibleMax = 100

    /// Whether one of the words of a rejected row is the id of a transaction on record: a later file corrected the row.
    fileprivate func hasTransaction(in words: Set<String>) throws -> Bool {
        try words.filter { $0.count >= 10 && $0.allSatisfy(\.isNumber) }.contains { word in
            let cases = try history.cases(knowing: [word])
            return try history.isKnown(word, in: cases) && !history.isAccount(word, in: cases)
        }
    }

    /// It is not on record, but is with letters and digits exchanged that look alike.
    func isMistyped(_ account: String) throws -> Bool {
        try !isAccount(account) && lookAlikes(of: account).contains { try $0.kind == .lookAlike && isAccount($0.text) }
    }

    /// The account that the customer is said to have; nil if an order, a credit or a receipt names it.
    func unknown(account: String) throws -> String? { try isAccount(account) ? nil : account }

    /// The cases of payments without a known owner whose goods a lead gave to one of the accounts.
    func casesGiven(to texts: [String]) throws -> Set<CaseID> {
        let given = handOuts.values.filter { $0.account.map(texts.contains) == true }.map(\.transaction.text)
        return given.isEmpty ? [] : try history.cases(knowing: given)
    }

    /// Nil if nothing speaks against giving the goods of the transaction to that account, byte for byte.
    /// - Parameter isSure: whether orders of other accounts that fit have been shown to the lead.
    public func objection(
        toGiving transaction: String, to account: String, isSure: Bool
    ) throws -> AccountObjection? {
        guard try isAccount(account) else {
            let (meant, typed) = (try self.account(typed: account), TypedText(account))
            let alike = try typed.namesSomething ? near(typed).filter { $0.kind == .account }.map(\.id) : []
            return .unknown(near: meant == account ? Array(alike.prefix(3)) : [meant])
        }
        let payments = try CaseInquiry(self, cases: history.cases(knowing: [transaction])).subjects.filter { payment in
            payment.subject.transactions.contains { payment.file.transactions[$0].id.text == transaction }
        }
        if try payments.contains(where: isOther(than: account)) { return .otherToken }
        var asked = self
        asked.presumedOwners[Identifier(transaction)] = Identifier(account)
        let subject = try asked.answer(transaction).subjects.first { $0.facts.transactions.contains(transaction) }
        guard let subject else { return .safety(.ownerUnknown, .paidNotCredited) }
        let safety = subject.needsOwner ? subject.besidesOwner : subject.safety
        if let safety, !safety.isSafe { return .safety(safety, subject.facts.verdict) }
        let orders = try isSure ? [] : possibleOrders(for: transaction)
        return orders.isEmpty || orders.contains { $0.account == account } ? nil : .otherOrders(orders)
    }
}

extension Inquiry {
    /// Whether a message has more than ids and their labels. A list of words cannot show whether the customer has the goods.
    func hasWords(besides ids: [String], in text: String) -> Bool {
        let message = folded(text)
        let rest = ids.reduce(TypedText.beginning(of: message).lowercased()) {
            $0.replacing($1.lowercased(), with: " ")
        }
        .replacing(/[a-z_-]*[0-9]{4}[0-9a-z_-]*/, with: " ").replacing(labelsOfIDs, with: " ")
        // A plus before an amount is money that came back, in a line of a statement.
        return message.count > 2000 || message.contains(/(?:^|[^0-9A-Za-z])\+\s?[0-9,]+\.[0-9]{2}/)
            || rest.contains { $0.isLetter || !$0.isASCII && !$0.isPunctuation }
    }
}

private var labelsOfIDs: Regex<Substring> {
    /订单|交易|账户|账号|用户|玩家|编?号码?|单号|\b(?:orders?|transactions?|accounts?|user|uid|id|number)\b/
}

extension CaseInquiry.JudgedSubject {
    /// A file brought what the row tells of, or tells of credits, which it does not lack.
    fileprivate func hasNewer(than row: RejectedRow, _ transactions: Set<String>, _ words: Set<String>) -> Bool {
        switch row.kind {
        case .transactions: !words.isDisjoint(with: transactions)
        case .orders: evidence.orders.contains { $0.source.fileDate >= row.date }
        case .receipts: evidence.receipts.contains { $0.source.fileDate >= row.date }
        default: true
        }
    }

    /// Its order or its payment may be in a row that was rejected.
    fileprivate var lacksRecord: Bool {
        switch judgement.verdict {
        case .closed: ![.refunded, .reversed].contains(judgement.cause)
        case .waiting, .orderUnverified, .orphanReceipt, .undetermined: true
        default: false
        }
    }
}

extension LookupSubject {
    /// - Parameter ids: in plain spelling.
    fileprivate func isNamed(in ids: Set<String>) -> Bool {
        (facts.transactions + facts.orders + facts.receipts).contains { ids.contains(plainSpelling(of: $0)) }
    }

    /// It is an order, and nothing of it is known but that no payment came.
    fileprivate var isUnpaidOrder: Bool {
        guard safety == .verdict, facts.transactions.isEmpty, facts.credits.isEmpty, !facts.orders.isEmpty else {
            return false
        }
        switch facts.verdict {
        case .closed: return ![.refunded, .reversed, .receiptRejected].contains(facts.cause)
        case .waiting, .orderUnverified: return true
        default: return false
        }
    }
}
