internal import Domain
import Testing

@testable import Matching

/// Rows that were read while other bundle ids were configured. See docs/spec/rules.md#bundle-ids.
@Suite struct FormerBundleTests {
    /// Delivery 1 was read while `former` was configured, delivery 2 tonight.
    private func policy(_ former: Set<Identifier>, now: Set<Identifier>) -> Policy {
        var policy = Policy()
        policy.bundles = now
        policy.formerBundles = [1: former]
        return policy
    }

    private func transaction(_ bundle: Identifier?, _ proof: Proof, _ failure: ProofFailure = .none) -> Transaction {
        var transaction = Transaction(
            id: "1001", product: "p", purchasedAt: Instant(milliseconds: 0), proof: proof,
            source: Provenance(delivery: 1, line: 1, fileDate: BusinessDate("2025-11-18")!))
        transaction.bundle = bundle
        transaction.failure = failure
        return transaction
    }

    private func receipt(_ claim: Identifier?, _ proof: ReceiptProof, delivery: DeliveryID = 1) -> Receipt {
        var receipt = Receipt(
            id: "R1", content: .absent, account: "a", receivedAt: Instant(milliseconds: 0),
            source: Provenance(delivery: delivery, line: 2, fileDate: BusinessDate("2025-11-18")!))
        receipt.transaction = claim
        receipt.proof = proof
        receipt.verifyStatus = 0
        return receipt
    }

    @Test(
        arguments: [
            (["wrods"], ["words"], "words", Proof.invalid, ProofFailure.wrongBundle, Proof.vouched),
            (["wrods"], ["words"], "other", .invalid, .wrongBundle, .invalid),
            (["wrods"], ["words"], "words", .invalid, .badSignature, .invalid),
            // The app's number was wrong, not its bundle id.
            (["words"], ["words", "more"], "words", .invalid, .wrongBundle, .invalid),
            (["words"], ["words", "more"], "more", .invalid, .wrongBundle, .vouched),
            (["words", "other"], ["words"], "other", .vouched, .none, .unverifiable),
            (["words", "other"], ["words"], "words", .vouched, .none, .vouched),
            (["words"], ["wrods"], "words", .verified, .none, .unverifiable),
            // The record may have named no app.
            (["wrods"], ["words"], "wrods", .vouched, .none, .vouched),
            (["words"], ["wrods"], nil, .verified, .none, .verified),
        ] as [(Set<Identifier>, Set<Identifier>, Identifier?, Proof, ProofFailure, Proof)])
    func todaysIDsCount(
        former: Set<Identifier>, now: Set<Identifier>, bundle: Identifier?, read: Proof, failure: ProofFailure,
        expected: Proof
    ) {
        var evidence = Evidence()
        let row = transaction(bundle, read, failure)
        evidence.transactions = [row]
        let cases = CaseSet(evidence, policy: policy(former, now: now))
        #expect(cases.transactions[0].proof == expected)
        #expect(cases.transactions[0].failure == (expected == .vouched ? .none : failure))
        #expect(cases.transactionAsRead(0) == row)
    }

    @Test(
        arguments: [
            ("words", "1001", 1, ReceiptProof.wrongBundle, ReceiptProof.unverifiable),
            // It was read under today's ids.
            ("words", "1001", 2, .wrongBundle, .wrongBundle),
            // It claims another app's purchase, or none that is known.
            ("other", "1001", 1, .wrongBundle, .wrongBundle),
            ("words", "1002", 1, .wrongBundle, .wrongBundle),
            ("words", nil, 1, .wrongBundle, .wrongBundle),
            ("words", "1001", 1, .forged, .forged),
        ] as [(Identifier, Identifier?, DeliveryID, ReceiptProof, ReceiptProof)])
    func aReceiptIsNoLongerDeniedForANewApp(
        bundle: Identifier, claim: Identifier?, delivery: DeliveryID, read: ReceiptProof, expected: ReceiptProof
    ) {
        var evidence = Evidence()
        evidence.transactions = [transaction(bundle, .invalid, .wrongBundle)]
        evidence.receipts = [receipt(claim, read, delivery: delivery)]
        let cases = CaseSet(evidence, policy: policy(["wrods"], now: ["words"]))
        #expect(cases.receipts[0].proof == expected && cases.receiptAsRead(0).proof == read)
    }
}
