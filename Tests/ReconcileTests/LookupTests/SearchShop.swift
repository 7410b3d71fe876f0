import Domain
import Foundation

@testable import Ledger
@testable import Reconcile

/// A shop of seven nights with the purchases that Tests/Fixtures/desk-messages.txt asks for.
struct SearchShop {
    let desk: DeskFolder

    private struct Purchase {
        /// Minutes since the beginning of the night's date.
        var minute: Int
        var product: String
        /// In thousandths, as Apple writes it.
        var price: Int
        var currency = "CNY"
        var storefront = "CHN"
        /// Nil where Apple's record names nobody.
        var account: String?
        var isDelivered = true
    }

    /// By night, and the last four digits of the transaction.
    private static let purchases: [(night: Int, end: String, purchase: Purchase)] = [
        (6, "4170", Purchase(minute: 957, product: "vip_monthly", price: 25_000, account: nil)),
        (6, "4288", Purchase(minute: 940, product: "vip_monthly", price: 25_000, account: "u3001")),
        (6, "4306", Purchase(minute: 1212, product: "coins_60", price: 6_000, account: "u3002")),
        (6, "4391", Purchase(minute: 1435, product: "coins_300", price: 30_000, account: "u3008")),
        (5, "3950", Purchase(minute: 1438, product: "coins_300", price: 30_000, account: "u3003", isDelivered: false)),
        (5, "3817", Purchase(minute: 903, product: "coins_60", price: 6_000, account: "u3004")),
        (
            5, "3733",
            Purchase(
                minute: 570, product: "coins_60", price: 120_000, currency: "JPY", storefront: "JPN", account: "u3009")
        ),
        (3, "2664", Purchase(minute: 680, product: "coins_980", price: 98_000, account: "u3005", isDelivered: false)),
        (
            3, "2571",
            Purchase(minute: 545, product: "gems", price: 4_990, currency: "USD", storefront: "USA", account: "u3006")
        ),
        (
            0, "1492",
            Purchase(
                minute: 600, product: "gems", price: 4_990, currency: "USD", storefront: "USA", account: "u3007",
                isDelivered: false)
        ),
    ]

    static func transaction(_ end: String) -> String { "200000087000" + end }

    init(settings: String = "") throws {
        desk = try DeskFolder.copy(of: "search \(settings)") {
            try SearchShop(in: DeskFolder(settings: settings), settings).desk
        }
    }

    private init(in desk: DeskFolder, _ settings: String) throws {
        self.desk = desk
        try configure(settings: settings)
        try desk.folder.write(
            """
            product_id,name,amount,currency
            coins_60,60 金币 60 Coins,6.00,CNY
            coins_300,300 金币 300 Coins,30.00,CNY
            coins_980,980 金币 980 Coins,98.00,CNY
            vip_monthly,尊享月卡 VIP Monthly,25.00,CNY
            gems,宝石 Gems,4.99,USD

            """, to: "products.csv")
        for night in 0...6 { try deliver(night) }
        let ledger = try Ledger(path: desk.folder.path + "/ledger.sqlite")
        try ledger.begin()
        try ledger.write([OrderLookup(emailedOrder: "ML5R8Y7P3Q", transaction: Identifier(Self.transaction("2664")))])
        try ledger.commit()
    }

    private func configure(settings: String) throws {
        let feeds = ["orders", "credits", "receipts", "acks"].map {
            #"{ kind: "\#($0)", path: "inbox/\#($0)-{date}.csv" }"#
        }
        try desk.folder.write(
            """
            { app: { bundleIDs: ["com.example.game"] }, timeZone: "Asia/Shanghai", retry: { enabled: false },
              \(settings) guard: { rows: 0, uncredited: 1 }, feeds: [
                \(feeds.joined(separator: ", ")), { kind: "products", path: "products.csv" },
                { kind: "transactions", path: "inbox/transactions-{date}.jsonl", trust: "backend" } ] }
            """, to: "reconcile.json")
    }

    private func deliver(_ night: Int) throws {
        let start = Zone("Asia/Shanghai")!.start(of: DeskFolder.first.advanced(by: night)).milliseconds
        var (orders, credits, transactions): ([String], [String], [String]) = ([], [], [])
        for (day, end, purchase) in Self.purchases where day == night {
            let (id, at) = (Self.transaction(end), start + Int64(purchase.minute) * 60_000 + 56_000)
            let time = Instant(milliseconds: at).text
            let token =
                purchase.account.map { #","appAccountToken":"\#(TicketShop.token("u2000" + $0.dropFirst()))""# } ?? ""
            transactions.append(
                #"{"transactionId":"\#(id)","productId":"\#(purchase.product)","purchaseDate":\#(at),"quantity":1,"#
                    + #""type":"Consumable","environment":"Production","bundleId":"com.example.game","#
                    + #""price":\#(purchase.price),"currency":"\#(purchase.currency)","storefront":"#
                    + #""\#(purchase.storefront)","signedDate":\#(at)\#(token)}"#)
            guard let account = purchase.account else { continue }
            let order = "SG" + desk.date(night).replacing("-", with: "") + "000000" + end
            let price = Money(
                minor: Int64(purchase.price / (purchase.currency == "JPY" ? 1000 : 10)),
                currency: Currency(purchase.currency)!)
            orders.append(
                "\(order),\(account),\(purchase.product),1,\(price.text),\(purchase.currency),"
                    + "\(TicketShop.token("u2000" + account.dropFirst())),\(id),paid,\(time),")
            if purchase.isDelivered {
                credits.append("CR\(end),\(order),\(id),\(account),credit,auto,\(time)")
            }
        }
        try desk.deliver("orders", orders, night: night)
        try desk.deliver("credits", credits, night: night)
        try desk.deliver("receipts", night: night)
        try desk.deliver("acks", night: night)
        try desk.folder.write(
            transactions.joined(separator: "\n") + "\n", to: "inbox/transactions-\(desk.date(night)).jsonl")
        try desk.night(night)
    }
}
