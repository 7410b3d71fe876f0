/// A request as the web server passes it to a CGI program: variables of the environment, and the body on standard input.
/// Source: RFC 3875.
public struct CGIRequest: Sendable {
    /// The methods that a form needs.
    public enum Method: String, Sendable {
        case get = "GET"
        /// Asks for the page's headers.
        case head = "HEAD"
        case post = "POST"
    }

    public let method: Method
    /// The fields of the address, after the question mark.
    public let query: FormData
    /// The name that the web server's own login established. Nil if it established none.
    ///
    /// No header of the client can set it: the server passes a header as a variable with the prefix `HTTP_`.
    public let user: String?
    public let isLocal: Bool
    /// The body's length in bytes. Zero if absent.
    public let bodyLength: Int
    private let variables: [String: String]

    /// Reads the request's variables.
    ///
    /// - Throws: `CGIProblem` if the request cannot be answered: an unknown method, a length that is not a number, a body
    ///   that is too long or not a form, or a form that was sent by a page of another site.
    public init(_ variables: [String: String], bodyMax: Int) throws(CGIProblem) {
        guard let name = variables["REQUEST_METHOD"] else { throw .notCGI }
        guard let method = Method(rawValue: name) else { throw .method }
        let length = variables["CONTENT_LENGTH"] ?? ""
        guard let bodyLength = length.isEmpty ? 0 : Int(length), bodyLength >= 0 else { throw .length }
        self.method = method
        self.bodyLength = method == .post ? bodyLength : 0
        self.variables = variables
        query = FormData((variables["QUERY_STRING"] ?? "").utf8)
        user = variables["REMOTE_USER"].flatMap { $0.isEmpty ? nil : $0 }
        isLocal = Self.isLoopback(variables["REMOTE_ADDR"] ?? "")
        guard method == .post else { return }
        if bodyLength > bodyMax { throw .tooLong }
        let type = (variables["CONTENT_TYPE"] ?? "").prefix { $0 != ";" }.lowercased()
        if type != "application/x-www-form-urlencoded" { throw .notForm }
        if variables["HTTP_ORIGIN"] != nil, !isSentByOwnPage { throw .otherSite }
    }

    /// The languages that the client prefers, the best first, such as `["zh-CN", "zh", "en"]`.
    /// Source: RFC 9110, section 12.5.4.
    public var languages: [String] {
        let ranges = (variables["HTTP_ACCEPT_LANGUAGE"] ?? "").split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (name: parts.first ?? "", weight: weight)
        }
        // The order of equal weights must not change.
        let sorted = ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return sorted.map(\.element).filter { $0.weight > 0 && !$0.name.isEmpty }.map(\.name)
    }

    /// Whether the browser says that a page of this server sent the form, in `Origin`. False if it says nothing.
    public var isSentByOwnPage: Bool {
        guard let origin = variables["HTTP_ORIGIN"], let host = variables["HTTP_HOST"],
            let scheme = origin.firstRange(of: "://")
        else { return false }
        if variables["HTTPS"] == "on", origin[..<scheme.lowerBound].lowercased() != "https" { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }

    private static func isLoopback(_ address: String) -> Bool {
        address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
