/// The page of `reconcile desk`: a form, and the answers to what was asked. See docs/spec/interfaces.md#desk.
public struct DeskPage: Sendable {
    /// What stands below the form.
    public enum Content: Sendable {
        /// Nothing was asked yet.
        case start
        case answers
        /// The open work of the only app here.
        case queue(WorkQueue)
        /// The lead's page of the only app here.
        case lead(LeadReport)
        /// Why the page has no answer.
        case problem(DeskProblem)
    }

    /// What became of a button that the user pressed.
    public enum Notice: Sendable {
        /// This user, or the one whose wish the user confirmed, gives the goods of this transaction. `to`: a lead named that
        /// account. `beside`: that user has the case in hand. `before`: the user recorded it at that time; this time nothing was.
        case recorded(String, by: String, to: String? = nil, beside: String? = nil, before: Instant? = nil)
        /// The goods of this transaction are not given to that account.
        case notTo(String, account: String, AccountObjection)
        /// The user's record about this transaction was withdrawn.
        case withdrawn(String)
        /// Nothing was recorded; why, as its answer says it. Nil if the transaction is not on record.
        case notRecorded(String, (safety: LookupSafety, verdict: Verdict)?)
        /// Nothing was recorded: something was recorded or withdrawn since the user's page was shown.
        case outdated(String)
        /// No record of the user's stands, but that of this other user.
        case notWithdrawn(String, of: String?)
        /// The record cannot be written, so nothing happened.
        case unrecorded
        /// A night runs, so nothing was recorded.
        case nightRuns
        /// What became of a step of the work on an exception, by the id that the queue shows.
        case work(String, WorkNotice)
        /// What became of a decision about this key.
        case decision(String, DecisionNotice)
        /// What Apple said about this id.
        case apple(String, AppleNotice)
    }

