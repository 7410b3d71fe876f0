/// A label and its text. Texts are not escaped yet.
struct LabelledText {
    var label: String
    var text: String
    /// The evidence for it, each as `file:line`.
    var sources: [String] = []
    /// They are the text's further lines instead.
    var areLines = false
}

/// A subject in words, for all renderers.
struct LookupWording {
    /// Lines under a heading.
    struct Section {
        var heading: String
        var lines: [LabelledText]
        /// The width of the labels' column on a screen.
        var labelWidth = 18
    }
    /// The verdict: `Paid not credited`.
    let headline: String
    /// Verdict and cause: `Paid not credited · App never reported back`.
    let title: String
    let isSafe: Bool
    /// The answer is YES without a caution: the consumer refused nothing, the reader may record it, and no other agent has
    /// the case in hand.
    let isPlainYes: Bool
    /// The reader recorded that the goods are given, and gives them.
    let isOwn: Bool
    /// Nothing has to be given, so the answer is neither yes nor no.
    let isNotNeeded: Bool
    /// Why it is safe or not.
    let safety: String
    /// Whether it is: `NO`.
    let answer: String
    /// `Safe to compensate by hand: NO – the customer has the goods already.`
    let safetyLine: String
    /// What must be read before the goods are given, although it is safe.
    let cautions: [String]
    /// The meaning, the text for the customer, what to do next, and who approves it.
    let advice: [LabelledText]
    /// The facts, the timeline and, where there are any, the exception's history and the retry entries.
    private(set) var sections: [Section]

    /// - Parameters:
    ///   - possibleOrders: orders that may belong to the purchase, which have no block of their own.
    ///   - reader: the user who reads it; nil if unknown.
    ///   - mayGive: whether that user may record that the goods are given.
    ///   - place: where it stands.
    init(
        _ subject: LookupSubject, possibleOrders: [LookupSubject] = [], zone: Zone, texts: Texts, reader: String? = nil,
        mayGive: Bool = true, at place: LookupPlace = .text
    ) {
        let facts = subject.facts
        let words = texts.explanation(facts.verdict, facts.cause)
        let isOthers = subject.safety == .otherAccount
        headline = subject.headline(texts)
        let owners = subject.owner.map { [$0] } ?? facts.accounts
        title =
            isOthers
            ? texts.lookup(.ofOther, owners.joined(separator: texts.label(.nameSeparator))) : subject.title(texts)
        isSafe = subject.safety.isSafe
        isNotNeeded = subject.safety.isNotNeeded(facts.verdict)
        safety = subject.reason(reader: reader, zone: zone, texts)
        let refusal = subject.refusal
        cautions = subject.cautions(reader: reader, zone: zone, texts)
        isPlainYes = isSafe && refusal == nil && cautions.isEmpty && mayGive && subject.holder(besides: reader) == nil
        isOwn = subject.isGiven(by: reader)
        let label =
            isNotNeeded ? LookupLabel.notNeeded : isOwn ? .byYou : !isSafe ? .no : refusal == nil ? .yes : .yesAnswered
        answer = texts.lookup(label, isOwn ? subject.counted(texts) : refusal ?? "")
        safetyLine = texts.lookup(.verdictLine, texts.lookup(.safe), answer, safety)
        advice = adviceLines(
            subject, explanation: words, reader: reader, mayGive: mayGive, at: place, zone: zone, texts)
        sections = [
            Section(heading: texts.lookup(.facts), lines: factLines(subject, zone: zone, texts)),
            Section(
                heading: texts.lookup(.timeline, zone.name), lines: timelineLines(subject.timeline, zone: zone, texts),
                labelWidth: 19),
        ]
        let wishes = subject.decisions.map {
            let text = $0.text(texts, of: subject.facts.shownID, isWaived: subject.safety == .waived)
            return LabelledText(label: texts.decision(button: $0.kind), text: text)
        }
        let withdrawn = (cautions.isEmpty ? subject.withdrawn : []).map {
            LabelledText(label: localTime($0.withdrawal.at, zone), text: $0.text(zone: zone, texts))
        }
        let work = (subject.work?.lines(zone: zone, texts) ?? []) + wishes + withdrawn
        if !work.isEmpty {
            sections.insert(Section(heading: texts.queue(.work), lines: work, labelWidth: 19), at: 0)
        }
        for order in possibleOrders {
            let heading = texts.lookup(.possibleOrder, order.facts.orders.first ?? "", order.title(texts))
            sections.append(
                Section(heading: heading, lines: timelineLines(order.timeline, zone: zone, texts), labelWidth: 19))
        }
        for exception in ([subject] + possibleOrders).compactMap(\.exception) {
            let (id, state) = (exception.id.text, texts.word(.state, exception.state.rawValue))
            let history = exception.history.map { LabelledText(label: $0.date.text, text: $0.text(texts)) }
            sections.append(
                Section(heading: texts.lookup(.exceptionOf, id, state, exception.firstSeen.text), lines: history))
        }
        if !subject.retries.isEmpty {
            let entries = subject.retries.map {
                LabelledText(label: texts.word(.action, $0.facts.action.rawValue), text: $0.text(texts, of: subject))
            }
            sections.append(Section(heading: texts.lookup(.retry), lines: entries))
        }
    }
}

