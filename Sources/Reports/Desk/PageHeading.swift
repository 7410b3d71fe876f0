/// What stands above the form or the list: the title and the links.
extension DeskPage {
    /// What the first link of the page leads to: the answers, the first row of the queue, or the title.
    static let target = [("id", "content"), ("tabindex", "-1")]

    /// What a browser's tab says and a screen reader reads first: of an answer, whether the goods may be given.
    func title(_ texts: Texts) -> String {
        let answers = apps.flatMap(\.answers)
        guard case .answers = content, let answer = answers.first else { return heading(texts) }
        var said: [String] = [heading(texts)]
        if answers.count == 1, answer.shownInFull.count == 1, let subject = answer.shownInFull.first {
            let words = LookupWording(
                subject, zone: .utc, texts: texts, reader: user,
                mayGive: user == nil || apps.contains { $0.mayGive && !$0.answers.isEmpty })
            // Beside an amber YES, there is something to read first.
            if words.isPlainYes || !words.isSafe { said.insert(words.answer, at: 0) }
        }
        let ids = answers.map(\.shownIdentifier).joined(separator: texts.label(.nameSeparator))
        said.insert(ids.count > 40 ? ids.prefix(40) + "…" : ids, at: 0)
        return said.filter { !$0.isEmpty }.joined(separator: " – ")
    }

    private func heading(_ texts: Texts) -> String {
        switch content {
        case .queue: texts.queue(.title)
        case .lead: texts.queue(.lead)
        default: texts.desk(.title)
        }
    }

    /// The links and the title.
    func addHeading(_ html: inout HTML, _ texts: Texts) {
        html.element("a", [("class", "skip"), ("href", "#content")]) { $0.text(texts.desk(.skip)) }
        addNavigation(&html, texts)
        let isTarget =
            switch content {
            case .answers: false
            case .queue(let queue): queue.rows.isEmpty
            default: true
            }
        html.element("h1", isTarget ? Self.target : []) { $0.text(heading(texts)) }
    }

    /// Each app's last night and report, the other language and the user.
    private func addNavigation(_ html: inout HTML, _ texts: Texts) {
        for app in apps where app.name != nil {
            html.element("nav", [("class", "dim"), ("aria-label", app.name ?? "")]) { html in
                html.element("b", app.name ?? "")
                add(app, to: &html, texts)
            }
        }
        html.element("nav", [("class", "dim")]) { html in
            if let app = apps.first, app.name == nil { add(app, to: &html, texts) }
            if !ownAddress(in: texts.language).hasPrefix("?lang") {
                html.link("?lang=" + texts.language.rawValue, texts.desk(.title))
            }
            for language in Language.allCases where language != texts.language {
                html.link(ownAddress(in: language), texts.desk(.otherLanguage))
            }
            if let user { html.element("span", texts.desk(.user, user)) }
        }
    }

    /// The page's own address in that language.
    private func ownAddress(in language: Language) -> String {
        switch content {
        case .queue(let queue): address(queue.filter, apps[0], language)
        case .lead: "?lead" + (apps[0].name.map { "=" + percentEncoded($0) } ?? "") + "&lang=" + language.rawValue
        default: "?lang=" + language.rawValue
        }
    }

    private func add(_ app: App, to html: inout HTML, _ texts: Texts) {
        if let night = app.night {
            let figures = [night.new, night.open].map { String($0) }
            html.element("span", texts.desk(.night, night.businessDate.text, figures[0], figures[1]))
        }
        if app.mayWork { html.link(address(QueueFilter(), app, texts.language), texts.queue(.title)) }
        if app.mayLead {
            let name = app.name.map { "=" + percentEncoded($0) } ?? ""
            html.link("?lead" + name + "&lang=" + texts.language.rawValue, texts.queue(.lead))
        }
        if app.linksReport {
            html.link("?report" + (app.name.map { "=" + percentEncoded($0) } ?? ""), texts.desk(.report))
        }
    }
}
