import AppStore
import Base
import CCrypto
import Domain
import Foundation
import Reference
import Testing

@testable import Signing

/// What a new checker says about one receipt's data.
func check(
    _ text: String, claimed: Identifier? = "1001", roots: [[UInt8]]? = nil, now: Int64 = january + 86_400_000,
    appAppleID: Int64? = nil
) -> ReceiptCheck {
    let settings = settings(
        roots: roots ?? [ReceiptChain.good.root.der], now: Instant(milliseconds: now), appAppleID: appAppleID)
    let checker = ReceiptChecker(settings: settings)
    return Array(text.utf8).withUnsafeBytes { checker.check($0, claimed: claimed, source: source) }
}

func check(_ container: TestContainer, claimed: Identifier? = "1001", appAppleID: Int64? = nil) -> ReceiptCheck {
    check(base64(container.der), claimed: claimed, appAppleID: appAppleID)
}

@Suite("The data of a client's receipt: PKCS#7")
struct ReceiptTests {
    func proof(_ change: (inout TestContainer) -> Void) -> ReceiptProof {
        var container = TestContainer(TestReceipt().content)
        change(&container)
        return check(container).proof
    }

    @Test func aGenuineOneProvesTheTransactionItClaims() throws {
        let result = check(TestContainer(TestReceipt().content))
        #expect(result.proof == .listsClaim)
        var expected = Transaction(
            id: "1001", product: "coins_60", purchasedAt: Instant(milliseconds: january - 3_600_000),
            environment: .production, proof: .verified, source: source)
        expected.original = "1000"
        expected.line = "2000000123357229"
        expected.bundle = "com.example.game"
        expected.signedAt = Instant(milliseconds: january)
        expected.quantity = 2
        expected.type = .consumable
        expected.isFromReceipt = true
        #expect(result.transactions == [expected])
    }

    @Test func whatItDoesNotClaimTiesNothing() {
        let lacking = check(TestContainer(TestReceipt().content), claimed: "1003")
        #expect(lacking.proof == .lacksClaim && lacking.transactions.isEmpty)
        let silent = check(TestContainer(TestReceipt().content), claimed: nil)
        #expect(silent.proof == .unchecked && silent.transactions.isEmpty && silent.named == nil)
        let original = check(TestContainer(TestReceipt().content), claimed: "1000")
        #expect(original.proof == .lacksClaim, "an original id is not a listed transaction")
    }

    /// A backend may serve each purchase that the app has not finished, or the one that it restores, whatever the row names;
    /// of each subscription, the newest period, whatever else is newer.
    @Test(
        arguments: [
            (nil, ["1004", "1003", "1002", "1001", "900"]), ("1001", ["1004", "1003", "1002", "900"]),
            ("1003", ["1004", "1002", "1001", "900"]), ("7", ["1004", "1003", "1002", "1001", "900"]),
        ] as [(Identifier?, [Identifier])])
    func allUnfinishedTransactionsAreFurtherOnes(claimed: Identifier?, further: [Identifier]) {
        var receipt = TestReceipt()
        receipt.purchases = [
            TestReceipt.purchase("1001", original: "900"),
            TestReceipt.purchase("1003", at: "2026-01-02T00:00:00Z", expires: "2026-02-02T00:00:00Z"),
            TestReceipt.purchase("1000", expires: "2026-02-01T00:00:00Z"),
            TestReceipt.purchase("1002", at: "2026-01-01T00:00:00Z", original: "1002"),
            TestReceipt.purchase(
                "1004", at: "2026-01-03T00:00:00Z", expires: "2026-02-03T00:00:00Z", original: "1004"),
        ]
        #expect(check(TestContainer(receipt.content), claimed: claimed).further == further)
    }

