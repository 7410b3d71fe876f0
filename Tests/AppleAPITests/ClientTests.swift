import Base
import CCrypto
import Domain
import Foundation
import Testing

@testable import Fetch

@Suite struct TokenTests {
    private func part(_ text: Substring) throws -> [String: JSONScalar] {
        var base64 = String(text).replacing("-", with: "+").replacing("_", with: "/")
        while base64.count % 4 != 0 { base64 += "=" }
        let data = try #require(Data(base64Encoded: base64))
        return try JSONDecoder().decode([String: JSONScalar].self, from: data)
    }

    @Test func theTokenNamesKeyAppAndTime() throws {
        let time = TestTime()
        let token = AccessToken(credentials(), bundle: "com.example.game", now: time.now).text
        let parts = token.split(separator: ".")
        #expect(try part(parts[0]) == ["alg": "ES256", "kid": "KEY1", "typ": "JWT"])
        let issued = Int(time.now.milliseconds / 1000) - 60
        #expect(
            try part(parts[1]) == [
                "iss": "issuer-1", "iat": .number(issued), "exp": .number(issued + 1200),
                "aud": "appstoreconnect-v1", "bid": "com.example.game",
            ])
    }

    @Test func theSignatureHoldsUnderTheKey() throws {
        let pem = newKey()
        let text = AccessToken(credentials(pem), bundle: nil, now: TestTime().now).text
        let dot = try #require(text.lastIndex(of: "."))
        var base64 = String(text[text.index(after: dot)...]).replacing("-", with: "+").replacing("_", with: "/")
        while base64.count % 4 != 0 { base64 += "=" }
        let raw = Array(try #require(Data(base64Encoded: base64)))
        #expect(raw.count == 64)
        let memory = pem.withUnsafeBytes { BIO_new_mem_buf($0.baseAddress, Int32($0.count)) }
        let key = PEM_read_bio_PrivateKey(memory, nil, nil, nil)
        let signature = ECDSA_SIG_new()
        ECDSA_SIG_set0(signature, BN_bin2bn(raw, 32, nil), BN_bin2bn(Array(raw[32...]), 32, nil))
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(signature, &der)
        let context = EVP_MD_CTX_new()
        EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key)
        let signed = Array(text[..<dot].utf8)
        #expect(EVP_DigestVerify(context, der, Int(count), signed, signed.count) == 1)
        EVP_MD_CTX_free(context)
        ECDSA_SIG_free(signature)
        CRYPTO_free(der, nil, 0)
        EVP_PKEY_free(key)
        BIO_free(memory)
    }

    @Test func otherKeysAreRefused() {
        #expect(PrivateKey(pem: Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8)) == nil)
        #expect(PrivateKey(pem: []) == nil)
    }

    @Test func aTokenIsUsedAgainUntilItIsOld() throws {
        let (time, transport) = (TestTime(), ScriptedTransport(.history([])))
        let asking = client(transport, time)
        for _ in 0..<2 { _ = try asking.payloads() }
        time.now = time.now + .minutes(18)
        _ = try asking.payloads()
        let tokens = transport.requests.compactMap { $0.request.headers["Authorization"] }
        #expect(tokens.count == 3 && tokens[0] == tokens[1] && tokens[1] != tokens[2])
    }
}

/// A text or a number, to compare claims.
enum JSONScalar: Equatable, Decodable, ExpressibleByStringLiteral {
    case text(String), number(Int)

    init(stringLiteral value: String) { self = .text(value) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}

@Suite struct HistoryTests {
    @Test func pagesAreFollowedToTheEnd() throws {
        let transport = ScriptedTransport(.history(["a.b.c", "d.e.f"], next: "x+/="), .history(["g.h.i"]))
        let found = try client(transport).payloads()
        #expect(found.texts == ["a.b.c", "d.e.f", "g.h.i"] && found.pages == 2)
        let paths = transport.requests.map(\.request.path)
        let base = "/inApps/v1/notifications/history"
        #expect(paths == [base, base + "?paginationToken=x%2B%2F%3D"])
        // Apple wants the same body with every page.
        #expect(Set(transport.requests.map(\.request.body)) == [Array("{\"endDate\":2000,\"startDate\":1000}".utf8)])
        #expect(transport.requests.allSatisfy { $0.server == .production && $0.request.method == "POST" })
    }

