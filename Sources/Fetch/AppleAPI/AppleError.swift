/// Why Apple gave no answer that can be used. See docs/spec/app-store.md#apple-errors.
enum AppleError: Error, Equatable, Sendable {
    /// No connection, a slow or cut response, or an error of Apple's, three times.
    case unreachable(server: Server, reason: String)
    /// The server at the other end cannot prove that it is Apple's.
    case untrusted(server: Server, reason: String)
    /// Apple asks to wait longer than this program does.
    case busy(until: Instant)
    /// 401. The text says what the response shows about the reason.
    case unauthorized(hint: String)
    /// The range begins before what Apple keeps (4000012).
    case tooOld
    /// Apple answered with another error. `code` is 0 if the response has none.
    case refused(status: Int, code: Int, message: String)
    /// The response is not one that Apple's documents allow.
    case senseless(String)

    /// A whole answer that is of another form than Apple's.
    static func senseless(_ what: String, _ body: [UInt8]) -> AppleError {
        .senseless("\(what). It begins with \(quoted(String(decoding: body.prefix(500), as: UTF8.self)))")
    }

    /// What is wrong, without a full stop.
    var message: String {
        switch self {
        case .unreachable(let server, let reason): "\(server.name) could not be asked: \(display(reason))"
        case .untrusted(let server, let reason):
            "the server that answers as \(server.rawValue) cannot be trusted: \(display(reason))"
        case .busy(let until): "Apple asks to wait until \(until.text)"
        case .unauthorized(let hint): "Apple does not accept the key (401): \(hint)"
        case .tooOld: "Apple no longer keeps notifications of that time (4000012)"
        case .refused(let status, 0, let message):
            "Apple refused the request (\(status))" + (message.isEmpty ? "" : ": " + quoted(message))
        case .refused(_, let code, let message): "Apple refused the request (\(code)): \(quoted(message))"
        case .senseless(let what): "the answer is not one of Apple's: \(what)"
        }
    }

    /// What to do, as a sentence.
    var remedy: String {
        switch self {
        case .unreachable: "Check the network and Apple's system status page; the next run asks again."
        case .untrusted:
            "Check the clock, the package ca-certificates, and whether a proxy opens encrypted connections."
        case .busy: "The app has used up its requests of this hour; run later, or set a lower --rate."
        case .unauthorized: "See 'The key is not accepted' in apple.md."
        case .tooOld: "Nothing can be done: Apple keeps 180 days, of the sandbox 30."
        case .refused(_, 4_040_003, _): "Check app.bundleIDs and app.environment: Apple knows no such app."
        case .refused:
            "Look the number up in Apple's documentation of the App Store Server API; the next run asks again."
        case .senseless: "Check whether a proxy stands between this machine and Apple; the next run asks again."
        }
    }
}

/// An error as Apple's body describes it: `{"errorCode": 4040010, "errorMessage": "…"}`.
struct ErrorBody {
    var code = 0
    var message = ""

    init(_ body: [UInt8]) {
        // A body of another form says nothing.
        try? body.withUnsafeBytes { bytes in
            try JSONReader.forEachMember(of: bytes) { key, value in
                switch (key.string, value) {
                case ("errorCode", .number(let digits)): code = Parse.integer(digits).map { Int($0) } ?? 0
                case ("errorMessage", .string(let text)): message = text.string
                case ("errors", .array(let list)): try read(connectErrors: list)
                default: break
                }
            }
        }
    }

    /// App Store Connect: `{"errors": [{"code": "NOT_FOUND", "detail": "…"}]}`.
    private mutating func read(connectErrors list: UnsafeRawBufferPointer) throws {
        try JSONReader.forEachElement(of: list) { element in
            guard case .object(let object) = element, message.isEmpty else { return }
            try JSONReader.forEachMember(of: object) { key, value in
                if case ("detail", .string(let text)) = (key.string, value) { message = text.string }
            }
        }
    }
}
