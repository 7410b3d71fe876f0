import CGI
import Testing

/// Requests, as nginx with fcgiwrap, Apache and lighttpd pass them.
@Suite struct CGIRequestTests {
    static let form = [
        "REQUEST_METHOD": "POST", "CONTENT_LENGTH": "19", "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "REMOTE_USER": "li", "REMOTE_ADDR": "10.0.0.7", "HTTP_HOST": "desk.example.com",
        "HTTP_ORIGIN": "https://desk.example.com",
    ]

    private func request(_ changes: [String: String?] = [:]) throws -> CGIRequest {
        var variables = Self.form
        for (name, value) in changes { variables[name] = value }
        return try CGIRequest(variables, bodyMax: 1000)
    }

    private func problem(_ changes: [String: String?]) -> CGIProblem? {
        do {
            _ = try request(changes)
            return nil
        } catch {
            return error as? CGIProblem
        }
    }

    @Test func aFormOfOneOfOurPagesIsAccepted() throws {
        let request = try request()
        #expect(request.method == .post && request.bodyLength == 19 && request.user == "li" && !request.isLocal)
    }

    @Test(
        arguments: [
            ("REQUEST_METHOD", nil, .notCGI), ("REQUEST_METHOD", "DELETE", .method), ("CONTENT_LENGTH", "-1", .length),
            ("CONTENT_LENGTH", "many", .length), ("CONTENT_LENGTH", "1001", .tooLong),
            ("CONTENT_LENGTH", "99999999999999999999", .length), ("CONTENT_TYPE", "text/plain", .notForm),
            ("CONTENT_TYPE", nil, .notForm), ("HTTP_ORIGIN", "https://evil.example", .otherSite),
            ("HTTP_ORIGIN", "null", .otherSite), ("HTTP_ORIGIN", "https://desk.example.com.evil.example", .otherSite),
        ] as [(String, String?, CGIProblem)])
    func aRequestThatCannotBeAnsweredIsNamed(variable: String, value: String?, expected: CGIProblem) {
        #expect(problem([variable: value]) == expected)
    }

    @Test(arguments: [nil, "https://desk.example.com", "http://DESK.example.com"] as [String?])
    func theServersOwnOriginIsAccepted(origin: String?) {
        #expect(problem(["HTTP_ORIGIN": origin]) == nil)
    }

    @Test func aPageWithoutEncryptionIsNotThatOfAnEncryptedServer() {
        #expect(problem(["HTTP_ORIGIN": "http://desk.example.com", "HTTPS": "on"]) == .otherSite)
        #expect(problem(["HTTPS": "on"]) == nil)
    }

    @Test func onlyTheServersLoginNamesTheUser() throws {
        let request = try request(["REMOTE_USER": nil, "HTTP_REMOTE_USER": "li", "HTTP_X_REMOTE_USER": "li"])
        #expect(request.user == nil)
        #expect(try self.request(["REMOTE_USER": ""]).user == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.8.8", true), ("::1", true), ("::ffff:127.0.0.1", true), ("", false),
        ("10.127.0.1", false), ("1127.0.0.1", false),
    ])
    func aLoopbackAddressIsLocal(address: String, isLocal: Bool) throws {
        #expect(try request(["REMOTE_ADDR": address]).isLocal == isLocal)
    }

    @Test(arguments: [
        ("zh-CN,zh;q=0.9,en;q=0.8", ["zh-CN", "zh", "en"]), ("en;q=0.5, zh-Hans", ["zh-Hans", "en"]),
        ("fr, en;q=0, de", ["fr", "de"]), ("", []), ("a;q=1;q=0, b", ["a", "b"]), (";;,,", []),
    ])
    func languagesAreSortedByWeight(header: String, languages: [String]) throws {
        #expect(try request(["HTTP_ACCEPT_LANGUAGE": header]).languages == languages)
    }

    @Test func aPageRequestHasNoBody() throws {
        let request = try request(["REQUEST_METHOD": "GET", "QUERY_STRING": "lang=zh-Hans"])
        #expect(request.bodyLength == 0 && request.query.first("lang") == "zh-Hans")
    }
}