    @Test func anEmptyRangeIsOnePage() throws {
        #expect(try client(ScriptedTransport(.page("{\"hasMore\":false}"))).payloads().texts == [])
    }

    /// Every answer from Apple says whether there is more. An answer that does not say so is not an empty day.
    @Test(arguments: [
        "{\"notificationHistory\":null,\"hasMore\":null}", "{}", "{\"notificationHistory\":[]}",
        "{\"notificationHistory\":[],\"hasMore\":\"false\"}", "{\"notificationHistory\":null,\"hasMore\":false}",
        "{\"notificationHistory\":{},\"hasMore\":false}", "{\"notificationHistory\":[7],\"hasMore\":false}",
        "{\"hasMore\":true,\"paginationToken\":\"x\"}",
    ])
    func aPageThatAppleWouldNotSendIsRefused(page: String) throws {
        let transport = ScriptedTransport(.page(page))
        do {
            _ = try client(transport).payloads()
            Issue.record("it was taken for an empty range")
        } catch AppleError.senseless(let what) { #expect(what.hasSuffix("It begins with '\(page)'"), "\(what)") }
        #expect(transport.requests.count == 1)
    }

    @Test func deliveriesThatNeverSucceededHaveAReason() throws {
        let page = """
            {"notificationHistory":[
            {"signedPayload":"a.b.c","sendAttempts":[{"sendAttemptResult":"NO_RESPONSE"},{"sendAttemptResult":"TLS_ISSUE"}]},
            {"signedPayload":"d.e.f","sendAttempts":[{"sendAttemptResult":"TIMED_OUT"},{"sendAttemptResult":"SUCCESS"}]},
            {"signedPayload":"g.h.i","sendAttempts":[{"sendAttemptResult":"odd \\"word"}]}],"hasMore":false}
            """
        var reasons: [String?] = []
        _ = try client(ScriptedTransport(.page(page))).payloads { reasons.append($1) }
        #expect(reasons == ["TLS_ISSUE", nil, "OTHER"])
    }

    @Test func aRepeatedPageEnds() throws {
        let same = Response.history(["a.b.c"], next: "x")
        #expect(throws: AppleError.senseless("a page that came before")) {
            try client(ScriptedTransport(.history(["0.0.0"], next: "y"), same)).payloads()
        }
        let transport = ScriptedTransport(
            .history(["a.b.c"], next: "x"), .history(["d.e.f"], next: "x"), .history(["g.h.i"]))
        #expect(throws: AppleError.senseless("a page that came before")) { try client(transport).payloads() }
    }

    @Test(arguments: [
        "{\"notificationHistory\":[],\"hasMore\":true}",
        "{\"notificationHistory\":[],\"hasMore\":true,\"paginationToken\":\"\"}",
    ])
    func aSuccessorWithoutATokenEnds(page: String) throws {
        #expect(throws: AppleError.self) { try client(ScriptedTransport(.page(page))).payloads() }
    }

    /// A payload with a character that could end a line or a text of the file is none.
    @Test(arguments: ["\"a.b\"", "\"a.b.c.d\"", "\"a b.c.d\"", "\"a.b.c\\n\"", "\"a.b.\\u0022\"", "null", "7"])
    func whatIsNotASignedPayloadIsToldApart(payload: String) throws {
        let odd = "{ \"signedPayload\" : \(payload) }"
        let transport = ScriptedTransport(
            .page("{\"notificationHistory\":[\(odd),{\"signedPayload\":\"a.b.c\"}, {}],\"hasMore\":false}"))
        let found = try client(transport).payloads()
        #expect(found.texts == ["a.b.c"] && found.unsigned == [odd, "{}"])
    }

