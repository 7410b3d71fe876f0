import AppStore
import Domain
import Foundation
import Testing

@testable import Signing

@Suite("What verify says about a file")
struct FileVerifierTests {
    let chain = TestChain()

    func results(_ content: String, name: String = "file", roots: [[UInt8]]? = nil) -> [VerifyResult] {
        results(Array(content.utf8), name: name, roots: roots)
    }

    func results(_ content: [UInt8], name: String = "file", roots: [[UInt8]]? = nil) -> [VerifyResult] {
        let verifier = FileVerifier(
            roots: roots ?? [chain.root.der, ReceiptChain.good.root.der], now: Instant(milliseconds: january * 2))
        return content.withUnsafeBytes { verifier.verify($0, name: name) }
    }

    func one(_ content: String, roots: [[UInt8]]? = nil) throws -> VerifyResult {
        let results = results(content, roots: roots)
        #expect(results.count == 1 && results.first?.line == nil)
        return try #require(results.first)
    }

    @Test func aSignedTransactionIsVerifiedWhateverAppItIsOf() throws {
        let fields = ["bundleId": "\"com.example.other\"", "price": "1990", "currency": "\"USD\""]
        let result = try one(TestJWS(payload(fields), chain).text + "\n")
        #expect(result.kind == .transaction && result.outcome == .verified && result.root == "Test Root")
        #expect(result.bundleID == "com.example.other" && result.environment == "Production")
        #expect(result.signedAt?.milliseconds == january + 400)
        let facts = try #require(result.transactions.first?.map { "\($0.name)=\($0.value)" })
        #expect(facts.contains("transaction_id=text(\"2000000000000001\")") && facts.contains("price=text(\"1.99\")"))
        #expect(facts.contains("original_transaction_id=null"))
    }

    @Test func withoutItsRootItCannotBeJudgedUnlessItIsSpoilt() throws {
        let jws = TestJWS(payload(), chain)
        let unknown = try one(jws.text, roots: [])
        #expect(unknown.outcome == .unverifiable && unknown.root == nil && unknown.transactions.count == 1)
        let other = TestJWS(payload(["productId": "\"x\""]), chain)
        #expect(try one(other.signed + "." + base64url(jws.rawSignature), roots: []).outcome == .invalid)
    }

    @Test func whatApplesRulesForbidIsInvalid() throws {
        let two = TestJWS(payload(), chain, x5c: Array(chain.certificates.prefix(2)))
        #expect(try one(two.text).outcome == .invalid)
        #expect(try one(TestJWS(payload(), chain, algorithm: "none").text).outcome == .invalid)
        #expect(try one("e30.e30.e30").outcome == .invalid)
        #expect(try one(TestJWS(payload(["signedDate": "\(january * 3)"]), chain).text).outcome == .invalid)
    }

    @Test func allSignaturesOfANotificationMustHold() throws {
        func notification(_ transaction: TestChain, _ renewal: TestChain) -> String {
            let transaction = TestJWS(payload(), transaction).text
            let renewal = TestJWS("{\"autoRenewStatus\":1,\"signedDate\":\(january)}", renewal).text
            let body = """
                {"notificationType":"DID_RENEW","signedDate":\(january),"data":{"bundleId":"com.example.game",\
                "environment":"Sandbox","signedTransactionInfo":"\(transaction)","signedRenewalInfo":"\(renewal)"}}
                """
            return "{\"signedPayload\":\"\(TestJWS(body, chain).text)\"}"
        }
        let good = try one(notification(chain, chain))
        #expect(good.kind == .notification && good.outcome == .verified && good.transactions.count == 1)
        #expect(good.bundleID == "com.example.game" && good.environment == "Sandbox")
        // It has the same names as the trusted root, so it is a forgery.
        let stranger = TestChain()
        for spoilt in [notification(stranger, chain), notification(chain, stranger)] {
            let result = try one(spoilt)
            #expect(result.outcome == .invalid && result.reason.contains("inside") && result.root == nil)
        }
    }

    @Test func ofAHistoryPageTheWorstCounts() throws {
        let good = TestJWS(payload(), chain).text
        let unknown = TestChain(root: CertificateRequest.root.with { $0.name = "Other Root" }.issued())
        let page = { (more: String) in "{\"signedTransactions\":[\"\(good)\"\(more)]}" }
        #expect(try one(page("")).outcome == .verified)
        #expect(try one(page(",\"\(TestJWS(payload(), unknown).text)\"")).outcome == .unverifiable)
        let garbage = try one(page(",\"garbage\""))
        #expect(garbage.outcome == .invalid && garbage.kind == .transaction && garbage.transactions.count == 1)
    }

