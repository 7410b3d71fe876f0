internal import CGI
internal import Domain
internal import Foundation
internal import ReportData
internal import Reports
internal import Settings

/// One request with everything that its answer needs.
struct DeskVisit {
    let request: CGIRequest
    let configuration: Configuration
    let texts: Texts
    let now: Instant
    let input: Int32

    func response() throws -> CGIResponse {
        guard request.user != nil || configuration.desk.allowsAnonymous && request.isLocal else {
            return page(.forbidden, .problem(.noUser))
        }
        if request.method != .post {
            if request.query.first("report") != nil { return try report() }
            return page(.ok, .start)
        }
        let form = FormData(try readBody(request.bodyLength, from: input))
        let text = form.first("id") ?? ""
        let queries = Self.queries(in: text)
        if queries.isEmpty { return page(.ok, .problem(.empty)) }
        if queries.count > Desk.queriesMax { return page(.ok, .problem(.tooMany(Desk.queriesMax)), text) }
        if let refused = try recordHandOut(form) { return refused }
        let inquiry = try Lookup.inquiry(configuration, now: now)
        var answers = try queries.map { try Lookup.answer($0, of: inquiry, configuration, now: now) }
        // Every answer is recorded before it is shown.
        try DeskRecord(configuration: configuration).add(answers, user: request.user, at: now)
        if isMasked { answers = answers.map(\.masked) }
        return page(.ok, .answers(answers), text)
    }

    /// Records that the user gave the goods of a purchase, or withdraws that, if the form says so. The answer that follows
    /// shows what is on record then.
    ///
    /// - Returns: the refusal, if the user may not do this or the form does not come from the page itself.
    private func recordHandOut(_ form: FormData) throws -> CGIResponse? {
        let (given, ungiven) = (form.first("given"), form.first("ungiven"))
        guard let id = given ?? ungiven else { return nil }
        guard let user = request.user, mayGive, request.isSentByOwnPage else {
            return page(.forbidden, .problem(.badRequest))
        }
        let inquiry = try Lookup.inquiry(configuration, now: now)
        let subject = try inquiry.answer(id).subjects.first { $0.facts.transactions.contains(id) }
        let isAllowed =
            switch subject?.safety {
            case .safe, .safeAfterTries: given != nil
            case .given(let handOut): given == nil && handOut.by == user
            default: false
            }
        // If another agent was faster, nothing is recorded, and the answer names that agent.
        guard isAllowed else { return nil }
        let handOut = HandOut(transaction: Identifier(id), by: user, at: now)
        _ = try HandOuts(configuration).record(handOut, isWithdrawal: given == nil)
        return nil
    }

    private var mayGive: Bool { request.user.map(configuration.desk.givers.contains) ?? false }

    private var isMasked: Bool { request.user.map(configuration.desk.masked.contains) ?? false }

    private func page(_ status: CGIResponse.Status, _ content: DeskPage.Content, _ query: String = "") -> CGIResponse {
        var page = DeskPage(query: query, content: content, user: request.user)
        if status != .forbidden {
            page.night = contents(of: configuration.output + "/latest/summary.json").flatMap(NightGlance.init)
            page.linksReport = page.night != nil && !isMasked
            page.mayGive = mayGive
        }
        return Desk.response(status, page, configuration.policy.zone, texts)
    }

    /// The last night's page. It brings its own content security policy, because it has a script.
    private func report() throws -> CGIResponse {
        guard !isMasked, let body = contents(of: configuration.output + "/latest/report.html") else {
            return page(.notFound, .problem(.noReport))
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

/// A file's bytes; nil if it cannot be read.
private func contents(of path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }
