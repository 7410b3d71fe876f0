import AppStore
import Domain
import Testing

@testable import Signing

@Suite("What a line of signed records may be")
struct SignedLineTests {
    let chain = TestChain()
    let stranger = TestChain()

    func outcome(_ line: String, appAppleID: Int64? = nil) -> LineOutcome {
        read(line, trusted: false, settings: settings(roots: [chain.root.der], appAppleID: appAppleID))
    }

    func signed(_ payload: String = payload(), _ chain: TestChain? = nil) -> String {
        TestJWS(payload, chain ?? self.chain).text
    }

    func notification(
        _ inner: String?, data: String = "\"bundleId\":\"com.example.game\",\"appAppleId\":1234,\"status\":1",
        part: String = "data", _ chain: TestChain? = nil
    ) -> String {
        let transaction = inner.map { ",\"signedTransactionInfo\":\"\($0)\"" } ?? ""
        let body = """
            {"notificationType":"SUBSCRIBED","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20","version":"2.0",\
            "signedDate":\(january + 900),"\(part)":{\(data)\(transaction)}}
            """
        return "{\"signedPayload\":\"\(signed(body, chain))\"}"
    }

    @Test func aTransactionMayStandAloneInQuotesOrInAResponse() {
        let jws = signed()
        for line in [
            jws, "  \(jws)\r\n", "{\"signedTransactionInfo\":\"\(jws)\"}",
            "{\"a\":1,\"signedTransactionInfo\":\"\(jws)\"}",
        ] {
            #expect(outcome(line).transactions.map(\.proof) == [.verified])
        }
    }

    @Test func aHistoryPageIsOneLineAndManyTransactions() {
        let page = (1...20).map { "\"" + signed(payload(["transactionId": "\"\($0)\""])) + "\"" }
        let outcome = outcome(
            "{\"revision\":\"r\",\"hasMore\":true,\"signedTransactions\":[\(page.joined(separator: ","))]}")
        #expect(outcome.transactions.map(\.id) == (1...20).map { Identifier("\($0)") })
        #expect(outcome.verified.count == 20)
    }

    @Test func oneElementOfAPageThatIsGarbageCostsItselfOnly() {
        let page = "\"\(signed())\",\"signed_transaction_value\",7,\"\(signed(payload(), stranger))\""
        let outcome = outcome("{\"signedTransactions\":[\(page)]}")
        #expect(outcome.transactions.map(\.proof) == [.verified, .invalid])
        #expect(outcome.rejectedColumns == ["signedTransactions", "signedTransactions"])
        #expect(outcome.rejects.first?.reason.contains("element 2") == true)
        #expect(!outcome.isRejected)
    }

    @Test func anEmptyPageIsNoReject() {
        let outcome = outcome("{\"signedTransactions\":[]}")
        #expect(outcome.transactions.isEmpty && outcome.rejects.isEmpty)
    }

    @Test func aNotificationBringsItsTransaction() {
        let outcome = outcome(notification(signed()))
        #expect(outcome.transactions.map(\.proof) == [.verified])
        #expect(outcome.verified.count == 2)
    }

    @Test func bothSignaturesOfANotificationMustHold() {
        let forgedInner = outcome(notification(signed(payload(), stranger)))
        #expect(forgedInner.transactions.map(\.failure) == [.untrustedChain])
        let forgedOuter = outcome(notification(signed(), stranger))
        #expect(forgedOuter.transactions.map(\.failure) == [.untrustedChain])
    }

    @Test func aNotificationForAnotherAppProvesNothing() {
        let other = outcome(notification(signed(), data: "\"bundleId\":\"com.example.other\""))
        #expect(other.transactions.map(\.failure) == [.wrongBundle])
        #expect(outcome(notification(signed()), appAppleID: 99).transactions.map(\.failure) == [.wrongBundle])
        #expect(outcome(notification(signed()), appAppleID: 9999).transactions.map(\.failure) == [.wrongBundle])
        #expect(outcome(notification(signed()), appAppleID: 1234).transactions.map(\.proof) == [.verified])
        let sandbox = notification(signed(), data: "\"bundleId\":\"com.example.game\"")
        #expect(outcome(sandbox, appAppleID: 1234).transactions.map(\.proof) == [.verified])
    }

