/// The queue on the desk's page. It has no script: the form, the columns' titles and the pages are links and buttons.
extension DeskPage {
    func addQueue(_ queue: WorkQueue, of app: App, to html: inout HTML, _ texts: Texts) {
        if queue.damaged > 0 {
            html.element("section", [("class", "warning"), ("role", "alert")]) {
                $0.element("p", texts.queue(.damaged, String(queue.damaged)))
            }
        }
        addCounts(queue, to: &html, texts)
        addFilter(queue, of: app, to: &html, texts)
        if queue.count == 0 {
            html.element("p", texts.queue(queue.filter.isEmpty ? .empty : .nothing))
            return addGaps(queue, of: app, to: &html, texts)
        }
        html.table(of: queue.rows) {
            addTitles(queue, of: app, to: &$0, texts)
        } row: {
            add($0, queue, of: app, to: &$1, texts)
        }
        addGaps(queue, of: app, to: &html, texts)
        let place = texts.queue(.pages, String(queue.page), String(queue.pages))
        html.element("nav", [("aria-label", place)]) { html in
            func page(_ number: Int, _ label: QueueLabel) {
                guard 1...queue.pages ~= number else { return }
                var filter = queue.filter
                filter.page = String(number)
                html.link(address(filter, app, texts.language), texts.queue(label))
            }
            page(queue.page - 1, .before)
            html.element("span", place)
            page(queue.page + 1, .after)
            html.link(address(queue.filter, app, texts.language) + "&xlsx=1", texts.queue(.file))
        }
    }

    func address(_ filter: QueueFilter, _ app: App, _ language: Language) -> String {
        let fields = QueueFilter.names.map { ($0.name, filter[keyPath: $0.path]) }.filter { !$0.1.isEmpty }
        return "?queue" + (app.name.map { "=" + percentEncoded($0) } ?? "") + "&lang=" + language.rawValue
            + fields.map { "&" + $0.0 + "=" + percentEncoded($0.1) }.joined()
    }

    private func addCounts(_ queue: WorkQueue, to html: inout HTML, _ texts: Texts) {
        let counts =
            [(texts.queue(.found), queue.count)]
            + QueueItem.Reason.allCases.compactMap { reason in
                queue.reasons[reason].map { (texts.queue(reason), $0) }
            }
        html.element("div", [("class", "counts")]) { html in
            for (title, count) in counts {
                html.element("div") { html in
                    html.element("b", String(count))
                    html.element("span", title)
                }
            }
        }
        let worth = queue.worth.amounts.map(money)
        if !worth.isEmpty {
            html.element("p", texts.queue(.worth, worth.joined(separator: texts.label(.listSeparator))))
        }
    }

    /// The form, closed while nothing is filtered. It is sent to the page's own address, with the filter in it.
    private func addFilter(_ queue: WorkQueue, of app: App, to html: inout HTML, _ texts: Texts) {
        let users = app.workers.map { ($0, $0) }
        let choices: [String: [(value: String, title: String)]] = [
            "answer": QueueFilter.answers.map { ($0.name, texts.lookup($0, "")) },
            "trouble": queue.troubles.flatMap { verdict, causes in
                [(verdict.rawValue, texts.title(verdict))]
                    + causes.map { (verdict.rawValue + "/" + $0.rawValue, "– " + texts.title(verdict, $0)) }
            },
            "reason": QueueItem.Reason.allCases.map { ($0.rawValue, texts.queue($0)) },
            "action": queue.actions.map { ($0.rawValue, texts.word(.action, $0.rawValue)) },
            "currency": queue.currencies.map { ($0, $0) },
            // A phone shows no titles of columns.
            "sort": WorkQueue.Column.allCases.map { ($0.rawValue, texts.queue($0)) },
            "assignee": [
                ("me", texts.queue(.me)), ("nobody", texts.queue(.nobody)), ("anybody", texts.queue(.anybody)),
            ] + users,
        ]
        html.element("details", queue.filter.isEmpty ? [] : [("open", "open")]) { html in
            html.element("summary", texts.queue(.narrow))
            html.element("form", [("method", "get"), ("class", "find")]) { html in
                html.hidden("queue", app.name ?? "")
                html.hidden("lang", texts.language.rawValue)
                for (name, path) in QueueFilter.names where name != "page" {
                    html.element("div") { html in
                        html.element("label", [("for", "queue-" + name)]) {
                            $0.text(texts.words["queue.field_" + name]!)
                        }
                        addField(name, value: queue.filter[keyPath: path], choices: choices[name], to: &html, texts)
                    }
                }
                html.element("button", [("type", "submit")]) { $0.text(texts.queue(.apply)) }
            }
        }
    }

    private func addField(
        _ name: String, value: String, choices: [(value: String, title: String)]?, to html: inout HTML,
        _ texts: Texts
    ) {
        if let choices {
            let first = ("", texts.queue(name == "sort" ? .usual : .all))
            return html.choice(name, id: "queue-" + name, [first] + choices, value: value)
        }
        html.tag(
            "input",
            [
                ("id", "queue-" + name), ("name", name), ("type", name == "age" ? "number" : "text"), ("min", "0"),
                ("value", value), ("autocomplete", "off"), ("spellcheck", "false"),
            ])
    }

