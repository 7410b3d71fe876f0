import Domain
import Foundation

@testable import Ledger
@testable import Reconcile

/// A shop of seven nights with one customer for each kind of ticket that a desk gets. The account is named by tokens.
struct TicketShop {
    let desk: DeskFolder
    private var rows: [String: [Int: [String]]] = [:]
    private var count = 0

    static let pasted = "您好我的订单号是DD2026111899000006 交易号 510001000000006 充值98元没到账"

    init() throws {
        desk = try DeskFolder.copy(of: "tickets") { try TicketShop(in: DeskFolder(retry: "{}")).desk }
    }

    private init(in desk: DeskFolder) throws {
        self.desk = desk
        let feeds = ["orders", "credits", "receipts", "acks"].map {
            #"{ kind: "\#($0)", path: "inbox/\#($0)-{date}.csv" }"#
        }
        try desk.folder.write(
            """
            { app: { bundleIDs: ["com.example.game"] }, timeZone: "Asia/Shanghai", guard: { rows: 0 }, feeds: [
                \(feeds.joined(separator: ", ")),
                { kind: "order-lookups", path: "inbox/lookups-{date}.jsonl" },
                { kind: "products", path: "products.csv" },
                { kind: "transactions", path: "inbox/transactions-{date}.jsonl", trust: "backend" } ] }
            """, to: "reconcile.json")
        try desk.folder.write("product_id,name,amount,currency\ncoins_980,980 金币,98.00,CNY\n", to: "products.csv")
        losses()
        accounts()
        proofs()
        others()
        for night in 0...6 {
            for feed in ["orders", "credits", "receipts", "acks"] {
                try desk.deliver(feed, rows[feed]?[night] ?? [], night: night)
            }
            for feed in ["transactions", "lookups"] {
                let lines = rows[feed]?[night] ?? [""]
                try desk.folder.write(
                    lines.joined(separator: "\n") + "\n", to: "inbox/\(feed)-\(desk.date(night)).jsonl")
            }
            try desk.night(night)
        }
        // Only a signed answer of Apple's names a transaction, and nothing here is signed.
        let ledger = try Ledger(path: desk.folder.path + "/ledger.sqlite")
        try ledger.begin()
        try ledger.write([OrderLookup(emailedOrder: "MK6H4T2Z9P", transaction: "510001000000001")])
        try ledger.commit()
    }

    static func token(_ account: String) -> String {
        "1d625e20-8e90-4318-1cf0-" + String(repeating: "0", count: 12 - account.dropFirst().count) + account.dropFirst()
    }