    @Test(arguments: [4_000_014, 4_000_017])
    func pagingThatAppleDropsBeginsAgainOnce(code: Int) throws {
        let first = Response.history(["a.b.c"], next: "x")
        let transport = ScriptedTransport(first, .error(400, code), first, .history(["d.e.f"]))
        #expect(try client(transport).payloads().texts == ["a.b.c", "a.b.c", "d.e.f"])
        let again = ScriptedTransport(first, .error(400, code), first, .error(400, code))
        #expect(throws: AppleError.refused(status: 400, code: code, message: "Something.")) {
            try client(again).payloads()
        }
    }
}

@Suite struct ErrorTests {
    @Test func aLimitIsWaitedForUntilAppleSaysSo() throws {
        let time = TestTime()
        let until = time.now.milliseconds + 90_000
        let transport = ScriptedTransport(
            .error(429, 4_290_000, ["retry-after": String(until)]), .error(429, 4_290_000, ["retry-after": "5"]),
            .error(429, 4_290_000), .history([]))
        _ = try client(transport, time).payloads()
        #expect(time.waits.filter { $0 > 100 } == [90_000, 5_000, 60_000])
    }

    @Test func aLongLimitEnds() throws {
        let time = TestTime()
        let until = time.now + .minutes(16)
        let transport = ScriptedTransport(.error(429, 4_290_000, ["retry-after": String(until.milliseconds)]))
        #expect(throws: AppleError.busy(until: until)) { try client(transport, time).payloads() }
        #expect(transport.requests.count == 1)
        let absurd = ScriptedTransport(.error(429, 4_290_000, ["retry-after": String(Int64.max)]))
        #expect(throws: AppleError.busy(until: time.now + .days(31))) { try client(absurd, time).payloads() }
        // Many short ones come to the same.
        let short = ScriptedTransport(.error(429, 4_290_000, ["retry-after": "300"]))
        #expect(throws: AppleError.self) { try client(short).payloads() }
        #expect(short.requests.count == 4)
    }

    @Test(arguments: [
        (500, 5_000_000), (500, 5_000_001), (404, 4_040_002), (404, 4_040_004), (404, 4_040_006), (503, 0),
    ])
    func whatMayPassIsAskedThreeTimes(status: Int, code: Int) throws {
        let time = TestTime()
        let good = ScriptedTransport(.error(status, code), .error(status, code), .history(["a.b.c"]))
        #expect(try client(good, time).payloads().texts == ["a.b.c"])
        #expect(time.waits.filter { $0 > 100 } == [1000, 2000])
        let bad = ScriptedTransport(.error(status, code))
        #expect(throws: AppleError.self) { try client(bad).payloads() }
        #expect(bad.requests.count == 3)
    }

