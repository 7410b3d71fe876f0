import Foundation
import StandIn
import Testing

@testable import Fetch
@testable import ReconcileFetch

private typealias Server = StandInServer

extension StandInServer {
    /// Asks for a page of the history.
    fileprivate func ask(
        authority: String? = nil, limits: HTTPClient.Limits = .init(), bytesMax: Int = 1 << 20,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) -> Result<Response, TransportError> {
        let client = HTTPClient(
            agent: "test", standIn: StandIn(address: address, authority: authority ?? self.authority), limits: limits,
            isCancelled: isCancelled)
        let request = Request(
            method: "POST", path: "/inApps/v1/notifications/history",
            headers: ["Authorization": "Bearer e30.e30.e30", "Content-Type": "application/json"],
            body: Array("{\"startDate\":0,\"endDate\":1}".utf8), bytesMax: bytesMax)
        return Result { () throws(TransportError) in try client.send(request, to: address) }
    }
}

extension Result where Failure == TransportError {
    /// The error's case; nil for an answer.
    var trouble: String? {
        guard case .failure(let error) = self else { return nil }
        return "\(error)".split(separator: "(").first.map(String.init)
    }
}

@Suite struct HTTPTests {
    private func server(_ trouble: String) throws -> Server { try Server("{\"script\":{\"*\":\(trouble)}}") }

    @Test func aResponseHasStatusHeadersAndBody() throws {
        let server = try Server(
            "{\"script\":{\"2\":{\"do\":\"answer\",\"status\":429,\"headers\":{\"Retry-After\":\"17\"}}}}")
        let page = try server.ask().get()
        #expect(page.status == 200 && page.headers["content-type"] == "application/json")
        #expect(String(decoding: page.body, as: UTF8.self) == "{\"notificationHistory\": [], \"hasMore\": false}")
        let limit = try server.ask().get()
        #expect(limit.status == 429 && limit.headers["retry-after"] == "17" && limit.body.isEmpty)
        let log = try String(contentsOfFile: server.folder + "/requests.jsonl", encoding: .utf8)
        #expect(log.contains("\"user-agent\": \"test\"") && !log.contains("\"expect\""))
    }

    @Test func onlyTheNamedAuthorityIsTrusted() throws {
        let server = try Server("{}")
        #expect(server.ask(authority: server.folder + "/other-ca.pem").trouble == "untrusted")
        #expect(server.ask(authority: "/nowhere.pem").trouble == "untrusted")
        #expect(server.ask().trouble == nil)
        #expect(try Server("{\"certificate\":\"expired\"}").ask().trouble == "untrusted")
    }

    @Test(arguments: ["cut", "reset", "close"])
    func aBrokenConnectionIsNoResponse(what: String) throws {
        #expect(try server("{\"do\":\"\(what)\",\"bytes\":7}").ask().trouble == "broken")
    }

    @Test func aRedirectionIsNotFollowed() throws {
        let trouble = "{\"do\":\"answer\",\"status\":302,\"headers\":{\"Location\":\"https://127.0.0.1:1/\"}}"
        #expect(try server(trouble).ask().get().status == 302)
    }

    @Test func sizeAndTimeAreLimited() throws {
        #expect(try server("{\"do\":\"large\"}").ask().trouble == "tooLarge")
        #expect(try Server("{}").ask(bytesMax: 10).trouble == "tooLarge")
        var limits = HTTPClient.Limits()
        limits.slowSeconds = 1
        #expect(try server("{\"do\":\"drip\"}").ask(limits: limits).trouble == "broken")
    }

    @Test func aTransferCanBeCancelled() throws {
        #expect(try server("{\"do\":\"drip\"}").ask(isCancelled: { true }).trouble == "cancelled")
    }

    @Test func anotherProtocolIsRefused() {
        let client = HTTPClient(agent: "test")
        for base in ["http://127.0.0.1:1", "file:///etc/passwd"] {
            #expect(throws: TransportError.self) { try client.send(Request(path: "/"), to: base) }
        }
    }
}