    /// The text in the form: what was asked.
    public var query: String
    /// The account in the form: that of the customer who asks.
    public var asker: String?
    public var notice: Notice?
    /// What the user searched for; nil if nothing was.
    public var search: DescriptionFields?
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
        /// How old the last night is; nil while it is recent.
        public var staleness: LookupStaleness?
        /// Whether accounts are hidden from the user.
        public var isMasked = false
        /// Whether the user may record that the goods were given by hand.
        public var mayGive = false
        /// All who may.
        public var givers: [String] = []
        /// Whether the user may search for purchases without a whole id.
        public var maySearch = false
        /// Whether the user may see the queue, and take cases in hand.
        public var mayWork = false
        /// Whether the user may hand over and give back what another one has in hand, and withdraw what another one
        /// recorded or decided.
        public var mayLead = false
        /// All who may.
        public var leads: [String] = []
        /// Whether the user may ask Apple about an id that is not on record.
        public var mayAskApple = false
        /// What Apple answered to questions from the page, by id.
        public var appleAnswers: [String: AskedApple] = [:]
        /// The users to whom a case can be handed over.
        public var workers: [String] = []
        /// What the user may decide.
        public var decisions: Set<DeskDecision.Kind> = []
        /// What needs a second person.
        public var twoPersons: Set<String> = []
        public var answers: [LookupAnswer] = []
        /// Why the app has no answers; nil if it has some.
        public var failure: DeskProblem?

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
        let page = HTMLPage(title: title(texts), language: texts.language, hasForm: true)
        var html = HTML()
        addHeading(&html, texts)
        switch content {
        case .problem(.noUser), .queue, .lead: break
        default:
            addForm(&html, texts)
            addSearch(&html, texts)
        }
        switch content {
        // Answers name both themselves.
        case .answers, .problem: break
        default: addStaleness(&html, texts)
        }
        switch content {
        case .start: addMissing(&html, texts)
        case .lead(let lead): addLead(lead, zone: apps.first?.zone ?? .utc, to: &html, texts)
        case .queue(let queue):
            addNotice(&html, texts)
            if let app = apps.first { addQueue(queue, of: app, to: &html, texts) }
        case .answers:
            html.element("div", Self.target) { html in
                addNotice(&html, texts)
                for app in apps { addAnswers(of: app, to: &html, texts) }
            }
        case .problem(let problem): addProblem(problem, to: &html, texts)
        }
        return page.head + html.source + page.foot
    }

    private func addAnswers(of app: App, to html: inout HTML, _ texts: Texts) {
        if app.name != nil, !app.answers.isEmpty || app.failure != nil { html.element("h2", app.name ?? "") }
        if let failure = app.failure { addProblem(failure, to: &html, texts) }
        for answer in app.answers.eachOnce {
            let answer = addQuestionToApple(answer, app, &html, texts)
            html.add(
                answer, zone: app.zone, texts: texts, reader: user, mayGive: app.mayGive || user == nil,
                at: app.twoPersons.contains("given") ? .pageOfTwo : .page, level: 2,
                open: { addOpening(of: $0, for: app.isMasked ? nil : answer.asker, to: &$1, texts) },
                beside: { addHolder(of: $0, in: app, to: &$1, texts) },
                below: {
                    if app.mayGive { addHandOut(of: $0, in: app, to: &$1, texts) }
                    addOwner(of: $0, in: app, to: &$1, texts)
                },
                further: {
                    if app.mayWork { addWork(on: $0, in: app, to: &$1, texts) }
                    addDecisions(on: $0, in: app, to: &$1, texts)
                    addWithdrawal(of: $0, in: app, to: &$1, texts)
                })
        }
    }

    private func addProblem(_ problem: DeskProblem, to html: inout HTML, _ texts: Texts) {
        html.element("section", [("class", "warning"), ("role", "alert")]) { $0.element("p", problem.text(texts)) }
    }

    private func addNotice(_ html: inout HTML, _ texts: Texts) {
        guard let notice else { return }
        let zone = apps.first?.zone ?? .utc
        // Whoever works by keyboard or hears the page is there at once.
        html.element(
            "section",
            [
                ("class", notice.isGood ? "good" : "warning"), ("role", "status"), ("tabindex", "-1"),
                ("autofocus", "autofocus"),
            ]
        ) {
            $0.element("p", text(of: notice, zone: zone, texts))
        }
    }

    /// The files that the last nights lacked.
    private func addMissing(_ html: inout HTML, _ texts: Texts) {
        for app in apps {
            guard let missing = app.night?.missing, !missing.isEmpty else { continue }
            let days = missing.map { texts.word(.feed, $0.feed) + " " + $0.date }
            addWarning(
                texts.lookup(.missing, days.joined(separator: texts.label(.nameSeparator))), of: app, &html, texts)
        }
    }

    /// Nights that did not run.
    private func addStaleness(_ html: inout HTML, _ texts: Texts) {
        for app in apps { if let night = app.staleness { addWarning(night.text(texts), of: app, &html, texts) } }
    }

    private func addWarning(_ line: String, of app: App, _ html: inout HTML, _ texts: Texts) {
        html.element("section", [("class", "warning")]) { html in
            html.element("p", app.name.map { texts.lookup(.saidOf, $0, line) } ?? line)
        }
    }

    /// A second form: what a customer without an id knows. It shows what was understood, so that it can be corrected.
    private func addSearch(_ html: inout HTML, _ texts: Texts) {
        guard apps.contains(where: \.maySearch) else { return }
        let understood = apps.lazy.flatMap(\.answers).compactMap { $0.list?.asked }.first
        let fields = search ?? understood?.fields ?? DescriptionFields()
        html.element("details", (search ?? understood?.fields) == nil ? [] : [("open", "open")]) { html in
            html.element("summary", texts.desk(.find))
            html.element("form", [("method", "post"), ("class", "find")]) { html in
                html.hidden("find", "1")
                let named = apps.lazy.filter { !$0.isMasked }.flatMap(\.answers).compactMap(\.asker).first
                if let account = asker ?? named { html.hidden("account", account) }
                for (name, path) in DescriptionFields.names {
                    let type = name == "from" || name == "to" ? "date" : "text"
                    html.element("div") { html in
                        html.element("label", [("for", "find-" + name)]) { $0.text(texts.words["desk.find_" + name]!) }
                        html.tag(
                            "input",
                            [
                                ("id", "find-" + name), ("name", name), ("type", type),
                                ("value", fields[keyPath: path]), ("autocomplete", "off"), ("spellcheck", "false"),
                            ])
                    }
                }
                html.element("button", [("type", "submit")]) { $0.text(texts.desk(.findButton)) }
            }
        }
    }

    /// The form. It is sent to the page's own address, so the language in the address is kept.
    private func addForm(_ html: inout HTML, _ texts: Texts) {
        html.element("form", [("method", "post"), ("class", "ask")]) { html in
            html.element("label", [("for", "id")]) { $0.text(texts.desk(.field)) }
            html.element(
                "textarea",
                [
                    ("id", "id"), ("name", "id"), ("rows", "3"), ("autocomplete", "off"), ("spellcheck", "false"),
                    ("aria-describedby", "hint"),
                ] + (notice == nil ? [("autofocus", "autofocus")] : [])
            ) { html in
                // A line feed after the tag is not a part of the text.
                for line in query.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                    html.lineFeed()
                    html.text(String(line))
                }
            }
            html.element("p", [("class", "dim"), ("id", "hint")]) { $0.text(texts.desk(.hint)) }
            html.element("label", [("for", "account")]) { $0.text(texts.desk(.asker)) }
            html.tag(
                "input",
                [
                    ("id", "account"), ("name", "account"), ("value", asker ?? ""), ("autocomplete", "off"),
                    ("spellcheck", "false"), ("aria-describedby", "account-hint"),
                ])
            html.element("button", [("type", "submit")]) { $0.text(texts.desk(.search)) }
            html.element("p", [("class", "dim"), ("id", "account-hint")]) { $0.text(texts.desk(.askerHint)) }
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
    /// The user has no right to this part of the page.
    case forbidden
    /// No report has been published yet.
    case noReport
    /// The answer needs more than this many seconds of processor time, or MB.
    case limit(Limit, Int)
    /// A field of the search cannot be used.
    case search(DescriptionFields.Fault)
    /// The program failed, with this exit code. The page does not say more: the details may name files.
    case failed(Trouble, Int)

    /// What kind of failure it was, for the administrator. The names are those of texts.
    public enum Trouble: String, Sendable, CaseIterable {
        case noNight = "no_night", damaged, busy, unreadable, unrecorded, configuration, other
    }

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
        case .forbidden: texts.desk(.forbidden)
        case .noReport: texts.desk(.noReport)
        case .search(let fault): texts.words["desk.fault." + fault.rawValue]!
        case .failed(let trouble, let code):
            texts.desk(.failed, texts.words["desk.trouble." + trouble.rawValue]!, String(code))
        }
    }
}