    @Test func brokenConnectionsAreTriedThreeTimesAndBadCertificatesOnce() throws {
        let broken = ScriptedTransport(failing: .broken("reset"))
        #expect(throws: AppleError.unreachable(server: .production, reason: "reset")) { try client(broken).payloads() }
        #expect(broken.requests.count == 3)
        let untrusted = ScriptedTransport(failing: .untrusted("expired"))
        #expect(throws: AppleError.untrusted(server: .production, reason: "expired")) {
            try client(untrusted).payloads()
        }
        #expect(untrusted.requests.count == 1)
        let large = ScriptedTransport(failing: .tooLarge)
        #expect(throws: AppleError.senseless("it is larger than 1024 KiB")) { try client(large).payloads() }
    }

    /// However the body is cut, nothing is taken for a whole page.
    @Test func aBodyThatIsCutAnywhereIsAskedForAgain() throws {
        let whole = Response.history(["a.b.c", "d.e.f"])
        for count in 0..<whole.body.count {
            let transport = ScriptedTransport(Response(status: 200, body: Array(whole.body.prefix(count))), whole)
            #expect(try client(transport).payloads().texts == ["a.b.c", "d.e.f"], "\(count)")
            #expect(transport.requests.count == 2, "\(count)")
        }
    }

    @Test func pagesOfOtherServersAreExplained() throws {
        #expect(throws: AppleError.senseless("an HTML page, perhaps a proxy's log-in")) {
            try client(ScriptedTransport(.page("<html>"))).payloads()
        }
        #expect(throws: AppleError.self) { try client(ScriptedTransport(Response(status: 302))).payloads() }
    }

    @Test func anUnacceptedKeyIsExplained() throws {
        let time = TestTime()
        func hint(_ date: String) -> String {
            let transport = ScriptedTransport(Response(status: 401, headers: ["date": date]))
            do { _ = try client(transport, time).payloads() } catch AppleError.unauthorized(let hint) {
                return hint
            } catch { return "\(error)" }
            return "accepted"
        }
        // The clock of the test says 2026-11-23 00:00:00.
        #expect(hint("Mon, 23 Nov 2026 00:10:00 GMT").hasPrefix("this machine's clock is 600 seconds behind"))
        #expect(hint("Sun, 22 Nov 2026 23:58:00 GMT").hasPrefix("this machine's clock is 120 seconds ahead of"))
        #expect(hint("Mon, 23 Nov 2026 00:00:20 GMT").hasPrefix("the clock is right"))
        #expect(hint("nonsense").hasPrefix("the clock is right"))
        #expect(hint("Mon, 23 Nov 19948904 00:00:20 GMT").hasPrefix("the clock is right"))
        #expect(hint("Mon, 23 Nov 2026 24:00:20 GMT").hasPrefix("the clock is right"))
    }

    @Test func aRangeThatAppleForgotIsTooOld() throws {
        #expect(throws: AppleError.tooOld) { try client(ScriptedTransport(.error(400, 4_000_012))).payloads() }
    }

    @Test func noMessageShowsTheToken() throws {
        for response in [Response(status: 401), .error(400, 4_000_018), .error(500, 5_000_000), Response(status: 302)] {
            let transport = ScriptedTransport(response)
            do { _ = try client(transport).payloads() } catch {
                let token = try #require(transport.requests[0].request.headers["Authorization"])
                let secret = try #require(token.split(separator: ".").last)
                #expect(!"\(error)".contains(secret) && !((error as? AppleError)?.message.contains(secret) ?? true))
            }
        }
    }
}

@Suite struct PaceTests {
    @Test func requestsAreSpreadOverTheSecond() throws {
        let time = TestTime()
        let pages = (0..<50).map { Response.history(["\($0).b.c"], next: "t\($0)") } + [.history([])]
        _ = try client(ScriptedTransport(pages.map { .success($0) }), time, rate: 25).payloads()
        #expect(time.waits.reduce(0, +) == 50 * 40)
    }

    /// The sandbox allows a tenth, and order ids a fifth.
    @Test func scarceRequestsWaitLonger() throws {
        let time = TestTime()
        let found = Response.page("{\"signedTransactionInfo\":\"a.b.c\"}")
        let asking = client(ScriptedTransport(found), time, rate: 20)
        for _ in 0..<3 { _ = try asking.transaction("1", of: "b", on: .sandbox) }
        #expect(time.waits.reduce(0, +) == 2 * 500)
        let orders = TestTime()
        let looking = client(ScriptedTransport(.page("{\"status\":1}")), orders, rate: 25)
        for _ in 0..<3 { _ = try looking.order("M1", of: "b") }
        #expect(orders.waits.reduce(0, +) == 2 * 200)
    }

    @Test func aClockThatIsSetBackDoesNotStop() throws {
        let time = TestTime()
        let asking = client(ScriptedTransport(.history([])), time)
        _ = try asking.payloads()
        time.now = Instant(milliseconds: time.now.milliseconds - 3_600_000)
        for _ in 0..<3 { _ = try asking.payloads() }
        #expect(time.waits.reduce(0, +) <= 3 * 40)
    }
}

