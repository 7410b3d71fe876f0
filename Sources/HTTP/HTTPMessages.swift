/// A request to an HTTPS server.
public struct HTTPRequest: Sendable, Equatable {
    /// `GET` or `POST`.
    public var method: String
    /// Scheme, host, path and query.
    public var url: String
    /// Names and values.
    public var headers: [(name: String, value: String)]
    /// The body of a `POST`.
    public var body: [UInt8]
    /// The largest body that the response may have.
    public var bytesMax: Int

    /// Creates a request.
    public init(
        method: String = "GET", url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        bytesMax: Int = 1 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.bytesMax = bytesMax
    }

    /// Whether both ask the same.
    public static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
        left.method == right.method && left.url == right.url && left.body == right.body
            && left.bytesMax == right.bytesMax && left.headers.elementsEqual(right.headers, by: ==)
    }
}

/// A response, whatever its status.
public struct HTTPResponse: Sendable, Equatable {
    /// The status, such as 200.
    public var status: Int
    /// Values by name in small letters. Of a repeated header the last value.
    public var headers: [String: String]
    /// The body as sent.
    public var body: [UInt8]

    /// Creates a response.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why there is no response.
public enum HTTPError: Error, Equatable, Sendable {
    /// The server was not reached, or the connection broke. Another attempt may succeed. The text is libcurl's reason.
    case broken(String)
    /// The server's certificate does not hold, or no common TLS version exists.
    case untrusted(String)
    /// The body is larger than the request allows.
    case tooLarge
    /// The transfer was cancelled.
    case cancelled
    /// libcurl cannot do what was asked.
    case unusable(String)
}
