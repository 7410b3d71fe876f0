internal import CGI
internal import Foundation
internal import Reports

/// One request with everything that its answer needs.
struct DeskVisit {
    let request: CGIRequest
    let apps: [DeskApp]
    let texts: Texts
    let now: Instant
    let input: Int32
    let log: Log

    func response() throws -> CGIResponse {
        let open = apps.filter { request.user != nil || $0.configuration.desk.allowsAnonymous && request.isLocal }
        if open.isEmpty { return page(.forbidden, .problem(.noUser)) }
        var parts = open.map { $0.part(for: request.user, now: now) }
        if let name = request.query.first("queue") { return try queue(of: app(name, among: open)) }
        if let name = request.query.first("lead") { return try lead(app(name, among: open)) }
        if request.method != .post {
            if let name = request.query.first("report") { return report(of: app(name, among: open), parts) }
            return page(.ok, .start, apps: parts)
        }
        let form = FormData(try readBody(request.bodyLength, from: input))
        guard let question = DeskQuestion(form) else { return page(.ok, .problem(.empty), apps: parts) }
        if Inquiry.identifiers(listedIn: question.text).count > Desk.queriesMax {
            return page(.ok, .problem(.tooMany(Desk.queriesMax)), apps: parts, question)
        }
        if question.search != nil, !open.contains(where: { $0.maySearch(request.user) }) {
            return page(.forbidden, .problem(.forbidden))
        }
        var notice: DeskPage.Notice?
        if ["given", "ungiven", "ask", "work", "decide"].contains(where: { form.first($0) != nil }) {
            notice = try act(form, question, on: app(form.first("app") ?? "", among: open))
            if notice == nil { return page(.forbidden, .problem(.badRequest)) }
        }
        for (index, app) in open.enumerated() where question.search == nil || app.maySearch(request.user) {
            do {
                parts[index].answers = try app.answers(to: question, user: request.user, now: now)
            } catch let problem as DeskProblem {
                return page(.ok, .problem(problem), apps: parts, question)
            } catch {
                // Without this app the others can still answer. What became of a button is told in any case.
                if open.count == 1, notice == nil { throw error }
                parts[index].failure = Desk.problem(error, log)
            }
        }
        parts.keepFound(asked: question.text)
        let isAnswered = parts.contains { $0.failure == nil }
        return page(isAnswered ? .ok : .unavailable, .answers, apps: parts, question, notice)
    }

    /// The queue, as a page or as a file; after a step of the work, if the user sent one.
    private func queue(of app: DeskApp?) throws -> CGIResponse {
        guard let app, app.mayWork(request.user) else { return page(.forbidden, .problem(.forbidden)) }
        var notice: DeskPage.Notice?
        if request.method == .post {
            notice = try act(FormData(try readBody(request.bodyLength, from: input)), on: app)
            if notice == nil { return page(.forbidden, .problem(.badRequest)) }
        }
        let isSheet = request.query.first("xlsx") != nil
        let isFile = isSheet || request.query.first("csv") != nil
        let queue: WorkQueue
        do {
            queue = try app.queue(
                QueueFilter(request.query), isFile: isFile, user: request.user, now: now, log: log)
        } catch  where notice != nil {
            var part = app.part(for: request.user, now: now)
            part.failure = Desk.problem(error, log)
            return page(.unavailable, .answers, apps: [part], nil, notice)
        }
        if !isFile {
            return page(.ok, .queue(queue), apps: [app.part(for: request.user, now: now)], nil, notice)
        }
        let zone = app.configuration.policy.zone
        var file = CGIResponse(
            .ok,
            contentType: isSheet
                ? "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" : "text/csv; charset=utf-8",
            body: isSheet
                ? try queue.workbook(
                    at: now, temporaryFolder: FileManager.default.temporaryDirectory.path, zone: zone, texts: texts)
                : queue.csv(zone: zone, texts: texts))
        let name = queue.fileName + (isSheet ? ".xlsx" : ".csv")
        file.add("Content-Disposition", "attachment; filename=\"\(name)\"")
        return file
    }

    private func lead(_ app: DeskApp?) throws -> CGIResponse {
        guard let app, app.mayLead(request.user) else { return page(.forbidden, .problem(.forbidden)) }
        let lead = try app.lead(user: request.user, now: now, log: log)
        return page(.ok, .lead(lead), apps: [app.part(for: request.user, now: now)])
    }

