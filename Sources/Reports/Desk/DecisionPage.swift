/// Decisions on the desk's page. See docs/spec/interfaces.md#desk-decisions.
extension DeskPage {
    /// Forms to waive the exception and to release its retry entry, where the user may.
    func addDecisions(on subject: LookupSubject, in app: App, to html: inout HTML, _ texts: Texts) {
        guard let exception = subject.exception else { return }
        var offered: [(DeskDecision.Kind, String)] = exception.state.isOpen ? [(.waive, exception.id.text)] : []
        // What a person gives is not sent, nor is what is waived.
        let isByHand = if case .given = subject.safety { true } else { subject.safety == .waived }
        if exception.state.isOpen, !isByHand {
            offered += subject.retries.filter { $0.state != .waiting && $0.isDemanded }.map { (.release, $0.key) }
        }
        for (kind, key) in offered {
            let standing = subject.decisions.first { $0.kind == kind && $0.key == key }
            addDecision(kind, key, standing, of: app, to: &html, texts) { addQuestion(to: &$0) }
        }
        // What stands may be withdrawn, whatever was decided since.
        for standing in subject.decisions where standing.kind != .given {
            addWithdrawal(of: standing, in: app, to: &html, texts) { addQuestion(to: &$0) }
        }
    }

    /// The last night's coverage gaps, with a form for who may accept them.
    func addGaps(_ queue: WorkQueue, of app: App, to html: inout HTML, _ texts: Texts) {
        if queue.gaps.isEmpty { return }
        html.element("h2", texts.label(.coverageGaps))
        let address = address(queue.filter, app, texts.language)
        for (gap, standing) in queue.gaps {
            html.element("section") { html in
                let title = texts.word(.feed, gap.feed.rawValue) + " " + gap.date.text
                let reason = dated(texts.sentence(gap.reason), gap.date.text)
                html.element("p", title + texts.label(.clauseSeparator) + reason)
                if let standing { html.element("p", standing.text(texts)) }
                addDecision(.gap, gap.decisionKey, standing, of: app, to: &html, texts, address: address)
                if let standing { addWithdrawal(of: standing, in: app, to: &html, texts, address: address) }
            }
        }
    }

    /// A form with the reason and a button, where the user may decide it or confirm another one's wish.
    private func addDecision(
        _ kind: DeskDecision.Kind, _ key: String, _ standing: StandingDecision?, of app: App, to html: inout HTML,
        _ texts: Texts, address: String? = nil, question: (inout HTML) -> Void = { _ in }
    ) {
        guard app.decisions.contains(kind), standing.map({ $0.decidedAt == nil && $0.by != user }) ?? true else {
            return
        }
        addForm(kind, key, of: app, to: &html, address: address, question: question) { html in
            if let standing {
                html.hidden("confirms", standing.by)
                html.hidden("seen", standing.at.text)
            }
            if kind == .release { html.element("p", texts.decision(.releaseFirst)) }
            addReason("note", for: key, to: &html, texts)
            html.element("p") { html in
                html.element("button", [("type", "submit")]) {
                    $0.text(texts.decision(button: kind, isConfirmed: standing != nil))
                }
                if standing == nil, app.twoPersons.contains(kind.rawValue) {
                    html.element("span", class: "dim", texts.decision(.two))
                }
            }
        }
    }

    /// A button to withdraw what stands; for who may not, the names of those who can.
    private func addWithdrawal(
        of standing: StandingDecision, in app: App, to html: inout HTML, _ texts: Texts, address: String? = nil,
        question: (inout HTML) -> Void = { _ in }
    ) {
        let mayDecide = app.decisions.contains(standing.kind)
        let isOwn = standing.by == user && mayDecide
        guard isOwn || app.mayLead || mayDecide && standing.isRefusable else {
            return html.element("p", class: "dim", withdrawers(besides: standing.by, of: app, texts))
        }
        addForm(standing.kind, standing.key, of: app, to: &html, address: address, question: question) { html in
            html.hidden("withdraw", "1")
            if !isOwn { html.hidden("confirms", standing.by) }
            html.hidden("seen", standing.at.text)
            if standing.kind.asksWhy(ofOther: !isOwn) { addReason("reason", for: standing.key, to: &html, texts) }
            html.element("button", [("type", "submit"), ("class", "undo")]) {
                $0.text(
                    isOwn
                        ? texts.decision(.withdraw)
                        : standing.decidedAt == nil
                            ? texts.desk(.refuse, standing.by) : texts.decision(.withdrawOf, standing.by))
            }
        }
    }

    /// A field for the reason, which must be filled in.
    func addReason(_ name: String, for key: String, to html: inout HTML, _ texts: Texts) {
        addField(name, for: key, texts.decision(.reason), WorkStep.commentMax, to: &html)
    }

    /// A field that must be filled in.
    func addField(
        _ name: String, for key: String, _ label: String, _ most: Int, value: String? = nil, to html: inout HTML
    ) {
        let id = name + "-" + key
        html.element("label", [("for", id)]) { $0.text(label) }
        html.tag(
            "input",
            [
                ("id", id), ("name", name), ("required", "required"), ("maxlength", String(most)),
                ("autocomplete", "off"),
            ] + (value.map { [("value", $0)] } ?? []))
    }

