import AppStore
import Domain
import Testing

@testable import Signing

@Suite("A bare decoded payload, vouched for by the backend")
struct PayloadTests {
    /// A price is a whole number of the currency's minor units.
    @Test(arguments: [
        ("JPY", 230_500, false), ("JPY", 230_000, true), ("USD", 1995, false), ("USD", 1990, true), ("KWD", 1, true),
    ])
    func aPriceIsNoFinerThanItsCurrency(currency: String, price: Int, isRead: Bool) {
        let outcome = read(payload(["price": "\(price)", "currency": "\"\(currency)\""]))
        #expect(outcome.transactions.isEmpty == !isRead && outcome.rejects.map(\.column) == (isRead ? [] : ["price"]))
    }

    @Test func everyFieldThatIsReadArrives() throws {
        let outcome = read(
            payload([
                "originalTransactionId": "\"2000000000000000\"", "webOrderLineItemId": "\"77\"",
                "expiresDate": "\(january + 1000)", "quantity": "3", "type": "\"Auto-Renewable Subscription\"",
                "appAccountToken": "\"7E3FB20B-4CDB-47CC-936D-99D65F608138\"",
                "inAppOwnershipType": "\"FAMILY_SHARED\"", "revocationDate": "\(january + 500)",
                "revocationReason": "1", "revocationType": "\"REFUND_PRORATED\"", "revocationPercentage": "50000",
                "isUpgraded": "true", "transactionReason": "\"RENEWAL\"", "environment": "\"Sandbox\"",
                "storefront": "\"JPN\"", "price": "230000",
                "currency": "\"JPY\"",
            ]))
        var expected = Transaction(
            id: "2000000000000001", product: "coins_60", purchasedAt: Instant(milliseconds: january),
            environment: .sandbox, proof: .vouched, source: source)
        expected.original = "2000000000000000"
        expected.line = "77"
        expected.bundle = "com.example.game"
        expected.expiresAt = Instant(milliseconds: january + 1000)
        expected.signedAt = Instant(milliseconds: january + 400)
        expected.token = Token("7e3fb20b-4cdb-47cc-936d-99d65f608138")
        expected.price = Price(thousandths: 230_000, currency: "JPY")
        expected.revocation = Revocation(
            at: Instant(milliseconds: january + 500), type: .refundProrated, reason: 1, percentage: 50_000)
        expected.storefront = "JPN"
        expected.quantity = 3
        expected.type = .autoRenewable
        expected.ownership = .familyShared
        expected.isUpgraded = true
        expected.reason = .renewal
        #expect(outcome.transactions == [expected])
        #expect(outcome.rejects.isEmpty && outcome.verified.isEmpty)
    }

    @Test(arguments: [
        ("0", nil), ("00", nil), ("0.0", nil), ("", nil), ("081", "81"), ("81.0", "81"), (" 81 ", "81"), ("L1", "L1"),
    ])
    func aLineItemIsReadAsAppleWritesIt(text: String, line: String?) throws {
        let outcome = read(payload(["webOrderLineItemId": "\"\(text)\""]))
        #expect(try #require(outcome.transactions.first).line?.text == line)
    }

    @Test(arguments: ["", "\"2000000000000000\""])
    func aRestoreIsDatedByItsOriginal(original: String) throws {
        let fields = ["type": "\"Non-Consumable\"", "originalPurchaseDate": "\(january - 1000)"]
        let outcome = read(payload(fields.merging(["originalTransactionId": original]) { $1 }))
        #expect(try #require(outcome.transactions.first).purchasedAt == Instant(milliseconds: january - 1000))
    }

    @Test func whatIsAbsentIsTheConfiguredOneOrUnknown() throws {
        let outcome = read(payload(["environment": "", "bundleId": "", "signedDate": "null"]))
        let transaction = try #require(outcome.transactions.first)
        #expect(transaction.environment == .production)
        #expect(transaction.bundle == "com.example.game")
        #expect(transaction.signedAt == nil && transaction.price == nil && transaction.type == nil)
        #expect(transaction.quantity == 1 && transaction.revocation == nil && transaction.ownership == .purchased)
    }

    @Test(arguments: ["\"\(january)\"", "\(january)", "\(january).7297", "\"\(january).5\"", "\(january / 1000)"])
    func datesMayBeTextOrNumbersWithFractions(date: String) {
        #expect(read(payload(["purchaseDate": date])).transactions.first?.purchasedAt.milliseconds == january)
    }

    @Test func idsMayBeNumbers() {
        let outcome = read(payload(["transactionId": "704897469903383919"]))
        #expect(outcome.transactions.map(\.id) == ["704897469903383919"])
    }

