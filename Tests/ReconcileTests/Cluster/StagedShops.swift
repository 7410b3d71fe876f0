import Domain
import Foundation

@testable import Reconcile
@testable import Reference
@testable import Signing

/// A shop with tokens per account.
enum StagedShop {
    static func folder() throws -> NightFolder {
        let folder = try NightFolder(required: [.orders])
        try folder.addFeed(#"{kind: "acks", path: "inbox/acks-{date}.csv"}"#)
        return folder
    }

    /// Eight purchases of a day: every third without its credit, every fourth with an order that names no transaction.
    static func deliver(_ number: Int, into folder: NightFolder) throws {
        let range = 0..<8
        func account(_ index: Int) -> Identifier { index % 2 == 0 ? "e\u{301}" : "\u{E9}" }
        func token(_ index: Int) -> Token { Token(high: 7, low: UInt64(1 + index % 2)) }
        func id(_ index: Int) -> Identifier { Identifier("20000000000\(number)\(100 + index)") }
        func order(_ index: Int) -> Identifier { Identifier("ORD100000\(number)\(100 + index)") }
        try folder.deliver(
            file(.orders, number) { rows in
                rows.orders = range.map { index in
                    var row = Order(
                        id: order(index), account: account(index), product: "coins",
                        status: index % 4 == 0 ? .pending : .paid, createdAt: noon(number))
                    row.token = token(index)
                    if index % 4 != 0 { row.transaction = id(index) }
                    return row
                }
            })
        try folder.deliver(
            file(.transactions, number) { rows in
                rows.transactions = range.map { index in
                    var row = Transaction(id: id(index), product: "coins", purchasedAt: noon(number))
                    row.price = Price(thousandths: 6000, currency: "CNY")
                    row.token = token(index)
                    if number == 1, index == 5 { row.revocation = Revocation(at: noon(1), type: .refundFull) }
                    return row
                }
            })
        try folder.deliver(
            file(.credits, number) { rows in
                rows.credits = range.filter { $0 % 3 != 0 }.map { index in
                    var row = Credit(
                        id: Identifier("C\(number)\(1000 + index)"), account: account(index),
                        origin: index == 4 ? .desk : .auto, creditedAt: noon(number))
                    row.order = order(index)
                    if index != 4 { row.transaction = id(index) }
                    return row
                }
            })
    }

    static func firstExceptions(_ folder: NightFolder, _ count: Int) throws -> [String] {
        let lines = try folder.folder.read("out/latest/exceptions.csv").split(separator: "\n")
        return lines.dropFirst().prefix(count).compactMap { line in
            line.split(separator: ",").first { $0.hasPrefix("E") && $0.count == 17 }.map(String.init)
        }
    }

    static func firstKey(_ folder: NightFolder) throws -> String? {
        let line = try folder.folder.read("out/latest/retry-manifest.jsonl").split(separator: "\n").first
        return line.flatMap { $0.firstMatch(of: /"key":"([^"]*)"/) }.map { String($0.1) }
    }

    /// A paid purchase that no order belongs to, and a failed order of the same account by which the desk gave the goods.
    static func deliverByDesk(into folder: NightFolder) throws {
        var order = Order(id: "ORD9", account: "z", product: "coins", status: .failed, createdAt: noon(0))
        order.updatedAt = noon(0)
        var purchase = Transaction(id: "29", product: "coins", purchasedAt: noon(0) + .minutes(1))
        purchase.price = Price(thousandths: 6000, currency: "CNY")
        var credit = Credit(id: "C9", account: "z", origin: .desk, creditedAt: noon(0) + .hours(2))
        credit.order = order.id
        var receipt = Receipt(id: "R9", content: .absent, account: "z", receivedAt: noon(0) + .minutes(2))
        (receipt.transaction, receipt.verifyStatus) = (purchase.id, 0)
        try folder.deliver(file(.orders, 0) { $0.orders = [order] }, suffix: "-desk")
        try folder.deliver(file(.transactions, 0) { $0.transactions = [purchase] }, suffix: "-desk")
        try folder.deliver(file(.credits, 0) { $0.credits = [credit] }, suffix: "-desk")
        try folder.deliver(file(.receipts, 0) { $0.receipts = [receipt] }, suffix: "-desk")
    }

    /// In the first night a payment of weeks ago with its order, in the second one goods of before.
    static func deliverBreak(_ number: Int, into folder: NightFolder) throws {
        let at = noon(0) + .days(-30)
        let order = Order(id: "ORD8", account: "y", product: "coins", status: .paid, createdAt: at)
        var purchase = Transaction(id: "200000000999998", product: "coins", purchasedAt: at + .minutes(1))
        purchase.price = Price(thousandths: 6000, currency: "CNY")
        var credit = Credit(id: "C8", account: "y", origin: .auto, creditedAt: at + .days(-30))
        credit.transaction = "200000000999997"
        if number > 0 { return try folder.deliver(file(.credits, number) { $0.credits = [credit] }, suffix: "-old") }
        try folder.deliver(file(.orders, number) { $0.orders = [order] }, suffix: "-old")
        try folder.deliver(file(.transactions, number) { $0.transactions = [purchase] }, suffix: "-old")
    }
}

/// A shop whose transactions, receipts and look-ups are signed. Each case is of an account of its own.
///
/// No two signatures are the same, so everything is signed once.
struct SignedShop {
    private let chain = TestChain()
    private let purchases: [Int: String]
    private let forged: [Int: String]
    /// Purchase 25 as it was signed at the same time for another price.
    private let cheaper: String
    /// Data of receipts: of this app, and of another.
    private let genuine: String
    private let foreign: String

