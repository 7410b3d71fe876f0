extension LookupStaleness {
    func text(_ texts: Texts) -> String { texts.lookup(.staleRecords, date.text, String(days)) }
}

extension Texts {
    /// The id of a credit. One that stands for an order's status is named as the order.
    fileprivate func named(_ id: String) -> String {
        Credit.order(implying: id).map { lookup(.kind, code: LookupKind.order.rawValue) + " " + $0 } ?? id
    }
}

extension LookupSafety {
    /// The reason, as a clause.
    func text(of verdict: Verdict, _ cause: Cause = .none, zone: Zone, _ texts: Texts) -> String {
        switch self {
        case .verdict:
            texts.words["lookup.unsafe.\(verdict.rawValue)/\(cause.rawValue)"]
                ?? texts.lookup(.unsafe, code: verdict.rawValue)
        case .purchaseOpen(let ids), .creditOnRecord(let ids), .creditUnplaced(let ids), .alreadyOwned(let ids):
            texts.lookup(.safety, code: code, ids.map(texts.named).joined(separator: texts.label(.nameSeparator)))
        case .creditRejected(let text), .accountUnclear(let text): texts.lookup(.safety, code: code, text)
        case .refundReported(let sign): texts.lookup(.safety, code: adviceCode, sign.text(texts))
        case .creditsMissing(let date): texts.lookup(.safety, code: code, date.text)
        case .recordsMissing(let feed, let date):
            texts.lookup(.safety, code: code, texts.word(.feed, feed.rawValue), date.text)
        case .given(let handOut): handOut.text(code, zone: zone, texts)
        case .restored(let at): texts.lookup(.safety, code: code, localTime(at, zone))
        case .stale(let number), .safeAfterTries(let number), .retrySilent(let number):
            texts.lookup(.safety, code: code, String(number))
        default: texts.lookup(.safety, code: code)
        }
    }
}

/// Where an answer stands: in a text, or on the desk's page with its buttons, which may need a second user.
enum LookupPlace {
    case text, page, pageOfTwo

    fileprivate var recordFirst: LookupLabel {
        switch self {
        case .text: .recordFirst
        case .page: .recordFirstPage
        case .pageOfTwo: .recordFirstTwo
        }
    }
}

