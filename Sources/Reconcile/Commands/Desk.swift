internal import CGI
internal import Console
internal import Domain
internal import Foundation
internal import Glibc
internal import ReportData
internal import Reports
internal import Settings
internal import Text

/// `reconcile desk`: answers one request of a web server, as a CGI program. See docs/spec/interfaces.md#desk.
enum Desk {
    /// How many bytes a request may have: room for several receipts.
    static let bodyMax = 256 << 10
    /// How many identifiers a request may have.
    static let queriesMax = 50

    /// - Throws: `Failure` with `usage` if no web server started the program, and with an output error if it does not
    ///   take the response. All other problems are answers to the browser.
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let response: CGIResponse
        do {
            let request = try CGIRequest(context.variables, bodyMax: bodyMax)
            response = try Self.response(to: request, invocation, context)
        } catch CGIProblem.notCGI {
            throw Failure(
                .usage, "desk answers requests of a web server, and no web server started it",
                remedy: "To ask here, use 'reconcile lookup'. To set up the page, see docs/use/support.md.")
        } catch let problem as CGIProblem {
            discardBody(Int(context.variables["CONTENT_LENGTH"] ?? "") ?? 0, from: context.input)
            let page = DeskPage(content: .problem(problem == .tooLong ? .tooLong : .badRequest), user: nil)
            response = try Self.response(problem.status, page, .utc, Texts(language: .english))
        }
        let method = context.variables["REQUEST_METHOD"].flatMap(CGIRequest.Method.init)
        try context.output.write(response.bytes(for: method ?? .get))
        return .done
    }

    /// The response; a failure becomes a page that names it, and a line for the web server's log.
    private static func response(
        to request: CGIRequest, _ invocation: Invocation, _ context: CommandContext
    ) throws -> CGIResponse {
        let asked = language(request)
        do {
            let configuration = try Configuration.load(for: invocation, in: context)
            let texts = try Texts(language: asked ?? configuration.language, folder: configuration.templates)
            return try DeskVisit(
                request: request, configuration: configuration, texts: texts, now: context.clock(), input: context.input
            ).response()
        } catch let problem as CGIProblem {
            throw problem
        } catch {
            let failure = Failure(error)
            context.log.failure(failure)
            let page = DeskPage(content: .problem(.failed(failure.line)), user: request.user)
            return try Self.response(.unavailable, page, .utc, Texts(language: asked ?? .english))
        }
    }

    /// The language of the address or, without one, of the browser. Nil if the browser names no language of ours.
    private static func language(_ request: CGIRequest) -> Language? {
        if let chosen = request.query.first("lang").flatMap(Language.init) { return chosen }
        for name in request.languages {
            if name.hasPrefix("en") { return .english }
            if name.hasPrefix("zh") { return .chinese }
        }
        return nil
    }

    /// A page as a response.
    static func response(_ status: CGIResponse.Status, _ page: DeskPage, _ zone: Zone, _ texts: Texts) -> CGIResponse {
        var response = CGIResponse(
            status, contentType: "text/html; charset=utf-8", body: Array(page.html(zone: zone, texts: texts).utf8))
        response.add("Content-Language", texts.language.rawValue)
        response.add("Content-Security-Policy", DeskPage.policy(texts))
        return response
    }
}

/// One request with everything that its answer needs.
private struct DeskVisit {
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
        // Nobody sees an answer that is not on record.
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
    static func queries(in text: String) -> [String] {
        let words = text.split { $0.isWhitespace || ",;，；、".contains($0) }.map { String($0) }
        // A receipt that was pasted with line breaks has other signs as well.
        let mayBeIdentifier = { (word: String) in
            word.count >= 6 && word.contains { $0.isNumber }
                && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
        if words.count > 1, words.allSatisfy(mayBeIdentifier) { return words }
        let whole = text.trimmingBlanks
        return whole.isEmpty ? [] : [whole]
    }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmingBlanks: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

/// The request's body.
/// - Throws: `CGIProblem.cutShort`; `Failure` if standard input cannot be read.
private func readBody(_ count: Int, from input: Int32) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
        let got = bytes.withUnsafeMutableBytes { read(input, $0.baseAddress! + filled, count - filled) }
        if got < 0, errno == EINTR { continue }
        if got < 0 { throw Failure.system(errno, cannot: "read", "standard input", otherwise: .inputOutput) }
        if got == 0 { throw CGIProblem.cutShort }
        filled += got
    }
    return bytes
}

/// Reads a body that is not used: Apache cuts the response off if the program ends before it has read the body.
private func discardBody(_ count: Int, from input: Int32) {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    // Whatever is longer is no longer an agent's mistake.
    var left = min(count, 8 << 20)
    while left > 0 {
        let got = read(input, &block, min(left, block.count))
        if got < 0, errno == EINTR { continue }
        if got <= 0 { return }
        left -= got
    }
}

/// A file's bytes; nil if it cannot be read.
private func contents(of path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { Array($0) } }