    private func addTitles(_ queue: WorkQueue, of app: App, to html: inout HTML, _ texts: Texts) {
        html.element("th", [("scope", "col")]) { $0.text(texts.queue(.purchase)) }
        for column in queue.shownColumns {
            var filter = queue.filter
            // The same column again turns the order round.
            filter.sort = (filter.sort == column.rawValue ? "-" : "") + column.rawValue
            filter.page = ""
            let isFigure = column == .age || column == .amount
            html.element("th", [("scope", "col")] + (isFigure ? [("class", "figure")] : [])) {
                $0.link(address(filter, app, texts.language), texts.queue(column))
            }
        }
        html.element("td") { _ in }
    }

    private func add(_ row: QueueRow, _ queue: WorkQueue, of app: App, to html: inout HTML, _ texts: Texts) {
        let work = row.item.work
        let target = row.id == queue.rows.first?.id ? Self.target : []
        html.element("td", [("data-title", texts.queue(.purchase))] + target) { addOpening(of: row.id, to: &$0, texts) }
        for column in queue.shownColumns {
            let looks: [WorkQueue.Column: String] = [
                .answer: "said", .age: "figure", .trouble: "said", .amount: "figure", .account: "code",
                .reason: "reason", .assignee: "code name", .ticket: "code name",
            ]
            // On a phone, each cell is a line with its title.
            html.element("td", [("data-title", texts.queue(column))] + (looks[column].map { [("class", $0)] } ?? [])) {
                $0.text(row.text(column, zone: app.zone, texts))
            }
        }
        html.element("td") { html in
            let kind: WorkStep.Kind = work.assignee == user ? .giveBack : .take
            guard work.assignee == nil || kind == .giveBack else { return }
            html.element("form", [("method", "post"), ("action", address(queue.filter, app, texts.language))]) { html in
                html.hidden("exception", row.item.exception.id.text)
                html.button(kind, texts, of: row.id)
            }
        }
    }

    /// A button that looks up one purchase of a list.
    /// - Parameter account: the customer's, if the message names it; nil for that in the form.
    func addOpening(of id: String, for account: String? = nil, to html: inout HTML, _ texts: Texts) {
        html.element("form", [("method", "post"), ("action", "?lang=" + texts.language.rawValue)]) { html in
            html.hidden("id", id)
            if let account = asker ?? account { html.hidden("account", account) }
            html.element("button", [("type", "submit"), ("class", "link")]) { $0.text(id) }
        }
    }

    /// What an agent can do about a case: comment, ticket, take it in hand, give it back, hand it over.
    func addWork(on subject: LookupSubject, in app: App, to html: inout HTML, _ texts: Texts) {
        guard let exception = subject.exception else { return }
        let (work, id) = (subject.work ?? CaseWork(), exception.id.text)
        html.element("form", [("method", "post"), ("class", "work")]) { html in
            addQuestion(to: &html)
            html.hidden("exception", id)
            if let name = app.name { html.hidden("app", name) }
            html.element("label", [("for", "comment-" + id)]) { $0.text(texts.queue(.comment)) }
            html.element(
                "textarea",
                [
                    ("id", "comment-" + id), ("name", "comment"), ("rows", "2"),
                    ("maxlength", String(WorkStep.commentMax)),
                ]
            ) { _ in }
            html.element("label", [("for", "ticket-" + id)]) { $0.text(texts.queue(.ticket)) }
            html.tag(
                "input",
                [
                    ("id", "ticket-" + id), ("name", "ticket"), ("value", work.ticket ?? ""),
                    ("maxlength", String(WorkStep.ticketMax)), ("autocomplete", "off"),
                ])
            html.element("p") { html in
                html.button(.comment, texts)
                if work.assignee == nil { html.button(.take, texts) }
                guard work.assignee != nil, work.assignee == user || app.mayLead else { return }
                html.button(.giveBack, texts)
                html.element("label", [("for", "to-" + id)]) { $0.text(texts.queue(.to)) }
                let others = app.workers.filter { $0 != work.assignee }.map { ($0, $0) }
                html.choice("to", id: "to-" + id, others, value: "")
                html.button(.handOver, texts)
            }
        }
    }

    /// What became of a step.
    func text(of work: WorkNotice, _ id: String, zone: Zone, _ texts: Texts) -> String {
        switch work {
        case .done: texts.queue(.done, id)
        case .passedOn:
            subjects.first { $0.facts.shownID ?? $0.exception?.id.text == id }
                .flatMap { $0.handOutStays(reader: user, texts)?.text }
                .map { texts.sentences(texts.queue(.done, id), $0) } ?? texts.queue(.done, id)
        case .taken: texts.queue(.taken, id)
        case .tooLong: texts.queue(.tooLong, String(WorkStep.commentMax), String(WorkStep.ticketMax))
        case .refused(let before):
            if let other = before.assignee, let since = before.since {
                texts.queue(.refused, id, other, localTime(since, zone))
            } else {
                texts.queue(.notInHand, id)
            }
        }
    }
}