extension LookupAnswer {
    /// The subjects that need no action, if they are listed briefly; nil without any.
    func settled(zone: Zone, texts: Texts) -> LookupWording.Section? {
        if shownBriefly.isEmpty { return nil }
        return LookupWording.Section(
            heading: texts.lookup(.settled), lines: shownBriefly.map { $0.brief(zone: zone, texts) }, labelWidth: 19)
    }

    /// Says that the customer bought the same goods twice within a quarter of an hour and got both. Nil if not.
    private func boughtTwice(_ texts: Texts) -> String? {
        // It does not explain why goods are missing.
        if subjects.contains(where: { $0.facts.verdict == .paidNotCredited }) { return nil }
        // If there are many purchases, two are named, and only to a customer whose charge they may explain.
        let bought = (subjects.contains(where: \.isAboutCharge) ? subjects : shownInFull).filter {
            $0.facts.verdict == .matched && $0.owner != nil && !$0.facts.transactions.isEmpty
        }
        .sorted { ($0.facts.eventAt, $0.facts.transactions[0]) < ($1.facts.eventAt, $1.facts.transactions[0]) }
        // The newest two are those that the customer means.
        for (first, second) in zip(bought, bought.dropFirst()).reversed()
        where first.owner == second.owner && first.facts.product == second.facts.product {
            let minutes = (second.facts.eventAt.milliseconds - first.facts.eventAt.milliseconds + 30_000) / 60_000
            guard minutes <= 15 else { continue }
            let ids = [first, second].map { $0.facts.transactions[0] }
            return texts.lookup(.boughtTwice, ids[0], ids[1], String(max(1, minutes)))
        }
        return nil
    }

    private var firstDate: BusinessDate { recordsFrom ?? covers.lowerBound }

    /// The message is about a time before the records.
    private var isBefore: Bool { described?.days.map { $0.upperBound < firstDate } == true }

    /// Where the records begin; nil if the message is about a later time.
    private func older(_ texts: Texts) -> String? {
        let isLater = (described ?? list?.asked)?.days.map { $0.upperBound >= firstDate } == true
        return isLater ? nil : texts.lookup(.older, firstDate.text)
    }

    /// What to do where nothing is known, or nothing fits.
    private func step(_ texts: Texts) -> String? {
        guard let route, route != .rowRejected else { return nil }
        return isBefore ? older(texts) : routeLine(texts)
    }

    /// The paragraphs with which the introduction begins, where there is something to warn of.
    func warnings(_ texts: Texts) -> [String] {
        let others = ofOthers.joined(separator: texts.label(.nameSeparator))
        return [
            unrecorded.isEmpty
                ? nil : texts.lookup(.unrecorded, unrecorded.joined(separator: texts.label(.nameSeparator))),
            staleness?.text(texts), guardLine(texts), movedLine(texts), tokenLine(texts), lostLine(texts),
            lostBelow(texts), unclearLine(texts), roleLine(texts),
            // If nothing fits, the row may be the reason.
            isRejectedRowBeside ? rejectedLine(texts) : nil,
            isAboutOneFound
                ? step(texts)
                : described == nil
                    ? nil
                    : step(texts).map {
                        texts.sentences($0, texts.lookup(route == .outsideRecords ? .notThenBelow : .othersBelow))
                    },
            owners.count > 1 ? texts.lookup(.severalOwners, String(owners.count)) : nil,
            others.isEmpty ? nil : asker == nil ? nil : texts.lookup(.othersFound, others, namedAskers(texts)),
            originalLine(texts), isRejectedRowBeside ? nil : rejectedLine(texts),
            unknownAccount.map { unknown($0, texts) },
        ].compactMap(\.self)
    }

