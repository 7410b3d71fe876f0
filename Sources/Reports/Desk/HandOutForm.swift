/// Goods given by hand, on the desk's page. See docs/spec/interfaces.md#given.
extension DeskPage {
    /// Beside a YES: who else has the case in hand, and who must record it where the user may not.
    func addHolder(of subject: LookupSubject, in app: App, to html: inout HTML, _ texts: Texts) {
        // Who has it in hand and may record it is named below.
        let isWithGiver = subject.isLeft(toAnotherThan: user) && app.givers.contains(subject.work?.assignee ?? "")
        if subject.safety.isSafe, !app.mayGive, !isWithGiver {
            let givers = app.givers.joined(separator: texts.label(.nameSeparator))
            html.element(
                "p", class: "alarm", texts.desk(.cannotRecord, givers.isEmpty ? texts.desk(.noGivers) : givers))
        }
        guard subject.isLeft(toAnotherThan: user), let name = subject.work?.assignee, let since = subject.work?.since
        else { return }
        let label: DeskLabel = app.mayGive ? .inHand : .inHandOther
        html.element("p", class: "alarm", texts.desk(label, name, localTime(since, app.zone)))
    }

    /// It is on record that this user gives the goods, or the one whose wish the user confirmed.
    func recorded(
        _ id: String, by giver: String, to account: String?, beside holder: String?, before: Instant?, zone: Zone,
        _ texts: Texts
    ) -> String {
        if let before { return texts.desk(.recordedBefore, id, localTime(before, zone)) }
        let counted = subjects.first { $0.facts.transactions.contains(id) }?.counted(texts) ?? ""
        let said =
            giver == user
            ? account.map { texts.desk(.recordedTo, id, counted, $0) } ?? texts.desk(.recorded, id, counted)
            : account.map { texts.desk(.confirmedTo, id, giver, $0) } ?? texts.desk(.confirmed, id, giver)
        return said + (holder.map { texts.desk(.inHandToo, $0) } ?? "")
    }

    /// Why the goods of a payment are not recorded as given to this account.
    func text(of objection: AccountObjection, _ id: String, _ account: String, zone: Zone, _ texts: Texts) -> String {
        switch objection {
        case .unknown(let near):
            let names = near.joined(separator: texts.label(.nameSeparator))
            return texts.desk(.accountUnknown, id, account)
                + (near.isEmpty ? "" : texts.desk(.accountNear, names))
        case .otherOrders(let orders): return texts.desk(.ownerElsewhere, id, account, named(orders, texts))
        case .otherToken: return texts.desk(.accountRefused, id, account, texts.desk(.accountToken))
        case .safety(let safety, let verdict):
            return texts.desk(.accountRefused, id, account, safety.text(of: verdict, zone: zone, texts))
        }
    }

    /// Orders with their accounts, for a lead.
    private func named(_ orders: [(order: String, account: String)], _ texts: Texts) -> String {
        texts.first(5, of: orders) { texts.desk(.orderOf, $0.order, $0.account) }
            .joined(separator: texts.label(.nameSeparator))
    }

    /// What was asked, for a button whose answer shows it again.
    func addQuestion(to html: inout HTML) {
        // An attribute has one line, and blanks separate ids as well.
        html.hidden("id", query.split(whereSeparator: \.isNewline).joined(separator: " "))
        if let asker { html.hidden("account", asker) }
    }

    /// A button to record that the goods of a purchase are given by hand.
    func addHandOut(of subject: LookupSubject, in app: App, to html: inout HTML, _ texts: Texts) {
        guard subject.safety.isSafe, !subject.isLeft(toAnotherThan: user), subject.waiverWish == nil else { return }
        let needsTwo = app.twoPersons.contains("given")
        let wish = needsTwo ? subject.handOutWish.flatMap { $0.isLapsed(owner: subject.owner) ? nil : $0 } : nil
        if wish?.by == user { return }
        add(
            "given", of: subject, button: needsTwo ? wish == nil ? .wishGive : .confirmGive : .give,
            hint: needsTwo ? .twoHint : .giveHint, by: wish?.by, seen: wish?.at ?? subject.lastRecordAt, in: app,
            to: &html, texts)
    }

