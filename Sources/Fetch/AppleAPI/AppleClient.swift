/// Asks Apple's servers. It keeps Apple's limits, tries again where that helps, and explains what does not.
///
/// See docs/spec/app-store.md#asking-apple. Pure over a `Transport` and `Surroundings`.
final class AppleClient {
    private let credentials: Credentials
    private let transport: any Transport
    private let surroundings: Surroundings
    private var tokens: [String: AccessToken] = [:]
    /// Requests a second.
    private let rate: Int
    private var nextRequest = Instant(milliseconds: 0)

    /// How often a request is sent that fails in a way that may pass.
    static let attemptsMax = 3
    /// Waits for Apple's limit are not longer than this, together, for one request.
    static let waitMax = Milliseconds.minutes(15)

    /// Creates a client.
    ///
    /// - Parameter rate: requests a second in production. The sandbox, whose limits are lower, gets a tenth.
    init(_ credentials: Credentials, transport: any Transport, surroundings: Surroundings, rate: Int) {
        self.credentials = credentials
        self.transport = transport
        self.surroundings = surroundings
        self.rate = rate
    }

    /// What to ask: everything of a request but the token.
    struct Question {
        var method = "GET"
        var path: String
        var body: [UInt8] = []
        var server: Server
        /// The app; nil for App Store Connect.
        var bundle: String?
        var accept = "application/json"
        var bytesMax = 1 << 20
        /// Requests of this kind count so many times, because Apple allows fewer of them.
        var weight = 1
    }

    /// Asks until there is an answer that `read` accepts.
    ///
    /// - Parameter read: turns a successful response into an answer; a `JSONError` means that the response is cut.
    /// - Throws: `AppleError`, or what `sleep` throws.
    func ask<Answer>(_ question: Question, _ read: (Response) throws -> Answer) throws -> Answer {
        var failures = 0
        var waited = Milliseconds(0)
        while true {
            try pace(question)
            let reason: String
            switch try attempt(question, read) {
            case .answer(let answer): return answer
            case .wait(let until):
                let wait = max(Milliseconds(1000), until - surroundings.now())
                waited = Milliseconds(waited.count + wait.count)
                guard waited <= Self.waitMax else { throw AppleError.busy(until: until) }
                surroundings.note("Apple's limit is reached; waiting until \(until.text)")
                try surroundings.sleep(wait)
                continue
            case .failed(let why): reason = why
            }
            failures += 1
            guard failures < Self.attemptsMax else {
                throw AppleError.unreachable(server: question.server, reason: reason)
            }
            surroundings.note("asking again: \(reason)")
            // One second, then two, each half of that to half more.
            let pause = Double(failures * 1000) * (0.5 + surroundings.chance())
            try surroundings.sleep(Milliseconds(Int64(pause)))
        }
    }

    private enum Attempt<Answer> {
        case answer(Answer), failed(String)
        case wait(until: Instant)
    }

    private func attempt<Answer>(_ question: Question, _ read: (Response) throws -> Answer) throws -> Attempt<Answer> {
        let response: Response
        do { response = try transport.send(request(question), to: question.server) } catch {
            switch error {
            case .broken(let reason): return .failed(reason)
            case .untrusted(let reason): throw AppleError.untrusted(server: question.server, reason: reason)
            case .tooLarge: throw AppleError.senseless("it is larger than \(question.bytesMax >> 10) KiB")
            case .cancelled:
                try surroundings.sleep(Milliseconds(0))
                return .failed("cancelled")
            }
        }
        switch response.status {
        case 200:
            do { return .answer(try read(response)) } catch let error as JSONError {
                if response.body.first(where: { $0 > 32 }) == UInt8(ascii: "<") {
                    throw AppleError.senseless("an HTML page, perhaps a proxy's log-in")
                }
                return .failed("the answer is cut or is not JSON: \(error.reason)")
            }
        case 300..<400:
            throw AppleError.senseless("a redirection (\(response.status)), which Apple does not use")
        case 401: throw AppleError.unauthorized(hint: hint(response))
        default: return try refusal(response)
        }
    }

    /// The codes after which Apple asks to try again.
    private static let passing: Set<Int> = [4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001]

    private func refusal<Answer>(_ response: Response) throws -> Attempt<Answer> {
        let error = ErrorBody(response.body)
        if response.status == 429 || error.code == 4_290_000 { return .wait(until: retryTime(response)) }
        if error.code == 4_000_012 { throw AppleError.tooOld }
        if response.status >= 500 || Self.passing.contains(error.code) {
            let code = error.code == 0 ? "" : ", \(error.code)"
            return .failed("Apple has a problem (\(response.status)\(code))")
        }
        throw AppleError.refused(status: response.status, code: error.code, message: error.message)
    }

    /// Apple gives the time in milliseconds since 1970. A small number is a number of seconds, as HTTP defines it.
    private func retryTime(_ response: Response) -> Instant {
        let now = surroundings.now()
        guard let number = response.headers["retry-after"].flatMap({ Int64($0) }), number >= 0 else {
            return now + .minutes(1)
        }
        // A time more than a month ahead is a mistake of the server.
        let latest = now + .days(31)
        return min(latest, number < 10_000_000 ? now + Milliseconds(number * 1000) : Instant(milliseconds: number))
    }

    private func request(_ question: Question) -> Request {
        var headers = ["Accept": question.accept, "Authorization": "Bearer " + token(question.bundle)]
        if question.method == "POST" { headers["Content-Type"] = "application/json" }
        return Request(
            method: question.method, path: question.path, headers: headers, body: question.body,
            bytesMax: question.bytesMax)
    }

    private func token(_ bundle: String?) -> String {
        let now = surroundings.now()
        if let token = tokens[bundle ?? ""], token.isFresh(at: now) { return token.text }
        let token = AccessToken(credentials, bundle: bundle, now: now)
        tokens[bundle ?? ""] = token
        return token.text
    }

    /// Waits until the next request may go out.
    private func pace(_ question: Question) throws {
        let perSecond = question.server == .sandbox ? max(1, rate / 10) : rate
        let interval = Milliseconds(Int64(1000 * question.weight / perSecond))
        let now = surroundings.now()
        // If the clock was set back, the wait is one interval.
        let wait = min(nextRequest - now, interval)
        if wait > Milliseconds(0) { try surroundings.sleep(wait) }
        nextRequest = max(nextRequest, now) + interval
        if nextRequest - now > Milliseconds(2 * interval.count) { nextRequest = now + interval }
    }

    /// What a 401, which has no body, shows about its reason.
    private func hint(_ response: Response) -> String {
        if let date = response.headers["date"].flatMap({ Instant(httpDate: $0) }) {
            let ahead = (surroundings.now() - date).count / 1000
            if abs(ahead) > 50 {
                let direction = ahead > 0 ? "ahead of" : "behind"
                return "this machine's clock is \(abs(ahead)) seconds \(direction) Apple's. Set it (timedatectl)"
            }
        }
        return "the clock is right, so the key, its id or the issuer's id is wrong, it is not an In-App Purchase key, "
            + "it was revoked, or the app has never been released"
    }
}