@Suite struct SingleQuestionTests {
    @Test func productionIsAskedBeforeTheSandbox() throws {
        let unknown = Response.error(404, 4_040_010)
        let transport = ScriptedTransport(unknown, .page("{\"signedTransactionInfo\":\"a.b.c\"}"))
        #expect(try client(transport).transaction("201", of: "b", on: .production) == .found("a.b.c", .sandbox))
        #expect(transport.requests.map(\.server) == [.production, .sandbox])
        #expect(transport.requests[0].request.path == "/inApps/v1/transactions/201")
        #expect(
            try client(ScriptedTransport(unknown)).transaction("1", of: "b", on: .production)
                == .unknown(code: 4_040_010))
        #expect(
            try client(ScriptedTransport(.error(400, 4_000_006))).transaction("1", of: "b", on: .production)
                == .unknown(code: 4_000_006))
        // Clients choose these texts. None of them leads a request elsewhere.
        for id in ["", ".", "..", "20/1", "a", "١", String(repeating: "1", count: 33)] {
            let silent = ScriptedTransport()
            #expect(try client(silent).transaction(id, of: "b", on: .production) == .unknown(code: 4_000_006))
            #expect(silent.requests.isEmpty)
        }
    }

    @Test(arguments: ["{}", "{\"signedTransactionInfo\":null}", "{\"signedTransactionInfo\":\"\"}"])
    func aTransactionThatAppleWouldNotSendIsRefused(answer: String) throws {
        let transport = ScriptedTransport(.page(answer))
        #expect(
            throws: AppleError.senseless("it has no signedTransactionInfo that is signed. It begins with '\(answer)'")
        ) {
            try client(transport).transaction("201", of: "b", on: .production)
        }
        #expect(transport.requests.count == 1)
    }

    /// An order of the app has at least one transaction.
    @Test(arguments: [
        "{}", "{\"status\":null}", "{\"status\":2,\"signedTransactions\":[]}", "{\"status\":0}",
        "{\"status\":0,\"signedTransactions\":null}", "{\"status\":0,\"signedTransactions\":[]}",
        "{\"status\":0,\"signedTransactions\":[\"a.b.c\",null]}",
    ])
    func anOrderThatAppleWouldNotSendIsRefused(answer: String) throws {
        let transport = ScriptedTransport(.page(answer))
        #expect(throws: AppleError.self) { try client(transport).order("MK5TTTVWJH", of: "b") }
        #expect(transport.requests.count == 1)
    }

    @Test func anOrderIDHasAStatus() throws {
        let transport = ScriptedTransport(.page("{\"status\":0,\"signedTransactions\":[\"a.b.c\",\"d.e.f\"]}"))
        let answer = try client(transport).order("MK5TTTVWJH", of: "b")
        #expect(answer == OrderAnswer(status: 0, signedTransactions: ["a.b.c", "d.e.f"]))
        #expect(transport.requests[0].request.path == "/inApps/v1/lookup/MK5TTTVWJH")
    }

    @Test func aFinancialReportIsAskedForWithoutAnApp() throws {
        let transport = ScriptedTransport(Response(status: 200, body: [0x1F, 0x8B, 1]))
        let report = try client(transport).financialReport("2026-02", vendor: "80012345", region: "ZZ")
        #expect(report == [0x1F, 0x8B, 1])
        #expect(transport.requests[0].server == .connect)
        #expect(
            transport.requests[0].request.path
                == "/v1/financeReports?filter%5BregionCode%5D=ZZ&filter%5BreportDate%5D=2026-02&filter%5BreportType%5D="
                + "FINANCIAL&filter%5BvendorNumber%5D=80012345")
        let none = ScriptedTransport(Response(status: 404, body: Array("{\"errors\":[{\"detail\":\"none\"}]}".utf8)))
        #expect(try client(none).financialReport("2026-02", vendor: "8", region: "ZZ") == nil)
        let detail = ScriptedTransport(Response(status: 200, body: [0x1F, 0x8B, 1]))
        _ = try client(detail).financialReport("2026-02", vendor: "80012345", region: "Z1")
        #expect(detail.requests[0].request.path.contains("regionCode%5D=Z1"))
        #expect(detail.requests[0].request.path.contains("reportType%5D=FINANCE_DETAIL&"))
    }
}
