import Domain
import Foundation

/// Purchases of a shop that exports them in its own way.
struct Purchase {
    let number: Int
    let transaction: String
    let product: String
    let account: String
    let order: String
    let token: String
    /// When Apple was paid, in milliseconds; the order is 40 s older, the credit 9 s younger.
    let paid: Int64
    /// In minor units.
    let price: Int
    let quantity: Int

    /// Purchases of a day in the summer, two by each account. Every fifth is of two pieces.
    static func all(_ count: Int = 12, first: Int = 0, seed: Int = 0) -> [Purchase] {
        let prices = [600, 3000, 6800, 1200]
        return (first..<first + count).map { number in
            let quantity = number % 5 == 4 ? 2 : 1
            return Purchase(
                number: number, transaction: "20000009\(50_000_000 + seed * 1_000_000 + number * 7919)",
                product: "com.shop.coins\(number % 4)", account: String(70_001 + seed * 1000 + number / 2),
                order: String(90_001_000 + number), token: UUID(number / 2 + seed * 100),
                paid: 1_783_900_800_000 + Int64(number) * 1_000_000 + Int64(seed) * 3_000,
                price: prices[number % 4] * quantity, quantity: quantity)
        }
    }

    private static func UUID(_ number: Int) -> String {
        "0f8fad5b-d9cb-469f-a165-" + String(70_867_728_9500 + number)
    }

    /// Apple's record, decoded.
    var record: String {
        """
        {"transactionId":"\(transaction)","originalTransactionId":"\(transaction)","bundleId":"com.shop.game",\
        "productId":"\(product)","purchaseDate":\(paid),"quantity":\(quantity),"type":"Consumable","inAppOwnershipType":"PURCHASED",\
        "signedDate":\(paid + 1000),"environment":"Production","price":\(price * 10),"currency":"CNY","appAccountToken":"\(token)"}
        """
    }

    var major: String { "\(price / 100).\(price % 100 < 10 ? "0" : "")\(price % 100)" }

    /// The time as a clock shows it in a zone, by default so many seconds after the payment.
    func clock(_ format: String, _ zone: String, after seconds: Int64 = -40) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: zone)
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: Double(paid / 1000 + seconds)))
    }
}

extension [Purchase] {
    var records: [String] { map(\.record) }

    func rows(_ header: String? = nil, _ row: (Purchase) -> String) -> [String] {
        (header.map { [$0] } ?? []) + map(row)
    }
}