    /// Where the payment's owner is not known: a form for the lead to record whom the goods are given to, or to confirm
    /// what another lead wishes; else why neither can be done yet.
    func addOwner(of subject: LookupSubject, in app: App, to html: inout HTML, _ texts: Texts) {
        guard subject.needsOwner, app.mayLead, let transaction = subject.facts.transactions.first else { return }
        // What to do says why not.
        if subject.besidesOwner != nil || subject.waiverWish != nil { return }
        let needsTwo = app.twoPersons.contains("given")
        let wish = needsTwo ? subject.handOutWish : nil
        if wish?.by == user || wish.map({ $0.account == nil }) == true { return }
        html.element("form", [("method", "post"), ("class", "work")]) { html in
            addQuestion(to: &html)
            html.hidden("given", transaction)
            if let name = app.name { html.hidden("app", name) }
            if let wish {
                html.hidden("confirms", wish.by)
                html.hidden("seen", wish.at.text)
                html.element("p", wish.text(texts))
            } else {
                if let seen = subject.lastRecordAt { html.hidden("seen", seen.text) }
                var typed = asker
                if case .notTo(transaction, account: let account, .otherOrders(_)) = notice {
                    html.hidden("despite", account)
                    typed = account
                }
                let orders = subject.possibleOrders
                if !orders.isEmpty {
                    let isOther = typed.map { account in !orders.contains { $0.account == account } } ?? false
                    html.element(
                        "p", class: isOther ? "alarm" : "dim", texts.desk(.ownerOrders, named(orders, texts)))
                }
                addField("owner", for: transaction, texts.desk(.owner), WorkStep.ticketMax, value: typed, to: &html)
                addReason("reason", for: transaction, to: &html, texts)
            }
            let button: DeskLabel = !needsTwo ? .giveOwner : wish == nil ? .wishGive : .confirmGive
            html.element("button", [("type", "submit")]) { $0.text(texts.desk(button)) }
            html.element("p", class: "dim", texts.desk(needsTwo ? .twoHint : .ownerHint, subject.counted(texts)))
        }
    }

    /// A button to withdraw that the goods were given, or a request that they are; else who can do so. It stands far from
    /// the button that records it.
    func addWithdrawal(of subject: LookupSubject, in app: App, to html: inout HTML, _ texts: Texts) {
        let (by, at, isWish, isRefusable): (String, Instant, Bool, Bool)
        if case .given(let handOut) = subject.safety, !subject.isOrderOfHandOut {
            (by, at, isWish, isRefusable) = (handOut.by, handOut.at, false, false)
        } else if let wish = subject.handOutWish {
            (by, at, isWish, isRefusable) = (wish.by, wish.at, true, wish.isRefusable)
        } else {
            return
        }
        let isOwn = by == user && (app.mayGive || app.mayLead)
        guard isOwn || app.mayLead || app.mayGive && isRefusable else {
            return html.element("p", class: "dim", withdrawers(besides: by, of: app, texts))
        }
        let own: (DeskLabel, DeskLabel) = isWish ? (.withdrawGive, .twoHint) : (.takeBack, .takeBackHint)
        let (button, hint) = isOwn ? own : (isWish ? .refuse : .takeBackOf, .takeBackOfHint)
        add(
            "ungiven", of: subject, button: button, hint: hint, by: isOwn ? nil : by, seen: at,
            asksReason: !isWish || !isOwn, in: app, to: &html, texts)
    }

    /// - Parameters:
    ///   - by: whose record it is that the button confirms or withdraws; nil if it is the user's own.
    ///   - seen: the time of that record, or of the newest one that the page shows.
    private func add(
        _ field: String, of subject: LookupSubject, button: DeskLabel, hint: DeskLabel, by: String?,
        seen: Instant?, asksReason: Bool = false, in app: App, to html: inout HTML, _ texts: Texts
    ) {
        guard let transaction = subject.facts.transactions.first else { return }
        html.element("form", [("method", "post")] + (asksReason ? [("class", "work")] : [])) { html in
            addQuestion(to: &html)
            html.hidden(field, transaction)
            if let by { html.hidden("confirms", by) }
            if let seen { html.hidden("seen", seen.text) }
            if let name = app.name { html.hidden("app", name) }
            if asksReason { addReason("reason", for: transaction, to: &html, texts) }
            // The button that withdraws a record does not look like the one that makes it.
            let look = field == "ungiven" ? [("class", "undo")] : []
            html.element("button", [("type", "submit")] + look) { $0.text(texts.desk(button, by ?? "")) }
            let detail = hint == .takeBackOfHint ? by ?? "" : subject.counted(texts)
            html.element("p", class: "dim", texts.desk(hint, detail))
        }
    }