    private func addForm(
        _ kind: DeskDecision.Kind, _ key: String, of app: App, to html: inout HTML, address: String?,
        question: (inout HTML) -> Void, fields: (inout HTML) -> Void
    ) {
        html.element("form", [("method", "post"), ("class", "work")] + (address.map { [("action", $0)] } ?? [])) {
            question(&$0)
            $0.hidden("decide", kind.rawValue)
            $0.hidden("key", key)
            if let name = app.name { $0.hidden("app", name) }
            fields(&$0)
        }
    }
}

/// The text with the date in the file's pattern, which has `{date}` or, say, `{date:yyyyMMdd}`.
func dated(_ text: String, _ date: String) -> String {
    text.replacing(/\{date(?::([^}]*))?\}/) { match in
        guard let form = match.1 else { return date }
        return zip(["yyyy", "MM", "dd"], date.split(separator: "-")).reduce(String(form)) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}

extension CoverageGap {
    /// What a decision about it names.
    public var decisionKey: String { reason.feed + " " + date.text }
}

/// What became of a decision.
public enum DecisionNotice: Sendable {
    /// It has no reason, or one that is too long.
    case noReason
    case withdrawn
    /// The wish that the user confirms is not there any more: nothing was recorded.
    case gone(WithdrawnDecision?)
    /// Another user's wish, which this user refused.
    case refused(WithdrawnDecision)
    /// A wish, or a decision.
    case stands(StandingDecision)
    /// What stands, beside which nothing was recorded.
    case left(StandingDecision)
    /// Another user's wish, which the user's page did not show.
    case asked(StandingDecision)

    fileprivate var label: DecisionLabel? {
        switch self {
        case .noReason: .noReason
        case .withdrawn: .withdrawn
        case .gone: .gone
        case .stands, .left, .asked, .refused: nil
        }
    }

    func text(_ key: String, zone: Zone, _ texts: Texts) -> String {
        if case .asked(let decision) = self { return decision.text(texts, of: key, unseenIn: zone) }
        if case .stands(let decision) = self { return decision.text(texts, of: key) }
        if case .left(let decision) = self { return texts.decision(.left, decision.text(texts, of: key)) }
        if case .refused(let wish) = self { return wish.text(zone: zone, texts) }
        if case .gone(let refused?) = self { return texts.decision(.unsaved, refused.text(zone: zone, texts)) }
        return texts.decision(label!, key)
    }
}

extension StandingDecision {
    /// Who decided or wished what, why, and what it needs.
    /// - Parameter id: the purchase, where the decision names its exception or its retry entry: no reader knows these.
    /// - Parameter isWaived: the exception is waived, so that no wish about it can be confirmed.
    /// - Parameter zone: that of the page of who pressed a button and had not seen the wish; nil for all others.
    func text(_ texts: Texts, of id: String? = nil, isWaived: Bool = false, unseenIn zone: Zone? = nil) -> String {
        let reason =
            account.map { texts.decision(.toAccount, $0, note) }
            ?? (note.isEmpty ? "" : texts.decision(.because, note))
        var key = id ?? key
        // The file's name instead of its pattern and date.
        if kind == .gap, key.contains("{date"), let cut = key.lastIndex(of: " ") {
            key = dated(String(key[..<cut]), String(key[cut...].dropFirst()))
        }
        let what = texts.filled(texts.words["decision.what_" + kind.rawValue]!, [key])
        if let zone {
            let button = kind == .given ? texts.desk(.confirmGive) : texts.decision(button: kind, isConfirmed: true)
            return texts.decision(.asked, by, what, reason, localTime(at, zone), button)
        }
        guard decidedAt != nil else { return texts.decision(isWaived ? .wishVoid : .wish, by, what, reason) }
        let labels: (one: DecisionLabel, two: DecisionLabel) =
            kind == .given ? (.decidedNow, .decidedNowByTwo) : (.decided, .decidedByTwo)
        return confirmedBy.map { texts.decision(labels.two, by, what, reason, $0) }
            ?? texts.decision(labels.one, by, what, reason)
    }
}

/// Texts of decisions on the desk's page, at `decision.…` in the templates.
enum DecisionLabel: String, TextName {
    case reason, confirm, withdraw, two, noReason, withdrawn, wish, wishVoid, decided, decidedNow, because, gone,
        unsaved, releaseFirst
    case decidedByTwo, decidedNowByTwo, withdrawOf, withdrawers, onlyWithdrawer, toAccount, left, asked
}

extension Texts {
    func decision(_ label: DecisionLabel, _ values: String...) -> String {
        filled(word("decision." + label.name), values)
    }

    /// - Parameter isConfirmed: another user asked for it.
    func decision(button kind: DeskDecision.Kind, isConfirmed: Bool = false) -> String {
        let own = isConfirmed ? words["decision.confirm_" + kind.rawValue] ?? decision(.confirm) : nil
        return own ?? word("decision.button_" + kind.rawValue)
    }
}
