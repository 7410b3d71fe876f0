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
        // What stands may be withdrawn, whatever was decided since.
        let own = subject.decisions.filter { decision in
            decision.by == user && decision.kind != .given && !offered.contains { $0.1 == decision.key }
        }
        for (kind, key) in offered + own.map({ ($0.kind, $0.key) }) where app.decisions.contains(kind) {
            let standing = subject.decisions.first { $0.kind == kind && $0.key == key }
            add(kind, key, standing, of: app, to: &html, texts) { addQuestion(to: &$0) }
        }
    }

    /// The last night's coverage gaps, with a form for who may accept them.
    func addGaps(_ queue: WorkQueue, of app: App, to html: inout HTML, _ texts: Texts) {
        if queue.gaps.isEmpty { return }
        html.element("h2", texts.label(.coverageGaps))
        for (gap, standing) in queue.gaps {
            let key = gap.decisionKey
            html.element("section") { html in
                let title = texts.word(.feed, gap.feed.rawValue) + " " + gap.date.text
                html.element("p", title + texts.label(.clauseSeparator) + texts.sentence(gap.reason))
                if let standing { html.element("p", standing.text(texts)) }
                guard app.decisions.contains(.gap) else { return }
                add(.gap, key, standing, of: app, to: &html, texts, address: address(queue.filter, app, texts.language))
            }
        }
    }

    /// A form with the reason and a button; for the user's own decision, a button to withdraw it.
    private func add(
        _ kind: DeskDecision.Kind, _ key: String, _ standing: StandingDecision?, of app: App, to html: inout HTML,
        _ texts: Texts, address: String? = nil, question: (inout HTML) -> Void = { _ in }
    ) {
        let isOwn = standing.map { $0.by == user } ?? false
        if standing?.decidedAt != nil, !isOwn { return }
        html.element("form", [("method", "post"), ("class", "work")] + (address.map { [("action", $0)] } ?? [])) {
            html in
            question(&html)
            html.hidden("decide", kind.rawValue)
            html.hidden("key", key)
            if let name = app.name { html.hidden("app", name) }
            if isOwn {
                html.hidden("withdraw", "1")
            } else {
                if let standing { html.hidden("confirms", standing.by) }
                html.element("label", [("for", "note-" + key)]) { $0.text(texts.decision(.reason)) }
                html.tag(
                    "input",
                    [
                        ("id", "note-" + key), ("name", "note"), ("required", "required"),
                        ("maxlength", String(WorkStep.commentMax)), ("autocomplete", "off"),
                    ])
            }
            html.element("p") { html in
                html.element("button", [("type", "submit")]) {
                    $0.text(
                        isOwn
                            ? texts.decision(.withdraw)
                            : standing != nil ? texts.decision(.confirm) : texts.decision(button: kind))
                }
                if standing == nil, app.twoPersons.contains(kind.rawValue) {
                    html.element("span", class: "dim", texts.decision(.two))
                }
            }
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
    /// A wish, or a decision.
    case stands(StandingDecision)

    fileprivate var label: DecisionLabel? {
        switch self {
        case .noReason: .noReason
        case .withdrawn: .withdrawn
        case .stands: nil
        }
    }

    func text(_ key: String, _ texts: Texts) -> String {
        if case .stands(let decision) = self { return decision.text(texts) }
        return texts.decision(label!, key)
    }
}

extension StandingDecision {
    /// Who decided or wished what, why, and what it needs.
    func text(_ texts: Texts) -> String {
        let what = texts.words["decision.what_" + kind.rawValue]!
        let reason = note.isEmpty ? "" : texts.decision(.because, note)
        var key = key
        // The file's name instead of its pattern and date.
        if kind == .gap, key.contains("{date}"), let cut = key.lastIndex(of: " ") {
            key = String(key[..<cut]).replacing("{date}", with: key[cut...].dropFirst())
        }
        guard decidedAt != nil else { return texts.decision(.wish, by, what, key, reason) }
        let labels: (one: DecisionLabel, two: DecisionLabel) =
            kind == .given ? (.decidedNow, .decidedNowByTwo) : (.decided, .decidedByTwo)
        return confirmedBy.map { texts.decision(labels.two, by, what, key, reason, $0) }
            ?? texts.decision(labels.one, by, what, key, reason)
    }
}

/// Texts of decisions on the desk's page, at `decision.…` in the templates.
enum DecisionLabel: String, TextName {
    case reason, confirm, withdraw, two, noReason, withdrawn, wish, decided, decidedNow, because, decidedByTwo,
        decidedNowByTwo
}

extension Texts {
    func decision(_ label: DecisionLabel, _ values: String...) -> String {
        filled(word("decision." + label.name), values)
    }

    func decision(button kind: DeskDecision.Kind) -> String { word("decision.button_" + kind.rawValue) }
}