    /// Who can withdraw what that person recorded.
    func withdrawers(besides person: String, of app: App, _ texts: Texts) -> String {
        let names = [person] + app.leads.filter { $0 != person }
        if names.count == 1 { return texts.decision(.onlyWithdrawer, person) }
        return texts.decision(.withdrawers, person, names.joined(separator: texts.label(.nameSeparator)))
    }
}

extension HandOut {
    /// Who recorded it and who confirmed that, when, and why; for which account, if a lead named one.
    func text(_ code: String, zone: Zone, _ texts: Texts) -> String {
        let giver = texts.named(by, confirmedBy: confirmedBy, account == nil ? note : "")
        guard let account else {
            return texts.lookup(.safety, code: code, giver, localTime(at, zone)).replacing("） ", with: "）")
        }
        return texts.lookup(.givenTo, giver, localTime(at, zone), account, note).replacing("） ", with: "）")
    }
}

extension Texts {
    /// A person, and in brackets who confirmed the decision and why.
    fileprivate func named(_ person: String, confirmedBy confirmer: String?, _ reason: String) -> String {
        let notes = [confirmer.map { lookup(.confirmedBy, $0) } ?? "", reason].filter { !$0.isEmpty }
        return notes.isEmpty ? person : lookup(.productNamed, person, notes.joined(separator: label(.clauseSeparator)))
    }
}

extension WithdrawnDecision {
    /// Who recorded it or asked for it, who withdrew or refused it, when, and why.
    func text(zone: Zone, _ texts: Texts) -> String {
        let labels: (LookupLabel, LookupLabel) =
            switch decision.kind {
            case .given: (.refusedGiven, .withdrawnGiven)
            case .release: (.refusedRelease, .withdrawnRelease)
            case .waive, .gap: (.refusedWaive, .withdrawnWaive)
            }
        let note = decision.note ?? ""
        let reason = decision.account.map { texts.decision(.toAccount, $0, note).drop { "，, ".contains($0) } }
        return texts.lookup(
            decision.step == .wish ? labels.0 : labels.1,
            texts.named(decision.by, confirmedBy: confirmedBy, reason.map { String($0) } ?? note),
            localTime(decision.at, zone), withdrawal.by, localTime(withdrawal.at, zone),
            withdrawal.note.map { texts.decision(.because, $0) } ?? ""
        ).replacing("） ", with: "）")
    }

    /// What to check and whom to ask before anything is given, who is never the reader; empty where nothing is left to do.
    func check(by reader: String?, _ texts: Texts) -> String {
        let asked = decision.step == .wish || decision.by == reader ? withdrawal.by : decision.by
        if decision.step != .wish, decision.kind == .given {
            return asked == reader ? texts.lookup(.withdrawnOwnCheck) : texts.lookup(.withdrawnGivenCheck, asked)
        }
        return asked == reader ? "" : texts.lookup(.withdrawnWaiveCheck, asked)
    }
}

extension LookupSubject {
    /// Whether this user recorded it and gives the goods now. Where no credit came for long, or the account is in doubt, the
    /// user looks into the account first.
    func isGiven(by user: String?) -> Bool {
        guard case .given(let handOut) = safety else { return false }
        return handOut.by == user && !isCreditOverdue && givenToOther == nil && !isOrderOfHandOut && waiver == nil
            && exception?.state != .waived
    }

    /// The decision to waive the exception, which the next night brings in.
    var waiver: StandingDecision? { decisions.first { $0.kind == .waive && $0.decidedAt != nil } }

    /// The same where this reader was to give the goods by hand.
    func waiver(ofHandOutBy reader: String?) -> StandingDecision? {
        guard case .given(let handOut) = safety, handOut.by == reader else { return nil }
        return waiver
    }

