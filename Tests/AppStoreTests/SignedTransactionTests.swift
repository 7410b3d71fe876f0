import AppStore
import Domain
import Foundation
import Testing

@testable import Signing

@Suite("A signed transaction in a feed")
struct SignedTransactionTests {
    let chain = TestChain()

    func outcome(_ text: String, root: Identity? = nil, now: Int64 = january + 86_400_000) -> LineOutcome {
        read(
            text, trusted: false,
            settings: settings(roots: [(root ?? chain.root).der], now: Instant(milliseconds: now)))
    }

    /// Why the only transaction failed; `none` if it is verified.
    func failure(_ text: String, root: Identity? = nil) -> ProofFailure? {
        let transaction = outcome(text, root: root).transactions.first
        if transaction?.proof == .verified { return ProofFailure.none }
        return transaction?.proof == .invalid ? transaction?.failure : nil
    }

    @Test func oneThatHoldsIsVerifiedAndRemembered() throws {
        let jws = TestJWS(payload(["price": "1990", "currency": "\"USD\""]), chain).text
        let outcome = outcome(jws)
        let transaction = try #require(outcome.transactions.first)
        #expect(transaction.proof == .verified && transaction.failure == .none && !transaction.isFromReceipt)
        #expect(transaction.id == "2000000000000001" && transaction.price?.thousandths == 1990)
        #expect(outcome.verified.count == 1 && outcome.rejects.isEmpty)
    }

    /// DER writes r and s without leading zeros, and with one where the first bit is set.
    @Test func aSignatureHoldsWhateverItsNumbersBeginWith() {
        var seen: Set<[Int]> = []
        for price in 0..<20_000 where seen.count < 6 {
            let jws = TestJWS(payload(["price": "\(price)"]), chain)
            let (r, s) = jws.signaturePair
            let kinds = [r, s].enumerated().map { [$0, $1[0] == 0 ? 0 : $1[0] < 0x80 ? 1 : 2] }
            if seen.isSuperset(of: kinds) { continue }
            seen.formUnion(kinds)
            #expect(failure(jws.signed + "." + base64url(r + s)) == ProofFailure.none, "\(r) \(s)")
        }
        #expect(seen.count == 6)
    }

    @Test func theThirdCertificateIsNobodysWord() {
        let x5c = [chain.leaf.der, chain.intermediate.der, [1, 2, 3]]
        #expect(failure(TestJWS(payload(), chain, x5c: x5c).text) == ProofFailure.none)
    }

    @Test func withoutItsRootItIsAnUntrustedChain() {
        let stranger = CertificateRequest.root.issued()
        #expect(failure(TestJWS(payload(), chain).text, root: stranger) == .untrustedChain)
    }

    @Test func aChainOfOnesOwnWithApplesNamesIsUntrusted() {
        let own = TestChain()
        #expect(failure(TestJWS(payload(), own).text) == .untrustedChain)
        let borrowed = [own.leaf.der, own.intermediate.der, chain.root.der]
        #expect(failure(TestJWS(payload(), own, x5c: borrowed).text) == .untrustedChain)
        let mixed = [own.leaf.der, chain.intermediate.der, chain.root.der]
        #expect(failure(TestJWS(payload(), own, x5c: mixed).text) == .untrustedChain)
    }

    @Test func theMarkersMustBeThereEachInItsPlace() {
        let unmarked = [
            TestChain(root: chain.root, leaf: .leaf.with { $0.markers = [] }),
            TestChain(root: chain.root, leaf: .leaf.with { $0.markers = [CertificateRequest.intermediateMarker] }),
            TestChain(root: chain.root, intermediate: .intermediate.with { $0.markers = [] }),
            TestChain(root: chain.root, intermediate: .intermediate.with { $0.markers = ["1.2.3.4"] }),
        ]
        for chain in unmarked { #expect(failure(TestJWS(payload(), chain).text) == .untrustedChain) }
    }

    @Test func theCertificatesMustHaveBeenValidWhenItWasSigned() {
        let seconds = Int(january / 1000)
        let expired = CertificateRequest.leaf.with { $0.to = seconds - 1 }
        let early = CertificateRequest.leaf.with { $0.from = seconds + 1 }
        for leaf in [expired, early] {
            let chain = TestChain(root: chain.root, leaf: leaf)
            #expect(failure(TestJWS(payload(), chain).text) == .untrustedChain)
        }
        let lapsed = TestChain(root: chain.root, intermediate: .intermediate.with { $0.to = seconds - 1 })
        #expect(failure(TestJWS(payload(), lapsed).text) == .untrustedChain)
    }

    @Test func itStaysVerifiedWhenItsCertificatesHaveExpiredSince() {
        let leaf = CertificateRequest.leaf.with { $0.to = Int(january / 1000) + 10 }
        let jws = TestJWS(payload(), TestChain(root: chain.root, leaf: leaf)).text
        #expect(outcome(jws, now: january * 2).transactions.first?.proof == .verified)
    }

    @Test func theLastSecondOfValidityCounts() {
        let leaf = CertificateRequest.leaf.with { $0.to = Int(january / 1000) }
        let chain = TestChain(root: chain.root, leaf: leaf)
        #expect(failure(TestJWS(payload(["signedDate": "\(january + 999)"]), chain).text) == ProofFailure.none)
        #expect(failure(TestJWS(payload(["signedDate": "\(january + 1000)"]), chain).text) == .untrustedChain)
    }

    @Test func oneFromTheFutureIsRefusedButForFiveMinutes() {
        let jws = TestJWS(payload(["signedDate": "\(january)"]), chain).text
        #expect(outcome(jws, now: january - 300_000).transactions.first?.proof == .verified)
        #expect(outcome(jws, now: january - 300_001).transactions.first?.failure == .untrustedChain)
    }

    @Test func withoutADateTheChainMustBeValidNow() {
        let jws = TestJWS(payload(["signedDate": ""]), chain).text
        #expect(outcome(jws).transactions.first?.proof == .verified)
        #expect(outcome(jws, now: january * 2).transactions.first?.failure == .untrustedChain)
    }

    @Test(arguments: ["none", "HS256", "RS256", "ES384", "es256", "ES256 ", ""])
    func onlyES256IsASignature(algorithm: String) {
        #expect(failure(TestJWS(payload(), chain, algorithm: algorithm).text) == .badSignature)
    }

    /// RFC 7515 §4.1.11: a critical header that is not understood.
    @Test(arguments: [
        #""crit":["exp"],"exp":1"#, #""crit":["b64"],"b64":false"#, #""b64":true"#, #""crit":[]"#, #""crit":null"#,
    ])
    func aHeaderWithExtensionsProvesNothing(extensions: String) throws {
        var jws = TestJWS(payload(), chain)
        jws.header = jws.header.replacingOccurrences(of: #""alg""#, with: extensions + #","alg""#)
        #expect(failure(jws.text) == .untrustedChain)
    }

    @Test func withoutAnAlgorithmOrCertificatesNothingIsProven() {
        var jws = TestJWS(payload(), chain)
        jws.header = jws.header.replacingOccurrences(of: "\"alg\"", with: "\"alg2\"")
        #expect(failure(jws.text) == .badSignature)
        jws = TestJWS(payload(), chain)
        jws.header = jws.header.replacingOccurrences(of: "\"x5c\"", with: "\"x5cwrong\"")
        #expect(failure(jws.text) == .untrustedChain)
    }

    @Test func aHeaderThatSaysTwoThingsIsGarbage() {
        var jws = TestJWS(payload(), chain)
        jws.header = jws.header.replacingOccurrences(of: "{\"alg\"", with: "{\"alg\":\"none\",\"alg\"")
        #expect(outcome(jws.text).isRejected)
    }

    @Test func exactlyThreeCertificates() {
        let all = chain.certificates
        for x5c in [[], [all[0]], Array(all[..<2]), all + [all[2]], Array(repeating: all[0], count: 10_000)] {
            #expect(failure(TestJWS(payload(), chain, x5c: x5c).text) == .untrustedChain, "\(x5c.count) certificates")
        }
    }

    @Test func certificatesThatAreNone() {
        let all = chain.certificates
        for x5c in [[[], all[1], all[2]], [all[0], [0x30, 0], all[2]], [all[0] + [0], all[1], all[2]]] {
            #expect(failure(TestJWS(payload(), chain, x5c: x5c).text) == .untrustedChain)
        }
        let huge = [UInt8](repeating: 0x30, count: 10_000_000)
        #expect(failure(TestJWS(payload(), chain, x5c: [huge, all[1], all[2]]).text) == .untrustedChain)
    }

    @Test func aKeyOfAnotherKindDoesNotSign() {
        for kind in [KeyKind.p384, .rsa] {
            let other = TestChain(root: chain.root, leaf: .leaf.with { $0.kind = kind })
            var jws = TestJWS(payload(), chain, x5c: other.certificates)
            jws.signer = chain.leaf
            #expect(failure(jws.text) == .untrustedChain)
        }
    }

    @Test func aLeafIsNoAuthority() {
        let second = CertificateRequest.leaf.with { $0.name = "Second Leaf" }.issued(by: chain.leaf)
        let jws = TestJWS(payload(), signer: second, x5c: [second.der, chain.leaf.der, chain.root.der])
        #expect(failure(jws.text) == .untrustedChain)
    }

    @Test func aLeafOfTheRootItselfIsNotEnough() {
        let direct = CertificateRequest.leaf.issued(by: chain.root)
        let jws = TestJWS(payload(), signer: direct, x5c: [direct.der, chain.intermediate.der, chain.root.der])
        #expect(failure(jws.text) == .untrustedChain)
    }

    @Test func anotherKeysSignatureIsBad() {
        var jws = TestJWS(payload(), chain)
        jws.signer = TestChain(root: chain.root).leaf
        #expect(failure(jws.text) == .badSignature)
    }

    @Test func aChangedPayloadIsBad() {
        let jws = TestJWS(payload(), chain)
        var changed = jws
        changed.payload = payload(["productId": "\"coins_6000\""])
        #expect(failure(changed.signed + "." + base64url(jws.rawSignature)) == .badSignature)
        changed = jws
        changed.header = jws.header.replacingOccurrences(of: "{", with: "{\"kid\":\"1\",")
        #expect(failure(changed.signed + "." + base64url(jws.rawSignature)) == .badSignature)
    }

    @Test func degenerateSignaturesAreBad() {
        let jws = TestJWS(payload(), chain)
        let (r, s) = jws.signaturePair
        let zero = [UInt8](repeating: 0, count: 32)
        let order = Array(repeating: UInt8(255), count: 32)
        let bad = [
            zero + s, r + zero, zero + zero, order + s, r + order, s + r, jws.derSignature, Array((r + s).dropLast()),
            r + s + [0], [], [0],
        ]
        for signature in bad {
            #expect(failure(jws.signed + "." + base64url(signature)) == .badSignature, "\(signature.count) bytes")
        }
    }

    @Test func aSignatureHasASecondFormThatMakesNoSecondTransaction() {
        let jws = TestJWS(payload(), chain)
        let (r, s) = jws.signaturePair
        let twin = outcome(jws.signed + "." + base64url(r + complement(s)))
        #expect(twin.transactions == outcome(jws.signed + "." + base64url(r + s)).transactions)
        #expect(twin.transactions.first?.proof == .verified)
        #expect(twin.verified != outcome(jws.signed + "." + base64url(r + s)).verified, "each text is remembered")
    }

    @Test func base64IsReadStrictly() {
        let text = TestJWS(payload(), chain).text
        for spoilt in [text + "=", text + "==", text.replacingOccurrences(of: ".", with: ". ")] {
            #expect(failure(spoilt) != ProofFailure.none, "\(spoilt.suffix(8))")
        }
        // 64 bytes leave 4 bits of the last character unused, and only one spelling of them is canonical.
        let last = text.last!
        let others = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".filter { $0 != last }
        for other in others { #expect(failure(String(text.dropLast()) + String(other)) == .badSignature) }
    }

    @Test func aRecordOfAnotherAppIsTold() {
        #expect(failure(TestJWS(payload(["bundleId": "\"com.example.other\""]), chain).text) == .wrongBundle)
        #expect(failure(TestJWS(payload(["bundleId": ""]), chain).text) == ProofFailure.none)
    }

    @Test func whatXcodeSignedIsUntrustedUnlessItsRootIsConfigured() {
        let xcode = CertificateRequest.leaf.with { $0.markers = [] }.issued()
        let testing = payload(["environment": "\"Xcode\""])
        let jws = TestJWS(testing, signer: xcode, x5c: [xcode.der])
        #expect(failure(jws.text) == .untrustedChain)
        #expect(failure(jws.text, root: xcode) == ProofFailure.none)
        #expect(outcome(jws.text, root: xcode).transactions.first?.environment == .xcode)
        let production = TestJWS(payload(), signer: xcode, x5c: [xcode.der])
        #expect(failure(production.text, root: xcode) == .untrustedChain, "the input chooses no environment")
    }

    @Test func oneVerifiedBeforeIsNotVerifiedAgain() {
        var broken = TestJWS(payload(["bundleId": "\"com.example.other\""]), chain).text
        broken = broken.dropLast(8) + "AAAAAAAA"
        let known = read(broken, trusted: false, settings: settings(isKnownSignature: { _ in true }))
        #expect(known.transactions.first?.failure == .wrongBundle, "its bundle is still compared")
        #expect(known.verified.isEmpty)
    }

    @Test func whatIsRememberedIsTheWholeText() throws {
        let jws = TestJWS(payload(), chain).text
        let digest = try #require(outcome(jws).verified.first)
        let roots = [chain.root.der]
        let again = read(jws, trusted: false, settings: settings(roots: roots, isKnownSignature: { $0 == digest }))
        #expect(again.verified.isEmpty && again.transactions.first?.proof == .verified)
        let other = TestJWS(payload(["transactionId": "\"2\""]), chain).text
        let unknown = read(other, trusted: false, settings: settings(roots: roots, isKnownSignature: { $0 == digest }))
        #expect(unknown.verified.count == 1)
    }

    @Test func oneCutAnywhereIsNeverVerifiedAndNeverCrashes() {
        let text = Array(TestJWS(payload(), chain).text.utf8)
        let reader = TransactionLineReader(settings: settings(roots: [chain.root.der]))
        for length in 0..<text.count {
            let outcome = text[..<length].withUnsafeBytes {
                reader.read($0, isBackendTrusted: false, source: source)
            }
            #expect(outcome.transactions.allSatisfy { $0.proof == .invalid }, "cut after \(length) bytes")
            #expect(outcome.transactions.count + outcome.rejects.count == 1)
        }
    }

    @Test func deepJSONIsGarbage() {
        var jws = TestJWS(String(repeating: "{\"a\":", count: 100_000), chain)
        #expect(outcome(jws.text).isRejected)
        jws.header = String(repeating: "[", count: 100_000)
        jws.payload = payload()
        #expect(outcome(jws.text).isRejected)
    }

    @Test func aChainIsJudgedAnewForEachDate() {
        let leaf = CertificateRequest.leaf.with { $0.to = Int(january / 1000) }
        let chain = TestChain(root: chain.root, leaf: leaf)
        let reader = TransactionLineReader(settings: settings(roots: [chain.root.der]))
        var outcome = LineOutcome()
        for date in [january, january + 5000, january - 5000] {
            let line = Array(TestJWS(payload(["signedDate": "\(date)"]), chain).text.utf8)
            line.withUnsafeBytes { reader.read($0, isBackendTrusted: false, source: source, into: &outcome) }
        }
        #expect(outcome.transactions.map(\.proof) == [.verified, .invalid, .verified])
    }

    @Test func anAccountTokenThatIsNoneNeverFailsARecord() {
        let jws = TestJWS(payload(["appAccountToken": "\"me\"", "newField": "[1]", "type": "\"New\""]), chain)
        #expect(outcome(jws.text).transactions.first?.proof == .verified)
    }

    @Test func withoutATransactionIdItIsAReject() {
        #expect(outcome(TestJWS(payload(["transactionId": ""]), chain).text).rejectedColumns == ["transactionId"])
        #expect(outcome(TestJWS(payload(["transactionId": "\"0\""]), chain).text).isRejected)
    }
}
