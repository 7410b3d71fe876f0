internal import Foundation

/// The page of `reconcile desk`: a form, and the answers to what was asked. See docs/spec/interfaces.md#desk.
public struct DeskPage: Sendable {
    /// What stands below the form.
    public enum Content: Sendable {
        /// Nothing was asked yet.
        case start
        case answers
        /// Why the page has no answer.
        case problem(DeskProblem)
    }

    /// The text in the form: what was asked.
    public var query: String
    /// What stands below the form.
    public var content: Content
    /// The user's name; nil without a login.
    public var user: String?
    public var apps: [App] = []

    /// One app: its last night, and what it knows of what was asked.
    public struct App: Sendable {
        /// The app's name; nil if there is one app only.
        public var name: String?
        public var zone: Zone
        /// The last published night; nil if unknown.
        public var night: NightGlance?
        /// Whether the page links to the night's report.
        public var linksReport = false
        /// Whether the user may record that the goods were given by hand.
        public var mayGive = false
        public var answers: [LookupAnswer] = []
        /// Why the app has no answers, for the administrator; nil if it has some.
        public var failure: String?

        public init(name: String?, zone: Zone) {
            self.name = name
            self.zone = zone
        }
    }

    /// A page without a night.
    public init(query: String = "", content: Content, user: String?) {
        self.query = query
        self.content = content
        self.user = user
    }

    /// The content security policy for the page's header. It also forbids frames, which the page itself cannot.
    public static func policy(_ texts: Texts) -> String {
        HTMLPage(title: "", language: texts.language, hasForm: true).policy + "; frame-ancestors 'none'"
    }

    public func html(texts: Texts) -> String {
        let page = HTMLPage(title: texts.desk(.title), language: texts.language, hasForm: true)
        var html = HTML()
        addNavigation(&html, texts)
        html.element("h1", texts.desk(.title))
        if case .problem(.noUser) = content {} else { addForm(&html, texts) }
        switch content {
        case .start: addMissing(&html, texts)
        case .answers:
            for app in apps {
                if app.name != nil, !app.answers.isEmpty || app.failure != nil { html.element("h2", app.name ?? "") }
                if let failure = app.failure { addProblem(.failed(failure), to: &html, texts) }
                for answer in app.answers {
                    html.add(answer, zone: app.zone, texts: texts) {
                        if app.mayGive { addHandOut(of: $0, in: app, to: &$1, texts) }
                    }
                }
            }
        case .problem(let problem): addProblem(problem, to: &html, texts)
        }
        return page.head + html.source + page.foot
    }

    private func addProblem(_ problem: DeskProblem, to html: inout HTML, _ texts: Texts) {
        html.element("section", [("class", "warning"), ("role", "alert")]) { $0.element("p", problem.text(texts)) }
    }

    /// Each app's last night and report, the other language and the user.
    private func addNavigation(_ html: inout HTML, _ texts: Texts) {
        for app in apps where app.name != nil {
            html.element("nav", [("class", "dim")]) { html in
                html.element("b", app.name ?? "")
                add(app, to: &html, texts)
            }
        }
        html.element("nav", [("class", "dim")]) { html in
            if let app = apps.first, app.name == nil { add(app, to: &html, texts) }
            for language in Language.allCases where language != texts.language {
                html.link("?lang=" + language.rawValue, texts.desk(.otherLanguage))
            }
            if let user { html.element("span", texts.desk(.user, user)) }
        }
    }

    private func add(_ app: App, to html: inout HTML, _ texts: Texts) {
        if let night = app.night {
            let figures = [night.new, night.open].map { String($0) }
            html.element("span", texts.desk(.night, night.businessDate.text, figures[0], figures[1]))
        }
        if app.linksReport {
            html.link("?report" + (app.name.map { "=" + percentEncoded($0) } ?? ""), texts.desk(.report))
        }
    }