    /// What is unusual about the last night's data, where that withholds goods shown here, or may be why they are held.
    private func guardLine(_ texts: Texts) -> String? {
        let isWithheld = subjects.contains { subject in
            [LookupSafety.guarded, .held].contains { [subject.safety, subject.besidesOwner].contains($0) }
        }
        guard isWithheld else { return nil }
        let said = guarded.prefix(Self.listedMax).map(texts.sentence)
        return said.isEmpty ? nil : texts.lookup(.guardedBy, said.joined(separator: texts.label(.clauseSeparator)))
    }

    /// A role's number without its server.
    private func roleLine(_ texts: Texts) -> String? {
        roles.map { number, accounts in
            accounts.count == 1
                ? texts.lookup(.roleOne, number, accounts[0]) : texts.lookup(.roleMany, number, String(accounts.count))
        }
    }

    private func namedAskers(_ texts: Texts) -> String { askers.joined(separator: texts.label(.nameSeparator)) }

    /// Something was found, and a person must compare it with the message.
    private var isAboutOneFound: Bool {
        route.map { [.unownedFits, .unownedHidden, .namedDiffers].contains($0) } ?? false
    }

    /// Nothing but an account was asked about, and it is not on record.
    private var isAboutAccount: Bool { unknownAccount != nil && unknownAccount == identifier }

    /// The paragraphs before the subjects: until when the ledger knows; for an unknown identifier, what was searched.
    func introduction(zone: Zone, texts: Texts) -> [String] {
        let comma = texts.label(.nameSeparator)
        let until = localTime(knowsUpTo, zone)
        let (from, to) = (covers.lowerBound.text, covers.upperBound.text)
        let dates = from == to ? from : texts.lookup(.span, from, to)
        var paragraphs = [texts.lookup(.knowsUpTo, until, zone.name, dates)]
        if !isFound {
            let kinds = LookupKind.allCases.map { texts.lookup(.kind, code: $0.rawValue) }
            paragraphs = identifier.isEmpty ? [] : [texts.lookup(.notFound, shownIdentifier)]
            if list == nil, !isAboutAccount {
                paragraphs.append(texts.lookup(.searched, kinds.joined(separator: comma)))
            }
            paragraphs.append(texts.lookup(.covers, dates, until, zone.name))
        }
        if asker != nil, unknownAccount == nil {
            let label: LookupLabel = otherAskers.isEmpty ? .askedBy : .askedBySeveral
            paragraphs.insert(texts.lookup(label, namedAskers(texts)), at: 0)
        }
        paragraphs = warnings(texts) + paragraphs
        if let pasted {
            let ids = pasted.transactions.prefix(Self.listedMax).joined(separator: comma)
            paragraphs.append(texts.lookup(.pasted, code: pasted.outcome.rawValue, ids))
        } else if !readAs.isEmpty {
            paragraphs.append(texts.lookup(.readAs, readAs.joined(separator: comma)))
        }
        if let described { paragraphs.append(texts.lookup(.understood, described.text(texts))) }
        if namesPhonesEnd { paragraphs.append(texts.lookup(.phonesEnd)) }
        if let date = bareDate { paragraphs.append(texts.lookup(.bareDate, date)) }
        if asksForRefund {
            paragraphs.append(texts.lookup(.refundWish))
        }
        if !shownAbove.isEmpty {
            let ids = shownAbove.prefix(Self.listedMax).joined(separator: comma)
            paragraphs.append(texts.lookup(.shownAbove, ids, String(shownAbove.count)))
        }
        if let foundBy {
            paragraphs.append(texts.lookup(.foundBy, code: foundBy.kind.rawValue, String(foundBy.known)))
        }
        if let unknown {
            paragraphs.append(
                texts.sentences(
                    texts.lookup(.notFound, unknown.id), texts.lookup(.route, code: unknown.route.rawValue)))
            paragraphs += [older(texts)].compactMap(\.self)
        }
        if let twice = boughtTwice(texts) { paragraphs.append(twice) }
        paragraphs += listIntroduction(texts: texts)
        if purchases.count >= Self.countedMin { paragraphs.append(countLine(texts)) }
        if !coverageGaps.isEmpty {
            let days = coverageGaps.map { texts.word(.feed, $0.feed.rawValue) + " " + $0.date.text }
            paragraphs.append(texts.lookup(.missing, days.joined(separator: comma)))
        }
        if !isAboutOneFound, let step = step(texts) {
            if described == nil, !isAboutAccount { paragraphs.append(step) }
            if pasted == nil, !isBefore { paragraphs += [older(texts)].compactMap(\.self) }
        }
        if !near.isEmpty { paragraphs.append(texts.lookup(.near)) }
        return paragraphs
    }
}

