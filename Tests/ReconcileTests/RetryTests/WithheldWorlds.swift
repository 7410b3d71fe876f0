import Testing

/// What may have been given for a purchase already, and what must not be mistaken for that.
extension WithheldEntryTests {
    /// What stands beside one purchase of acct-1 at noon of night 1, whose token an older order of the account carries.
    struct Beside: Sendable, CustomTestStringConvertible {
        var name: String
        var orders: [String] = []
        var credits: [String] = []
        var transactions = ""
        /// Further members of that transaction.
        var members = ""
        /// Further members of the purchase.
        var own = ""
        var receipts: [String] = []
        /// Orders of the night before.
        var earlier: [String] = []
        /// Credits of the night before.
        var earlierCredits: [String] = []
        /// The orders stand in the file of four days before, which came then with `earlier` and comes again.
        var isOldFile = false
        /// Settings of the configuration.
        var settings = ""
        /// In place of acct-1.
        var account = "acct-1"
        /// Nil if nothing speaks against the entry.
        var reason: String?
        var testDescription: String { name }
    }

    static func order(
        _ id: String, _ fields: String, status: String = "pending", at: String, of transaction: String = ""
    ) -> String {
        "\(id),acct-1,\(fields),CNY,\(token),\(transaction),\(status),2025-11-\(at):00:00+08:00,"
    }