    @Test(arguments: [
        ("transactionId", ""), ("transactionId", "\"\""), ("transactionId", "\"0\""), ("transactionId", "null"),
        // Other programs' spellings of an id would be second payments.
        ("transactionId", "\"02000000000000001\""), ("transactionId", "2000000000000001.0"),
        ("transactionId", "2.0e15"), ("transactionId", "\" 1001\""), ("transactionId", "\"+1001\""),
        ("transactionId", "[]"), ("transactionId", "\"a\\u0000b\""), ("productId", ""), ("productId", "true"),
        ("purchaseDate", ""), ("purchaseDate", "\"yesterday\""), ("purchaseDate", "-1"), ("purchaseDate", "\"1.\""),
        ("purchaseDate", "\(january).5e3"), ("purchaseDate", "99999999999999"), ("signedDate", "\"soon\""),
        ("revocationDate", "\"soon\""), ("quantity", "0"), ("quantity", "1000001"), ("quantity", "1.5"),
        ("price", "-1"), ("price", "\"free\""), ("price", "19.9"),
    ])
    func whatDecidesAndCannotBeReadIsARejectThatNamesTheField(column: String, value: String) {
        let outcome = read(payload([column: value]))
        #expect(outcome.rejectedColumns == [column])
        #expect(outcome.transactions.isEmpty && outcome.isRejected)
    }

    /// docs/spec/rules.md#future-times: a filler, or a copy that claims to be the newest for ever.
    @Test(arguments: ["purchaseDate", "signedDate", "revocationDate"])
    func anUnsignedRecordOfMoreThanADayAheadIsAReject(column: String) {
        let latest = settings().now.milliseconds + 86_400_000
        #expect(read(payload([column: "\(latest)"])).transactions.count == 1)
        for late in [latest + 1, 4_102_358_400_000] {
            let outcome = read(payload([column: "\(late)"]))
            #expect(outcome.rejectedColumns == [column] && outcome.isRejected)
            #expect(outcome.rejects.first?.reason.contains("is in the future; write when it happened") == true)
        }
        #expect(read(payload(["expiresDate": "4102358400000"])).transactions.count == 1)
    }

    @Test(arguments: [
        "appAccountToken": "\"not a uuid\"", "type": "\"Consumable 2\"", "inAppOwnershipType": "\"RENTED\"",
        "environment": "\"Moon\"", "revocationType": "\"REFUND_SEATS\"", "revocationPercentage": "100001",
        "revocationReason": "\"because\"", "currency": "\"dollars\"", "isUpgraded": "\"maybe\"",
        "transactionReason": "\"GIFT\"",
        "multiSeatInfo": "{\"seats\":[1,2]}", "status": "null",
    ])
    func unknownFieldsAndWordsNeverFailARecord(field: String, value: String) {
        let outcome = read(payload([field: value, "price": "1990"]))
        #expect(outcome.transactions.count == 1, "\(outcome.rejects)")
    }

    @Test func aPriceOfZeroIsAPriceAndOneWithoutCurrencyIsNone() {
        let free = read(payload(["price": "0", "currency": "\"USD\""])).transactions.first
        #expect(free?.price == Price(thousandths: 0, currency: "USD"))
        #expect(read(payload(["price": "1990"])).transactions.first?.price == nil)
    }

    @Test func anUnknownEnvironmentIsAnotherOne() {
        #expect(read(payload(["environment": "\"LocalTestingxxx\""])).transactions.first?.environment == .other)
    }

    @Test func aRecordOfAnotherAppIsInvalid() {
        let transaction = read(payload(["bundleId": "\"com.example.other\""])).transactions.first
        #expect(transaction?.proof == .invalid && transaction?.failure == .wrongBundle)
    }

    @Test func underSignatureTrustItIsARejectThatSaysSo() {
        let outcome = read(payload(), trusted: false)
        #expect(outcome.isRejected)
        #expect(outcome.rejects.first?.reason.contains("trust") == true)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{}x", "{\"transactionId\":\"1\",\"transactionId\":\"2\"}", "\u{FEFF}{}",
        "{\"a\":\"\u{1}\"}",
        String(repeating: "[", count: 100_000), "{\"a\":" + String(repeating: "{\"a\":", count: 100_000),
    ])
    func garbageIsAReject(line: String) {
        let outcome = read(line)
        #expect(outcome.isRejected && outcome.rejects.count == 1)
    }

    @Test func aLineCutAnywhereIsAReject() {
        let whole = Array(payload(["price": "1990", "currency": "\"USD\""]).utf8)
        for length in 0..<whole.count {
            #expect(read(Array(whole[..<length])).isRejected, "cut after \(length) bytes")
        }
        #expect(read(whole).transactions.count == 1)
    }
}