    /// The files that the last nights lacked. Answers name them themselves.
    private func addMissing(_ html: inout HTML, _ texts: Texts) {
        for app in apps {
            guard let missing = app.night?.missing, !missing.isEmpty else { continue }
            let days = missing.map { texts.word(.feed, $0.feed) + " " + $0.date }
            let line = texts.lookup(.missing, days.joined(separator: texts.label(.listSeparator)))
            html.element("section", [("class", "warning")]) { html in
                html.element("p", (app.name.map { $0 + ": " } ?? "") + line)
            }
        }
    }

    /// A button to record that the goods of a purchase were given by hand, or to withdraw that.
    private func addHandOut(of subject: LookupSubject, in app: App, to html: inout HTML, _ texts: Texts) {
        guard let transaction = subject.facts.transactions.first else { return }
        let (field, button, hint): (String, DeskLabel, DeskLabel)
        switch subject.safety {
        case .safe, .safeAfterTries: (field, button, hint) = ("given", .give, .giveHint)
        case .given(let handOut) where handOut.by == user: (field, button, hint) = ("ungiven", .takeBack, .takeBackHint)
        default: return
        }
        html.element("form", [("method", "post")]) { html in
            html.tag("input", [("type", "hidden"), ("name", "id"), ("value", query)])
            html.tag("input", [("type", "hidden"), ("name", field), ("value", transaction)])
            if let name = app.name { html.tag("input", [("type", "hidden"), ("name", "app"), ("value", name)]) }
            html.element("button", [("type", "submit")]) { $0.text(texts.desk(button)) }
            html.element("p", class: "dim", texts.desk(hint))
        }
    }

    /// The form. It is sent to the page's own address, so the language in the address is kept.
    private func addForm(_ html: inout HTML, _ texts: Texts) {
        html.element("form", [("method", "post"), ("class", "ask")]) { html in
            html.element("label", [("for", "id")]) { $0.text(texts.desk(.field)) }
            html.tag(
                "input",
                [
                    ("id", "id"), ("name", "id"), ("value", query), ("autocomplete", "off"), ("spellcheck", "false"),
                    ("autofocus", "autofocus"), ("aria-describedby", "hint"),
                ])
            html.element("button", [("type", "submit")]) { $0.text(texts.desk(.search)) }
            html.element("p", [("class", "dim"), ("id", "hint")]) { $0.text(texts.desk(.hint)) }
        }
    }
}

/// Why the desk's page gives no answer.
public enum DeskProblem: Error, Equatable {
    /// What one question may use.
    public enum Limit: Sendable {
        case seconds, memory, output
    }

    /// The web server named no user.
    case noUser
    /// The user asked nothing.
    case empty
    /// The user asked for more identifiers than this at once.
    case tooMany(Int)
    /// The text is longer than allowed.
    case tooLong
    /// The request is not one of the page's own forms.
    case badRequest
    /// No report has been published yet.
    case noReport
    /// The answer needs more than this many seconds of processor time, or MB.
    case limit(Limit, Int)
    /// The program failed; with its message, which names the remedy.
    case failed(String)

    /// The problem in a sentence or two.
    public func text(_ texts: Texts) -> String {
        switch self {
        case .limit(.seconds, let most): texts.desk(.limitSeconds, String(most))
        case .limit(.memory, let most): texts.desk(.limitMemory, String(most))
        case .limit(.output, let most): texts.desk(.limitOutput, String(most))
        case .noUser: texts.desk(.noUser)
        case .empty: texts.desk(.empty)
        case .tooMany(let limit): texts.desk(.tooMany, String(limit))
        case .tooLong: texts.desk(.tooLong)
        case .badRequest: texts.desk(.badRequest)
        case .noReport: texts.desk(.noReport)
        case .failed(let message): texts.desk(.failed, message)
        }
    }
}

/// Texts that only the desk's page uses, at `desk.…` in the templates.
enum DeskLabel: String, TextName {
    case title, field, hint, search, night, report, user, otherLanguage, noUser, empty, tooMany, tooLong, badRequest
    case noReport, failed, limitSeconds, limitMemory, limitOutput, give, giveHint, takeBack, takeBackHint
}

extension Texts {
    func desk(_ label: DeskLabel, _ values: String...) -> String { filled(word("desk." + label.name), values) }
}