    init() {
        func signed(_ id: Int, by signer: TestChain, price: Int = 6000) -> String {
            let fields = [
                "transactionId": "\"\(id)\"", "type": "\"Consumable\"", "purchaseDate": "\(noon(0).milliseconds)",
                "signedDate": "\(noon(0).milliseconds + 1)", "productId": "\"coins\"", "price": "\(price)",
                "currency": "\"CNY\"",
            ]
            return "\"" + TestJWS(payload(fields), signer).text + "\""
        }
        func data(_ bundle: String) -> String {
            // Two records of one subscription period.
            let listed = ["31", "32"].map {
                TestReceipt.purchase(
                    $0, at: noon(0).text, product: "coins", more: [attribute(1707, integer(3))])
            }
            let receipt = TestReceipt(bundle: bundle, createdAt: noon(0).text, purchases: listed)
            return base64(TestContainer(receipt.content).der)
        }
        let chain = chain
        purchases = Dictionary(uniqueKeysWithValues: (21...28).map { ($0, signed($0, by: chain)) })
        cheaper = signed(25, by: chain, price: 5000)
        let stranger = TestChain()
        forged = Dictionary(uniqueKeysWithValues: [24, 26].map { ($0, signed($0, by: stranger)) })
        (genuine, foreign) = (data("com.example.game"), data("com.example.other"))
    }

    func folder() throws -> NightFolder {
        let folder = try NightFolder(required: [.orders])
        try folder.addFeed(#"{kind: "order-lookups", path: "inbox/lookups-{date}.jsonl"}"#)
        let text = try folder.folder.read("reconcile.json")
        try folder.folder.write(
            text.replacing("feeds: [", with: #"trustedRoots: ["root.der", "receipts.der"], feeds: ["#),
            to: "reconcile.json")
        for (root, name) in [(chain.root, "root.der"), (ReceiptChain.good.root, "receipts.der")] {
            try Data(root.der).write(to: URL(fileURLWithPath: folder.folder.path + "/" + name))
        }
        return folder
    }

    private func answer(_ transactions: [String]) -> String {
        "{\"signedTransactions\":[\(transactions.joined(separator: ","))]}\n"
    }

    private func lookup(_ order: String, _ status: Int, _ transactions: [String]) -> String {
        let response = "{\"status\":\(status),\"signedTransactions\":[\(transactions.joined(separator: ","))]}"
        return "{\"order_id\":\"\(order)\",\"response\":\(response)}\n"
    }

    /// Purchases 21 to 28 are signed, and 31 and 32 are in the data of receipts. Night 0 delivers most of them, a forged
    /// copy of 24, and 26 only forged. Night 1 delivers the answers again, one of them with purchase 27. Night 2 delivers known purchases only.
    func deliver(_ number: Int, into folder: NightFolder) throws {
        func write(_ text: String, _ name: String) throws { try folder.folder.write(text, to: "inbox/" + name) }
        let date = day(number).text
        let known = (21...24).map { purchases[$0]! }
        let rows = [
            [answer(known), answer([forged[24]!, purchases[25]!, cheaper, forged[26]!])],
            [answer(known + [purchases[27]!]), answer(Array(known.reversed()))], [answer(known)],
        ]
        try write(rows[number].joined(), "transactions-\(date).jsonl")
        let lookups = [
            [lookup("MK5TTTVWJH", 0, [known[0], known[1], purchases[28]!]), lookup("MKUNKNOWN1", 1, [])],
            [lookup("MK5TTTVWJH", 0, [known[1], known[0]]), lookup("MKANOTHER1", 0, [known[2]])],
            [lookup("MKANOTHER1", 0, [known[2], known[3]]), lookup("MKOTHER222", 0, [known[3], known[0]])],
        ]
        try write(lookups[number].joined(), "lookups-\(date).jsonl")
        try folder.deliver(
            file(.orders, number) { rows in
                rows.orders = [21...25, 26...28, 29...29][number].map { id in
                    var order = Order(
                        id: Identifier("ORD\(id)"), account: Identifier("a\(id)"), product: "coins", status: .paid,
                        createdAt: noon(0))
                    if id != 22 { order.transaction = Identifier("\(id)") }
                    return order
                }
            }, suffix: "-\(number)")
        try folder.deliver(
            file(.credits, number) { rows in
                rows.credits = [[21, 23], [27], [28]][number].map { id in
                    var credit = Credit(
                        id: Identifier("C\(id)"), account: Identifier("a\(id)"), creditedAt: noon(number))
                    (credit.order, credit.transaction) = (Identifier("ORD\(id)"), Identifier("\(id)"))
                    return credit
                }
            })
        let header = "receipt_id,transaction_id,account_id,received_at,verify_status,receipt_data\n"
        let receipts = [
            [
                "R1,31,a31,\(noon(0)),21005,\(genuine)", ",32,a32,\(noon(0)),0,\(genuine)",
                "R3,33,a33,\(noon(0)),0,\(genuine)", ",,a35,\(noon(0)),0,",
            ],
            ["R1,31,a31,\(noon(0)),21005,\(genuine)", "R4,32,a34,\(noon(0)),0,\(foreign)"],
            [",,a35,\(noon(0)),0,", ",32,a32,\(noon(0)),0,\(genuine)"],
        ]
        try write(header + receipts[number].joined(separator: "\n") + "\n", "receipts-\(date).csv")
    }
}