    /// What became of a button. Nil if the user may not press it, or the form is not the page's own.
    private func act(_ form: FormData, _ question: DeskQuestion? = nil, on app: DeskApp?) throws -> DeskPage.Notice? {
        guard let app, let user = request.user, request.isSentByOwnPage else { return nil }
        do {
            if let question, let id = form.first("given") ?? form.first("ungiven") {
                let isWithdrawal = form.first("given") == nil
                let isLeads = isWithdrawal || ["owner", "confirms"].contains { form.first($0) != nil }
                guard app.mayGive(user) || isLeads && app.mayLead(user) else { return nil }
                let said = HandOutRequest(
                    transaction: id, isWithdrawal: isWithdrawal,
                    reason: DeskApp.typed(form.first("reason"), lines: false),
                    owner: DeskApp.typed(form.first("owner"), lines: false),
                    despite: DeskApp.typed(form.first("despite"), lines: false), confirming: form.first("confirms"),
                    seen: form.first("seen"))
                return try app.handOut(said, in: question, by: user, now: now, log: log)
            }
            if let id = form.first("ask") {
                return app.mayAskApple(user) ? try app.ask(id, by: user, now: now, log: log) : nil
            }
            if form.first("decide") != nil { return try app.decide(form, by: user, now: now, log: log) }
            return app.mayWork(user) ? try app.addWork(form, by: user, now: now, log: log) : nil
        } catch let error as Unrecorded {
            log.failure(error.failure)
            return .unrecorded
        } catch let failure as Failure where failure.code == .busy {
            // A night began a moment ago.
            log.failure(failure)
            return .nightRuns
        }
    }

    /// The app of that name; the only one, if there is one. Nil for an unknown name.
    private func app(_ name: String, among open: [DeskApp]) -> DeskApp? {
        open.first { $0.name == nil || $0.name == name }
    }

    private func page(
        _ status: CGIResponse.Status, _ content: DeskPage.Content, apps: [DeskPage.App] = [],
        _ question: DeskQuestion? = nil, _ notice: DeskPage.Notice? = nil
    ) -> CGIResponse {
        var page = DeskPage(query: question?.text ?? "", content: content, user: request.user)
        page.asker = question?.asker
        page.search = question?.search
        page.notice = notice
        page.apps = apps
        return Desk.response(status, page: page, texts)
    }

    /// The last night's page. It brings its own content security policy, because it has a script.
    private func report(of app: DeskApp?, _ parts: [DeskPage.App]) -> CGIResponse {
        guard let app, !app.isMasked(for: request.user), let body = app.contents(of: "report.html") else {
            return page(.notFound, .problem(.noReport), apps: parts)
        }
        return CGIResponse(.ok, contentType: "text/html; charset=utf-8", body: body)
    }
}

extension DeskQuestion {
    /// Nil if nothing was asked.
    fileprivate init?(_ form: FormData) {
        func field(_ name: String) -> String? {
            let text = form.first(name)?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
            return text.isEmpty ? nil : text
        }
        asker = field("account")
        if field("find") != nil {
            var search = DescriptionFields()
            for (name, path) in DescriptionFields.names { search[keyPath: path] = field(name) ?? "" }
            self.search = search
        }
        // The account alone asks for all of its purchases.
        guard let text = field("id") ?? (search == nil ? asker : "") else { return nil }
        self.text = text
    }
}

extension [DeskPage.App] {
    /// Of several apps, keeps the answers of those that know the identifier. What none knows is answered once, by an app
    /// that has similar identifiers if there is one.
    fileprivate mutating func keepFound(asked: String) {
        guard count > 1 else { return }
        let answers = flatMap(\.answers)
        let found = Set(answers.filter(\.isFound).map(\.identifier))
        // An app reads as a list what another one knows as a whole.
        var told = found.contains(asked) ? Set(answers.map(\.identifier)) : found
        var unknown: [(app: Int, answer: LookupAnswer)] = []
        for answer in answers where told.insert(answer.identifier).inserted {
            let same = indices.flatMap { app in
                self[app].answers.filter { $0.identifier == answer.identifier }.map { (app, $0) }
            }
            unknown.append(same.first { !$0.1.near.isEmpty } ?? same[0])
        }
        for index in indices {
            self[index].answers =
                self[index].answers.filter(\.isFound)
                + unknown.filter { $0.app == index }.map(\.answer)
        }
    }
}
