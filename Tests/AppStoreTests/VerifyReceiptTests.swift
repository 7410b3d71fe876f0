import AppStore
import Domain
import Testing

@testable import Signing

@Suite("A verifyReceipt response, vouched for by the backend")
struct VerifyReceiptTests {
    static func item(_ id: String, _ more: String = "") -> String {
        """
        {"quantity":"1","product_id":"coins_60","transaction_id":"\(id)","original_transaction_id":"\(id)",\
        "purchase_date":"2026-01-01 00:00:00 Etc/GMT","purchase_date_ms":"\(january)",\
        "purchase_date_pst":"2025-12-31 16:00:00 America/Los_Angeles"\(more)}
        """
    }

    static func response(
        status: String = "0", inApp: String = item("1001"), latest: String = "", bundle: String = "com.example.game",
        environment: String = "\"Production\""
    ) -> String {
        """
        {"status":\(status),"environment":\(environment),"receipt":{"receipt_type":"ProductionSandbox","adam_id":0,\
        "bundle_id":"\(bundle)","request_date_ms":"\(january + 5000)","in_app":[\(inApp)]}\(latest)}
        """
    }

    @Test func itsTransactionsAreVouchedForAndHaveNoPrice() throws {
        let outcome = read(Self.response(inApp: Self.item("1001") + "," + Self.item("1002")))
        #expect(outcome.transactions.map(\.id) == ["1001", "1002"])
        let first = try #require(outcome.transactions.first)
        #expect(first.proof == .vouched && first.environment == .production && first.price == nil)
        #expect(first.purchasedAt.milliseconds == january && first.bundle == "com.example.game")
        #expect(first.signedAt?.milliseconds == january + 5000, "of two answers the later one counts")
    }

    @Test(arguments: ["21003", "\"21003\"", "21006", "21010", "21002", "1"])
    func aStatusOtherThanZeroProvesNothingEvenWithABody(status: String) {
        let outcome = read(Self.response(status: status))
        #expect(outcome.transactions.isEmpty && outcome.rejects.isEmpty)
    }

    @Test func statusZeroMayBeText() {
        #expect(read(Self.response(status: "\"0\"")).transactions.count == 1)
    }

    @Test(arguments: ["null", "\"fine\"", "[0]"])
    func withoutAReadableStatusItIsAReject(status: String) {
        #expect(read(Self.response(status: status)).rejectedColumns == ["status"])
    }

    @Test func aResponseOfAnotherAppIsInvalid() {
        let transaction = read(Self.response(bundle: "com.example.other")).transactions.first
        #expect(transaction?.proof == .invalid && transaction?.failure == .wrongBundle)
    }

    @Test func aCancellationIsARevocationByItsMilliseconds() {
        let cancelled = """
            ,"cancellation_date":"2026-01-01 01:37:28 Etc/GMT","cancellation_date_ms":"\(january + 9000)",\
            "cancellation_reason":"1"
            """
        let transaction = read(Self.response(inApp: Self.item("1001", cancelled))).transactions.first
        #expect(transaction?.revocation == Revocation(at: Instant(milliseconds: january + 9000), reason: 1))
    }

    @Test func anUpgradeIsNoRefund() {
        let upgraded = ",\"cancellation_date_ms\":\"\(january + 9000)\",\"is_upgraded\":\"true\""
        let transaction = read(Self.response(inApp: Self.item("1001", upgraded))).transactions.first
        #expect(transaction?.revocation == nil && transaction?.isUpgraded == true)
    }

    @Test func anItemListedTwiceIsOneAndTheLatestInfoKnowsMore() {
        let token = ",\"app_account_token\":\"7e3fb20b-4cdb-47cc-936d-99d65f608138\""
        let latest = ",\"latest_receipt_info\":[\(Self.item("1001", token))]"
        let outcome = read(Self.response(inApp: Self.item("1001") + "," + Self.item("1002"), latest: latest))
        #expect(outcome.transactions.map(\.id) == ["1001", "1002"])
        #expect(outcome.transactions.first?.token != nil)
    }

    @Test func withoutAnEnvironmentTheReceiptsTypeTellsIt() {
        #expect(read(Self.response(environment: "null")).transactions.first?.environment == .sandbox)
    }

    @Test func anEmptyReceiptIsGenuineAndBoughtNothing() {
        let outcome = read(Self.response(inApp: ""))
        #expect(outcome.transactions.isEmpty && outcome.rejects.isEmpty)
    }

    @Test func oneBadItemCostsItselfOnly() {
        let bad = "{\"product_id\":\"coins_60\",\"transaction_id\":\"1003\",\"purchase_date_ms\":\"soon\"}"
        let outcome = read(Self.response(inApp: "7," + bad + "," + Self.item("1001")))
        #expect(outcome.transactions.map(\.id) == ["1001"])
        #expect(outcome.rejectedColumns == ["in_app", "in_app"])
        #expect(!outcome.isRejected)
    }

    @Test func beforeIOS7TheReceiptWasTheTransaction() {
        let old = """
            {"status":0,"receipt":{"bid":"com.example.game","transaction_id":"1001","product_id":"coins_60",\
            "original_transaction_id":"1001","purchase_date_ms":"\(january)","quantity":"2","item_id":"5"}}
            """
        let transaction = read(old).transactions.first
        #expect(transaction?.id == "1001" && transaction?.quantity == 2)
    }

    @Test func underSignatureTrustItIsARejectThatSaysSo() {
        #expect(read(Self.response(), trusted: false).isRejected)
    }
}
