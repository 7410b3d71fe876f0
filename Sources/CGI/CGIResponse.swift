/// A response as a CGI program writes it: header lines, an empty line, the body. Source: RFC 3875, section 6.
public struct CGIResponse: Sendable {
    /// The statuses that a page of forms needs. Source: RFC 9110, section 15.
    public enum Status: String, Sendable {
        case ok = "200 OK"
        case badRequest = "400 Bad Request"
        /// The user may not do this.
        case forbidden = "403 Forbidden"
        case notFound = "404 Not Found"
        case methodNotAllowed = "405 Method Not Allowed"
        case contentTooLarge = "413 Content Too Large"
        case unsupportedMediaType = "415 Unsupported Media Type"
        /// The program cannot answer at present.
        case unavailable = "503 Service Unavailable"
    }

    public var status: Status
    /// Header lines beside the status.
    public private(set) var headers: [(name: String, value: String)] = []
    /// The body. It is not sent for `HEAD`.
    public var body: [UInt8]

    /// A response with headers that keep the page private: nothing stores it or frames it, and no other site learns
    /// its address. With `no-referrer`, browsers would send the page's own form with `Origin: null`.
    ///
    /// - Parameter contentType: such as `text/html; charset=utf-8`.
    public init(_ status: Status, contentType: String, body: [UInt8]) {
        self.status = status
        self.body = body
        add("Content-Type", contentType)
        add("Cache-Control", "no-store")
        add("Referrer-Policy", "same-origin")
        add("X-Content-Type-Options", "nosniff")
        add("X-Frame-Options", "DENY")
        if status == .methodNotAllowed { add("Allow", "GET, HEAD, POST") }
    }

    /// Adds a header line. Control characters are left out, so that no value can begin another line.
    public mutating func add(_ name: String, _ value: String) {
        let isControl: (Unicode.Scalar) -> Bool = { $0.value < 0x20 || $0.value == 0x7F }
        headers.append((name, String(String.UnicodeScalarView(value.unicodeScalars.filter { !isControl($0) }))))
    }

    public func bytes(for method: CGIRequest.Method = .get) -> [UInt8] {
        var head = "Status: \(status.rawValue)\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + (method == .head ? [] : body)
    }
}