extension LookupSubject {
    /// Verdict and cause: `Paid not credited · App never reported back`.
    func title(_ texts: Texts) -> String {
        if facts.cause == .none { return headline(texts) }
        let cause =
            takenBackAt != nil
            ? texts.lookup(.takenBackTitle)
            : isRenewalAlone
                ? texts.lookup(isToldAsRenewal ? .renewalTitle : .laterTitle)
                : texts.explanation(facts.verdict, facts.cause).title
        return texts.lookup(.headline, headline(texts), cause)
    }

    /// Apple renewed the subscription, or may have: no order is needed.
    var isRenewalAlone: Bool { isRenewal && facts.cause == .noOrder && suggestedOrders.isEmpty }

    /// What to do where nothing has to be given. Words may have missed what the customer says, so it names the account and
    /// the way to the money whatever the message says.
    func ways(_ step: String, isComplaint: Bool, _ texts: Texts) -> String {
        if isRefundedByApple { return texts.sentences(step, texts.lookup(.refundedWish)) }
        let asked = texts.sentences(step, texts.lookup(.missingWish))
        return isComplaint || isRefunded ? asked : texts.sentences(asked, texts.lookup(.moneyWish))
    }

    /// When the goods were taken back, if it is not known yet whether Apple refunded the purchase.
    var takenBackAt: Instant? {
        let last = timeline.last { ["credit", "reversal"].contains($0.kind) }
        let isOpen = facts.verdict == .waiting && facts.cause == .waitsPaidNotCredited && safety == .verdict
        return isOpen && last?.kind == "reversal" ? last?.at : nil
    }

    var hasCautions: Bool {
        safety.isSafe && (isDisputed || hasWordsBesideIDs || !withdrawn.isEmpty || !wishes.isEmpty)
    }

    /// ` (60 coins × 3)` behind what an agent is told to give, where it is more than one.
    func counted(_ texts: Texts) -> String {
        guard let product = productName ?? facts.product, let quantity = facts.quantity, quantity > 1 else { return "" }
        return texts.lookup(.counted, product, String(quantity))
    }

    /// The step, and that Apple's number counts where an order names another one.
    func numbered(_ step: String, for reader: String?, _ texts: Texts) -> String {
        let ordered = timeline.lazy.compactMap { if case .order(let order) = $0.event { order.quantity } else { nil } }
        guard safety.isSafe || isForLead || isGiven(by: reader), let paid = facts.quantity,
            let other = ordered.first(where: { $0 != paid })
        else { return step }
        return texts.sentences(step, texts.lookup(.orderSays, String(other), String(paid)))
    }

    /// Decisions that wait for a second person.
    var wishes: [StandingDecision] { decisions.filter { $0.decidedAt == nil } }

