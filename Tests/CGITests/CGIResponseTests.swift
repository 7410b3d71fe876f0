import CGI
import Testing

/// Responses, as the web server reads them.
@Suite struct CGIResponseTests {
    private func text(_ response: CGIResponse, _ method: CGIRequest.Method = .get) -> String {
        String(decoding: response.bytes(for: method), as: UTF8.self)
    }

    @Test func aPageIsPrivate() {
        let text = text(CGIResponse(.ok, contentType: "text/html; charset=utf-8", body: Array("<p>码".utf8)))
        #expect(
            text.hasPrefix("Status: 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n"))
        #expect(text.hasSuffix("\r\nContent-Length: 6\r\n\r\n<p>码"))
        #expect(text.contains("\r\nX-Frame-Options: DENY\r\n"))
    }

    @Test func aValueCannotBeginAnotherHeaderLine() {
        var response = CGIResponse(.ok, contentType: "text/plain", body: [])
        response.add("Location", "a\r\nSet-Cookie: x")
        #expect(text(response).contains("Location: aSet-Cookie: x\r\n"))
    }

    @Test func headersAloneAnswerHEAD() {
        let text = text(CGIResponse(.ok, contentType: "text/plain", body: [65, 66]), .head)
        #expect(text.hasSuffix("Content-Length: 2\r\n\r\n"))
    }

    @Test(arguments: CGIProblem.allCases)
    func everyProblemHasAStatus(problem: CGIProblem) {
        #expect(problem.status.rawValue.hasPrefix("4"))
    }
}