/// The meaning, the text for the customer, what to do and who approves it. None of them may contradict the safety.
func adviceLines(
    _ subject: LookupSubject, explanation words: Texts.Explanation, reader: String?, mayGive: Bool,
    at place: LookupPlace, zone: Zone, _ texts: Texts
) -> [LabelledText] {
    let safety = subject.safety
    var (meaning, customer, next, approval) = (subject.sense(words, texts), words.customer, words.next, words.approval)
    if subject.facts.verdict == .paidNotCredited, subject.owner != nil {
        // The owner is known, so there is no need to ask the customer for the account.
        customer = texts.explanation(.paidNotCredited).customer
    }
    let isComplaint = subject.isComplaint
    (meaning, customer) = told(of: subject, isComplaint: isComplaint, meaning, customer, texts)
    let transaction = subject.facts.transactions.first ?? ""
    if let advice = texts.words["lookup.advice." + safety.adviceCode] {
        next = advice
        if case .refundReported(let sign) = safety { next = texts.filled(advice, [sign.text(texts)]) }
        if ![.partlyGiven, .paidTwice].contains(safety) { approval = texts.lookup(.approvalNone) }
    } else if safety.isSafe {
        let answer = subject.refusal.map { texts.lookup(.lastAnswer, $0) } ?? ""
        next = answer + texts.lookup(place.recordFirst, transaction, subject.counted(texts))
        if subject.isMasked { next += texts.lookup(.hiddenAccount) }
        if !mayGive { next = answer + texts.lookup(.recordOthers) }
        next = subject.holder(besides: reader).map { texts.lookup(mayGive ? .leftTo : .leftToHolder, $0) } ?? next
    }
    if let step = subject.stepToRecord(reader: reader, texts) { next = step }
    if safety.isNotNeeded(subject.facts.verdict) {
        next = subject.ways(isComplaint ? texts.lookup(.chargeWish) : next, isComplaint: isComplaint, texts)
    } else if let takenBackAt = subject.takenBackAt {
        meaning = texts.lookup(.takenBackMeaning, localTime(takenBackAt, zone))
        (customer, next) = (texts.lookup(.customerChecking), texts.lookup(.takenBackStep))
    }
    if subject.needsOwner, !(subject.isForLead && subject.isHandOutWished) {
        if safety == .ownerUnknown, subject.hasAsker { next = texts.lookup(.compareOwner) }
        next = subject.ownerStep(behind: next, at: place, reader: reader, zone: zone, texts)
    } else if safety == .takenBack, subject.timeline.contains(where: { $0.kind == "refund_reversed" }) {
        next = texts.lookup(.refundOwed)
    }
    if case .given(let handOut) = safety, subject.isCreditOverdue {
        next = texts.lookup(handOut.by == reader ? .givenOverdueOwn : .givenOverdue, handOut.by)
    }
    if subject.isGiven(by: reader) {
        next = texts.lookup(.givenOwn, subject.counted(texts)) + texts.lookup(.recordAs, transaction)
        approval = texts.lookup(.approvalOwn, subject.counted(texts))
    }
    if subject.isUnrecordedCharge {
        customer = texts.sentences(customer, texts.lookup(.customerSubscription))
        next = texts.sentences(next, texts.lookup(.chargeWish))
    }
    if let reader, subject.work?.assignee == reader, let stays = subject.handOutStays(reader: reader, texts),
        stays.giver != reader
    {
        next = texts.sentences(next, stays.text)
    }
    if let doubt = subject.doubtOfHandOut(customer, reader: reader, zone: zone, texts) { (customer, next) = doubt }
    next = subject.numbered(next, for: reader, texts)
    return [
        (texts.lookup(.meaning), meaning), (texts.lookup(.customer), customer), (texts.lookup(.next), next),
        (texts.lookup(.approval), subject.isForLead ? texts.lookup(.approvalOwner) : approval),
    ].map { LabelledText(label: $0.0, text: $0.1) }
}

/// The meaning and the text for the customer, where the safety demands others than the verdict's own.
private func told(
    of subject: LookupSubject, isComplaint: Bool, _ meaning: String, _ customer: String, _ texts: Texts
) -> (meaning: String, customer: String) {
    let safety = subject.safety
    var (meaning, customer) = (meaning, customer)
    if safety == .otherAccount {
        // The agent reads what happened. The customer does not.
        meaning = texts.lookup(.saidOf, subject.title(texts), meaning)
        customer = texts.lookup(.customerOther)
    } else if subject.isUnproven {
        customer = texts.lookup(.customerUnproven)
    } else if case .purchaseOpen = safety {
        customer = texts.lookup(.customerOrder)
    } else if subject.isOrderOfAnother {
        customer = texts.lookup(.customerOrder)
    } else if subject.isOrderOfHandOut, !subject.isCreditOverdue {
        (meaning, customer) = (texts.lookup(.orderGivenMeaning), texts.lookup(.customerOrderGiven))
    } else if case .given = safety {
        customer = texts.lookup(
            subject.isCreditOverdue || subject.waiver != nil ? .customerChecking : .customerGiven)
    } else if safety == .ownerUnknown {
        customer = texts.lookup(subject.isForLead && subject.isHandOutWished ? .customerChecking : .customerAccount)
    } else if safety == .waived {
        customer = texts.lookup(.customerWaived)
    } else if case .alreadyOwned = safety {
        customer = texts.lookup(subject.isOwned ? .customerOwned : .customerPaidTwice)
    } else if case .refundReported(.upgrade(let plan)) = safety {
        customer = texts.lookup(.customerUpgraded, RefundSign.upgrade(plan).text(texts))
    } else if subject.isRefundedByApple {
        customer = texts.lookup(.customerRefunded)
    } else if isComplaint {
        customer = texts.lookup(.customerCharged)
    } else if safety.isDoubtful || subject.isSentNext
        || safety.isSafe && (subject.refusal != nil || subject.hasCautions)
    {
        if safety == .statusOnly { meaning = texts.lookup(.statusMeaning) }
        customer = texts.lookup(.customerChecking)
    }
    return (meaning, customer)
}

