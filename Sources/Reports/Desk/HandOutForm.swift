/// Goods given by hand, on the desk's page. See docs/spec/interfaces.md#given.
extension DeskPage {
    /// Beside a YES: who else has the case in hand, and who must record it where the user may not.
    func addHolder(of subject: LookupSubject, in app: App, to html: inout HTML, _ texts: Texts) {
        if subject.safety.isSafe, !app.mayGive {
            let givers = app.givers.joined(separator: texts.label(.listSeparator))
            html.element(
                "p", class: "alarm", texts.desk(.cannotRecord, givers.isEmpty ? texts.desk(.noGivers) : givers))
        }
        guard subject.isLeft(toAnotherThan: user), let name = subject.work?.assignee, let since = subject.work?.since
        else { return }
        html.element("p", class: "alarm", texts.desk(.inHand, name, localTime(since, app.zone)))
    }

    /// It is on record that this user gives the goods, or the one whose wish the user confirmed.
    func recorded(_ id: String, by giver: String, beside holder: String?, _ texts: Texts) -> String {
        (giver == user ? texts.desk(.recorded, id) : texts.desk(.confirmed, id, giver))
            + (holder.map { texts.desk(.inHandToo, $0) } ?? "")
    }

    /// What was asked, for a button whose answer shows it again.
    func addQuestion(to html: inout HTML) {
        // An attribute has one line, and blanks separate ids as well.
        html.hidden("id", query.split(whereSeparator: \.isNewline).joined(separator: " "))
        if let asker { html.hidden("account", asker) }
    }

    /// A button to record that the goods of a purchase are given by hand, or to withdraw that.
    func addHandOut(of subject: LookupSubject, in app: App, to html: inout HTML, _ texts: Texts) {
        guard let transaction = subject.facts.transactions.first, !subject.isLeft(toAnotherThan: user) else { return }
        var (field, button, hint): (String, DeskLabel, DeskLabel)
        var wish: StandingDecision?
        switch subject.safety {
        case .safe, .safeAfterTries:
            (field, button, hint) = ("given", .give, .giveHint)
            if app.twoPersons.contains("given") {
                wish = subject.decisions.first { $0.kind == .given && $0.decidedAt == nil }
                (button, hint) = (wish == nil ? .wishGive : .confirmGive, .twoHint)
                if wish?.by == user { (field, button, hint) = ("ungiven", .withdrawGive, .twoHint) }
            }
        case .given(let handOut) where handOut.by == user: (field, button, hint) = ("ungiven", .takeBack, .takeBackHint)
        default: return
        }
        html.element("form", [("method", "post")]) { html in
            addQuestion(to: &html)
            html.hidden(field, transaction)
            if let wish, wish.by != user { html.hidden("confirms", wish.by) }
            if let name = app.name { html.hidden("app", name) }
            // What takes a record back does not look like what makes one.
            let look = field == "ungiven" ? [("class", "link")] : []
            html.element("button", [("type", "submit")] + look) { $0.text(texts.desk(button)) }
            html.element("p", class: "dim", texts.desk(hint))
        }
    }
}