extension WorkQueue {
    /// The columns of users and tickets only if a row of the page has one.
    fileprivate var shownColumns: [Column] {
        Column.allCases.filter { column in
            switch column {
            case .assignee: filter.sort.hasSuffix(column.rawValue) || rows.contains { $0.row.assignee != nil }
            case .ticket: filter.sort.hasSuffix(column.rawValue) || rows.contains { $0.row.ticket?.isEmpty == false }
            default: true
            }
        }
    }
}

extension QueueRow {
    /// The id to look up.
    var id: String { row.facts.shownID ?? row.id.text }

    /// What the table shows in a column.
    func text(_ column: WorkQueue.Column, zone: Zone, _ texts: Texts) -> String {
        switch column {
        case .answer: text(of: answer, zone: zone, texts)
        case .age: String(row.ageDays)
        case .trouble:
            row.cause == .none
                ? texts.title(row.verdict) : texts.title(row.verdict) + " · " + texts.title(row.verdict, row.cause)
        case .product: goods(row.product, quantity: row.facts.quantity.flatMap { $0 > 1 ? $0 : nil }, texts)
        case .amount: row.amount.map(money) ?? ""
        case .account: row.accounts.joined(separator: texts.label(.listSeparator))
        case .reason: item.reasons.map { texts.queue($0) }.joined(separator: texts.label(.listSeparator))
        case .assignee: row.assignee ?? ""
        case .ticket: row.ticket ?? ""
        }
    }

    /// Whether the goods may be given by hand: why not, or that the purchase must be opened first.
    private func text(of answer: QueueAnswer?, zone: Zone, _ texts: Texts) -> String {
        guard let answer else { return "" }
        let (word, reason) = (texts.lookup(answer.listed, ""), answer.reason(zone: zone, texts))
        return reason.isEmpty ? word : texts.lookup(.saidOf, word, reason)
    }
}

/// What became of a step of the desk's work.
public enum WorkNotice: Sendable {
    case done
    /// The case was handed over or given back.
    case passedOn
    /// The user has the case in hand now.
    case taken
    /// Comment or ticket are too long, and nothing was recorded.
    case tooLong
    /// Another person has the case, or nobody; nothing was recorded.
    case refused(CaseWork)
}

extension HTML {
    mutating func hidden(_ name: String, _ value: String) {
        tag("input", [("type", "hidden"), ("name", name), ("value", value)])
    }

    /// A drop-down list.
    fileprivate mutating func choice(
        _ name: String, id: String, _ choices: [(value: String, title: String)], value: String
    ) {
        element("select", [("id", id), ("name", name)]) { html in
            for choice in choices {
                let chosen = choice.value == value ? [("selected", "selected")] : []
                html.element("option", [("value", choice.value)] + chosen) { $0.text(choice.title) }
            }
        }
    }

    /// - Parameter id: what it is about, for who hears the button alone; nil if the form says so.
    fileprivate mutating func button(_ kind: WorkStep.Kind, _ texts: Texts, of id: String? = nil) {
        let name = texts.words["queue.button_" + kind.rawValue]!
        let spoken = id.map { [("aria-label", name + " " + $0)] } ?? []
        element("button", [("type", "submit"), ("name", "work"), ("value", kind.rawValue)] + spoken) { $0.text(name) }
    }
}

/// Texts of the queue and of the desk's work, at `queue.…` in the templates.
enum QueueLabel: String, TextName {
    case title, damaged, empty, nothing, found, worth, before, after, pages, file, all, usual, me, nobody, anybody
    case apply, purchase, narrow
    case comment, to, done, taken, tooLong, refused, notInHand, work, since, said
    case lead, nights, ranAt, late, closed, open, noNight, oldest, handOuts, recordedBy
}

extension Texts {
    func queue(_ label: QueueLabel, _ values: String...) -> String { filled(word("queue." + label.name), values) }

    func queue(_ reason: QueueItem.Reason) -> String { word("queue.reason_" + reason.rawValue) }

    func queue(_ column: WorkQueue.Column) -> String { word("queue.column_" + column.rawValue) }
}

extension CaseWork {
    /// How many comments an answer shows: the last ones.
    private static let shownMax = 5

    /// Who has the case, its ticket, and the last comments.
    func lines(zone: Zone, _ texts: Texts) -> [LabelledText] {
        var lines: [LabelledText] = []
        if let assignee, let since {
            let text = texts.queue(.since, assignee, localTime(since, zone))
            lines.append(LabelledText(label: texts.queue(WorkQueue.Column.assignee), text: text))
        }
        if let ticket { lines.append(LabelledText(label: texts.queue(WorkQueue.Column.ticket), text: ticket)) }
        return lines
            + comments.suffix(Self.shownMax).map { comment in
                let lines = comment.text.split(separator: "\n").map { String($0) }
                return LabelledText(
                    label: localTime(comment.at, zone), text: texts.queue(.said, comment.by, lines.first ?? ""),
                    sources: Array(lines.dropFirst()), areLines: true)
            }
    }
}