    fileprivate func cautions(reader: String?, zone: Zone, _ texts: Texts) -> [String] {
        guard hasCautions || (isGiven(by: reader) || needsOwner) && !wishes.isEmpty else { return [] }
        return wishes.map { wish in
            let said = wish.text(texts, of: facts.shownID)
            return wish.by == reader ? said : texts.sentences(said, texts.lookup(.withdrawnWaiveCheck, wish.by))
        }
            + withdrawn.map { texts.sentences($0.text(zone: zone, texts), $0.check(by: reader, texts)) }
            + (isDisputed ? [texts.lookup(.disputed)] : hasWordsBesideIDs ? [texts.lookup(.wishUnclear)] : [])
    }

    /// A request to give the goods by hand waits for a second person.
    var isHandOutWished: Bool { wishes.contains { $0.kind == .given && !$0.isLapsed(owner: owner) } }

    /// It has no goods left, and Apple's record tells of the refund.
    var isRefundedByApple: Bool {
        facts.verdict == .closed && facts.cause == .refunded && timeline.contains { $0.kind == "revocation" }
    }

    /// What the consumer last said of an entry; nil if nothing.
    var refusal: String? { retries.compactMap(\.message).last }

    fileprivate func headline(_ texts: Texts) -> String {
        if facts.verdict == .orderMissing, !suggestedOrders.isEmpty { return texts.lookup(.orderlessTitle) }
        return safety == .statusOnly ? texts.lookup(.statusTitle) : texts.lookupTitle(facts.verdict)
    }
}

private func factLines(_ subject: LookupSubject, zone: Zone, _ texts: Texts) -> [LabelledText] {
    let facts = subject.facts
    let comma = texts.label(.nameSeparator)
    let flags = facts.flags.map { texts.word(.flag, $0) }
    let accounts = facts.accounts == [subject.owner] ? [] : facts.accounts
    let suggested = subject.suggestedOrders.isEmpty ? [facts.suggestedOrder ?? ""] : subject.suggestedOrders
    let originals = facts.originals == facts.transactions ? [] : facts.originals
    func plain(_ name: String) -> (String, String) { facts.line(name, zone: zone, texts) }
    var lines: [(String, String)] = [
        (texts.column("product_id"), goods(subject.product(texts), quantity: facts.quantity, texts)),
        plain("amount"), (texts.lookup(.shortParty), shortfall(facts, texts)),
        (texts.lookup(.belongsTo), subject.owner ?? ""),
        (texts.column("account_id"), accounts.joined(separator: comma)),
        plain("order_id"), plain("transaction_id"),
        (texts.column("original_transaction_id"), originals.joined(separator: comma)),
        plain("credit_id"), plain("receipt_id"),
        (texts.lookup(.suggestedOrders), suggested.joined(separator: comma)),
        (texts.lookup(.openPurchases), subject.openPurchases.joined(separator: comma)),
        (
            texts.column("differs"),
            facts.differences.map(texts.sentence).joined(separator: texts.label(.clauseSeparator))
        ),
        (texts.column("flags"), flags.joined(separator: comma)),
    ]
    lines += ExceptionFields.later.map { plain($0.name) }
    for label in facts.labels?.values ?? [] { lines.append((texts.column("label_" + label.name), label.text.text)) }
    return lines.filter { !$0.1.isEmpty }.map { LabelledText(label: $0.0, text: $0.1) }
}

/// `customer, 6.00 CNY`; empty if neither side is short.
private func shortfall(_ facts: ExceptionFacts, _ texts: Texts) -> String {
    if facts.short == .nobody { return "" }
    let who = texts.word(.short, facts.short.rawValue)
    guard let effect = facts.effect, effect.minor != 0 else { return who }
    let worth = Money(minor: Int64(clamping: effect.minor.magnitude), currency: effect.currency)
    return texts.lookup(facts.short == .company ? .shortfallCompany : .shortfall, who, money(worth))
}

func money(_ amount: Money) -> String { amount.description }

/// `coins_60 × 2, 12.00 CNY`, as far as it is known.
func goods(_ product: String?, quantity: Int32?, amount: Money? = nil, _ texts: Texts) -> String {
    let counted = product.map { product in quantity.map { texts.lookup(.goods, product, String($0)) } ?? product }
    return [counted, amount.map(money)].compactMap { $0 }.joined(separator: texts.label(.listSeparator))
}