    @Test(arguments: ["data", "summary", "externalPurchaseToken", "appData"])
    func aGenuineNotificationWithoutATransactionIsNoPurchase(part: String) {
        let genuine = outcome(notification(nil, part: part))
        #expect(genuine.transactions.isEmpty && genuine.rejects.isEmpty)
        #expect(outcome(notification(nil, part: part, stranger)).isRejected)
        let other = notification(nil, data: "\"bundleId\":\"com.example.other\"", part: part)
        #expect(outcome(other).isRejected)
    }

    @Test func aNotificationInsideANotificationIsNotFollowed() {
        let inner = signed("{\"notificationType\":\"TEST\",\"data\":{\"signedTransactionInfo\":\"\(signed())\"}}")
        let outcome = outcome(notification(inner))
        #expect(outcome.transactions.isEmpty && outcome.rejects.isEmpty)
    }

    @Test(arguments: [
        "{\"originalTransactionId\":\"1\",\"autoRenewStatus\":1,\"environment\":\"Production\",\"signedDate\":\(january)}",
        "{\"environment\":\"Sandbox\",\"signedDate\":\(january)}",
        "{\"receiptType\":\"Production\",\"bundleId\":\"com.example.game\",\"receiptCreationDate\":\(january),\"originalPurchaseDate\":-62135769600000}",
    ])
    func renewalsAndAppTransactionsAreNoPurchases(body: String) {
        let genuine = outcome(signed(body))
        #expect(genuine.transactions.isEmpty && genuine.rejects.isEmpty)
        #expect(outcome(signed(body, stranger)).isRejected)
    }

    @Test func anAppTransactionIsJudgedAtItsCreation() {
        let leaf = CertificateRequest.leaf.with { $0.to = Int(january / 1000) }
        let chain = TestChain(root: chain.root, leaf: leaf)
        for (date, isRejected) in [(january, false), (january + 60_000, true)] {
            let body = "{\"receiptType\":\"Production\",\"receiptCreationDate\":\(date)}"
            #expect(outcome(signed(body, chain)).isRejected == isRejected)
        }
    }

    @Test(arguments: [
        "a.b", "a.b.c.d", "....", "{\"signedPayload\":\"x\"}", "{\"signedTransactionInfo\":\"\"}",
        "{\"signedTransactions\":{}}", "{\"signedTransactionInfo\":null}", "signed_transaction_value",
    ])
    func whatIsNoJWSIsAReject(line: String) {
        #expect(outcome(line).isRejected)
    }

    @Test func theSameReaderGivesTheSameAnswersInAnyOrder() {
        let lines = [
            signed(), signed(payload(), stranger), notification(signed()), signed(payload(["bundleId": "\"x\""])),
        ]
        let alone = lines.map { outcome($0).transactions }
        let reader = TransactionLineReader(settings: settings(roots: [chain.root.der]))
        for position in [3, 1, 2, 0, 0, 1, 3, 2] {
            let outcome = Array(lines[position].utf8).withUnsafeBytes {
                reader.read($0, isBackendTrusted: false, source: source)
            }
            #expect(outcome.transactions == alone[position])
        }
    }

    @Test func moreChainsThanAreRememberedAreStillJudgedRightly() {
        let reader = TransactionLineReader(settings: settings(roots: [chain.root.der]))
        for round in 0..<2 {
            for number in 0..<20 {
                var jws = TestJWS(payload(), number.isMultiple(of: 2) ? chain : stranger)
                jws.header = jws.header.dropLast() + ",\"kid\":\"\(number)\"}"
                let outcome = Array(jws.text.utf8).withUnsafeBytes {
                    reader.read($0, isBackendTrusted: false, source: source)
                }
                let expected: Proof = number.isMultiple(of: 2) ? .verified : .invalid
                #expect(outcome.transactions.map(\.proof) == [expected], "round \(round), number \(number)")
            }
        }
    }
}