    private func time(_ night: Int, _ hour: Int, _ minute: Int = 0) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return desk.date(night) + "T\(two(hour)):\(two(minute)):00+08:00"
    }

    private mutating func add(_ feed: String, _ night: Int, _ row: String) {
        rows[feed, default: [:]][night, default: []].append(row)
    }

    private mutating func order(
        _ id: String, _ account: String, _ status: String, _ night: Int, _ hour: Int, product: String = "coins_980",
        minute: Int = 0, transaction: String = "", amount: String = "98.00"
    ) {
        add(
            "orders", night,
            "\(id),\(account),\(product),1,\(amount),CNY,\(Self.token(account)),\(transaction),\(status),"
                + "\(time(night, hour, minute)),")
    }

    private mutating func purchase(
        _ id: String, _ account: String?, _ night: Int, _ hour: Int, product: String = "coins_980", minute: Int = 5,
        price: Int = 98_000, more: String = ""
    ) {
        let zone = Zone("Asia/Shanghai")!
        let at =
            zone.start(of: DeskFolder.first.advanced(by: night)).milliseconds
            + Int64(hour * 3_600_000 + minute * 60_000)
        let token = account.map { #","appAccountToken":"\#(Self.token($0))""# } ?? ""
        let fixed = more.contains("\"type\"") ? "" : #","type":"Consumable""#
        let environment = more.contains("environment") ? "" : #","environment":"Production""#
        let signed = more.contains("signedDate") ? "" : #","signedDate":\#(at)"#
        add(
            "transactions", night,
            #"{"transactionId":"\#(id)","productId":"\#(product)","purchaseDate":\#(at),"quantity":1,"#
                + #""bundleId":"com.example.game","price":\#(price),"currency":"CNY"\#(token)"#
                + "\(fixed)\(environment)\(signed)\(more)}")
    }

    private mutating func credit(
        _ id: String, _ order: String, _ transaction: String, _ account: String, _ night: Int, _ hour: Int,
        kind: String = "credit", origin: String = "auto"
    ) {
        add("credits", night, "\(id),\(order),\(transaction),\(account),\(kind),\(origin),\(time(night, hour, 10))")
    }

    /// Apps that were killed after the payment: the order stays open, and the transaction has the account's token.
    private mutating func losses() {
        for (transaction, account, order, night) in [
            ("510001000000001", "u20000001", "DD2026111899000001", 3),
            ("510001000000006", "u20000006", "DD2026111899000006", 3),
            ("510001000000035", "u20000035", "DD2026112199000035", 6),
        ] {
            self.order(order, account, "pending", night, 14)
            purchase(transaction, account, night, 14)
        }
        add("lookups", 3, #"{"order_id":"ML7Q2W8E4R","response":{"status":1}}"#)
        order("DD2026112199000033", "u20000033", "pending", 6, 23, minute: 50)
        purchase("510001000000033", "u20000033", 6, 23, minute: 55)
        order("DD2026111999000041", "u20000041", "failed", 4, 17, transaction: "510001000000041")
        purchase("510001000000041", "u20000041", 4, 17)
        purchase("510001000000040", nil, 4, 16)
    }

    /// An account that bought 60 times and lost one, and one that paid twice and was credited once.
    private mutating func accounts() {
        for number in 0..<60 {
            let (night, hour) = (number % 7, 8 + number % 12)
            let (order, transaction) = ("DD202611980\(10_000 + number)", "51000200000\(1_000 + number)")
            if number == 33 {
                self.order(order, "u20000017", "pending", night, hour, product: "coins_60", amount: "6.00")
                purchase(transaction, "u20000017", night, hour, product: "coins_60", price: 6_000)
            } else {
                self.order(order, "u20000017", "credited", night, hour, transaction: transaction)
                purchase(transaction, "u20000017", night, hour)
                credit("CRW\(number)", order, transaction, "u20000017", night, hour)
            }
        }
        order("DD2026112099000030", "u20000030", "credited", 5, 12, transaction: "510001000000030")
        purchase("510001000000030", "u20000030", 5, 12)
        credit("CRT30", "DD2026112099000030", "510001000000030", "u20000030", 5, 12)
        order("DD2026112099000031", "u20000030", "pending", 5, 12, minute: 20)
        purchase("510001000000031", "u20000030", 5, 12, minute: 21)
        order("DD2026112099000032", "u20000032", "credited", 5, 13, transaction: "510001000000032")
        purchase("510001000000032", "u20000032", 5, 13)
        credit("CRX32", "DD2026112099000032", "510001000000032", "u20000099", 5, 13)
    }

    private mutating func proofs() {
        for (receipt, account, order, transaction, night) in [
            ("RCBLOB01", "u20000018", "DD2026111999000018", "510001000000018", 4),
            ("RCDEV01", "u20000023", "DD2026112099000023", "510001000000023", 5),
        ] {
            self.order(order, account, "pending", night, 9)
            purchase(transaction, account, night, 9)
            let device = receipt == "RCDEV01" ? "4F6D1A2B-0C3D-4E5F-8A9B-112233445566" : ""
            add("receipts", night, "\(receipt),\(time(night, 10)),\(account),\(order),\(transaction),0,\(device)")
        }
        let renewal = #","type":"Auto-Renewable Subscription","originalTransactionId":"510003000000300""#
        for number in 301...330 {
            purchase("510003000000\(number)", "u20000050", 0, 9, product: "vip_month", price: 30_000, more: renewal)
            credit("CRSUB\(number)", "", "510003000000\(number)", "u20000050", 0, 9)
        }
        for (number, night) in [0, 3, 6].enumerated() {
            let transaction = "51000100000020\(number)"
            purchase(
                transaction, "u20000020", night, 9, product: "vip_month", price: 30_000,
                more: #","type":"Auto-Renewable Subscription","originalTransactionId":"510001000000200","#
                    + #""webOrderLineItemId":"51000077700000\#(number)""#)
            let order = number == 0 ? "DD2026111599000020" : ""
            if number == 0 {
                self.order(
                    order, "u20000020", "credited", night, 9, product: "vip_month", transaction: transaction,
                    amount: "30.00")
            }
            if number != 1 { credit("CRSUB\(number)", order, transaction, "u20000020", night, 9) }
        }
    }

    private mutating func others() {
        let refundedAt = Zone("Asia/Shanghai")!.start(of: DeskFolder.first.advanced(by: 2)).milliseconds
        let refund = #","revocationDate":\#(refundedAt),"revocationReason":0,"signedDate":\#(refundedAt + 1)"#
        for number in [26, 27] {
            let (order, transaction) = ("DD20261116990000\(number)", "5100010000000\(number)")
            self.order(order, "u200000\(number)", "credited", 1, 9, transaction: transaction)
            purchase(transaction, "u200000\(number)", 1, 9, more: refund)
            credit("CRREF\(number)", order, transaction, "u200000\(number)", 1, 9)
        }
        credit("CRREF26R", "DD2026111699000026", "510001000000026", "u20000026", 2, 10, kind: "reversal")
        order("DD2026111999000028", "u20000028", "credited", 4, 20, transaction: "510001000000028")
        purchase("510001000000028", "u20000028", 4, 20)
        credit("CRM28", "DD2026111999000028", "510001000000028", "u20000028", 4, 20)
        order("DD2026111999000029", "u20000029", "pending", 4, 21, transaction: "510001000000029")
        purchase("510001000000029", "u20000029", 4, 21, more: #","environment":"Sandbox""#)
        order("DD2026112099000038", "u20000038", "paid", 5, 15)
        order("DD2026111899000039", "u20000039", "credited", 3, 11, transaction: "510001000000039")
        purchase("510001000000039", "u20000039", 3, 11)
        credit("CRD39", "DD2026111899000039", "510001000000039", "u20000039", 3, 12, origin: "desk")
        credit("CRD39B", "DD2026111899000039", "510001000000039", "u20000039", 3, 13)
    }
}