extension LookupSubject {
    /// The customer complains about the charge of what was delivered.
    fileprivate var isComplaint: Bool {
        isAboutCharge && safety == .verdict && [.matched, .orderMissing].contains(facts.verdict)
    }

    /// The customer complains about the charge of a period that is withheld because no period of the product was recorded.
    fileprivate var isUnrecordedCharge: Bool {
        isAboutCharge && safety != .otherAccount && [safety, besidesOwner].contains(.renewalsUnrecorded)
    }

    /// An order without a payment, beside a delivered payment without an order.
    fileprivate var isOrderOfAnother: Bool { safety == .verdict && !orderlessPurchases.isEmpty }

    /// This step, and what follows once the owner is certain, or why nothing does yet.
    fileprivate func ownerStep(
        behind step: String, at place: LookupPlace, reader: String?, zone: Zone, _ texts: Texts
    ) -> String {
        if let other = besidesOwner {
            let reason = texts.desk(.ownerNotYet, other.text(of: facts.verdict, zone: zone, texts))
            return texts.sentences(texts.sentences(step, reason), texts.words["lookup.advice." + other.code] ?? "")
        }
        if let waiver = waiverStep(reader: reader, texts) { return texts.sentences(step, waiver) }
        let transaction = facts.transactions.first ?? ""
        return step + texts.lookup(place == .text ? .ownerCertain : .ownerCertainPage, transaction, counted(texts))
            + texts.lookup(.recordAs, transaction)
    }

    /// What to do before the goods can be given: decide the request for a waiver. Nil if no such request waits.
    fileprivate func waiverStep(reader: String?, _ texts: Texts) -> String? {
        waiverWish.map {
            $0.by == reader
                ? texts.lookup(.waiverFirst)
                : texts.sentences(texts.lookup(.withdrawnWaiveCheck, $0.by), texts.lookup(.waiverPending))
        }
    }

    /// What closes it, where a rejected row or a missing link is all that is wrong, a guest may have signed up, or a second person
    /// must confirm first; nil for others.
    fileprivate func stepToRecord(reader: String?, _ texts: Texts) -> String? {
        if safety.isSafe || isForLead && isHandOutWished, let step = waiverStep(reader: reader, texts) { return step }
        if safety.isSafe || isForLead, isHandOutWished { return texts.desk(.twoHint, counted(texts)) }
        if safety.isSafe, let wish = wishes.first(where: { $0.by != reader }) {
            return texts.lookup(.withdrawnWaiveCheck, wish.by)
        }
        guard safety == .verdict else { return nil }
        if facts.verdict == .creditedToWrongAccount, !formerAccounts.isEmpty {
            return texts.sentences(texts.lookup(.guestSignedUp), texts.explanation(facts.verdict, facts.cause).next)
        }
        if isRowRejected { return texts.lookup(.rejectedStep) }
        let comma = texts.label(.nameSeparator)
        if isOrderOfAnother, let order = facts.orders.first {
            return texts.lookup(.linkOrder, orderlessPurchases.joined(separator: comma), order)
        }
        guard facts.verdict == .orderMissing, let transaction = facts.transactions.first,
            let order = suggestedOrders.first
        else { return nil }
        return suggestedOrders.count == 1
            ? texts.lookup(.linkOrder, transaction, order)
            : texts.lookup(.linkOrders, transaction, suggestedOrders.joined(separator: comma))
    }
}
