internal import CGI
internal import Glibc
internal import Reports

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
            if request.method == .post || ["queue", "lead"].contains(where: { request.query.first($0) != nil }),
                context.limitsDesk,
                context.variables[LimitedDesk.mark] == nil
            {
                try context.output.write(limitedResponse(to: request, invocation, context))
                return .done
            }
            response = try Self.response(to: request, invocation, context)
        } catch CGIProblem.notCGI {
            throw Failure(
                .usage, "desk answers requests of a web server, and no web server started it",
                remedy: "To ask here, use 'reconcile lookup'. To set up the page, see docs/use/support.md.")
        } catch let problem as CGIProblem {
            discardBody(Int(context.variables["CONTENT_LENGTH"] ?? "") ?? 0, from: context.input)
            let page = DeskPage(content: .problem(problem == .tooLong ? .tooLong : .badRequest), user: nil)
            response = try Self.response(problem.status, page: page, Texts(language: .english))
        }
        let method = context.variables["REQUEST_METHOD"].flatMap(CGIRequest.Method.init)
        try context.output.write(response.bytes(for: method ?? .get))
        return .done
    }

    /// The response of a process with limits; a limit that it meets becomes a page that names it.
    private static func limitedResponse(
        to request: CGIRequest, _ invocation: Invocation, _ context: CommandContext
    ) throws -> [UInt8] {
        // A configuration that cannot be read has the default limits, and the process says what is wrong with it.
        let configuration = try? DeskApp.named(by: invocation, context)[0].configuration
        var limits = configuration?.desk.limits ?? DeskSettings.Limits()
        // A file of the queue has all rows, on the day of an outage some ten thousand.
        if ["csv", "xlsx"].contains(where: { request.query.first($0) != nil }) { limits.outputMegabytes *= 16 }
        var problem: DeskProblem
        do {
            return try LimitedDesk(limits: limits).response(context.variables)
        } catch let met as DeskProblem {
            problem = met
            context.log.failure(Failure(.inputRefused, "desk: " + met.text(try Texts(language: .english))))
        } catch {
            problem = Self.problem(error, context.log)
        }
        let texts = try Texts(
            language: language(request) ?? configuration?.language ?? .english, folder: configuration?.templates)
        let page = DeskPage(content: .problem(problem), user: request.user)
        return Self.response(.unavailable, page: page, texts).bytes(for: request.method)
    }

    /// The response; a failure becomes a page that names it, and a line for the web server's log.
    private static func response(
        to request: CGIRequest, _ invocation: Invocation, _ context: CommandContext
    ) throws -> CGIResponse {
        var texts: Texts?
        do {
            let apps = try DeskApp.named(by: invocation, context)
            let first = apps[0].configuration
            let own = try Texts(language: language(request) ?? first.language, folder: first.templates)
            texts = own
            return try DeskVisit(
                request: request, apps: apps, texts: own, now: context.clock(), input: context.input, log: context.log
            ).response()
        } catch let problem as CGIProblem {
            throw problem
        } catch {
            let page = DeskPage(content: .problem(Self.problem(error, context.log)), user: request.user)
            return Self.response(
                .unavailable, page: page, try texts ?? Texts(language: language(request) ?? .english))
        }
    }

    /// What the page says about a failure. The details are for the web server's log alone: they may name files.
    static func problem(_ error: any Error, _ log: Log) -> DeskProblem {
        if let problem = error as? DeskProblem { return problem }
        let failure = Failure(error)
        log.failure(failure)
        let trouble: DeskProblem.Trouble =
            switch failure.code {
            case _ where error is Unrecorded: .unrecorded
            case .noInput: .noNight
            case .inputOutput: .damaged
            case .busy: .busy
            case .noPermission, .cannotCreate: .unreadable
            case .configuration: .configuration
            default: .other
            }
        return .failed(trouble, Int(failure.code.rawValue))
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

    static func response(_ status: CGIResponse.Status, page: DeskPage, _ texts: Texts) -> CGIResponse {
        var response = CGIResponse(
            status, contentType: "text/html; charset=utf-8", body: Array(page.html(texts: texts).utf8))
        response.add("Content-Language", texts.language.rawValue)
        response.add("Content-Security-Policy", DeskPage.policy(texts))
        return response
    }
}

/// The request's body.
/// - Throws: `CGIProblem.cutShort`; `Failure` if standard input cannot be read.
func readBody(_ count: Int, from input: Int32) throws -> [UInt8] {
    let (bytes, error) = readAll(upTo: count) { memory, _ in read(input, memory.baseAddress, memory.count) }
    if error != 0 { throw Failure.system(error, cannot: "read", "standard input", otherwise: .inputOutput) }
    if bytes.count < count { throw CGIProblem.cutShort }
    return bytes
}

/// Reads a body that is not used: Apache cuts the response off if the program ends before it has read the body.
func discardBody(_ count: Int, from input: Int32) {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    // An agent's mistake is shorter than this. The rest of a longer body is left unread.
    var left = min(count, 8 << 20)
    while left > 0 {
        let got = uninterrupted { read(input, &block, min(left, block.count)) }
        if got <= 0 { return }
        left -= got
    }
}