    static let worlds: [Beside] = [
        Beside(name: "nothing", reason: nil),
        Beside(
            name: "an order of the day before that was credited",
            orders: [order("O1", "coins,1,6.00", at: "01T10")],
            credits: ["C1,O1,,acct-1,credit,auto,2025-11-02T12:01:00+08:00"],
            reason: "credit_unplaced"),
        Beside(
            name: "an order after the payment that was credited",
            orders: [order("O1", "coins,1,6.00", at: "02T13")],
            credits: ["C1,O1,,acct-1,credit,auto,2025-11-02T13:01:00+08:00"],
            reason: "credit_unplaced"),
        Beside(
            name: "an order of another product that was credited",
            orders: [order("O1", "chest,1,30.00", at: "02T11")],
            credits: ["C1,O1,,acct-1,credit,auto,2025-11-02T12:01:00+08:00"],
            reason: "credit_unplaced"),
        Beside(
            name: "an order that says that it was credited",
            orders: [order("O1", "coins,1,6.00", status: "credited", at: "01T10")], reason: "credit_unplaced"),
        Beside(
            name: "an order of the hour before whose credit has an old time",
            orders: [order("O1", "coins,1,6.00", at: "02T11")],
            credits: ["C1,O1,,acct-1,credit,auto,2025-08-10T12:01:00+08:00"],
            reason: "credit_on_record"),
        Beside(
            name: "another copy of the payment with another token", transactions: purchase,
            members: #","appAccountToken":"0f8fad5b-d9cb-469f-a165-000000000002""#, reason: "records_disagree"),
        Beside(
            name: "a desk credit with the number of a ticket",
            credits: ["C1,TICKET-17,,acct-1,credit,desk,2025-11-02T15:00:00+08:00"], reason: "credit_unplaced"),
        Beside(
            name: "a desk credit with a misspelt transaction",
            credits: ["C1,,300000001,acct-1,credit,desk,2025-11-02T15:00:00+08:00"], reason: "credit_unplaced"),
        Beside(
            name: "a credit of three days before whose row came late",
            credits: ["C1,TICKET-17,,acct-1,credit,desk,2025-10-30T15:00:00+08:00"], isOldFile: true,
            reason: "credit_unplaced"),
        Beside(
            name: "one of the first file, which holds history",
            earlierCredits: ["C1,TICKET-17,,acct-1,credit,desk,2025-10-30T15:00:00+08:00"], reason: nil),
        Beside(
            name: "one of the first file, which is written again with another origin",
            credits: ["C1,TICKET-17,,acct-1,credit,auto,2025-10-30T15:00:00+08:00"],
            earlierCredits: ["C1,TICKET-17,,acct-1,credit,desk,2025-10-30T15:00:00+08:00"], reason: nil),
        Beside(
            name: "one of the first file under which a person noted a ticket",
            credits: ["C1,TICKET-17,,acct-1,credit,desk,2025-10-30T15:00:00+08:00"],
            earlierCredits: ["C1,ORD-1,,acct-1,credit,desk,2025-10-30T15:00:00+08:00"], reason: "credit_unplaced"),
        Beside(
            name: "one of before the first file, in a later one",
            credits: ["C1,TICKET-17,,acct-1,credit,desk,2025-10-30T15:00:00+08:00"], reason: "credit_unplaced"),
        Beside(
            name: "another customer's credit",
            credits: ["C1,TICKET-17,,acct-2,credit,desk,2025-11-02T15:00:00+08:00"], reason: nil),
        Beside(
            name: "a credit that was taken back",
            credits: [
                "C1,TICKET-17,,acct-1,credit,desk,2025-11-02T15:00:00+08:00",
                "C2,TICKET-17,,acct-1,reversal,desk,2025-11-02T15:10:00+08:00",
            ], reason: nil),
        Beside(
            name: "a second credit of another purchase",
            credits: [
                "C1,,3000000002,acct-1,credit,auto,2025-11-02T12:05:00+08:00",
                "C2,,3000000002,acct-1,credit,auto,2025-11-02T12:06:00+08:00",
            ], transactions: "3000000002", reason: "credit_unplaced"),
        Beside(
            name: "another customer's credit with the same id",
            credits: [
                "C1,,\(purchase),acct-1,credit,auto,2025-11-02T12:05:00+08:00",
                "C1,O77,,acct-2,credit,auto,2025-11-02T12:06:00+08:00",
            ], reason: "credit_on_record"),
        Beside(
            name: "a credit for another order under the id of a matched purchase's credit",
            orders: [
                order("O7", "coins,1,6.00", status: "paid", at: "02T12"),
                order("O8", "coins,1,6.00", status: "paid", at: "02T11").replacing(",,paid", with: ",3000000002,paid"),
            ],
            credits: [
                "C1,O7,,acct-1,credit,auto,2025-11-02T12:06:00+08:00",
                "C1,,3000000002,acct-1,credit,auto,2025-11-02T12:07:00+08:00",
            ], transactions: "3000000002", reason: "credit_on_record"),
        Beside(
            name: "a desk credit without order and transaction",
            credits: [",,,acct-1,credit,desk,2025-11-02T15:00:00+08:00"], reason: "credit_rejected"),
        Beside(
            name: "a row of orders that cannot be used and names the payment",
            orders: ["O9,acct-1,coins,1,6.00,CNY,,\(purchase),nonsense,2025-11-02T11:00:00+08:00,"],
            reason: "credit_rejected"),
        Beside(
            name: "an accepted receipt of another account",
            receipts: ["R1,2025-11-02T12:01:00+08:00,acct-2,,\(purchase),0,"], reason: "owner_disputed"),
        Beside(
            name: "a rejected receipt that ties the credited order to a family-shared purchase",
            orders: [order("O1", "coins,1,6.00", status: "paid", at: "01T09")],
            credits: ["C1,O1,,acct-1,credit,auto,2025-11-02T12:01:00+08:00"],
            transactions: "3000000002", members: #","inAppOwnershipType":"FAMILY_SHARED""#,
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-1,O1,3000000002,21003,"], reason: "credit_unplaced"),
        Beside(
            name: "a rejected receipt that ties the credited order to a purchase without token",
            orders: [order("O1", "coins,1,6.00", status: "paid", at: "01T09")],
            credits: ["C1,O1,,acct-1,credit,auto,2025-11-02T12:01:00+08:00"],
            transactions: "3000000002", members: #","appAccountToken":null"#,
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-1,O1,3000000002,21003,"], reason: "credit_unplaced"),
        Beside(
            name: "an order for a purchase that was refunded",
            orders: [
                order("O1", "coins,1,6.00", status: "paid", at: "01T09").replacing(",,paid", with: ",3000000002,paid")
            ],
            credits: ["C1,O1,,acct-1,credit,auto,2025-11-02T12:01:00+08:00"],
            transactions: "3000000002", members: #","revocationDate":1762060000000,"revocationReason":0"#,
            reason: "credit_unplaced"),
        Beside(
            name: "the goods of an order that went to a friend",
            orders: [order("O1", "coins,1,6.00", status: "paid", at: "01T09")],
            credits: ["C1,O1,,acct-9,credit,auto,2025-11-02T12:01:00+08:00"], reason: "credit_unplaced"),
        Beside(
            name: "a desk credit to another spelling of the account",
            credits: ["C1,TICKET-17,,ACCT-1,credit,desk,2025-11-02T15:00:00+08:00"], reason: "credit_unplaced"),
        Beside(
            name: "a desk credit to account and order as a Chinese keyboard writes them",
            credits: ["C1,０１０１,,ａｃｃｔ-1,credit,desk,2025-11-02T15:00:00+08:00"], reason: "credit_unplaced"),
        Beside(
            name: "a desk credit to an account that a spreadsheet marked as text",
            credits: ["C1,TICKET-17,,'acct-1,credit,desk,2025-11-02T15:00:00+08:00"], reason: "credit_unplaced"),
        Beside(
            name: "an old order that says that it was credited, but not when",
            orders: [
                order("O1", "coins,1,6.00", status: "credited", at: "01T09").replacing("11-01T09", with: "10-20T09")
            ],
            reason: "credit_unplaced"),
        Beside(
            name: "an order whose later version no longer says that it was credited",
            orders: [
                order("O1", "coins,1,6.00", status: "credited", at: "01T09") + "2025-11-02T12:01:00+08:00",
                order("O1", "coins,1,6.00", status: "paid", at: "01T09") + "2025-11-02T12:05:00+08:00",
            ], reason: "credit_unplaced"),
        Beside(
            name: "an order that a later file calls credited, with the time of its last change before",
            orders: [stale(status: "credited")], earlier: [stale(status: "pending")], reason: "credit_unplaced"),
        Beside(
            name: "an order that a file of four days before calls credited when it comes again",
            orders: [stale(status: "credited")], earlier: [stale(status: "pending")], isOldFile: true,
            reason: "credit_unplaced"),
        Beside(
            name: "an order that a file of four days before called credited when it first came",
            orders: [stale(status: "credited")], earlier: [stale(status: "credited")], isOldFile: true, reason: nil),
        Beside(
            name: "an order that the first file with it calls credited, with an older time of its last change",
            orders: [stale(status: "credited")], reason: "credit_unplaced"),
        Beside(
            name: "another account's order that once named the payment and was credited since",
            orders: [stranger(transaction: "", status: "credited")],
            earlier: [stranger(transaction: purchase, status: "paid")],
            reason: "credit_on_record"),
        Beside(
            name: "another account's credited order that names the payment with a zero in front",
            orders: [stranger(transaction: "0" + purchase, status: "credited")],
            credits: [othersCredit], reason: "credit_on_record"),
        Beside(
            name: "another account's credit that names the payment with a dash inside",
            credits: ["C9,,3000-000001,acct-9,credit,auto,2025-11-02T12:01:00+08:00"], reason: "credit_on_record"),
        Beside(
            name: "a credit of another account that names the subscription",
            credits: ["C9,,\(original),acct-9,credit,auto,2025-11-02T12:01:00+08:00"], own: renewal,
            reason: "credit_on_record"),
        Beside(
            name: "a credit of another account for an earlier period of the subscription",
            credits: othersGoods, transactions: othersIDs, members: othersRenewal, own: renewal,
            earlierCredits: ["C9,,\(original),acct-9,credit,auto,2025-10-02T12:01:00+08:00"], reason: nil),
        Beside(
            name: "no goods for any renewal, but for a first period",
            credits: ["C5,,4000000002,acct-1,credit,auto,2025-11-02T12:01:00+08:00"], transactions: "4000000002",
            members: renewal.replacing(original, with: "4000000002"), own: renewal, reason: "renewals_unrecorded"),
        Beside(
            name: "goods for a renewal that the desk gave",
            credits: othersGoods.map { $0.replacing("auto", with: "desk") }, transactions: othersIDs,
            members: othersRenewal,
            own: renewal, reason: "renewals_unrecorded"),
        Beside(
            name: "an accepted receipt of another account with goods that names an earlier period of the subscription",
            orders: [
                othersOrder,
                order("O8", "coins,1,6.00", status: "paid", at: "01T09").replacing(",,paid", with: ",\(original),paid"),
            ],
            credits: [
                "C8,O8,\(original),acct-1,credit,auto,2025-11-01T09:01:00+08:00",
                othersCredit,
            ],
            transactions: original, members: renewal, own: renewal,
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-9,O9,\(original),0,"], reason: "credit_on_record"),
        Beside(
            name: "a refused receipt of another account with goods that names a period in between",
            orders: [
                othersOrder,
                order("O8", "coins,1,6.00", status: "paid", at: "01T09").replacing(",,paid", with: ",2000000002,paid"),
            ],
            credits: [
                "C8,O8,2000000002,acct-1,credit,auto,2025-11-01T09:01:00+08:00",
                othersCredit,
            ],
            transactions: "2000000002", members: renewal, own: renewal,
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-9,,2000000002,21003,"], reason: "credit_unplaced"),
        Beside(
            name: "a restore of what was given long ago by an order that names no transaction",
            orders: [order("O1", "chest,1,30.00", status: "paid", at: "01T09").replacing("11-01T09", with: "03-01T09")],
            credits: ["C1,O1,,acct-1,credit,auto,2025-03-01T09:01:00+08:00"],
            own:
                #","type":"Non-Consumable","originalTransactionId":"\#(original)","originalPurchaseDate":1740790830000"#,
            settings: #"historyFrom: "2025-01-01","#, reason: "credit_unplaced"),
        Beside(
            name: "a restore of what was paid before the first night",
            own:
                #","type":"Non-Consumable","originalTransactionId":"\#(original)","originalPurchaseDate":1740790830000"#,
            reason: "verdict"),
        Beside(
            name: "a row of orders that cannot be used, says credited and names the account",
            orders: [order("O9", "coins,0,6.00", status: "credited", at: "02T12")], reason: "credit_rejected"),
        Beside(
            name: "an order that was taken back once and is served again",
            orders: [order("O1", "coins,1,6.00", status: "paid", at: "01T09").replacing("11-01T09", with: "10-20T09")],
            credits: [
                "C1,O1,,acct-1,credit,auto,2025-10-20T09:01:00+08:00",
                "V1,O1,,acct-1,reversal,auto,2025-10-21T09:01:00+08:00",
                "C2,O1,,acct-1,credit,auto,2025-11-02T12:01:00+08:00",
            ], reason: "credit_unplaced"),
        Beside(
            name: "an order that was taken back once and says since that it is served again",
            orders: [
                order("O1", "coins,1,6.00", status: "credited", at: "01T09").replacing("11-01T09", with: "10-20T09")
                    + "2025-11-02T12:01:00+08:00"
            ],
            credits: [
                "C1,O1,,acct-1,credit,desk,2025-10-20T09:01:00+08:00",
                "V1,O1,,acct-1,reversal,desk,2025-10-21T09:01:00+08:00",
            ], reason: "credit_unplaced"),
        Beside(
            name: "a refused receipt of a third account that names another account's order",
            orders: [othersOrder],
            credits: [othersCredit],
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-8,O9,\(purchase),21003,"], reason: "credit_on_record"),
        Beside(
            name: "a receipt of a third account that cannot be used and names another account's order",
            orders: [othersOrder],
            credits: [othersCredit],
            receipts: ["R1,nonsense,acct-8,O9,\(purchase),0,"], reason: "credit_unplaced"),
        Beside(
            name: "a refused receipt that names a stranger's order which was served long before",
            orders: [othersOrder.replacing("11-02", with: "10-02")],
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-8,O9,\(purchase),21003,"],
            earlierCredits: [othersCredit.replacing("11-02", with: "10-02")], reason: nil),
        Beside(
            name: "a claim and a credit that cannot be used",
            credits: ["C9,O9,,acct-9,credit,auto,nonsense"],
            receipts: ["R1,nonsense,acct-9,,\(purchase),0,"], reason: "credit_rejected"),
        Beside(
            name: "a claimant's credit that cannot be used",
            credits: ["C9,O9,,acct-9,credit,auto,nonsense"],
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-9,,\(purchase),21003,"], reason: "credit_rejected"),
        Beside(
            name: "a stranger's credit that cannot be used",
            credits: ["C9,O9,,acct-9,credit,auto,nonsense"],
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-8,,\(purchase),21003,"], reason: nil),
        Beside(
            name: "another account's credit for a period in between",
            credits: [ownPeriod, "C9,,2000000002,acct-9,credit,auto,2025-11-02T12:01:00+08:00"],
            transactions: "2000000002", members: renewal, own: renewal, reason: "credit_on_record"),
        Beside(
            name: "another account's credit for a period in between, misspelt",
            credits: [ownPeriod, "C9,,02000000002,acct-9,credit,auto,2025-11-02T12:01:00+08:00"],
            transactions: "2000000002", members: renewal, own: renewal, reason: "credit_on_record"),
        Beside(
            name: "an order of another account that says credited and names a period in between",
            orders: [stranger(transaction: "2000000002", status: "credited").replacing("11-01", with: "11-02")],
            credits: [ownPeriod],
            transactions: "2000000002", members: renewal, own: renewal, reason: "credit_on_record"),
        Beside(
            name: "a refused receipt for the first period by an account that once had a credit for it",
            orders: [othersOrder],
            credits: [
                "C7,,\(original),acct-9,credit,auto,2025-11-01T09:00:00+08:00",
                "V7,,\(original),acct-9,reversal,auto,2025-11-01T09:00:30+08:00",
                "C8,,\(original),acct-1,credit,auto,2025-11-01T09:01:00+08:00",
                othersCredit,
            ],
            transactions: original, members: renewal, own: renewal,
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-9,,\(original),21003,"], reason: "credit_unplaced"),
        Beside(
            name: "a refused receipt for the first period by the account that alone got its goods, by mistake",
            orders: [
                othersOrder,
                order("O8", "coins,1,6.00", status: "paid", at: "01T09").replacing(",,paid", with: ",\(original),paid")
                    .replacing("11-01", with: "10-25"),
            ],
            credits: [othersCredit], transactions: original, members: renewal, own: renewal,
            receipts: ["R1,2025-11-02T12:02:00+08:00,acct-9,,\(original),21003,"],
            earlierCredits: ["C8,O8,\(original),acct-9,credit,auto,2025-10-25T09:01:00+08:00"],
            reason: "credit_unplaced"),
        Beside(
            name: "a receipt that cannot be used and names the subscription",
            orders: [othersOrder], credits: [othersCredit] + othersGoods, transactions: othersIDs,
            members: othersRenewal, own: renewal,
            receipts: ["R1,nonsense,acct-9,,\(original),0,"], reason: "credit_unplaced"),
        Beside(
            name: "a receipt for the subscription whose time was set back",
            orders: [othersOrder],
            credits: [othersCredit], own: renewal,
            receipts: ["R1,2025-09-02T12:02:00+08:00,acct-9,,\(original),21003,"], reason: "credit_unplaced"),
        Beside(
            name: "a row of credits with another separator that names the account",
            credits: ["C9^acct-1^credit"], reason: "credit_rejected"),
        Beside(
            name: "a credit whose earlier version named the payment",
            credits: [
                "C1,,\(purchase),acct-9,credit,auto,2025-11-02T12:05:00+08:00",
                "C1,O77,,acct-9,credit,auto,2025-11-02T12:06:00+08:00",
            ], reason: "credit_on_record"),
        second("a refused receipt of a second account with goods", ["12:01:00+08:00,acct-9,,\(purchase),21003,"]),
        second("its misspelt receipt", ["12:01:00+08:00,acct-9,,0\(purchase),21003,"]),
        second("its receipt with the id as a number", ["12:01:00+08:00,acct-9,,\(purchase).0,21003,"]),
        second("its receipt with a space without width", ["12:01:00+08:00,acct-9,,\(purchase)\u{200B},21003,"]),
        second("its receipt that cannot be used", ["nonsense,acct-9,,\(purchase),0,"]),
        second("its receipt that cannot be shown", ["nonsense,acct-9,,\(purchase),0,\"a\"\"b\""]),
        second(
            "its receipt that the client replaced",
            ["12:01:00+08:00,acct-9,,\(purchase),0,", "23:00:00+08:00,acct-9,O9,999,21003,"], reason: "owner_disputed"
        ),
        second("a stranger's refused receipt", ["12:01:00+08:00,acct-8,,\(purchase),21003,"], reason: nil),
        second("a stranger's receipt that cannot be used", ["nonsense,acct-8,,\(purchase),0,"], reason: nil),
    ]

    /// An order of acct-9 that names no payment, and the goods for it.
    fileprivate static let othersOrder = "O9,acct-9,coins,1,6.00,CNY,,,paid,2025-11-02T11:59:00+08:00,"
    fileprivate static let othersCredit = "C9,O9,,acct-9,credit,auto,2025-11-02T12:01:00+08:00"
    fileprivate static let original = "2000000001"
    fileprivate static let ownPeriod = "C8,,2000000002,acct-1,credit,auto,2025-11-01T09:01:00+08:00"
    fileprivate static let renewal =
        #","type":"Auto-Renewable Subscription","expiresDate":1764648000000,"originalTransactionId":"\#(original)""#

    fileprivate static let othersRenewal =
        renewal.replacing(original, with: "4000000001") + #","appAccountToken":"2f8fad5b-d9cb-469f-a165-000000000001""#
    fileprivate static let othersIDs = (2...11).map { "\(4_000_000_000 + $0)" }.joined(separator: " ")
    fileprivate static let othersGoods = othersIDs.split(separator: " ").map {
        "C\($0.suffix(2)),,\($0),acct-5,credit,auto,2025-11-02T12:01:00+08:00"
    }

    fileprivate static func stranger(transaction: String, status: String) -> String {
        "O9,acct-9,coins,1,6.00,CNY,,\(transaction),\(status),2025-11-01T11:59:00+08:00,"
    }

    fileprivate static func stale(status: String) -> String {
        order("O1", "coins,1,6.00", status: status, at: "01T09").replacing("11-01", with: "10-20")
            + "2025-10-20T09:01:00+08:00"
    }

    /// The payment was reported by acct-9 with an order of its own, by which it got the goods.
    fileprivate static func second(_ name: String, _ receipts: [String], reason: String? = "credit_unplaced") -> Beside
    {
        Beside(
            name: name, orders: [othersOrder], credits: [othersCredit],
            receipts: receipts.map { "R1,2025-11-02T" + $0 }, reason: reason)
    }
}