/// Texts that only the desk's page uses, at `desk.…` in the templates.
enum DeskLabel: String, TextName {
    case title, field, hint, search, night, report, user, otherLanguage, noUser, empty, tooMany, tooLong, badRequest
    case noReport, failed, limitSeconds, limitMemory, limitOutput, give, giveHint, takeBack, takeBackHint
    case wishGive, confirmGive, withdrawGive, twoHint, cannotRecord, noGivers, forbidden, takeBackOf, takeBackOfHint
    case askApple, askAppleHint, appleAnswered, appleKnown, appleUnknown, appleTooOften, appleFailed
    case find, findButton, asker, askerHint, recorded, confirmed, inHand, withdrawn, notRecorded, notWithdrawn,
        notOnRecord
    case unrecorded, nightRuns, inHandToo, owner, giveOwner, ownerHint, ownerNotYet, recordedTo, confirmedTo,
        refuse, recordedBefore, accountUnknown, accountNear, accountRefused, accountToken
    case ownerOrders, orderOf, ownerElsewhere, outdated, inHandOther, onlyLead, skip
}

extension DeskPage {
    /// The purchase whose exception or retry entry a decision names; what it names where the page shows none.
    private func purchase(of key: String) -> String {
        subjects.first { $0.exception?.id.text == key || $0.retries.contains { $0.key == key } }?.facts.shownID ?? key
    }

    var subjects: [LookupSubject] { apps.flatMap(\.answers).flatMap(\.subjects) }

    fileprivate func text(of notice: Notice, zone: Zone, _ texts: Texts) -> String {
        switch notice {
        case .apple(let id, let outcome): outcome.text(id, zone: zone, texts)
        case .decision(let key, let outcome): outcome.text(purchase(of: key), zone: zone, texts)
        case .work(let id, let outcome): text(of: outcome, id, zone: zone, texts)
        case .recorded(let id, let giver, let to, let holder, let before):
            recorded(id, by: giver, to: to, beside: holder, before: before, zone: zone, texts)
        case .notTo(let id, let account, let objection): text(of: objection, id, account, zone: zone, texts)
        case .withdrawn(let id): texts.desk(.withdrawn, id)
        case .outdated(let id): texts.desk(.outdated, id)
        case .notWithdrawn(let id, let by):
            by.map { texts.desk(.onlyLead, id, $0) } ?? texts.desk(.notWithdrawn, id)
        case .unrecorded: texts.desk(.unrecorded)
        case .nightRuns: texts.desk(.nightRuns)
        case .notRecorded(let id, let reason):
            texts.desk(
                .notRecorded, id,
                reason.map { $0.safety.text(of: $0.verdict, zone: zone, texts) } ?? texts.desk(.notOnRecord))
        }
    }
}

extension Texts {
    func desk(_ label: DeskLabel, _ values: String...) -> String { filled(word("desk." + label.name), values) }
}