    @Test(arguments: [
        ("{\"autoRenewStatus\":1,\"signedDate\":1767225600000}", VerifyResult.Kind.renewal),
        ("{\"receiptType\":\"Sandbox\",\"bundleId\":\"a\",\"receiptCreationDate\":1767225600000}", .appTransaction),
        ("{\"notificationType\":\"TEST\",\"signedDate\":1767225600000}", .notification),
        ("{\"bundleId\":\"a\",\"signedDate\":1767225600000}", .transaction),
    ])
    func eachKindIsNamed(body: String, kind: VerifyResult.Kind) throws {
        let signed = try one(TestJWS(body, chain).text)
        #expect(signed.kind == kind && signed.outcome == .verified)
    }

    @Test func aReceiptIsReadInBase64AndInDER() throws {
        let bytes = TestContainer(TestReceipt().content).der
        for result in [try one(base64(bytes)), try #require(results(bytes).first)] {
            #expect(result.kind == .receipt && result.outcome == .verified && result.root == "Test Root")
            #expect(result.bundleID == "com.example.game" && result.environment == "Production")
            #expect(result.signedAt?.milliseconds == january && result.transactions.count == 2)
            #expect(result.details.contains { $0.name == "app_version" && $0.value == .text("2.0") })
        }
        #expect(try one(base64(bytes), roots: []).outcome == .unverifiable)
    }

    /// The last byte of a product's name is another one than the signed digest covers.
    @Test func attributesThatDoNotCoverTheContentAreNamed() throws {
        var container = TestContainer(TestReceipt().content)
        container.signsAttributes = true
        var bytes = container.der
        #expect(try #require(results(bytes).first).outcome == .verified)
        let name = Array("coins_60".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
        bytes[place + 7] ^= 1
        let result = try #require(results(bytes).first)
        #expect(result.outcome == .invalid && result.reason == "its signed attributes do not match its content")
    }

    @Test func xcodesDataIsNamedAndUnverifiableUnlessItsRootIsGiven() throws {
        var receipt = TestReceipt()
        receipt.type = "Xcode"
        var container = TestContainer(receipt.content)
        container.signers = [ReceiptChain.lone]
        container.certificates = []
        let result = try one(base64(container.ber))
        #expect(result.outcome == .unverifiable && result.reason.hasPrefix("an Xcode receipt"))
        #expect(try one(base64(container.ber), roots: [ReceiptChain.lone.der]).outcome == .verified)
        let xcode = CertificateRequest.leaf.with { $0.markers = [] }.issued()
        let jws = TestJWS(payload(["environment": "\"LocalTesting\""]), signer: xcode, x5c: [xcode.der]).text
        #expect(try one(jws).outcome == .unverifiable)
        #expect(try one(jws, roots: [xcode.der]).outcome == .verified)
    }

    @Test func legacyFormsAreRecognised() throws {
        let old = try one(oldStyle([("transaction-id", "33993399")]))
        #expect(old.kind == .legacyReceipt && old.outcome == .unverifiable && old.transactions.count == 1)
        let answer = try one(VerifyReceiptTests.response())
        #expect(answer.kind == .legacyReceipt && answer.outcome == .unverifiable && answer.transactions.count == 1)
        let refused = try one(VerifyReceiptTests.response(status: "21003"))
        #expect(refused.transactions.isEmpty && refused.reason.contains("21003"))
    }

    @Test func whatIsNotSignedProvesNothing() throws {
        let bare = try one(payload())
        #expect(bare.kind == .transaction && bare.outcome == .unverifiable && bare.transactions.count == 1)
        for content in ["", "{}", "{\"errorCode\":5000000}", "hello", "{", "[]", "AAAA"] {
            let result = try one(content)
            #expect(result.kind == .unknown && result.outcome == .unverifiable)
        }
    }

    @Test func aFileOfSeveralLinesHasAResultForEach() {
        let jws = TestJWS(payload(), chain).text
        let lines = results("\u{FEFF}\(jws)\r\n\n{\"signedTransactionInfo\":\"\(jws)\"}\ngarbage\n")
        #expect(lines.map(\.line) == [1, 3, 4])
        #expect(lines.map(\.outcome) == [.verified, .verified, .unverifiable])
        #expect(results("garbage\n\(jws)\n", name: "a.jsonl").map(\.line) == [1, 2])
        #expect(results("garbage\n\(jws)\n").count == 1)
        let pretty = payload().replacingOccurrences(of: ",", with: ",\n")
        #expect(results(pretty).map(\.kind) == [.transaction], "a record may take several lines")
    }
}

@Suite("Trusted roots")
struct TrustedRootTests {
    @Test func aFileOfDEROrPEMIsRead() throws {
        let root = CertificateRequest.root.issued()
        #expect(TrustedRoot.certificates(root.der) == [root.der])
        let pem = "text\n-----BEGIN CERTIFICATE-----\n\(base64(root.der))\n-----END CERTIFICATE-----\n"
        #expect(TrustedRoot.certificates(Array((pem + pem).utf8)) == [root.der, root.der])
        for garbage in [[], Array("hello".utf8), root.der + [0], Array(root.der.dropLast())] {
            #expect(TrustedRoot.certificates(garbage) == nil)
        }
    }
}
