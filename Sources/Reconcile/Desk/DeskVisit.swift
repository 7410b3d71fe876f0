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
        var parts = open.map { $0.part(for: request.user) }
        if request.method != .post {
            if let name = request.query.first("report") { return report(of: app(name, among: open), parts) }
            return page(.ok, .start, apps: parts)
        }
        let form = FormData(try readBody(request.bodyLength, from: input))
        let text = form.first("id") ?? ""
        let queries = Self.queries(in: text)
        if queries.isEmpty { return page(.ok, .problem(.empty), apps: parts) }
        if queries.count > Desk.queriesMax {
            return page(.ok, .problem(.tooMany(Desk.queriesMax)), apps: parts, query: text)
        }
        if let id = form.first("given") ?? form.first("ungiven") {
            guard let app = app(form.first("app") ?? "", among: open), app.mayGive(request.user),
                let user = request.user, request.isSentByOwnPage
            else { return page(.forbidden, .problem(.badRequest)) }
            try app.record(id, isWithdrawal: form.first("given") == nil, by: user, now: now)
        }
        for (index, app) in open.enumerated() {
            do {
                parts[index].answers = try app.answers(queries, user: request.user, now: now)
            } catch {
                // Without this app the others can still answer.
                if open.count == 1 { throw error }
                let failure = Failure(error)
                log.failure(failure)
                parts[index].failure = failure.line
            }
        }
        parts.keepFound()
        let isAnswered = parts.contains { $0.failure == nil }
        return page(isAnswered ? .ok : .unavailable, .answers, apps: parts, query: text)
    }

    /// The app of that name; the only one, if there is one. Nil for an unknown name.
    private func app(_ name: String, among open: [DeskApp]) -> DeskApp? {
        open.first { $0.name == nil || $0.name == name }
    }

    private func page(
        _ status: CGIResponse.Status, _ content: DeskPage.Content, apps: [DeskPage.App] = [], query: String = ""
    ) -> CGIResponse {
        var page = DeskPage(query: query, content: content, user: request.user)
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

    /// What to look up: each word, if every word has the length and the signs of an identifier. Otherwise the text as a whole, because an
    /// identifier may contain blanks and a message contains other words.
    private static func queries(in text: String) -> [String] {
        let words = text.split { $0.isWhitespace || ",;，；、".contains($0) }.map { String($0) }
        // A receipt that was pasted with line breaks has other signs as well.
        let mayBeIdentifier = { (word: String) in
            word.count >= 6 && word.contains { $0.isNumber }
                && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
        if words.count > 1, words.allSatisfy(mayBeIdentifier) { return words }
        let whole = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return whole.isEmpty ? [] : [whole]
    }
}

extension [DeskPage.App] {
    /// Of several apps, keeps the answers of those that know the identifier. What none knows is answered once, by an app
    /// that has similar identifiers if there is one.
    fileprivate mutating func keepFound() {
        guard count > 1, let queries = first(where: { $0.failure == nil })?.answers.count else { return }
        var kept = map { _ in [LookupAnswer]() }
        for query in 0..<queries {
            let known = indices.filter { self[$0].failure == nil }
            var shown = known.filter { self[$0].answers[query].isFound }
            if shown.isEmpty {
                shown = [known.first { !self[$0].answers[query].near.isEmpty } ?? known[0]]
            }
            for index in shown { kept[index].append(self[index].answers[query]) }
        }
        for index in indices { self[index].answers = kept[index] }
    }
}