    /// It is an order without a payment, and the hand-out is that of the payment that a lead decided to be of its account.
    var isOrderOfHandOut: Bool {
        if case .given = safety { facts.transactions.isEmpty } else { false }
    }

    /// Why the goods may be given by hand or not, as a clause.
    func reason(reader: String?, zone: Zone, _ texts: Texts) -> String {
        guard case .given(var handOut) = safety else {
            if isSentNext { return texts.lookup(.releasedSafety) }
            return safety.text(of: facts.verdict, facts.cause, zone: zone, texts)
        }
        if let waiver = waiver(ofHandOutBy: reader) { return waiver.saidOfHandOut(to: reader, texts) }
        if isOrderOfHandOut {
            return texts.lookup(.orderGiven, handOut.by, localTime(handOut.at, zone), handOut.transaction.text)
        }
        if isGiven(by: reader) { handOut.by = texts.lookup(.you) }
        return handOut.text(safety.code, zone: zone, texts).replacing("您 ", with: "您")
    }

    /// The text for the customer and what to do, where the record of a hand-out names another account than the
    /// evidence does, or its exception was waived; or where a lead gave the goods of a payment without a known owner to another account than the asker's.
    func doubtOfHandOut(
        _ customer: String, reader: String?, zone: Zone, _ texts: Texts
    ) -> (customer: String, next: String)? {
        if let waiver = waiver(ofHandOutBy: reader), let other = waiver.by == reader ? waiver.confirmedBy : waiver.by {
            return (customer, texts.lookup(.givenWaivedAsk, other))
        }
        if safety == .otherAccount, let lead = givenByLead {
            return (customer, texts.lookup(.leadDecided, lead.text("given", zone: zone, texts)))
        }
        if isOrderOfHandOut, !isCreditOverdue { return (customer, texts.words["lookup.advice.purchase_open"] ?? "") }
        guard let accounts = givenToOther, safety != .otherAccount else { return nil }
        return (
            isUnproven ? customer : texts.lookup(.customerChecking),
            texts.lookup(.givenToOther, accounts.named, accounts.other)
        )
    }

    /// Who still has to give the goods, and what to do if that person cannot. Nil if the goods are not to be given.
    func handOutStays(reader: String?, _ texts: Texts) -> (giver: String, text: String)? {
        let wisher = (safety.isSafe || isForLead) && isHandOutWished ? handOutWish?.by : nil
        var giver = wisher
        if case .given(let handOut) = safety, !isOrderOfHandOut, !isCreditOverdue { giver = handOut.by }
        return giver.map { giver in
            let label: LookupLabel = giver == reader ? .handOutYours : wisher == nil ? .handOutOf : .handOutWishOf
            return (giver, texts.lookup(label, giver))
        }
    }

    /// A lead decides, because nothing but the owner is unclear.
    var isForLead: Bool { needsOwner && besidesOwner == nil }

    /// Who has the case in hand, so that this reader does not give the goods; nil if the reader is not known.
    func holder(besides reader: String?) -> String? {
        reader != nil && isLeft(toAnotherThan: reader) ? work?.assignee : nil
    }

    /// The unconfirmed request to give the goods by hand.
    fileprivate var handOutWish: StandingDecision? {
        wishes.first { $0.kind == .given }
    }
}

extension StandingDecision {
    /// That the exception was waived, by whom and why, to the reader who was to give the goods.
    func saidOfHandOut(to reader: String?, _ texts: Texts) -> String {
        let person = by == reader ? texts.lookup(.you) : by
        return texts.lookup(.givenWaived, texts.named(person, confirmedBy: confirmedBy, note))
            .replacing("） ", with: "）").replacing(" 您 ", with: "您")
    }
}

extension DeskPage.Notice {
    /// Green; the others are amber.
    var isGood: Bool {
        switch self {
        case .recorded(_, _, _, _, let before): before == nil
        case .withdrawn, .work(_, .done), .work(_, .passedOn), .work(_, .taken), .decision(_, .stands),
            .decision(_, .withdrawn), .decision(_, .refused), .apple(_, .known):
            true
        case .notTo, .notRecorded, .outdated, .notWithdrawn, .unrecorded, .nightRuns, .work, .decision, .apple: false
        }
    }
}