    /// Data of any length stays a claim of some kilobytes at most.
    @Test func onlyTheNewestOfVeryManyTransactionsAreFurtherOnes() {
        var receipt = TestReceipt()
        receipt.purchases = (1000..<1500).map { TestReceipt.purchase("\($0)", original: "\($0)") }
        #expect(
            check(TestContainer(receipt.content), claimed: "1").further
                == (1100..<1500).reversed().map { Identifier("\($0)") })
    }

    @Test func aReceiptWithoutPurchasesIsGenuineAndListsNothing() {
        var receipt = TestReceipt()
        receipt.purchases = []
        #expect(check(TestContainer(receipt.content)).proof == .lacksClaim)
    }

    @Test func aCancellationIsARevocation() {
        var receipt = TestReceipt()
        receipt.purchases = [TestReceipt.purchase("1001", cancelledAt: "2026-01-01T00:00:00Z")]
        let result = check(TestContainer(receipt.content))
        #expect(result.transactions.first?.revocation == Revocation(at: Instant(milliseconds: january)))
    }

    @Test(arguments: [
        ("Production", AppEnvironment.production), ("ProductionVPP", .production), ("ProductionSandbox", .sandbox),
        ("ProductionVPPSandbox", .sandbox), ("Xcode", .xcode), ("Moon", .other), ("PRODUCTION", .production),
        ("LOCAL_TESTING", .localTesting),
    ])
    func itsTypeNamesTheEnvironment(type: String, environment: AppEnvironment) {
        var receipt = TestReceipt()
        receipt.type = type
        #expect(check(TestContainer(receipt.content)).transactions.first?.environment == environment)
    }

    @Test func bothEncodingsAndBothDigestsAreRead() {
        let container = TestContainer(TestReceipt().content)
        #expect(check(base64(container.ber)).proof == .listsClaim)
        #expect(proof { $0.digest = EVP_sha1() } == .listsClaim)
        let folded = base64(container.der).enumerated()
            .map { $0 % 64 == 63 ? "\($1)\r\n" : "\($1)" }.joined()
        #expect(check(folded).proof == .listsClaim)
        // As `mysql --batch` prints line ends.
        for (end, proof) in [("\\r\\n", ReceiptProof.listsClaim), ("\\t", .unverifiable)] {
            #expect(check(folded.replacing("\r\n", with: end)).proof == proof)
        }
    }

    @Test func oneThatWrapsItsContentOnceMoreIsRead() {
        #expect(check(TestContainer(der(0x04, TestReceipt().content))).proof == .listsClaim)
    }

    @Test func anotherDigestCannotBeJudged() {
        for digest in [EVP_md5(), EVP_sha512()] { #expect(proof { $0.digest = digest } == .unverifiable) }
    }

    @Test func oneOfAnotherAppIsTold() {
        var receipt = TestReceipt()
        receipt.bundle = "com.example.other"
        let result = check(TestContainer(receipt.content))
        #expect(result.proof == .wrongBundle && result.transactions.isEmpty)
        #expect(check(TestContainer(TestReceipt().content), appAppleID: 99).proof == .wrongBundle)
        receipt = TestReceipt()
        receipt.appAppleID = 0
        #expect(check(TestContainer(receipt.content), appAppleID: 99).proof == .listsClaim, "sandbox names none")
    }

    @Test func aChainOfOnesOwnIsForged() {
        #expect(check(TestContainer(TestReceipt().content, ReceiptChain.stranger)).proof == .forged)
        #expect(proof { $0.signers = [ReceiptChain.stranger.leaf] } == .forged)
    }

    @Test func theMarkersMustBeThere() {
        let unmarked = [
            ReceiptChain.with(leaf: .leaf.with { $0.markers = [] }),
            ReceiptChain.with(intermediate: .intermediate.with { $0.markers = [] }),
        ]
        for chain in unmarked { #expect(check(TestContainer(TestReceipt().content, chain)).proof == .forged) }
    }

    @Test func itIsJudgedAtTheTimeItWasMade() {
        let leaf = CertificateRequest.leaf.with { $0.to = Int(january / 1000) }
        let container = TestContainer(TestReceipt().content, ReceiptChain.with(leaf: leaf))
        #expect(check(base64(container.der), now: january * 2).proof == .listsClaim)
        var later = TestReceipt()
        later.createdAt = "2026-01-01T00:00:01Z"
        #expect(check(TestContainer(later.content, ReceiptChain.with(leaf: leaf))).proof == .forged)
        later.createdAt = "2027-01-01T00:00:00Z"
        #expect(check(TestContainer(later.content)).proof == .forged, "from the future")
        later.createdAt = ""
        #expect(check(TestContainer(later.content)).proof == .forged, "made at no time")
    }

    @Test func changedContentIsForged() throws {
        var bytes = TestContainer(TestReceipt().content).der
        let text = Array("coins_60".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
        bytes[place + 6] = UInt8(ascii: "9")
        #expect(check(base64(bytes)).proof == .forged)
    }

    @Test func nobodyOrTwoSignersAreForged() {
        #expect(proof { $0.signers = [] } == .forged)
        #expect(proof { $0.signers = [ReceiptChain.stranger.leaf, ReceiptChain.good.leaf] } == .forged)
        #expect(proof { $0.signers = [ReceiptChain.good.leaf, ReceiptChain.good.leaf] } == .forged)
    }

    /// RFC 5652 §5.4: then the attributes are signed, and the content is covered by the digest among them.
    @Test func signedAttributesBindTheContent() throws {
        #expect(proof { $0.signsAttributes = true } == .listsClaim)
        #expect(
            proof {
                $0.signsAttributes = true
                $0.digest = EVP_sha1()
            } == .listsClaim)
        var container = TestContainer(TestReceipt().content)
        container.signsAttributes = true
        let good = container.der
        func changed(_ bytes: [UInt8], at offset: Int, last: Bool = false) throws -> ReceiptCheck {
            var spoilt = good
            let places = spoilt.indices.filter { spoilt[$0...].starts(with: bytes) }
            spoilt[try #require(last ? places.last : places.first) + offset] ^= 1
            return check(base64(spoilt))
        }
        let other = try changed(Array("coins_60".utf8), at: 7)
        #expect(other.proof == .forged, "other content")
        let digest = TestReceipt().content.withUnsafeBytes { SHA256.digest(of: $0) }.bytes
        #expect(try changed(digest, at: 0).proof == .forged, "another digest")
        // 1.2.840.113549.1.7.1: first the content's own type, last the one among the attributes.
        let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
        #expect(try changed(data, at: 8, last: true).proof == .forged, "another type")
        #expect(check(base64(container.ber)).proof == .listsClaim)
    }

    @Test func manyCertificatesInsideCostLittleAndProveNothing() {
        #expect(proof { $0.certificates = Array(repeating: ReceiptChain.stranger.root, count: 2000) } == .forged)
    }

    @Test func xcodesReceiptIsForgedUnlessItsRootIsConfigured() {
        var receipt = TestReceipt()
        receipt.type = "Xcode"
        var container = TestContainer(receipt.content)
        container.signers = [ReceiptChain.lone]
        container.certificates = []
        let text = base64(container.ber)
        #expect(check(text).proof == .forged)
        #expect(check(text, roots: [ReceiptChain.lone.der]).transactions.first?.environment == .xcode)
        receipt.type = "Production"
        container.content = receipt.content
        #expect(check(base64(container.der), roots: [ReceiptChain.lone.der]).proof == .forged)
    }

    @Test(arguments: [
        "", "AAAA", "MIAA", "MI", "not base64!", "e30=", "a.b.c", "{}", "MIICWwIBAAKBgQ==",
        base64(Array(repeating: 0x30, count: 300)), base64([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x06]),
    ])
    func whatIsNoReceiptAccusesNobody(text: String) {
        let result = check(text)
        #expect(result.proof == .unverifiable && result.transactions.isEmpty)
    }

    @Test func contentThatIsNoReceiptAccusesNobody() {
        let set = TestReceipt().content
        func list(_ attribute: [UInt8]...) -> [UInt8] { der(0x31, der(0x30, attribute.flatMap { $0 })) }
        let empty = der(0x04, [])
        let strange: [[UInt8]] = [
            [], [0x31], set + [0], der(0x30, set), [0x31, 0x80, 0x00, 0x00], der(0x31, [0x30, 0x03, 0x02, 0x01, 0x00]),
            list(integer(2), integer(1), empty, [0x05, 0x00]), list(der(0x02, [0x00, 0x01]), integer(1), empty),
            list(der(0x02, Array(repeating: 0x7F, count: 20)), integer(1), empty),
        ]
        for content in strange { #expect(check(TestContainer(content)).proof == .unverifiable, "\(content.prefix(8))") }
    }

    @Test func aPurchaseThatIsNoListIsPassedOver() {
        var receipt = TestReceipt()
        receipt.purchases.insert([0x31, 0x05, 0x00], at: 0)
        #expect(check(TestContainer(receipt.content)).proof == .listsClaim)
    }

    @Test func moreThanTenThousandPurchasesAreNoReceipt() {
        var receipt = TestReceipt()
        receipt.purchases = Array(repeating: der(0x31, []), count: 9_999) + [TestReceipt.purchase("1001")]
        #expect(check(TestContainer(receipt.content)).proof == .listsClaim)
        receipt.purchases.append(der(0x31, []))
        #expect(check(TestContainer(receipt.content)).proof == .unverifiable)
    }

    @Test func deepNestingIsReadNoDeeperThanAReceiptGoes() {
        var nested: [UInt8] = []
        for _ in 0..<1000 { nested = der(0x31, nested) }
        #expect(check(TestContainer(nested)).proof == .unverifiable)
        let indefinite = Array(repeating: [0x30, 0x80] as [UInt8], count: 100_000).flatMap { $0 }
        #expect(check(base64(indefinite)).proof == .unverifiable)
    }

    @Test func theAppsVersionIsKnownFromAGenuineReceiptAlone() {
        #expect(check(TestContainer(TestReceipt().content)).appVersion == "2.0")
        #expect(check(TestContainer(TestReceipt().content), claimed: nil).appVersion == "2.0")
        #expect(check(TestContainer(TestReceipt(bundle: "com.example.other").content)).appVersion == nil)
        #expect(check(TestContainer(TestReceipt().content, ReceiptChain.stranger)).appVersion == nil)
    }

    @Test func oneCutAnywhereIsNeverAccepted() {
        let bytes = TestContainer(TestReceipt().content).der
        let checker = ReceiptChecker(settings: settings(roots: [ReceiptChain.good.root.der]))
        for length in 0..<bytes.count {
            let text = Array(base64(Array(bytes[..<length])).utf8)
            let result = text.withUnsafeBytes { checker.check($0, claimed: "1001", source: source) }
            #expect(result.proof == .unverifiable, "cut after \(length) bytes")
        }
        let longer = Array(base64(bytes + [0]).utf8)
        #expect(longer.withUnsafeBytes { checker.check($0, claimed: "1001", source: source) }.proof == .unverifiable)
    }

    @Test func oneWithAnyBitFlippedIsNeverTakenForAnother() throws {
        let bytes = TestContainer(TestReceipt().content).der
        let checker = ReceiptChecker(settings: settings(roots: [ReceiptChain.good.root.der]))
        let genuine = check(base64(bytes)).transactions
        for place in bytes.indices where Trials.areLong || place % 4 == 0 {
            var spoilt = bytes
            spoilt[place] ^= 1 << UInt8(place % 8)
            let text = Array(base64(spoilt).utf8)
            let result = text.withUnsafeBytes { checker.check($0, claimed: "1001", source: source) }
            // Bits that are not signed (versions, an unused certificate) may flip without harm.
            #expect(result.transactions.isEmpty || result.transactions == genuine, "byte \(place)")
        }
    }
}

@Suite("The data of a client's receipt: JWS and old style")
struct OtherReceiptTests {
    let chain = TestChain()
    let fields = [
        ("transaction-id", "1001"), ("original-transaction-id", "1000"), ("product-id", "coins_60"),
        ("bid", "com.example.game"), ("purchase-date-ms", "\(january)"), ("quantity", "1"),
        ("unique-identifier", "0000b031c818"),
    ]

    @Test func aSignedTransactionProvesItselfWithoutAPrice() throws {
        let jws = TestJWS(payload(["price": "1990", "currency": "\"USD\""]), chain).text
        let roots = [chain.root.der]
        let result = check(jws, claimed: "2000000000000001", roots: roots)
        let transaction = try #require(result.transactions.first)
        #expect(result.proof == .listsClaim && transaction.proof == .verified)
        #expect(transaction.isFromReceipt && transaction.price == nil)
        #expect(result.named == "2000000000000001")
        let lying = check(jws, claimed: "7", roots: roots)
        #expect(lying.proof == .lacksClaim && lying.transactions == result.transactions && lying.further == ["7"])
        #expect(check(jws, claimed: "2000000000000001").proof == .forged)
        let other = TestJWS(payload(["bundleId": "\"com.example.other\""]), chain).text
        #expect(check(other, claimed: "2000000000000001", roots: roots).proof == .wrongBundle)
        #expect(check(jws.replacingOccurrences(of: ".", with: ".A"), roots: roots).proof == .unverifiable)
    }

    /// A client may leave the column empty, or name another transaction than Apple signed.
    @Test(arguments: [nil, "7"] as [Identifier?]) func dataWithOneTransactionNamesIt(claimed: Identifier?) {
        let (jws, roots) = (TestJWS(payload([:]), chain).text, [chain.root.der])
        #expect(check(jws, claimed: claimed, roots: roots).named == "2000000000000001")
        #expect(check(jws, claimed: claimed).named == nil, "not Apple's")
        #expect(check(jws, claimed: nil, roots: roots).proof == .listsClaim)
        #expect(check(TestContainer(TestReceipt().content), claimed: claimed).named == nil, "it lists several")
    }

    @Test func anOldStyleReceiptWithoutItsChainAccusesNobody() {
        let signer = CertificateRequest.leaf.with { $0.kind = .rsa1024 }.issued()
        for text in [oldStyle(fields), oldStyle(fields, signer: signer)] {
            let result = check(text)
            #expect(result.proof == .unverifiable && result.transactions.isEmpty)
        }
    }

    @Test func anOldStyleReceiptWhoseCertificateChainsIsVerified() throws {
        let root = ReceiptChain.good.root
        let signer = CertificateRequest.leaf.with { $0.kind = .rsa1024 }.issued(by: root)
        let result = check(oldStyle(fields, signer: signer))
        let transaction = try #require(result.transactions.first)
        #expect(result.proof == .listsClaim && transaction.environment == .sandbox && transaction.original == "1000")
        #expect(check(oldStyle(fields, signer: signer), claimed: "7").proof == .lacksClaim)
        let foreign = fields.map { ($0.0, $0.0 == "bid" ? "com.example.other" : $0.1) }
        #expect(check(oldStyle(foreign, signer: signer)).proof == .wrongBundle)
        let unmarked = CertificateRequest.leaf.with {
            $0.kind = .rsa1024
            $0.markers = []
        }.issued(by: root)
        #expect(check(oldStyle(fields, signer: unmarked)).proof == .forged)
    }

    @Test func aChangedOldStyleReceiptIsForged() {
        let signer = CertificateRequest.leaf.with { $0.kind = .rsa1024 }.issued(by: ReceiptChain.good.root)
        #expect(check(oldStyle(fields, signer: signer, signs: " ")).proof == .forged)
    }

    @Test(arguments: [
        "{", "{}", "{\"a\" = \"b\"}", "{\"purchase-info\" = \"e30=\";}", "{\"purchase-info\" = \"?\";}",
        "{\"a\" = \"1\"; \"a\" = \"2\";}", "{a = b;}", "{\"a\" = (1, 2);}",
    ])
    func aListThatIsNoReceiptAccusesNobody(list: String) {
        #expect(check(base64(Array(list.utf8))).proof == .unverifiable)
    }
}
